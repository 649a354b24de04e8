// SPDX-License-Identifier: BSD-3-Clause
// Reads pcap and pcapng, piece by piece, and hands the frames over.

const MAX_FRAME_BYTES = 1 << 18, MAX_BLOCK_BYTES = 1 << 24, MAX_INTERFACES = 1024;
// Of pcap: whether the numbers are little endian, and the unit of times.
const PCAP = new Map([["d4c3b2a1", [true, 1e-6]], ["a1b2c3d4", [false, 1e-6]], ["4d3cb2a1", [true, 1e-9]],
	["a1b23c4d", [false, 1e-9]]]);
const SECTION = 0x0a0d0d0a, INTERFACE = 1, OLD_PACKET = 2, SIMPLE_PACKET = 3, PACKET = 6;

const magicOf = bytes => Array.from(bytes.subarray(0, 4), b => b.toString(16).padStart(2, "0")).join("");

// Keeps what is not whole yet; subclasses take() from `view`, and return how much, 0: not whole.
class FrameReader {
	constructor() {
		this.packets = new CapturePackets();
		this.rest = new Uint8Array(0);
		this.at_byte = 0;
		this.frames = 0;
		this.first_s = null;
	}
	push(piece) {
		const bytes = join(this.rest, piece), view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
		let at = 0;
		for (;;) {
			const taken = this.take(bytes, view, at);
			if (taken === 0) break;
			at += taken;
			this.at_byte += taken;
		}
		this.rest = bytes.slice(at);
	}
	frame(link, at_s, bytes, from, stored, original) {
		this.frames++;
		this.first_s ??= at_s;
		linkLayer(link, bytes, from, from + stored,
			{ packets: this.packets, at_s: at_s - this.first_s, frame: this.frames, cut: original - stored });
	}
	end() {
		const { trace } = this.packets;
		if (this.rest.length > 0) {
			trace.note(`The file ends within a packet, at byte ${this.at_byte}: it is shown up to there.`);
		}
		this.packets.finish();
		trace.finish();
		if (trace.associations.length === 0) {
			const why = trace.counts.size === 0 ? "" : ` ${[...trace.counts].map(([text, n]) => `${text}: ${n}.`).join(" ")}`;
			throw new FileError(`There is no SCTP association in this capture of ${this.frames} packets.${why}`);
		}
		return trace;
	}
	checkFrame(stored) {
		if (stored > MAX_FRAME_BYTES) {
			throw new FileError(`The packet at byte ${this.at_byte} says that it has ${stored} bytes: the file is damaged there.`);
		}
	}
}

class PcapReader extends FrameReader {
	static matches(bytes) { return PCAP.has(magicOf(bytes)); }
	take(bytes, view, at) {
		const left = bytes.length - at;
		if (this.link === undefined) {
			if (left < 24) return 0;
			[this.little, this.unit_s] = PCAP.get(magicOf(bytes));
			this.link = view.getUint32(at + 20, this.little) & 0xffff;
			return 24;
		}
		if (left < 16) return 0;
		const stored = view.getUint32(at + 8, this.little);
		this.checkFrame(stored);
		if (left < 16 + stored) return 0;
		const at_s = view.getUint32(at, this.little) + view.getUint32(at + 4, this.little) * this.unit_s;
		this.frame(this.link, at_s, bytes, at + 16, stored, view.getUint32(at + 12, this.little));
		return 16 + stored;
	}
}

class PcapngReader extends FrameReader {
	static matches(bytes) { return bytes.length >= 4 && u32(bytes, 0) === SECTION; }
	take(bytes, view, at) {
		const left = bytes.length - at;
		if (left < 12) return 0;
		const section = view.getUint32(at) === SECTION;
		if (section) this.begin(view, at);
		const type = view.getUint32(at, this.little), length = view.getUint32(at + 4, this.little);
		if (length < 12 || length % 4 !== 0 || length > MAX_BLOCK_BYTES) {
			throw new FileError(`The block at byte ${this.at_byte} says that it has ${length} bytes: the file is damaged there.`);
		}
		if (left < length) return 0;
		if (type === INTERFACE && length >= 20) this.addInterface(view, at, length);
		else if (type === PACKET || type === OLD_PACKET) this.packet(bytes, view, at, length, type === PACKET);
		else if (type === SIMPLE_PACKET) this.packets.trace.note("Packets without a time were left out");
		return length;
	}
	begin(view, at) {
		const order = view.getUint32(at + 8);
		if (order !== 0x1a2b3c4d && order !== 0x4d3c2b1a) {
			throw new FileError(`The section at byte ${this.at_byte} has no byte order: the file is damaged there.`);
		}
		this.little = order === 0x4d3c2b1a;
		this.interfaces = [];
	}
	addInterface(view, at, length) {
		const added = { link: view.getUint16(at + 8, this.little), unit_s: 1e-6 };
		for (let i = at + 16; i + 5 <= at + length - 4;) {
			const code = view.getUint16(i, this.little), size = view.getUint16(i + 2, this.little);
			if (code === 0) break;
			if (code === 9 && size === 1) {
				const exponent = view.getUint8(i + 4);
				added.unit_s = exponent & 128 ? 2 ** -(exponent & 127) : 10 ** -exponent;
			}
			i += 4 + (size + 3 & ~3);
		}
		if (this.interfaces.length < MAX_INTERFACES) this.interfaces.push(added);
	}
	packet(bytes, view, at, length, enhanced) {
		const stored = length < 32 ? Infinity : view.getUint32(at + 20, this.little);
		this.checkFrame(stored);
		if (28 + stored > length - 4) {
			throw new FileError(`The packet at byte ${this.at_byte} is larger than its block: the file is damaged there.`);
		}
		const id = enhanced ? view.getUint32(at + 8, this.little) : view.getUint16(at + 8, this.little);
		const from = this.interfaces[id];
		if (from === undefined) {
			this.packets.trace.note("Packets of interfaces that the file does not describe were left out");
			return;
		}
		const units = view.getUint32(at + 12, this.little) * 4294967296 + view.getUint32(at + 16, this.little);
		this.frame(from.link, units * from.unit_s, bytes, at + 28, stored, view.getUint32(at + 24, this.little));
	}
}
