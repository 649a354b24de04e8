// SPDX-License-Identifier: BSD-3-Clause
// What a file tells, whatever its format: a trace has associations, an association two flows, a flow is what one end sends.

const MAX_PATHS = 64;
// Further from the highest TSN than any window reaches: not of this transfer.
const MAX_TSN_STEP = 1 << 24;

// What a row of `sent` is.
const NEW = 0, AGAIN = 1, CONTROL = 2, ENCRYPTED = 3, ARRIVAL = 4;
const STATES = ["unconfirmed", "active", "failed", "standby", "gone"];

class FileError extends Error {}

class Path {
	constructor(id) {
		this.id = id; // the sender's number; null: not known yet
		this.from = this.to = "?";
		this.heard_lost = null; // packets that did not arrive, as the receiver's count of them tells
	}
}

class Flow {
	constructor() {
		this.paths = [];
		// A run of consecutive TSNs in a packet; `first` in a packet's first row alone, with its bytes. `arrived`: it was captured
		// there, too.
		this.sent = new Table({ path: Uint8Array, kind: Uint8Array, first: Uint8Array, arrived: Uint8Array,
			tsn: Int32Array, chunks: Uint16Array, payload: Uint32Array, wire: Uint32Array, number: Uint32Array });
		this.transit = new Table({ path: Uint8Array, delay_s: Float64Array });
		this.relative = new Table({ path: Uint8Array, delay_s: Float64Array });
		this.acked = new Table({ tsn: Int32Array });
		this.lost = new Table({ path: Uint8Array, tsn: Int32Array });
		this.spurious = new Table({ path: Uint8Array, tsn: Int32Array });
		this.metrics = new Table({ path: Uint8Array, cwnd: Uint32Array, flight: Uint32Array });
		this.states = new Table({ path: Uint8Array, state: Uint8Array });
		this.base = null; // TSNs count from the first one
		this.top = 0;
	}
	// The number of a TSN in this flow, from 0 on; null: too far from all others.
	tsn(wire) {
		if (this.base === null) this.base = wire;
		const step = (wire - this.base - this.top) | 0, tsn = this.top + step;
		if (Math.abs(step) > MAX_TSN_STEP || tsn < -MAX_TSN_STEP || tsn > 0x7ffffff0) return null;
		if (step > 0) this.top = tsn;
		return tsn;
	}
	add(at_s, path, kind, first, tsn, chunks, payload, wire, number) {
		const t = this.sent;
		t.at.push(at_s);
		t.path.push(path);
		t.kind.push(kind);
		t.first.push(first);
		t.arrived.push(0);
		t.tsn.push(tsn);
		t.chunks.push(chunks);
		t.payload.push(payload);
		t.wire.push(wire);
		t.number.push(number);
	}
	addPath(id) {
		if (this.paths.length === MAX_PATHS) return MAX_PATHS - 1;
		return this.paths.push(new Path(id)) - 1;
	}
	finish() {
		this.sent.finish();
		this.findLost();
		for (const name of ["transit", "relative", "acked", "lost", "spurious", "metrics", "states"]) this[name].finish();
		const { kind, payload, wire, first } = this.sent;
		this.has = { wire: false, tsn: false, encrypted: false, payload: 0, bytes: 0, packets: 0 };
		for (let i = 0; i < this.sent.n; i++) {
			this.has.wire ||= wire.data[i] > 0;
			this.has.tsn ||= kind.data[i] <= AGAIN;
			this.has.encrypted ||= kind.data[i] === ENCRYPTED;
			this.has.payload += payload.data[i];
			this.has.bytes += wire.data[i];
			this.has.packets += first.data[i];
		}
		const taken = new Set(this.paths.map(p => p.id));
		for (const path of this.paths) {
			for (let id = 1; path.id === null; id++) {
				if (!taken.has(id)) taken.add(path.id = id);
			}
		}
		this.setDelays();
	}
	// In a capture with both views what was not seen twice.
	findLost() {
		const t = this.sent;
		if (!t.arrived.data.includes(1)) return;
		for (let i = 0; i < t.n; i++) {
			if (t.first.data[i] === 0 || t.arrived.data[i] === 1 || t.kind.data[i] > AGAIN) continue;
			this.lost.at.push(t.at.data[i]);
			this.lost.path.push(t.path.data[i]);
			this.lost.tsn.push(t.tsn.data[i]);
		}
	}
	// True delays where both ends were seen; else above the least of all paths, as the common offset of the clocks is unknown.
	setDelays() {
		this.delay = this.transit.n > 0 ? this.transit : this.relative;
		this.delay_kind = this.delay.n === 0 ? "none" : this.delay === this.transit ? "true" : "relative";
		const { path, delay_s } = this.delay;
		if (this.delay_kind === "relative") {
			const least = delay_s.data.reduce((a, b) => Math.min(a, b), Infinity);
			for (let i = 0; i < this.delay.n; i++) delay_s.data[i] -= least;
		}
		this.least_s = new Float64Array(MAX_PATHS).fill(Infinity);
		for (let i = 0; i < this.delay.n; i++) this.least_s[path.data[i]] = Math.min(this.least_s[path.data[i]], delay_s.data[i]);
	}
	// Bytes that a row counts with: those of the network where they are known, else of DATA, else packets.
	get measure() { return this.has.wire ? "wire" : this.has.payload > 0 ? "payload" : "first"; }
}

class Association {
	constructor(name) {
		this.name = name;
		this.flows = [new Flow(), new Flow()];
		this.ends = ["?", "?"];
	}
	finish() {
		for (const flow of this.flows) flow.finish();
		const [a, b] = this.flows;
		const weight = f => f.has.payload || f.has.bytes || f.has.packets;
		this.bulk = weight(b) > weight(a) ? 1 : 0;
		this.weight = weight(a) + weight(b);
		// The first and last time of anything, in seconds.
		this.begin_s = Infinity;
		this.end_s = -Infinity;
		for (const table of this.flows.flatMap(f => [f.sent, f.transit, f.metrics, f.states])) {
			if (table.n > 0) {
				this.begin_s = Math.min(this.begin_s, table.at.data[0]);
				this.end_s = Math.max(this.end_s, table.at.data[table.n - 1]);
			}
		}
	}
}

class Trace {
	constructor(format, title = "") {
		this.format = format;
		this.title = title;
		this.associations = [];
		this.counts = new Map(); // what was left out, and how often
	}
	note(text, n = 1) {
		this.counts.set(text, (this.counts.get(text) || 0) + n);
	}
	finish() {
		for (const a of this.associations) a.finish();
		this.associations = this.associations.filter(a => a.end_s >= a.begin_s).sort((a, b) => b.weight - a.weight);
		return this;
	}
}
