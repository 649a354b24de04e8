// SPDX-License-Identifier: BSD-3-Clause
// The summary as a table. Whatever comes from a file is put in as text.

const milliseconds = us => us === undefined || us === null ? "–" : secondsText(us / 1e6);

const COLUMNS = [
	["path", "the sender's number of the path, and its ends", null],
	["packets", "of the flow, control packets too", p => String(p.packets)],
	["bytes", "of IP packets; of a qlog file those of DATA", p => sizeText(p.bytes ?? p.payload_bytes ?? 0)],
	["share", "of all paths' bytes", p => percentText(p.share)],
	["chunks", "DATA chunks that were sent for the first time", p => countText(p.chunks)],
	["retransmitted", "DATA chunks that were sent again, copies too", p => countText(p.retransmitted)],
	["lost", "qlog: chunks taken for lost; capture: packets that did not arrive", p => countText(p.lost)],
	["spurious", "qlog: chunks taken for lost that had arrived", p => countText(p.spurious)],
	["least delay", "one way; true where both ends are in the file, else above the least of all paths",
		p => milliseconds(p.delay?.min_us)],
	["median", "of the delay", p => milliseconds(p.delay?.median_us)],
	["p99", "of the delay", p => milliseconds(p.delay?.p99_us)],
	["longest gap", "between two packets with data", p => milliseconds(p.longest_gap_us)],
	["silences", "gaps of over a second while another path sent", p => String(p.silences)],
	["failures", "qlog: how often the path was taken for failed", p => countText(p.failures)],
];

function element(tag, text, attributes = {}) {
	const e = document.createElement(tag);
	e.textContent = text;
	for (const [name, value] of Object.entries(attributes)) e.setAttribute(name, value);
	return e;
}

// `view` decides which paths are shown; a check box for each.
function fillTable(table, summary, view) {
	const head = element("tr", "");
	for (const [name, about] of COLUMNS) head.append(element("th", name, { title: about, scope: "col" }));
	const body = element("tbody", "");
	for (const p of summary.paths) {
		const index = view.flow.paths.findIndex(path => path.id === p.path), row = element("tr", "");
		const cell = element("th", "", { scope: "row" }), label = element("label", ""), box = element("input", "", { type: "checkbox" });
		box.checked = view.shows(index);
		box.addEventListener("change", () => {
			if (box.checked) view.hidden.delete(index);
			else view.hidden.add(index);
			view.bins = null;
			view.changed();
		});
		label.append(box, element("i", "", { class: `swatch ${view.colorName(index)}` }), element("b", `path ${p.path}`),
			element("span", ` ${p.from} → ${p.to}`));
		cell.append(label);
		row.append(cell);
		for (const [, , value] of COLUMNS.slice(1)) row.append(element("td", value(p)));
		if (p.failures > 0 || p.silences > 0) row.className = "failed";
		body.append(row);
	}
	const thead = element("thead", "");
	thead.append(head);
	table.replaceChildren(thead, body);
}

function sentence(trace, summary, file) {
	const sent = summary.paths.reduce((n, p) => n + (p.bytes ?? p.payload_bytes ?? 0), 0);
	const what = summary.encrypted ? " Encrypted packets: what they carry cannot be told." : "";
	const paths = `${summary.paths.length} path${summary.paths.length === 1 ? "" : "s"}`;
	return `${file}: ${trace.title === "" ? "" : `${trace.title}, `}${paths}, ${sizeText(sent)} in ${secondsText(summary.duration_us / 1e6)}.${what}`;
}
