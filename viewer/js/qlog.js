// SPDX-License-Identifier: BSD-3-Clause
// Reads qlog in its sequential form (docs/qlog.md), piece by piece; also without the record separators, as JSON lines.

const RECORD = 0x1e, LINE_FEED = 0x0a, BRACE = 0x7b;
const MAX_RECORD_BYTES = 1 << 20, MAX_GROUPS = 4096;

const isCount = x => Number.isInteger(x) && x >= 0 && x <= 0xffffffff;

// One end of an association.
class QlogGroup {
	constructor(association, side) {
		this.association = association;
		this.flow = association.flows[side];
		this.heard = association.flows[1 - side];
		this.side = side;
		this.acked = new TsnSet();
		this.next = 0; // the lowest TSN that is not acknowledged
		this.ports = null;
		this.paired = false;
	}
}

class QlogReader {
	constructor() {
		this.trace = new Trace("qlog");
		this.decoder = new TextDecoder();
		this.rest = new Uint8Array(0);
		this.at_byte = 0;
		this.separator = 0;
		this.records = 0;
		this.groups = new Map();
		this.numbers = new Map(); // of a path of a flow: when each packet was sent, by its number
		this.offset = new Map(); // of a flow: its first relative delay
	}
	static matches(bytes) {
		return bytes[0] === RECORD || bytes[0] === BRACE;
	}
	push(piece) {
		if (this.separator === 0) this.separator = piece[0] === RECORD ? RECORD : LINE_FEED;
		const end = piece.lastIndexOf(this.separator);
		if (end < 0 && this.rest.length > MAX_RECORD_BYTES) {
			throw new FileError(`The record at byte ${this.at_byte} has no end: this is not a sequential qlog file.`);
		}
		const whole = join(this.rest, piece.subarray(0, Math.max(end, 0)));
		if (end < 0) {
			this.rest = join(this.rest, piece);
			return;
		}
		this.rest = piece.slice(end);
		this.take(whole);
	}
	take(bytes) {
		let at = this.at_byte;
		for (const text of this.decoder.decode(bytes).split(String.fromCharCode(this.separator))) {
			if (text.length > 1) this.record(text, at);
			at += text.length + 1;
		}
		this.at_byte += bytes.length;
	}
	end() {
		const text = this.decoder.decode(this.rest).replace(/^\x1e/, "");
		if (text.trim() !== "") {
			// What was cut off has no line feed, and mostly is no JSON.
			let whole = true;
			try { JSON.parse(text); } catch { whole = false; }
			if (whole) this.record(text, this.at_byte);
			else this.trace.note(`The file ends within a record, at byte ${this.at_byte}: it is shown up to there.`);
		}
		if (this.records === 0) throw new FileError(`No qlog record can be read: the file ends at byte ${this.at_byte + text.length}.`);
		return this.trace.finish();
	}
	record(text, at) {
		let value;
		try {
			value = JSON.parse(text);
		} catch {
			if (this.records === 0) {
				throw new FileError(`The first record, at byte ${at}, is not JSON: this is not a sequential qlog file (JSON text sequence).`);
			}
			this.trace.note(`Records that are not JSON were left out, the first at byte ${at}`);
			return;
		}
		if (this.records++ === 0) this.head(value, at);
		else if (!this.event(value)) this.trace.note("Events without a name, time, association or value that they need were left out");
	}
	head(value, at) {
		const schema = value?.file_schema ?? value?.qlog_format ?? value?.qlog_version;
		if (typeof schema !== "string") {
			throw new FileError(`The record at byte ${at} is no head of a qlog file: it has no file_schema.`);
		}
		if (typeof value.title === "string") this.trace.title = value.title.slice(0, 200);
	}
	event(e) {
		if (typeof e?.name !== "string" || typeof e.data !== "object" || e.data === null || !(e.time >= 0 && e.time < 1e12)) return false;
		if (!e.name.startsWith("sctp:")) {
			this.trace.note("Events of other protocols were left out");
			return true;
		}
		const name = e.name.slice(5), at_s = e.time / 1000;
		if (name === "association_started") return this.start(e);
		const group = this.group(e.group_id);
		if (group === null) return false;
		switch (name) {
		case "path_state_updated": return this.state(group, at_s, e);
		case "packet_sent": return this.sent(group, at_s, e);
		case "packet_received": return this.received(group, at_s, e);
		case "chunk_acked": return this.acknowledged(group, at_s, e.data);
		case "chunk_lost": return this.chunk(group.flow, group.flow.lost, at_s, e);
		case "chunk_spurious": return this.chunk(group.flow, group.flow.spurious, at_s, e);
		case "metrics_updated": return this.metrics(group, at_s, e);
		default: return true; // association_ended, mtu_updated, and what later versions add
		}
	}
	group(id) {
		if (typeof id !== "string") return null;
		const known = this.groups.get(id);
		if (known !== undefined || this.groups.size === MAX_GROUPS) return known ?? null;
		const association = new Association(id.slice(0, 40)), group = new QlogGroup(association, 0);
		this.trace.associations.push(association);
		this.groups.set(id, group);
		return group;
	}
	// Both ends may be in one file: those whose ports are each other's.
	start(e) {
		const { local_port, remote_port } = e.data;
		if (!isCount(local_port) || !isCount(remote_port) || typeof e.group_id !== "string") return false;
		for (const [, other] of this.groups) {
			if (!other.paired && other.ports !== null && other.ports[0] === remote_port && other.ports[1] === local_port
				&& !this.groups.has(e.group_id)) {
				const group = new QlogGroup(other.association, 1);
				group.ports = [local_port, remote_port];
				group.paired = other.paired = true;
				this.groups.set(e.group_id, group);
				return true;
			}
		}
		const group = this.group(e.group_id);
		if (group === null) return false;
		group.ports = [local_port, remote_port];
		group.association.ends = [`port ${local_port}`, `port ${remote_port}`];
		return true;
	}
	path(flow, text) {
		const id = Number(text);
		if (!isCount(id) || id === 0) return -1;
		const index = flow.paths.findIndex(p => p.id === id);
		return index >= 0 ? index : flow.addPath(id);
	}
	state(group, at_s, e) {
		const { flow, association, side } = group, path = this.path(flow, e.path), state = STATES.indexOf(e.data.new);
		if (path < 0 || state < 0) return false;
		const where = (address, port) => typeof address !== "string" ? null : endName(address.slice(0, 64), isCount(port) ? port : 0);
		const local = where(e.data.local, e.data.local_udp_port), remote = where(e.data.remote, e.data.remote_udp_port);
		if (local !== null) flow.paths[path].from = local;
		if (remote !== null) flow.paths[path].to = remote;
		if (group.ports !== null && association.ends[side].startsWith("port ") && local !== null) {
			association.ends[side] = `${local} port ${group.ports[0]}`;
			if (!group.paired && remote !== null) association.ends[1 - side] = `${remote} port ${group.ports[1]}`;
		}
		const t = flow.states;
		t.at.push(at_s);
		t.path.push(path);
		t.state.push(state);
		return true;
	}
	sent(group, at_s, e) {
		const { flow } = group, path = this.path(flow, e.path), { frames, raw, header } = e.data;
		const kind = e.data.retransmission === true ? AGAIN : NEW, bytes = raw?.payload_length;
		if (path < 0 || !Array.isArray(frames) || !isCount(bytes)) return false;
		const number = isCount(header?.packet_number) ? header.packet_number : 0;
		let first = 1;
		for (const { tsn, last_tsn } of frames) {
			if (!isCount(tsn) || !isCount(last_tsn)) return false;
			const chunks = ((last_tsn - tsn) >>> 0) + 1, begin = flow.tsn(tsn);
			if (chunks > 65535 || begin === null || flow.tsn(last_tsn) === null) return false;
			flow.add(at_s, path, kind, first, begin, chunks, first === 1 ? bytes : 0, 0, number);
			first = 0;
		}
		this.timesOf(flow, path).set(number, at_s);
		return true;
	}
	timesOf(flow, path) {
		let paths = this.numbers.get(flow);
		if (paths === undefined) this.numbers.set(flow, paths = []);
		return paths[path] ??= new NumberedTimes();
	}
	received(group, at_s, e) {
		const flow = group.heard, path = this.path(flow, e.path), number = e.data.header?.packet_number;
		if (path < 0 || !isCount(number)) return false;
		if (!group.paired) {
			flow.add(at_s, path, ARRIVAL, 1, 0, 0, 0, 0, number);
			return true;
		}
		const sent_s = this.timesOf(flow, path).take(number);
		if (sent_s <= at_s) {
			flow.transit.at.push(at_s);
			flow.transit.path.push(path);
			flow.transit.delay_s.push(at_s - sent_s);
		}
		return true;
	}
	chunk(flow, table, at_s, e) {
		const path = this.path(flow, e.path), tsn = isCount(e.data.tsn) ? flow.tsn(e.data.tsn) : null;
		if (path < 0 || tsn === null) return false;
		table.at.push(at_s);
		table.path.push(path);
		table.tsn.push(tsn);
		return true;
	}
	acknowledged(group, at_s, data) {
		const { flow, acked } = group, tsn = isCount(data.tsn) ? flow.tsn(data.tsn) : null;
		if (tsn === null) return false;
		acked.add(tsn);
		if (tsn !== group.next) return true;
		while (acked.has(group.next)) group.next++;
		flow.acked.at.push(at_s);
		flow.acked.tsn.push(group.next - 1);
		return true;
	}
	metrics(group, at_s, e) {
		const { flow } = group, path = this.path(flow, e.path), { congestion_window, bytes_in_flight, forward_delay_us } = e.data;
		if (path < 0 || !isCount(congestion_window) || !isCount(bytes_in_flight)) return false;
		const t = flow.metrics;
		t.at.push(at_s);
		t.path.push(path);
		t.cwnd.push(congestion_window);
		t.flight.push(bytes_in_flight);
		if (Number.isInteger(forward_delay_us) && Math.abs(forward_delay_us) <= 0xffffffff) {
			if (!this.offset.has(flow)) this.offset.set(flow, forward_delay_us);
			flow.relative.at.push(at_s);
			flow.relative.path.push(path);
			flow.relative.delay_s.push(((forward_delay_us - this.offset.get(flow)) | 0) / 1e6);
		}
		return true;
	}
}

// When packets of one path were sent, by their number, which counts from 1.
class NumberedTimes {
	constructor() { this.at = new Column(Float64Array); }
	set(number, at_s) {
		if (number > this.at.n + 65536) return;
		while (this.at.n <= number) this.at.push(NaN);
		this.at.data[number] = at_s;
	}
	// Of a packet that arrives twice the first arrival counts.
	take(number) {
		const at_s = number < this.at.n ? this.at.data[number] : NaN;
		if (number < this.at.n) this.at.data[number] = NaN;
		return at_s;
	}
}
