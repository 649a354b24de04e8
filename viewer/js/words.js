// SPDX-License-Identifier: BSD-3-Clause
// Numbers as people read them, with their units.

const digits = (x, n = 3) => x === 0 || Math.abs(x) >= 10 ** (n - 1) ? Math.round(x).toString() : x.toPrecision(n);

function scaled(x, units) {
	let i = 0;
	while (i < units.length - 1 && Math.abs(x) >= 999.5) { x /= 1000; i++; }
	return `${i === 0 ? Math.round(x) : digits(x)} ${units[i]}`;
}
const rateText = bps => scaled(bps, ["bit/s", "kbit/s", "Mbit/s", "Gbit/s"]);
const sizeText = bytes => scaled(bytes, ["B", "kB", "MB", "GB"]);
function secondsText(s) {
	if (s === null || !Number.isFinite(s)) return "–";
	return Math.abs(s) >= 0.9995 ? `${digits(s)} s` : Math.abs(s) >= 0.0009995 ? `${digits(1e3 * s)} ms` : `${Math.round(1e6 * s)} µs`;
}
const percentText = x => x === null ? "–" : x === 0 ? "0 %" : x < 0.0995 ? `${(100 * x).toFixed(1)} %` : `${Math.round(100 * x)} %`;
const countText = n => n === null ? "–" : String(n);
