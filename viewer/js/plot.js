// SPDX-License-Identifier: BSD-3-Clause
// One picture of the column: a canvas with axes, whose time is that of all others.

const LEFT = 78, RIGHT = 14, TOP = 8, BOTTOM = 22;

// Round numbers between low and high, about `wanted` of them.
function ticks(low, high, wanted) {
	const raw = (high - low) / wanted, power = 10 ** Math.floor(Math.log10(raw));
	const step = power * [1, 2, 5, 10].find(m => m * power >= raw);
	const found = [];
	for (let value = Math.ceil(low / step) * step; value <= high + step / 1e6 && found.length < 50; value += step) found.push(value);
	return found;
}

class Plot {
	// A spec has title, about, height; applies(flow); range(view), of values; unit(value, view), a value's text; draw(scale);
	// tell(view, t, scale, y), lines about a moment; where it likes, marks(view), values for the axis.
	constructor(spec) {
		this.spec = spec;
		this.canvas = document.createElement("canvas");
		this.canvas.tabIndex = 0;
		this.canvas.setAttribute("role", "img");
		this.canvas.style.height = `${spec.height}px`;
		const caption = document.createElement("figcaption"), about = document.createElement("span");
		caption.textContent = spec.title;
		about.textContent = spec.about;
		caption.append(about);
		this.figure = document.createElement("figure");
		this.figure.append(caption, this.canvas);
	}
	// What maps values to pixels, and draws.
	scale(view) {
		const ratio = window.devicePixelRatio || 1, width = this.canvas.clientWidth, { height } = this.spec;
		if (this.canvas.width !== Math.round(width * ratio) || this.canvas.height !== Math.round(height * ratio)) {
			this.canvas.width = Math.round(width * ratio);
			this.canvas.height = Math.round(height * ratio);
		}
		const context = this.canvas.getContext("2d");
		context.setTransform(ratio, 0, 0, ratio, 0, 0);
		let [low, high] = this.spec.range(view);
		if (!(high > low)) [low, high] = Number.isFinite(low) ? [low, low + 1] : [0, 1];
		const w = Math.max(1, width - LEFT - RIGHT), h = height - TOP - BOTTOM;
		return { view, context, low, high, w, h, width, height, ratio,
			x: t => LEFT + w * (t - view.from_s) / (view.to_s - view.from_s),
			y: v => TOP + h * (1 - (v - low) / (high - low)),
			time: x => view.from_s + (view.to_s - view.from_s) * (x - LEFT) / w };
	}
	draw(view) {
		const scale = this.scale(view), { context } = scale;
		context.clearRect(0, 0, scale.width, scale.height);
		this.axes(scale);
		context.save();
		context.beginPath();
		context.rect(LEFT, TOP - 2, scale.w, scale.h + 4);
		context.clip();
		this.spec.draw(scale);
		context.restore();
		if (view.cursor_s !== null) this.cursor(scale);
		this.canvas.setAttribute("aria-label",
			`${this.spec.title}: ${this.spec.about} From ${secondsText(view.from_s)} to ${secondsText(view.to_s)}.`);
	}
	axes(scale) {
		const { context, view, low, high } = scale;
		context.font = "11px system-ui, 'DejaVu Sans', sans-serif";
		context.lineWidth = 1;
		context.textBaseline = "middle";
		for (const v of this.spec.marks?.(view) ?? ticks(low, high, Math.max(2, scale.h / 38))) {
			const y = Math.round(scale.y(v)) + 0.5;
			if (y < TOP - 1 || y > TOP + scale.h + 1) continue;
			context.strokeStyle = view.color("line");
			line(context, LEFT, y, LEFT + scale.w, y);
			context.fillStyle = view.color("soft");
			context.textAlign = "right";
			context.fillText(this.spec.unit(v, view), LEFT - 7, y);
		}
		context.textAlign = "center";
		const at = ticks(view.from_s, view.to_s, Math.max(2, scale.w / 90));
		const places = at.length > 1 ? Math.max(0, -Math.floor(Math.log10(at[1] - at[0]) + 1e-9)) : 3;
		for (const t of at) {
			const x = Math.round(scale.x(t)) + 0.5;
			context.strokeStyle = view.color("line");
			line(context, x, TOP, x, TOP + scale.h);
			context.fillStyle = view.color("soft");
			context.fillText(`${t.toFixed(Math.min(6, places))} s`, Math.min(x, scale.width - 22), scale.height - 9);
		}
	}
	cursor(scale) {
		const { context, view } = scale, x = Math.round(scale.x(view.cursor_s)) + 0.5;
		if (x < LEFT || x > LEFT + scale.w) return;
		context.strokeStyle = view.color("text");
		context.globalAlpha = 0.45;
		line(context, x, TOP, x, TOP + scale.h);
		context.globalAlpha = 1;
		if (view.drag_s !== null) {
			const from = scale.x(view.drag_s);
			context.fillStyle = view.color("focus");
			context.globalAlpha = 0.16;
			context.fillRect(Math.min(from, x), TOP, Math.abs(x - from), scale.h);
			context.globalAlpha = 1;
		}
	}
}

function line(context, x1, y1, x2, y2) {
	context.beginPath();
	context.moveTo(x1, y1);
	context.lineTo(x2, y2);
	context.stroke();
}

// Squares of `size` pixels, once for each place however many rows fall on it.
class Dots {
	constructor(scale, size) {
		this.scale = scale;
		this.size = size;
		this.taken = new Uint8Array((scale.width + 1) * (scale.height + 1));
	}
	put(x, y, color) {
		const place = Math.round(y) * (this.scale.width + 1) + Math.round(x);
		if (this.taken[place] === 1) return;
		this.taken[place] = 1;
		this.scale.context.fillStyle = color;
		this.scale.context.fillRect(x - this.size / 2, y - this.size / 2, this.size, this.size);
	}
}

// A line through rows of a path: of what falls on one column of pixels its least and largest value, joined.
function drawLine(scale, table, values, path, steps) {
	const { context, view } = scale, at = table.at.data, of = table.path.data;
	let column = -Infinity, least = 0, most = 0, last = 0, begun = false;
	const flush = () => {
		if (column === -Infinity) return;
		if (!begun) context.moveTo(column, scale.y(least));
		begun = true;
		context.lineTo(column, scale.y(least));
		context.lineTo(column, scale.y(most));
		context.lineTo(column, scale.y(last));
	};
	context.beginPath();
	for (let i = Math.max(0, table.from(view.from_s) - 64); i < table.n; i++) {
		if (of[i] !== path) continue;
		const x = Math.round(scale.x(at[i]) * scale.ratio) / scale.ratio, value = values[i];
		if (x !== column) {
			const before = last;
			flush();
			if (begun && steps) context.lineTo(x, scale.y(before));
			column = x;
			least = most = value;
		}
		least = Math.min(least, value);
		most = Math.max(most, value);
		last = value;
		if (at[i] > view.to_s) break;
	}
	flush();
	context.stroke();
}
