// SPDX-License-Identifier: BSD-3-Clause
// A capture may hold a packet twice, as it was sent and as it arrived: which are the same, and how long it took.

// Packets of one Path ID, by their Path Packet Number.
class Lane {
	constructor() {
		this.base = null;
		this.at = new Column(Float64Array); // NaN: not seen
		this.ts = new Uint32Array(256);
	}
	index(number) {
		// Some may come before the first one that was captured.
		this.base ??= Math.max(0, number - 1024);
		return number - this.base;
	}
	// When the same packet was seen before; -1: it was not.
	see(number, ts_us, at_s) {
		const i = this.index(number);
		if (i < 0 || i > this.at.n + (1 << 20)) return -1;
		if (i < this.at.n && this.ts[i] === ts_us && !Number.isNaN(this.at.data[i])) return this.at.data[i];
		while (this.at.n <= i) this.at.push(NaN);
		if (this.ts.length < this.at.data.length) {
			const larger = new Uint32Array(this.at.data.length);
			larger.set(this.ts);
			this.ts = larger;
		}
		this.at.data[i] = at_s;
		this.ts[i] = ts_us;
		return -1;
	}
	// Whether the packet has that time stamp; null: it is not in the capture.
	is(number, ts_us) {
		const i = this.base === null ? -1 : number - this.base;
		return i < 0 || i >= this.at.n || Number.isNaN(this.at.data[i]) ? null : this.ts[i] === ts_us;
	}
}

// Packets without a number, by checksum and, where a router stands between, by another time to live: the same bytes may be
// sent twice, but not with another.
class SeenPackets {
	constructor() {
		this.table = new Table({ path: Uint8Array, ttl: Uint8Array, ip_id: Uint16Array, wire: Uint32Array, next: Int32Array });
		this.first = new Map();
		this.before = new Map(); // what is older; dropped when there are as many newer ones
	}
	see(checksum, path, ttl, ip_id, wire, at_s) {
		const t = this.table;
		let last = -1, n = 0;
		for (const map of [this.before, this.first]) {
			last = -1;
			n = 0;
			for (let i = map.get(checksum) ?? -1; i >= 0 && n < 16; i = t.next.data[i], n++) {
				if (t.path.data[i] === path && t.ttl.data[i] !== ttl && t.ip_id.data[i] === ip_id && t.wire.data[i] === wire) {
					if (last >= 0) t.next.data[last] = t.next.data[i];
					else if (t.next.data[i] >= 0) map.set(checksum, t.next.data[i]);
					else map.delete(checksum);
					return t.at.data[i];
				}
				last = i;
			}
		}
		if (n === 16) return -1;
		const added = t.n;
		t.at.push(at_s);
		t.path.push(path);
		t.ttl.push(ttl);
		t.ip_id.push(ip_id);
		t.wire.push(wire);
		t.next.push(-1);
		if (last >= 0) t.next.data[last] = added;
		else this.first.set(checksum, added);
		if (this.first.size > 65536) [this.before, this.first] = [this.first, new Map()];
		return -1;
	}
}
