// SPDX-License-Identifier: BSD-3-Clause
// What the paths of a flow did, in numbers. null: the file does not tell.

// A path that is silent for longer while another one sends counts as silent.
const SILENCE_S = 1;

function nearestRank(sorted, percent) {
	return sorted[Math.max(0, Math.ceil(sorted.length * percent / 100) - 1)];
}

function delaysOf(flow, path) {
	const { n } = flow.delay, of = flow.delay.path.data, delay_s = flow.delay.delay_s.data;
	const values = [];
	for (let i = 0; i < n; i++) if (of[i] === path) values.push(delay_s[i]);
	if (values.length === 0) return null;
	const sorted = Float64Array.from(values).sort(), us = s => Math.round(1e6 * s);
	return { kind: flow.delay_kind, samples: n === 0 ? 0 : sorted.length, min_us: us(sorted[0]), median_us: us(nearestRank(sorted, 50)),
		p99_us: us(nearestRank(sorted, 99)) };
}

// The times between which a path sent nothing for longer than SILENCE_S, though the flow went on: [path, from, to].
function silences(flow) {
	const { n } = flow.sent, at = flow.sent.at.data, { path, kind } = flow.sent, found = [];
	const last = new Float64Array(MAX_PATHS).fill(NaN);
	let begin = NaN, end = NaN;
	for (let i = 0; i < n; i++) {
		if (kind.data[i] === CONTROL) continue;
		if (Number.isNaN(begin)) begin = at[i];
		end = at[i];
		const p = path.data[i];
		if (at[i] - last[p] > SILENCE_S) found.push([p, last[p], at[i]]);
		last[p] = at[i];
	}
	flow.paths.forEach((_, p) => {
		if (end - last[p] > SILENCE_S) found.push([p, last[p], end]);
	});
	return found.filter(([p, from, to]) => {
		// Somebody else sent meanwhile.
		for (let i = flow.sent.from(from); i < n && at[i] < to; i++) if (path.data[i] !== p && kind.data[i] !== CONTROL) return true;
		return false;
	});
}

function failuresOf(flow, path) {
	const { n } = flow.states;
	if (n === 0) return null;
	let failures = 0;
	for (let i = 0; i < n; i++) failures += flow.states.path.data[i] === path && STATES[flow.states.state.data[i]] === "failed";
	return failures;
}

const countOf = (table, path) => table.n === 0 ? 0 : table.path.data.reduce((n, p) => n + (p === path), 0);

// Packets that did not arrive. Of a capture with both views those not seen twice; else what the receiver's echoes tell.
function lostOf(flow, path, row, format) {
	if (format === "qlog") return flow.has.tsn ? countOf(flow.lost, path) : null;
	if (flow.transit.n > 0) return row.data_packets - countOf(flow.transit, path);
	return flow.paths[path].heard_lost;
}

function summarisePath(trace, flow, index, row, quiet) {
	const path = flow.paths[index], { has } = flow, known = has.tsn;
	return {
		path: path.id, from: path.from, to: path.to,
		packets: row.packets, bytes: has.wire ? row.wire : null, payload_bytes: known || has.payload > 0 ? row.payload : null,
		share: row.measure / Math.max(1, row.all),
		chunks: known ? row.chunks : null, retransmitted: known ? row.again : null,
		lost: lostOf(flow, index, row, trace.format),
		spurious: trace.format === "qlog" && known ? countOf(flow.spurious, index) : null,
		encrypted_packets: row.encrypted,
		delay: delaysOf(flow, index),
		longest_gap_us: row.gap_s === null ? null : Math.round(1e6 * row.gap_s),
		silences: quiet.filter(q => q[0] === index).length,
		failures: failuresOf(flow, index),
	};
}

function rowsOf(flow) {
	const rows = flow.paths.map(() => ({ packets: 0, wire: 0, payload: 0, chunks: 0, again: 0, encrypted: 0, data_packets: 0,
		measure: 0, all: 0, gap_s: null, last_s: null }));
	const t = flow.sent, measure = t[flow.measure].data;
	let all = 0;
	for (let i = 0; i < t.n; i++) {
		const row = rows[t.path.data[i]], kind = t.kind.data[i], first = t.first.data[i];
		row.packets += first;
		row.wire += t.wire.data[i];
		row.payload += t.payload.data[i];
		row.measure += measure[i];
		all += measure[i];
		if (kind === NEW) row.chunks += t.chunks.data[i];
		if (kind === AGAIN) row.again += t.chunks.data[i];
		if (kind === ENCRYPTED) row.encrypted++;
		if (kind === CONTROL) continue;
		row.data_packets += first;
		const at_s = t.at.data[i];
		if (row.last_s !== null) row.gap_s = Math.max(row.gap_s, at_s - row.last_s);
		row.last_s = at_s;
	}
	for (const row of rows) row.all = all;
	return rows;
}

// One flow as an object for JSON: docs/viewer.md has its members.
function summarise(trace, association, direction) {
	const flow = association.flows[direction], rows = rowsOf(flow), quiet = silences(flow);
	const { ends } = association;
	return {
		format: trace.format, title: trace.title,
		from: ends[direction], to: ends[1 - direction],
		duration_us: Math.round(1e6 * (association.end_s - association.begin_s)),
		shares_of: { wire: "ip_bytes", payload: "payload_bytes", first: "packets" }[flow.measure],
		encrypted: flow.has.encrypted,
		notes: [...trace.counts].map(([text, n]) => ({ text, n })),
		paths: flow.paths.map((_, i) => summarisePath(trace, flow, i, rows[i], quiet)).filter(p => p.packets > 0)
			.sort((a, b) => a.path - b.path),
	};
}
