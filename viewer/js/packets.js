// SPDX-License-Identifier: BSD-3-Clause
// What SCTP packets of a capture mean: which association, which direction, which path.

const DATA = 0, INIT = 1, INIT_ACK = 2, SACK = 3, ABORT = 6, SHUTDOWN_COMPLETE = 14, NR_SACK = 16, I_DATA = 64;
const DTLS = 65, PACKET_DROPPED = 0x81;
const TIMESTAMP = 0x9e, ECHO = 0x9f;
const MAX_HALVES = 8192, MAX_ENTRIES = 8, MAX_INITS = 64;

// Packets of one direction of an association: those with one verification tag.
class Half {
	constructor(tag, source, destination) {
		this.tag = tag;
		this.source = source;
		this.destination = destination;
		this.peer = null;
		this.flow = new Flow();
		this.tsns = new TsnSet();
		this.path_of = new Map(); // tuple -> index of the path
		this.lanes = new Map(); // Path ID -> Lane
		this.seen = new SeenPackets();
		this.offset_us = null; // the first relative delay
	}
	path(tuple) {
		let index = this.path_of.get(tuple);
		if (index === undefined) {
			index = this.flow.addPath(null);
			this.path_of.set(tuple, index);
			this.flow.paths[index].from = tuple.from;
			this.flow.paths[index].to = tuple.to;
		}
		return index;
	}
	// A path goes on at another four-tuple when a NAT or the host changes it: its ID stays.
	pathWithId(tuple, id) {
		const index = this.path(tuple), { paths } = this.flow;
		if (paths[index].id === id) return index;
		let same = paths.findIndex(p => p.id === id);
		if (same < 0 && paths[index].id === null) {
			paths[index].id = id;
			return index;
		}
		if (same < 0) same = this.flow.addPath(id);
		paths[same].from = tuple.from;
		paths[same].to = tuple.to;
		this.path_of.set(tuple, same);
		return same;
	}
	// The row of a packet without a number, if it was seen before; else -1, and it will be the next row.
	seenBefore(tuple, checksum, d, wire) {
		const known = this.path_of.get(tuple), path = known ?? Math.min(this.flow.paths.length, MAX_PATHS - 1);
		return this.seen.see(checksum, path, known === undefined, d.ttl, d.ip_id, wire, this.flow.sent.n);
	}
	lane(id) {
		let lane = this.lanes.get(id);
		if (lane === undefined && this.lanes.size < MAX_PATHS) this.lanes.set(id, lane = new Lane());
		return lane;
	}
}

class CapturePackets {
	constructor() {
		this.trace = new Trace("capture");
		this.tuples = new Tuples();
		this.by_tag = new Map();
		this.n_halves = 0;
		this.inits = new Map(); // by the tag that the answer will have
		this.p = new ParsedPacket();
	}
	// One packet of b, from `at` to `end`; `wire` bytes of the network.
	packet(b, at, end, tuple, d, wire) {
		const source = u16(b, at), destination = u16(b, at + 2), tag = u32(b, at + 4), kind = end - at >= 16 ? b[at + 12] : -1;
		if (tag === 0) {
			// Counted when the answer names its direction.
			if (kind === INIT && end - at >= 20 && this.inits.size < MAX_HALVES) {
				const asked = u32(b, at + 16), init = { source, destination, tuple, wire, d, checksum: u32(b, at + 8) };
				if (!this.inits.has(asked)) this.inits.set(asked, []);
				if (this.inits.get(asked).length < MAX_INITS) this.inits.get(asked).push(init);
			}
			return;
		}
		const reflected = (kind === ABORT || kind === SHUTDOWN_COMPLETE) && (b[at + 13] & 1) === 1;
		// It may have come from a router, with the tag of the packet that it quotes.
		if (kind === PACKET_DROPPED && this.find(tag, source, destination) === null) return;
		const half = reflected ? this.find(tag, destination, source)?.peer ?? null : this.half(tag, source, destination, tuple);
		if (half === null) return;
		if (kind === INIT_ACK && end - at >= 20) this.initAck(half, u32(b, at + 16), tuple);
		this.p.parse(b, at, end);
		this.analyse(half, tuple, d, wire, u32(b, at + 8));
	}
	find(tag, source, destination) {
		return this.by_tag.get(tag)?.find(h => h.source === source && h.destination === destination) ?? null;
	}
	half(tag, source, destination, tuple) {
		const known = this.find(tag, source, destination);
		if (known !== null) return known;
		const half = this.add(tag, source, destination);
		if (half === null) return null;
		half.path(tuple);
		if (tuple.reverse !== null) {
			for (const other of this.all()) {
				if (other !== half && other.peer === null && other.source === destination && other.destination === source
					&& other.path_of.has(tuple.reverse)) {
					pair(half, other);
					break;
				}
			}
		}
		return half;
	}
	*all() {
		for (const halves of this.by_tag.values()) yield* halves;
	}
	add(tag, source, destination) {
		if (this.n_halves === MAX_HALVES) {
			this.trace.note(`Packets of associations beyond the first ${MAX_HALVES / 2} were left out`);
			return null;
		}
		const half = new Half(tag, source, destination);
		this.n_halves++;
		if (!this.by_tag.has(tag)) this.by_tag.set(tag, []);
		this.by_tag.get(tag).push(half);
		return half;
	}
	// `half` answers an INIT, and asks for the tag `tag`.
	initAck(half, tag, tuple) {
		let other = this.find(tag, half.destination, half.source);
		if (tag === 0 || (other !== null && other.peer !== null) || half.peer !== null) return;
		other ??= this.add(tag, half.destination, half.source);
		if (other === null) return;
		pair(half, other);
		// INITs go to several addresses, and again; each may be in the capture twice.
		for (const { source, destination, tuple: way, wire, d, checksum } of this.inits.get(half.tag) ?? []) {
			if (source !== other.source || destination !== other.destination) continue;
			const original = other.seenBefore(way, checksum, d, wire);
			if (original >= 0) other.path_of.set(way, other.flow.sent.path.data[original]);
			else other.flow.add(d.frame.at_s, other.path(way), CONTROL, 1, 0, 0, 0, wire, d.frame.frame);
		}
		this.inits.delete(half.tag);
		if (tuple.reverse !== null) other.path(tuple.reverse);
	}
	finish() {
		for (const half of this.all()) {
			if (half.peer !== null && half.peer.done) continue;
			half.done = true;
			const a = new Association(""), { peer } = half;
			a.flows = [half.flow, peer === null ? new Flow() : peer.flow];
			if (peer !== null) nameAlike(half, peer);
			// As each end has it for itself, where that is known: behind a NAT the other one knows another address.
			const first = half.flow.paths[0], back = peer?.flow.paths[0];
			a.ends = [`${first?.from ?? back?.to ?? "?"} port ${half.source}`, `${back?.from ?? first?.to ?? "?"} port ${half.destination}`];
			this.trace.associations.push(a);
		}
	}
	analyse(half, tuple, d, wire, checksum) {
		const { p } = this, { flow } = half, { at_s, frame } = d.frame;
		const lane = p.path_id > 0 ? half.lane(p.path_id) : undefined;
		const row = flow.sent.n, original = lane !== undefined ? lane.see(p.path_number, p.ts_us, row)
			: half.seenBefore(tuple, checksum, d, wire);
		if (original >= 0) {
			const path = flow.sent.path.data[original];
			half.path_of.set(tuple, path);
			flow.sent.arrived.data[original] = 1;
			if (p.n > 0 || p.encrypted) {
				flow.transit.at.push(at_s);
				flow.transit.path.push(path);
				flow.transit.delay_s.push(at_s - flow.sent.at.data[original]);
			}
			return;
		}
		this.rows(half, p.path_id > 0 ? half.pathWithId(tuple, p.path_id) : half.path(tuple), at_s, wire, frame);
		if (p.has_ack && half.peer !== null && half.peer.flow.base !== null) {
			const acked = half.peer.flow, tsn = acked.tsn(p.ack);
			if (tsn !== null) {
				acked.acked.at.push(at_s);
				acked.acked.tsn.push(tsn);
			}
		}
		if (half.peer !== null) for (let i = 0; i < p.n_entries; i++) this.entry(half.peer, i, at_s);
	}
	rows(half, path, at_s, wire, frame) {
		const { p } = this, { flow, tsns } = half;
		let first = 1, begin = 0, again = false, chunks = 0, payload = 0;
		const row = () => {
			flow.add(at_s, path, again ? AGAIN : NEW, first, begin, chunks, payload, first === 1 ? wire : 0, frame);
			first = chunks = payload = 0;
		};
		for (let i = 0; i < p.n; i++) {
			const tsn = flow.tsn(p.tsns[i]);
			if (tsn === null) {
				this.trace.note("Chunks with a TSN far from all others were left out");
				continue;
			}
			const seen = tsns.has(tsn);
			tsns.add(tsn);
			if (chunks > 0 && (tsn !== begin + chunks || seen !== again)) row();
			if (chunks === 0) [begin, again] = [tsn, seen];
			chunks++;
			payload += p.sizes[i];
		}
		if (chunks > 0) row();
		if (first === 1) flow.add(at_s, path, p.encrypted ? ENCRYPTED : CONTROL, 1, 0, 0, 0, wire, frame);
	}
	// An entry of a CMT-ECHO about a packet of `half`: its delay, and how many did not arrive until then.
	entry(half, i, at_s) {
		const { id, heard, ts_us, elapsed_us, number } = this.p.entries[i];
		const lane = half.lanes.get(id), index = half.flow.paths.findIndex(path => path.id === id);
		if (index < 0 || lane === undefined || lane.is(number, ts_us) === false) return;
		half.flow.paths[index].heard_lost = (number - heard) & 0xffff;
		const delay_us = (this.p.receiver_us - elapsed_us - ts_us) | 0;
		half.offset_us ??= delay_us;
		half.flow.relative.at.push(at_s);
		half.flow.relative.path.push(index);
		half.flow.relative.delay_s.push(((delay_us - half.offset_us) | 0) / 1e6);
	}
}

function pair(a, b) {
	a.peer = b;
	b.peer = a;
}

// A path that has no ID of its own, as it carries SACKs alone, is called as that of the other direction.
function nameAlike(a, b) {
	for (const [half, peer] of [[a, b], [b, a]]) {
		for (const [tuple, index] of half.path_of) {
			const path = half.flow.paths[index], other = peer.path_of.get(tuple.reverse);
			if (path.id === null && other !== undefined) {
				const { id } = peer.flow.paths[other];
				if (!half.flow.paths.some(p => p.id === id)) path.id = id;
			}
		}
	}
}

// The chunks of the packet at hand; one object for all packets.
class ParsedPacket {
	constructor() {
		this.tsns = new Uint32Array(4096);
		this.sizes = new Uint16Array(4096);
		this.entries = Array.from({ length: MAX_ENTRIES }, () => ({ id: 0, heard: 0, ts_us: 0, elapsed_us: 0, number: 0 }));
	}
	parse(b, at, end) {
		this.n = this.n_entries = this.path_id = this.path_number = this.ts_us = 0;
		this.has_ack = this.encrypted = false;
		for (let c = at + 12; c + 4 <= end;) {
			const length = u16(b, c + 2);
			if (length < 4) break;
			this.chunk(b, c, length, Math.min(end, c + length));
			c += length + 3 & ~3;
		}
	}
	chunk(b, c, length, end) {
		const type = b[c], there = end - c;
		if (type === DATA || type === I_DATA) {
			const head = type === DATA ? 16 : 20;
			if (there >= 8 && length > head && this.n < this.tsns.length) {
				this.tsns[this.n] = u32(b, c + 4);
				this.sizes[this.n++] = length - head;
			}
		} else if ((type === SACK || type === NR_SACK) && there >= 8) {
			this.has_ack = true;
			this.ack = u32(b, c + 4);
		} else if (type === DTLS) this.encrypted = true;
		else if (type === TIMESTAMP && there >= 16) {
			this.ts_us = u32(b, c + 4);
			this.path_number = u32(b, c + 8);
			this.path_id = u16(b, c + 12);
		} else if (type === ECHO && there >= 8 && length % 16 === 8) {
			this.receiver_us = u32(b, c + 4);
			for (let e = c + 8; e + 16 <= end && this.n_entries < MAX_ENTRIES; e += 16) {
				const entry = this.entries[this.n_entries++];
				entry.id = u16(b, e);
				entry.heard = u16(b, e + 2);
				entry.ts_us = u32(b, e + 4);
				entry.elapsed_us = u32(b, e + 8);
				entry.number = u32(b, e + 12);
			}
		}
	}
}
