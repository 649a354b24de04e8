// SPDX-License-Identifier: BSD-3-Clause
// The page: opens files, lets choose, and draws when something has changed.

const $ = id => document.getElementById(id);
const MAX_LISTED = 500;

const page = {
	view: null, plots: [], file: "", loading: 0, opened_ms: 0,
	controls: new Controls($("told")),

	say(text, is_error = false) {
		$("message").textContent = text;
		$("message").classList.toggle("bad", is_error);
		$("message").hidden = text === "";
	},
	async openFile(file) {
		await this.open(file.name, file.size, () => piecesOfFile(file));
	},
	// Whoever opens another file meanwhile is answered with that.
	async open(name, size, pieces) {
		const mine = ++this.loading, begun = performance.now();
		this.clear();
		this.say(`Reading ${name} ..`);
		try {
			const trace = await readTrace(pieces(), bytes => {
				if (mine !== this.loading) throw new Overtaken();
				if (size > 0) this.say(`Reading ${name}: ${Math.round(100 * bytes / size)} %`);
			});
			if (trace.associations.length === 0) throw new FileError("The file tells of no association.");
			if (mine !== this.loading) return;
			this.show(name, trace);
			this.opened_ms = Math.round(performance.now() - begun);
		} catch (error) {
			if (error instanceof Overtaken || mine !== this.loading) return;
			this.clear();
			this.say(`${name}: ${error instanceof FileError ? error.message : `it cannot be read (${error.message}).`}`, true);
		}
	},
	clear() {
		this.view = this.controls.view = null;
		$("result").hidden = $("told").hidden = $("json").hidden = true;
		$("plots").replaceChildren();
	},
	show(name, trace) {
		this.file = name;
		$("intro").hidden = true;
		$("result").hidden = false;
		this.view = this.controls.view = new View(trace, () => this.changed());
		const listed = trace.associations.slice(0, MAX_LISTED);
		$("association").replaceChildren(...listed.map((a, i) =>
			element("option", `${i + 1}: ${a.ends[0]} – ${a.ends[1]}`, { value: i })));
		this.say("");
		this.chosen();
	},
	chosen() {
		const { view } = this, { association } = view;
		$("direction").replaceChildren(...[0, 1].map(d => element("option",
			`${association.ends[d]} → ${association.ends[1 - d]}${d === association.bulk ? " (most data)" : ""}`, { value: d })));
		$("direction").value = String(view.direction);
		this.summary = summarise(view.trace, association, view.direction);
		fillTable($("paths"), this.summary, view);
		$("about").textContent = sentence(view.trace, this.summary, this.file);
		$("notes").replaceChildren(...this.summary.notes.map(({ text, n }) => element("li", n === 1 ? text : `${text}: ${n}.`)));
		$("json").textContent = JSON.stringify(this.summary, null, 2);
		this.plots = PLOTS.filter(spec => spec.applies(view.flow)).map(spec => new Plot(spec));
		$("plots").replaceChildren(...this.plots.map(plot => plot.figure));
		for (const plot of this.plots) this.controls.attach(plot);
		this.changed();
	},
	// Draws once, whatever happens until the next frame.
	changed() {
		if (this.asked) return;
		this.asked = true;
		requestAnimationFrame(() => {
			this.asked = false;
			this.draw();
		});
	},
	draw() {
		if (this.view === null || this.plots.length === 0) return;
		this.view.width = this.plots[0].canvas.clientWidth - LEFT - RIGHT;
		for (const plot of this.plots) plot.draw(this.view);
		$("span").textContent = `${secondsText(this.view.from_s)} to ${secondsText(this.view.to_s)}`;
		document.body.dataset.drawn = String(Number(document.body.dataset.drawn || 0) + 1);
	},
	saveJson() {
		const link = document.createElement("a");
		link.href = URL.createObjectURL(new Blob([$("json").textContent + "\n"], { type: "application/json" }));
		link.download = "summary.json";
		link.click();
		setTimeout(() => URL.revokeObjectURL(link.href));
	},
	begin() {
		$("file").addEventListener("change", e => {
			const file = e.target.files[0];
			e.target.value = ""; // the same one may be chosen again
			if (file !== undefined) this.openFile(file);
		});
		$("choose").addEventListener("click", () => $("file").click());
		document.addEventListener("dragover", e => e.preventDefault());
		document.addEventListener("drop", e => {
			e.preventDefault();
			if (e.dataTransfer.files.length > 0) this.openFile(e.dataTransfer.files[0]);
		});
		$("association").addEventListener("change", e => {
			const association = this.view.trace.associations[e.target.value];
			this.view.choose(association, association.bulk);
			this.chosen();
		});
		$("direction").addEventListener("change", e => {
			this.view.choose(this.view.association, Number(e.target.value));
			this.chosen();
		});
		for (const [id, act] of [["closer", v => v.zoom(0.6)], ["wider", v => v.zoom(1 / 0.6)], ["earlier", v => v.pan(-0.3)],
			["later", v => v.pan(0.3)], ["all", v => v.all()]]) {
			$(id).addEventListener("click", () => act(this.view));
		}
		$("show-json").addEventListener("click", () => { $("json").hidden = !$("json").hidden; });
		$("save-json").addEventListener("click", () => this.saveJson());
		window.addEventListener("resize", () => this.changed());
		matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
			this.view?.readColors();
			this.changed();
		});
		const data = $("data");
		if (data !== null) this.open(data.dataset.name, 0, () => piecesOfPage(data));
	},
};

class Overtaken extends Error {}

page.begin();
