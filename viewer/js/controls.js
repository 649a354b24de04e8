// SPDX-License-Identifier: BSD-3-Clause
// Mouse and keys on the pictures: what they do to the view, and what is told of the moment under the cursor.

const KEYS = {
	ArrowLeft: v => v.pan(-0.2), ArrowRight: v => v.pan(0.2), PageUp: v => v.pan(-0.9), PageDown: v => v.pan(0.9),
	"+": v => v.zoom(0.6), "=": v => v.zoom(0.6), "-": v => v.zoom(1 / 0.6), 0: v => v.all(), Home: v => v.all(),
	"[": v => step(v, -0.01), "]": v => step(v, 0.01), Escape: v => { v.cursor_s = null; v.changed(); },
};

function step(view, part) {
	const at_s = view.cursor_s ?? (view.from_s + view.to_s) / 2;
	view.cursor_s = Math.max(view.from_s, Math.min(view.to_s, at_s + part * (view.to_s - view.from_s)));
	view.changed();
}

// `told` is where the values of the plot under the mouse, or with the focus, are written.
class Controls {
	constructor(told) {
		this.told = told;
		this.view = null;
		document.addEventListener("keydown", e => this.key(e));
		window.addEventListener("pointerup", e => this.up(e));
	}
	attach(plot) {
		const { canvas } = plot;
		canvas.addEventListener("pointermove", e => this.move(plot, e));
		canvas.addEventListener("pointerleave", () => this.leave());
		canvas.addEventListener("pointerdown", e => this.down(plot, e));
		canvas.addEventListener("dblclick", () => this.view?.all());
		canvas.addEventListener("wheel", e => this.wheel(plot, e), { passive: false });
		canvas.addEventListener("focus", () => { this.plot = plot; });
	}
	key(e) {
		if (this.view === null || e.ctrlKey || e.altKey || e.metaKey || e.target.closest("input, select, textarea, pre")) return;
		const act = KEYS[e.key];
		if (act === undefined || (e.target.tagName === "BUTTON" && e.key.startsWith("Page"))) return;
		e.preventDefault();
		act(this.view);
		if (this.view.cursor_s !== null && this.plot !== undefined) this.tell(this.plot, null, null);
		else this.told.hidden = true;
	}
	timeAt(plot, e) {
		const x = e.clientX - plot.canvas.getBoundingClientRect().left;
		return Math.max(this.view.from_s, Math.min(this.view.to_s, plot.scale(this.view).time(x)));
	}
	move(plot, e) {
		if (this.view === null) return;
		const t = this.timeAt(plot, e);
		if (this.pan !== undefined) {
			const { from_s, to_s, x } = this.pan, moved_s = (e.clientX - x) * (to_s - from_s) / (plot.canvas.clientWidth - LEFT - RIGHT);
			this.view.set(from_s - moved_s, to_s - moved_s);
			return;
		}
		this.plot = plot;
		this.view.cursor_s = t;
		this.view.changed();
		this.tell(plot, e, e.clientY - plot.canvas.getBoundingClientRect().top);
	}
	leave() {
		if (this.view === null || this.view.drag_s !== null) return;
		this.view.cursor_s = null;
		this.told.hidden = true;
		this.view.changed();
	}
	down(plot, e) {
		if (this.view === null || e.button !== 0) return;
		if (e.shiftKey) this.pan = { from_s: this.view.from_s, to_s: this.view.to_s, x: e.clientX };
		else this.view.drag_s = this.timeAt(plot, e);
	}
	// A drag chooses what to zoom into.
	up() {
		this.pan = undefined;
		if (this.view === null || this.view.drag_s === null) return;
		const { drag_s, cursor_s, from_s, to_s } = this.view;
		this.view.drag_s = null;
		if (cursor_s !== null && Math.abs(cursor_s - drag_s) > (to_s - from_s) / 200) {
			this.view.set(Math.min(drag_s, cursor_s), Math.max(drag_s, cursor_s));
		} else this.view.changed();
	}
	// Without a key the page scrolls.
	wheel(plot, e) {
		if (this.view === null || (!e.ctrlKey && !e.shiftKey && !e.metaKey)) return;
		e.preventDefault();
		const turn = e.deltaY || e.deltaX;
		if (e.shiftKey && !e.ctrlKey) this.view.pan(Math.sign(turn) * 0.1);
		else this.view.zoom(1.002 ** Math.max(-400, Math.min(400, turn)), this.timeAt(plot, e));
	}
	tell(plot, e, y) {
		const { view } = this, scale = plot.scale(view);
		this.view.changed();
		const lines = plot.spec.tell(view, view.cursor_s, scale, y);
		this.told.textContent = [`${plot.spec.title} at ${view.cursor_s.toFixed(6)} s`, ...lines].join("\n");
		this.told.hidden = false;
		const box = plot.canvas.getBoundingClientRect(), x = e === null ? box.left + scale.x(view.cursor_s) : e.clientX;
		const width = this.told.offsetWidth, height = this.told.offsetHeight;
		this.told.style.left = `${Math.max(4, x + 16 + width > innerWidth - 4 ? x - width - 16 : x + 16)}px`;
		this.told.style.top = `${Math.max(4, Math.min(innerHeight - height - 4, e === null ? box.top + 12 : e.clientY + 14))}px`;
	}
}
