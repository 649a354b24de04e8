// SPDX-License-Identifier: BSD-3-Clause
// Bytes: joining pieces, big-endian numbers, CRC32c.

function join(a, b) {
	if (a.length === 0) return b;
	const both = new Uint8Array(a.length + b.length);
	both.set(a);
	both.set(b, a.length);
	return both;
}

const u16 = (b, at) => b[at] << 8 | b[at + 1];
const u32 = (b, at) => (b[at] << 24 | b[at + 1] << 16 | b[at + 2] << 8 | b[at + 3]) >>> 0;

const CRC32C = Int32Array.from({ length: 256 }, (_, octet) => {
	let crc = octet;
	for (let bit = 0; bit < 8; bit++) crc = crc >>> 1 ^ (crc & 1 ? 0x82f63b78 : 0);
	return crc;
});

// Where the SCTP packet that begins at `from` ends by its CRC32c: with `every`, the first place where it is right, else `to`.
// -1: nowhere.
function checkedEnd(b, from, to, every) {
	const wanted = ~(b[from + 8] | b[from + 9] << 8 | b[from + 10] << 16 | b[from + 11] << 24);
	let crc = -1;
	for (let i = 0; i < 8; i++) crc = crc >>> 8 ^ CRC32C[(crc ^ b[from + i]) & 255];
	for (let i = 0; i < 4; i++) crc = crc >>> 8 ^ CRC32C[crc & 255];
	for (let i = from + 12; i < to; i++) {
		crc = crc >>> 8 ^ CRC32C[(crc ^ b[i]) & 255];
		if (every && (i + 1 - from) % 4 === 0 && i + 1 - from >= 16 && crc === wanted) return i + 1;
	}
	return crc === wanted ? to : -1;
}

// --- addresses ---
function ipv6Text(b, at) {
	const groups = Array.from({ length: 8 }, (_, i) => u16(b, at + 2 * i).toString(16)).join(":");
	const zeros = groups.match(/\b0(:0\b)+/g)?.reduce((a, c) => c.length > a.length ? c : a);
	return zeros === undefined ? groups : groups.replace(zeros, "").replace(/^:?/, m => m + (groups.startsWith(zeros) ? ":" : ""))
		.replace(/:$/, groups.endsWith(zeros) ? "::" : ":").replace(/:{3,}/, "::");
}
const ipText = (b, at, v6) => v6 ? ipv6Text(b, at) : `${b[at]}.${b[at + 1]}.${b[at + 2]}.${b[at + 3]}`;
const endName = (address, port) => port === 0 ? address : address.includes(":") ? `[${address}]:${port}` : `${address}:${port}`;
