// SPDX-License-Identifier: BSD-3-Clause
// What is shown of a trace: a flow, its paths, a span of time. Whoever changes it calls changed().

const LEAST_SPAN_S = 1e-5, COLORS = 8;

class View {
	constructor(trace, changed) {
		this.trace = trace;
		this.changed = changed;
		this.hidden = new Set();
		this.cursor_s = this.drag_s = null;
		this.width = 800;
		this.readColors();
		this.choose(trace.associations[0], trace.associations[0].bulk);
	}
	choose(association, direction) {
		const same = association === this.association;
		this.association = association;
		this.direction = direction;
		this.flow = association.flows[direction];
		this.hidden.clear();
		this.bins = null;
		if (!same) this.all();
		else this.changed();
	}
	name(index) { return `path ${this.flow.paths[index].id}`; }
	shows(index) { return !this.hidden.has(index); }
	// Paths that carry something, or have a state, in the order of their numbers.
	used() {
		this.flow.used ??= this.flow.paths.map((_, i) => i)
			.filter(i => this.flow.sent.path.data.includes(i) || this.flow.states.path.data.includes(i))
			.sort((a, b) => this.flow.paths[a].id - this.flow.paths[b].id);
		return this.flow.used;
	}
	shown() { return this.used().filter(i => this.shows(i)); }
	// The same number has the same colour in both directions.
	colorName(index) { return `p${(this.flow.paths[index].id - 1) % COLORS}`; }
	pathColor(index) { return this.color(this.colorName(index)); }
	color(name) { return this.colors[name]; }
	readColors() {
		const style = getComputedStyle(document.documentElement);
		this.colors = {};
		for (const name of ["line", "soft", "text", "bad", "focus", ...Array.from({ length: COLORS }, (_, i) => `p${i}`)]) {
			this.colors[name] = style.getPropertyValue(`--${name}`).trim();
		}
	}
	// --- time ---
	get whole() {
		const { begin_s, end_s } = this.association;
		return [begin_s, Math.max(end_s, begin_s + LEAST_SPAN_S)];
	}
	set(from_s, to_s) {
		const [begin, end] = this.whole;
		const span = Math.max(LEAST_SPAN_S, Math.min(end - begin, to_s - from_s));
		this.from_s = Math.max(begin, Math.min(from_s, end - span));
		this.to_s = this.from_s + span;
		this.changed();
	}
	all() { this.set(...this.whole); }
	pan(part) {
		const span = this.to_s - this.from_s;
		this.set(this.from_s + part * span, this.to_s + part * span);
	}
	// By `factor` (below 1: closer) around a moment.
	zoom(factor, at_s = this.cursor_s ?? (this.from_s + this.to_s) / 2) {
		const from_s = at_s - (at_s - this.from_s) * factor;
		this.set(from_s, from_s + (this.to_s - this.from_s) * factor);
	}
}
