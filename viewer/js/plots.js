// SPDX-License-Identifier: BSD-3-Clause
// The pictures: what each draws of a flow, and what it says of a moment.

// --- rate and share: sums in bins of the time that is shown ---
function binned(view) {
	const { flow, from_s, to_s } = view, key = `${from_s} ${to_s} ${view.width}`;
	if (view.bins?.key === key && view.bins.flow === flow) return view.bins;
	const n = Math.max(10, Math.min(400, Math.floor(view.width / 5))), bin_s = (to_s - from_s) / n;
	const sums = flow.paths.map(() => new Float64Array(n)), top = { sum: 0, path: 0 };
	const { sent } = flow, at = sent.at.data, values = sent[flow.measure].data, unit = flow.measure === "first" ? 1 : 8;
	for (let i = sent.from(from_s); i < sent.n && at[i] < to_s; i++) {
		sums[sent.path.data[i]][Math.min(n - 1, Math.floor((at[i] - from_s) / bin_s))] += values[i] * unit / bin_s;
	}
	const all = new Float64Array(n);
	sums.forEach((s, p) => {
		if (!view.shows(p)) return;
		for (let i = 0; i < n; i++) {
			all[i] += s[i];
			top.path = Math.max(top.path, s[i]);
		}
	});
	view.bins = { key, flow, n, bin_s, sums, all, top: all.reduce((a, b) => Math.max(a, b), 0) };
	return view.bins;
}
const rateUnit = (bps, view) => view.flow.measure === "first" ? scaled(bps, ["1/s", "k/s", "M/s"]) : rateText(bps);
const binAt = (view, t) => {
	const bins = binned(view), i = Math.floor((t - view.from_s) / bins.bin_s);
	return i >= 0 && i < bins.n ? i : -1;
};

// Range and nearest values of tables with a path.
function rangeOf(view, table, values) {
	let low = Infinity, high = -Infinity;
	for (let i = table.from(view.from_s); i < table.n && table.at.data[i] <= view.to_s; i++) {
		if (!view.shows(table.path.data[i])) continue;
		low = Math.min(low, values(i));
		high = Math.max(high, values(i));
	}
	return [low, high];
}
// The last row of each path up to t, told by text(row).
function lastOf(view, table, t, text) {
	const told = new Map();
	for (let i = table.from(t + 1e-9) - 1, n = 0; i >= 0 && n < 20000 && told.size < view.flow.paths.length; i--, n++) {
		const path = table.path.data[i];
		if (!told.has(path) && view.shows(path)) told.set(path, text(i));
	}
	return [...told].sort((a, b) => a[0] - b[0]).map(([path, value]) => `${view.name(path)}: ${value}`);
}
const padded = ([low, high], part = 0.06) => [low, high + (high - low) * part];
const fromZero = range => padded([0, range[1]]);

const sequencePlot = {
	title: "Sequence", height: 330,
	about: "TSNs, from the first one, when they were sent. Crosses: sent again. Rings: lost (qlog: taken for lost then). "
		+ "Grey line: acknowledged up to there.",
	applies: flow => flow.has.tsn,
	unit: v => String(Math.round(v)),
	range(view) {
		const { sent, acked } = view.flow;
		let [low, high] = [Infinity, -Infinity];
		for (let i = sent.from(view.from_s); i < sent.n && sent.at.data[i] <= view.to_s; i++) {
			if (sent.kind.data[i] > AGAIN || !view.shows(sent.path.data[i])) continue;
			low = Math.min(low, sent.tsn.data[i]);
			high = Math.max(high, sent.tsn.data[i] + sent.chunks.data[i]);
		}
		const i = Math.max(0, acked.from(view.from_s) - 1);
		if (acked.n > 0 && low > high) low = high = acked.tsn.data[i];
		return padded([low, high], 0.03);
	},
	draw(scale) {
		const { view, context } = scale, { flow } = view, { sent } = flow;
		this.ackedLine(scale);
		const first = sent.from(view.from_s), past = sent.from(view.to_s + 1e-9), dots = flow.paths.map(() => new Dots(scale, 2));
		// In order of time, so that no path hides another one.
		for (let i = first; i < past; i++) {
			const p = sent.path.data[i], tsn = sent.tsn.data[i], chunks = sent.chunks.data[i];
			if (sent.kind.data[i] !== NEW || !view.shows(p)) continue;
			const x = scale.x(sent.at.data[i]), color = view.pathColor(p);
			dots[p].put(x, scale.y(tsn), color);
			if (chunks > 1) dots[p].put(x, scale.y(tsn + chunks - 1), color);
		}
		context.lineWidth = 1.4;
		const crosses = new Dots(scale, 0);
		for (let i = first; i < past; i++) {
			const p = sent.path.data[i];
			if (sent.kind.data[i] !== AGAIN || !view.shows(p)) continue;
			context.strokeStyle = view.pathColor(p);
			cross(context, crosses, scale.x(sent.at.data[i]), scale.y(sent.tsn.data[i]));
		}
		this.rings(scale);
	},
	ackedLine(scale) {
		const { view, context } = scale, { acked } = view.flow;
		context.strokeStyle = view.color("soft");
		context.globalAlpha = 0.6;
		context.lineWidth = 1;
		context.beginPath();
		let last = null;
		for (let i = Math.max(0, acked.from(view.from_s) - 1); i < acked.n; i++) {
			const x = scale.x(acked.at.data[i]), y = scale.y(acked.tsn.data[i]);
			if (last === null) context.moveTo(x, y);
			else if (x - last < 0.5 && i + 1 < acked.n) continue;
			else context.lineTo(x, y);
			last = x;
			if (acked.at.data[i] > view.to_s) break;
		}
		context.stroke();
		context.globalAlpha = 1;
	},
	rings(scale) {
		const { view, context } = scale, { lost } = view.flow, dots = new Uint8Array(scale.width + 1);
		context.strokeStyle = view.color("bad");
		context.lineWidth = 1.2;
		for (let i = lost.from(view.from_s); i < lost.n && lost.at.data[i] <= view.to_s; i++) {
			if (!view.shows(lost.path.data[i])) continue;
			const x = scale.x(lost.at.data[i]);
			if (dots[Math.round(x)]++ > 60) continue;
			context.beginPath();
			context.arc(x, scale.y(lost.tsn.data[i]), 3.5, 0, 7);
			context.stroke();
		}
	},
	// The row nearest to the mouse.
	tell(view, t, scale, y) {
		const { sent } = view.flow, reach_s = 8 * (view.to_s - view.from_s) / scale.w;
		let best = -1, least = Infinity;
		for (let i = sent.from(t - reach_s), n = 0; i < sent.n && sent.at.data[i] <= t + reach_s && n < 200000; i++, n++) {
			if (sent.kind.data[i] > AGAIN || !view.shows(sent.path.data[i])) continue;
			const d = Math.hypot(scale.x(sent.at.data[i]) - scale.x(t), y === null ? 0 : scale.y(sent.tsn.data[i]) - y);
			if (d < least) [best, least] = [i, d];
		}
		if (best < 0) return [];
		const { data } = sent.tsn, chunks = sent.chunks.data[best], number = sent.number.data[best];
		return [`${view.name(sent.path.data[best])}: TSN ${data[best]}${chunks > 1 ? ` to ${data[best] + chunks - 1}` : ""}`
			+ (sent.kind.data[best] === AGAIN ? ", sent again" : ""),
		`${view.trace.format === "capture" ? "frame" : "packet"} ${number}, wire TSN ${(view.flow.base + data[best]) >>> 0}`];
	},
};

function cross(context, dots, x, y) {
	const place = Math.round(y / 2) * (dots.scale.width + 1) + Math.round(x);
	if (dots.taken[place] === 1) return;
	dots.taken[place] = 1;
	line(context, x - 3.5, y - 3.5, x + 3.5, y + 3.5);
	line(context, x - 3.5, y + 3.5, x + 3.5, y - 3.5);
}

const ratePlot = {
	title: "Rate", height: 150,
	about: "What each path was given to carry; pale: all of them.",
	applies: flow => flow.has.packets > 0,
	unit: rateUnit,
	range: view => fromZero([0, binned(view).top]),
	draw(scale) {
		const { view, context } = scale, bins = binned(view), x = i => scale.x(view.from_s + (i + 0.5) * bins.bin_s);
		const curve = values => {
			context.beginPath();
			values.forEach((v, i) => i === 0 ? context.moveTo(x(i), scale.y(v)) : context.lineTo(x(i), scale.y(v)));
			context.stroke();
		};
		context.strokeStyle = view.color("soft");
		context.globalAlpha = 0.5;
		curve(bins.all);
		context.globalAlpha = 1;
		context.lineWidth = 1.6;
		bins.sums.forEach((sums, p) => {
			if (!view.shows(p)) return;
			context.strokeStyle = view.pathColor(p);
			curve(sums);
		});
	},
	tell(view, t) {
		const i = binAt(view, t), bins = binned(view);
		return i < 0 ? [] : [...view.shown().map(p => `${view.name(p)}: ${rateUnit(bins.sums[p][i], view)}`),
			`all: ${rateUnit(bins.all[i], view)}`];
	},
};

const sharePlot = {
	title: "Share", height: 110, marks: () => [0, 0.5, 1],
	about: "Of each path in what all of them carry.",
	applies: flow => flow.has.packets > 0 && flow.paths.length > 1,
	unit: v => `${Math.round(100 * v)} %`,
	range: () => [0, 1],
	draw(scale) {
		const { view, context } = scale, bins = binned(view), below = new Float64Array(bins.n);
		const wide = scale.w / bins.n;
		bins.sums.forEach((sums, p) => {
			if (!view.shows(p)) return;
			context.fillStyle = view.pathColor(p);
			for (let i = 0; i < bins.n; i++) {
				const part = bins.all[i] > 0 ? sums[i] / bins.all[i] : 0, left = Math.round(LEFT + i * wide);
				if (part > 0) context.fillRect(left, scale.y(below[i] + part), Math.round(LEFT + (i + 1) * wide) - left, scale.h * part);
				below[i] += part;
			}
		});
	},
	tell(view, t) {
		const i = binAt(view, t), bins = binned(view);
		return i < 0 || bins.all[i] === 0 ? [] : view.shown().map(p => `${view.name(p)}: ${percentText(bins.sums[p][i] / bins.all[i])}`);
	},
};

// Of delays: dots, whatever is subtracted from a path's.
function drawDelays(scale, minus) {
	const { view } = scale, { delay } = view.flow, at = delay.at.data, { path, delay_s } = delay;
	const dots = view.flow.paths.map(() => new Dots(scale, 2)), less = view.flow.paths.map((_, p) => minus(p));
	for (let i = delay.from(view.from_s); i < delay.n && at[i] <= view.to_s; i++) {
		const p = path.data[i];
		if (view.shows(p)) dots[p].put(scale.x(at[i]), scale.y(delay_s.data[i] - less[p]), view.pathColor(p));
	}
}

const delayPlot = {
	title: "One-way delay", height: 170,
	about: "Of packets that arrived, when that was known; above the least of all paths where the clocks' offset is unknown.",
	applies: flow => flow.delay.n > 0,
	unit: secondsText,
	range: view => fromZero(rangeOf(view, view.flow.delay, i => view.flow.delay.delay_s.data[i])),
	draw: scale => drawDelays(scale, () => 0),
	tell: (view, t) => lastOf(view, view.flow.delay, t, i => secondsText(view.flow.delay.delay_s.data[i])),
};

const queuePlot = {
	title: "Queues", height: 130,
	about: "Delay above the least of the same path: what waits in front of its links.",
	applies: flow => flow.delay.n > 0,
	unit: secondsText,
	range(view) {
		const { delay, least_s } = view.flow;
		return fromZero(rangeOf(view, delay, i => delay.delay_s.data[i] - least_s[delay.path.data[i]]));
	},
	draw: scale => drawDelays(scale, p => scale.view.flow.least_s[p]),
	tell(view, t) {
		const { delay, least_s } = view.flow;
		return lastOf(view, delay, t, i => secondsText(delay.delay_s.data[i] - least_s[delay.path.data[i]]));
	},
};

const windowPlot = {
	title: "Window", height: 150,
	about: "Bytes in flight; pale: the congestion window.",
	applies: flow => flow.metrics.n > 0,
	unit: sizeText,
	range(view) {
		const { flight, cwnd } = view.flow.metrics;
		return fromZero(rangeOf(view, view.flow.metrics, i => Math.max(flight.data[i], cwnd.data[i])));
	},
	draw(scale) {
		const { view, context } = scale, { metrics } = view.flow;
		for (const p of view.shown()) {
			context.strokeStyle = view.pathColor(p);
			context.lineWidth = 1;
			context.globalAlpha = 0.45;
			drawLine(scale, metrics, metrics.cwnd.data, p, true);
			context.globalAlpha = 1;
			drawLine(scale, metrics, metrics.flight.data, p, true);
		}
	},
	tell(view, t) {
		const { flight, cwnd } = view.flow.metrics;
		return lastOf(view, view.flow.metrics, t, i => `${sizeText(flight.data[i])} of ${sizeText(cwnd.data[i])}`);
	},
};

// --- states: a lane for each path ---
// [path, from, to, state] for all of the flow; of captures what sends and what is silent.
function lanesOf(view) {
	const { flow, association } = view;
	if (flow.lanes !== undefined) return flow.lanes;
	flow.lanes = [];
	const { states } = flow;
	flow.paths.forEach((_, p) => {
		let from = null, state = null;
		for (let i = 0; i < states.n; i++) {
			if (states.path.data[i] !== p) continue;
			if (state !== null) flow.lanes.push([p, from, states.at.data[i], state]);
			[from, state] = [states.at.data[i], STATES[states.state.data[i]]];
		}
		if (state !== null) flow.lanes.push([p, from, association.end_s, state]);
	});
	if (states.n > 0) return flow.lanes;
	const quiet = silences(flow), { sent } = flow;
	flow.paths.forEach((_, p) => {
		let begin = NaN, end = NaN;
		for (let i = 0; i < sent.n; i++) {
			if (sent.path.data[i] !== p || sent.kind.data[i] === CONTROL) continue;
			if (Number.isNaN(begin)) begin = sent.at.data[i];
			end = sent.at.data[i];
		}
		if (!Number.isNaN(begin)) flow.lanes.push([p, begin, end, "sending"]);
		for (const [path, from, to] of quiet) if (path === p) flow.lanes.push([p, from, to, "silent"]);
	});
	return flow.lanes;
}

const statePlot = {
	title: "Failures", height: 100,
	about: "Thick: the path is active, or sends; red: it has failed, or is silent for over a second while another one sends.",
	applies: flow => flow.paths.length > 0,
	marks: view => view.shown().map((_, row, all) => all.length - row - 0.5),
	unit: (v, view) => view.name(view.shown().at(Math.round(-v - 0.5))),
	range: view => [0, view.shown().length],
	draw(scale) {
		const { view, context } = scale, shown = view.shown();
		for (const [p, from, to, state] of lanesOf(view)) {
			const row = shown.indexOf(p);
			if (row < 0 || state === "gone" || to < view.from_s || from > view.to_s) continue;
			const high = scale.h / shown.length;
			const bad = state === "failed" || state === "silent", thin = state === "unconfirmed" || state === "standby";
			const y = TOP + row * high + high / 2, thick = Math.min(16, 0.6 * high) * (thin ? 0.4 : 1);
			context.fillStyle = bad ? view.color("bad") : view.pathColor(p);
			context.globalAlpha = thin ? 0.5 : 1;
			context.fillRect(scale.x(from), y - thick / 2, Math.max(1.5, scale.x(to) - scale.x(from)), thick);
			context.globalAlpha = 1;
		}
	},
	tell: (view, t) => view.shown().map(p => {
		const states = lanesOf(view).filter(([path, from, to]) => path === p && from <= t && t <= to);
		return states.length === 0 ? null : `${view.name(p)}: ${states.at(-1)[3]}`;
	}).filter(text => text !== null),
};

const PLOTS = [sequencePlot, ratePlot, sharePlot, delayPlot, queuePlot, windowPlot, statePlot];
