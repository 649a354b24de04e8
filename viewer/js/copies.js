// SPDX-License-Identifier: BSD-3-Clause
// A capture may hold a packet twice, as it was sent and as it arrived: which are the same, and how long it took.

// Packets of one Path ID, by their Path Packet Number.
class Lane {
	constructor() {
		this.base = null;
		this.row = new Column(Int32Array); // of the flow's `sent`; -1: not seen
		this.ts = new Column(Uint32Array);
	}
	index(number) {
		// Some may come before the first one that was captured.
		this.base ??= Math.max(0, number - 1024);
		return number - this.base;
	}
	// The row of the same packet, if it was seen before; -1: it was not, and will be `row`.
	see(number, ts_us, row) {
		const i = this.index(number);
		if (i < 0 || i > this.row.n + (1 << 20)) return -1;
		if (i < this.row.n && this.ts.data[i] === ts_us && this.row.data[i] >= 0) return this.row.data[i];
		while (this.row.n <= i) {
			this.row.push(-1);
			this.ts.push(0);
		}
		this.row.data[i] = row;
		this.ts.data[i] = ts_us;
		return -1;
	}
	// Whether the packet has that time stamp; null: it is not in the capture.
	is(number, ts_us) {
		const i = this.base === null ? -1 : number - this.base;
		return i < 0 || i >= this.row.n || this.row.data[i] < 0 ? null : this.ts.data[i] === ts_us;
	}
}

// Packets without a number, by checksum and, where a router stands between, by another time to live: the same bytes may be
// sent twice, but not with another.
class SeenPackets {
	constructor() {
		const types = { path: Uint8Array, ttl: Uint8Array, ip_id: Uint16Array, wire: Uint32Array, row: Int32Array, next: Int32Array };
		this.table = {};
		for (const [name, Type] of Object.entries(types)) this.table[name] = new Column(Type);
		this.first = new Map();
		this.before = new Map(); // what is older; dropped when there are as many newer ones
	}
	// As that of Lane. `any`: the packet's four-tuple is new, so that it may be that of any path: behind a NAT a packet arrives
	// on another one than it was sent on.
	see(checksum, path, any, ttl, ip_id, wire, row) {
		const t = this.table;
		let last = -1, n = 0;
		for (const map of [this.before, this.first]) {
			last = -1;
			n = 0;
			for (let i = map.get(checksum) ?? -1; i >= 0 && n < 16; i = t.next.data[i], n++) {
				if ((any || t.path.data[i] === path) && t.ttl.data[i] !== ttl && t.ip_id.data[i] === ip_id && t.wire.data[i] === wire) {
					if (last >= 0) t.next.data[last] = t.next.data[i];
					else if (t.next.data[i] >= 0) map.set(checksum, t.next.data[i]);
					else map.delete(checksum);
					return t.row.data[i];
				}
				last = i;
			}
		}
		if (n === 16) return -1;
		const added = t.row.n;
		t.row.push(row);
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
