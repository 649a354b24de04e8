// SPDX-License-Identifier: BSD-3-Clause
// A file, or the data inside of this page, to a trace; in pieces, so that the page answers meanwhile.

const PIECE_BYTES = 4 << 20, READERS = [QlogReader, PcapReader, PcapngReader];

// What `pieces` are, known by how they begin. `progress(bytes)` is called after each.
async function readTrace(pieces, progress) {
	let reader = null, begin = new Uint8Array(0), bytes = 0;
	for await (const piece of pieces) {
		bytes += piece.length;
		if (reader === null) {
			begin = join(begin, piece);
			if (begin.length < 4) continue;
			reader = readerOf(begin);
			reader.push(begin);
		} else reader.push(piece);
		progress(bytes);
		await new Promise(done => setTimeout(done));
	}
	if (reader === null) throw new FileError(bytes === 0 ? "The file is empty." : `The file has only ${bytes} bytes.`);
	return reader.end();
}

function readerOf(begin) {
	const Reader = READERS.find(r => r.matches(begin));
	if (Reader !== undefined) return new Reader();
	if (begin[0] === 0x1f && begin[1] === 0x8b) throw new FileError("The file is compressed: gunzip it first.");
	throw new FileError(`The file begins with the bytes ${magicOf(begin)}: neither a qlog file (JSON text sequence) `
		+ "nor a capture (pcap, pcapng).");
}

async function* piecesOfFile(file) {
	for (let at = 0; at < file.size; at += PIECE_BYTES) {
		yield new Uint8Array(await file.slice(at, at + PIECE_BYTES).arrayBuffer());
	}
}

// Of the element that a program put in: gzip in base64.
async function* piecesOfPage(element) {
	const text = element.content.textContent.trim(), step = 1 << 20;
	element.remove();
	let at = 0;
	const packed = new ReadableStream({
		pull(controller) {
			if (at >= text.length) return controller.close();
			controller.enqueue(Uint8Array.from(atob(text.slice(at, at += step)), c => c.charCodeAt(0)));
		},
	});
	const reader = packed.pipeThrough(new DecompressionStream("gzip")).getReader();
	let held = [], held_bytes = 0;
	const all = () => {
		const piece = new Uint8Array(held_bytes);
		let offset = 0;
		for (const part of held) {
			piece.set(part, offset);
			offset += part.length;
		}
		held = [];
		held_bytes = 0;
		return piece;
	};
	for (;;) {
		const { done, value } = await reader.read();
		if (done) break;
		held.push(value);
		held_bytes += value.length;
		if (held_bytes >= PIECE_BYTES) yield all();
	}
	if (held_bytes > 0) yield all();
}
