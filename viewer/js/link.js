// SPDX-License-Identifier: BSD-3-Clause
// From a captured frame to SCTP packets: link layer, IP, UDP.

const SCTP = 132, UDP = 17, FRAGMENT = 44, SCTP_UDP_PORT = 9899;
const IPV4_TYPE = 0x0800, IPV6_TYPE = 0x86dd;
const EXTENSIONS = new Set([0, 43, 51, 60]);
// Where IP begins behind a header with an EtherType, and where that is.
const COOKED = new Map([[113, [16, 14]], [276, [20, 0]]]);

function linkLayer(link, b, at, end, frame) {
	if (link === 1) return ethernet(b, at, end, frame);
	if (COOKED.has(link)) {
		const [size, type] = COOKED.get(link);
		if (end - at > size && [IPV4_TYPE, IPV6_TYPE].includes(u16(b, at + type))) ip(b, at + size, end, frame);
	} else if (link === 101 || link === 228 || link === 229 || link === 12 || link === 14) ip(b, at, end, frame);
	else if (link === 0 || link === 108) ip(b, at + 4, end, frame);
	else frame.packets.trace.note(`Frames of link type ${link}, which this page does not know, were left out`);
}

function ethernet(b, at, end, frame) {
	let type = at + 12;
	while (type + 6 < end && (u16(b, type) === 0x8100 || u16(b, type) === 0x88a8)) type += 4;
	if (type + 2 < end && (u16(b, type) === IPV4_TYPE || u16(b, type) === IPV6_TYPE)) ip(b, type + 2, end, frame);
}

// `d`, the datagram: where in `b`, from whom to whom.
function ip(b, at, end, frame) {
	const version = end - at >= 20 ? b[at] >> 4 : 0;
	if (version === 4) ipv4(b, at, end, frame);
	else if (version === 6 && end - at >= 40) ipv6(b, at, end, frame);
}

function ipv4(b, at, end, frame) {
	const head = 4 * (b[at] & 15), length = u16(b, at + 2), fragment = u16(b, at + 6);
	// Segmentation offload may leave the length at 0; Ethernet pads short frames.
	const bytes = length === 0 ? end - at + frame.cut : length, protocol = b[at + 9];
	if (head < 20 || (protocol !== SCTP && protocol !== UDP)) return;
	if (fragment & 0x3fff) {
		if (protocol === SCTP) frame.packets.trace.note("IP fragments were left out");
		return;
	}
	transport(b, at + head, Math.min(end, at + bytes), protocol,
		{ frame, ip: bytes, from: at + 12, to: at + 16, v6: false, ttl: b[at + 8], ip_id: u16(b, at + 4), whole: at + bytes <= end });
}

function ipv6(b, at, end, frame) {
	const bytes = 40 + u16(b, at + 4), stop = Math.min(end, at + bytes);
	let protocol = b[at + 6], next = at + 40;
	while (EXTENSIONS.has(protocol) && next + 8 <= stop) {
		const size = protocol === 51 ? 4 * (b[next + 1] + 2) : 8 * (b[next + 1] + 1);
		protocol = b[next];
		next += size;
	}
	if (protocol === FRAGMENT) frame.packets.trace.note("IP fragments were left out");
	transport(b, next, stop, protocol,
		{ frame, ip: bytes, from: at + 8, to: at + 24, v6: true, ttl: b[at + 7], ip_id: 0, whole: at + bytes <= end });
}

function transport(b, at, end, protocol, d) {
	if (protocol === SCTP && end - at >= 12) native(b, at, end, d);
	else if (protocol === UDP && end - at >= 20) udp(b, at, end, d);
}

function native(b, at, end, d) {
	const tuple = d.frame.packets.tuples.of(b, d, 0, 0);
	if (d.whole && u32(b, at + 8) !== 0 && checkedEnd(b, at, end, false) < 0) {
		d.frame.packets.trace.note("Packets whose CRC32c is wrong were left out");
		return;
	}
	d.frame.packets.packet(b, at, end, tuple, d, d.ip);
}

// Segmentation offload joins packets: each ends where its CRC32c is right.
function udp(b, at, end, d) {
	const source = u16(b, at), destination = u16(b, at + 2), { packets } = d.frame;
	const tuple = packets.tuples.of(b, d, source, destination);
	const known = source === SCTP_UDP_PORT || destination === SCTP_UDP_PORT || tuple.is_sctp;
	if (!known && tuple.tried === 8) return;
	const head = d.ip - (end - at) - (d.whole ? 0 : d.frame.cut) + 8;
	let from = at + 8, joined = 0;
	while (end - from >= 16) {
		const to = d.whole ? checkedEnd(b, from, end, true) : -1;
		if (to < 0) break;
		tuple.is_sctp = true;
		packets.packet(b, from, to, tuple, d, to - from + Math.max(head, 28));
		from = to;
		joined++;
	}
	if (joined > 1) packets.trace.note("Datagrams that segmentation offload had joined were taken apart");
	if (from !== at + 8) return;
	if (!known) tuple.tried++;
	else if (d.whole && u32(b, from + 8) !== 0) packets.trace.note("Packets whose CRC32c is wrong were left out");
	else packets.packet(b, from, end, tuple, d, d.ip);
}
