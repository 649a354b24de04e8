// SPDX-License-Identifier: BSD-3-Clause
// Four-tuples: both addresses, and in UDP both ports. Each is one object, whatever the number of its packets.

class Tuple {
	constructor(key, from, to) {
		this.key = key;
		this.from = from;
		this.to = to;
		this.reverse = null; // that of the other direction, once it was seen
		this.is_sctp = false; // in UDP: a packet's CRC32c was right
		this.tried = 0;
	}
}

class Tuples {
	constructor() {
		this.by_hash = new Map();
		this.n = 0;
	}
	of(b, d, source_port, destination_port) {
		const size = d.v6 ? 16 : 4;
		const from = key(b, d.from, size, source_port), to = key(b, d.to, size, destination_port);
		let near = this.by_hash.get(from);
		if (near === undefined) this.by_hash.set(from, near = new Map());
		let tuple = near.get(to);
		if (tuple === undefined) {
			tuple = new Tuple(++this.n, endName(ipText(b, d.from, d.v6), source_port), endName(ipText(b, d.to, d.v6), destination_port));
			tuple.reverse = this.by_hash.get(to)?.get(from) ?? null;
			if (tuple.reverse !== null) tuple.reverse.reverse = tuple;
			near.set(to, tuple);
		}
		return tuple;
	}
}

// A number where it is exact, as with IPv4, else text.
function key(b, at, size, port) {
	if (size === 4) return u32(b, at) * 65536 + port;
	let text = String(port);
	for (let i = 0; i < size; i += 4) text += "," + u32(b, at + i);
	return text;
}
