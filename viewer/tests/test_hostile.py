# SPDX-License-Identifier: BSD-3-Clause
"""Files that are cut off, damaged, or nothing of the kind: a sentence or what can be shown; never a blank page, never a
script. CMT_MUTATIONS=N for more of them."""
import base64
import os
import struct
import time
import unittest

import capture
from viewing import ViewerTest

MUTATIONS = int(os.environ.get("CMT_MUTATIONS", "24"))
TIME_LIMIT_MS = 5000
# Opens mutants of a file one by one; those that were neither shown nor refused with a sentence, or took too long.
OPEN_MUTANTS = """
const [encoded, seed, count, limit_ms] = arguments, original = Uint8Array.from(atob(encoded), c => c.charCodeAt(0));
let state = seed;
const random = n => { state = Math.imul(state, 1664525) + 1013904223 >>> 0; return Math.floor(state / 4294967296 * n); };
const wrong = [];
let shown = 0;
return (async () => {
    for (let i = 0; i < count; i++) {
        const bytes = original.slice(0, i % 3 === 0 ? random(original.length) : original.length);
        for (let flips = i % 3 === 0 ? 0 : 1 + random(40); flips > 0 && bytes.length > 0; flips--) {
            // Mostly in the heads of the file, of frames and of chunks.
            const at = random(4) === 0 ? random(Math.min(400, bytes.length)) : random(bytes.length);
            bytes[at] = random(2) === 0 ? random(256) : bytes[at] ^ 1 << random(8);
        }
        const begun = performance.now();
        await page.open('mutant', bytes.length, async function* () {
            for (let at = 0; at < bytes.length; at += 10000) yield bytes.slice(at, at + 10000);
        });
        page.draw();
        const message = document.getElementById('message'), text = message.textContent, bad = message.classList.contains('bad');
        if (page.view !== null && page.plots.length > 0 && text === '') shown++;
        else if (!bad || !/^mutant: .{10,}[.]$/.test(text) || /cannot be read \\(/.test(text)) wrong.push([i, text]);
        if (performance.now() - begun > limit_ms) wrong.push([i, 'took too long']);
    }
    return [shown, wrong];
})();"""


class Hostile(ViewerTest):
    def mutate(self, path, seed):
        with open(path, "rb") as file:
            encoded = base64.b64encode(file.read()).decode()
        return self.browser.run(OPEN_MUTANTS, encoded, seed, MUTATIONS, TIME_LIMIT_MS)

    def test_mutants(self):
        seed = int(time.time()) & 0xFFFFFF
        files = [self.file(name) for name in ("a.qlog", "a.pcap")]
        self.run_lab("4Mbit/10ms/loss=4%,1Mbit/40ms", "-s", "rr", "--msg", "150", "--bytes", "12kB", "--qlog", files[0],
                     "--pcap", files[1])
        captures = os.path.join(os.path.dirname(os.path.abspath(capture.__file__)), "captures")
        files += [os.path.join(captures, name + ".pcap") for name in ("encrypted", "offload-sent", "udp-ipv6")]
        for path in files:
            with self.subTest(f"{path}, seed {seed}"):
                shown, wrong = self.mutate(path, seed)
                self.assertEqual(wrong, [])
                self.assertGreater(shown, MUTATIONS // 6)

    def assert_refused(self, content, *words):
        kind, text = self.open_file(self.file("some.file", content))
        self.assertEqual(kind, "error", text)
        for word in words:
            self.assertIn(word, text)

    def test_sentences(self):
        self.assert_refused(b"", "empty")
        self.assert_refused(b"ab", "only 2 bytes")
        self.assert_refused(b"PK\x03\x04 and so on", "504b0304", "neither a qlog file")
        self.assert_refused(b"\x1f\x8b\x08\x00 and so on", "compressed")
        self.assert_refused(b"\x1e{\"a\":1}\n\x1e{}\n", "byte", "no head of a qlog file")
        self.assert_refused(b"\x1enot JSON\n\x1e{}\n", "not JSON")
        self.assert_refused(b"{\n  \"qlog_version\": \"0.3\",\n  \"traces\": []\n}\n", "not a sequential qlog file")
        self.assert_refused(b"\x1e" + b"x" * (9 << 20), "has no end")
        head = b'\x1e{"file_schema":"urn:ietf:params:qlog:file:sequential"}\n'
        self.assert_refused(head, "no association")
        pcap = struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 101)
        self.assert_refused(pcap, "no SCTP association", "0 packets")
        self.assert_refused(pcap + struct.pack("<IIII", 0, 0, 1 << 30, 1 << 30), "byte 24", "damaged there")
        unknown = struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 147)
        self.assert_refused(unknown + struct.pack("<IIII", 0, 0, 40, 40) + bytes(40), "link type 147")
        self.assert_refused(struct.pack(">IIIIII", 0x0A0D0D0A, 28, 0x11111111, 0, 0, 0) + bytes(8), "byte 0", "no byte order")
        section = struct.pack("<IIIHHqI", 0x0A0D0D0A, 28, 0x1A2B3C4D, 1, 0, -1, 28)
        self.assert_refused(section + struct.pack("<III", 6, 7, 0), "byte 28", "7 bytes")

    def test_what_was_left_out_is_said(self):
        path = self.file("whole.qlog")
        self.run_lab("sarwar1", "--bytes", "50kB", "--qlog", path)
        with open(path, "rb") as file:
            records = file.read()
        wanted = self.shown(path)
        cut = self.shown(self.file("cut.qlog", records[:-30]))
        self.assertIn("ends within a record, at byte", cut["notes"][0]["text"])
        self.assertEqual(cut["paths"], wanted["paths"])
        third = records.index(b"\x1e", records.index(b"\x1e", 1) + 1)
        bad = self.shown(self.file("bad.qlog", records[:third] + b"\x1e{oh no\n\x1e{\"name\":7}\n" + records[third:]))
        self.assertEqual(bad["paths"], wanted["paths"])
        self.assertEqual([n["n"] for n in bad["notes"]], [1, 1])
        self.assertIn(f"byte {third + 1}", bad["notes"][0]["text"])
        # Without the separators, as JSON lines.
        self.assertEqual(self.shown(self.file("lines.qlog", records.replace(b"\x1e", b"")))["paths"], wanted["paths"])

    def test_text_of_files_stays_text(self):
        evil = "<img src=x onerror=document.title='evil'>"
        records = ['{"file_schema":"urn:ietf:params:qlog:file:sequential","title":"%s"}' % evil,
                   '{"time":0,"name":"sctp:association_started","group_id":"%s","data":{"local_port":1,"remote_port":2}}' % evil,
                   '{"time":0,"name":"sctp:path_state_updated","group_id":"%s","path":"1","data":{"new":"active","local":"%s",'
                   '"remote":"%s"}}' % (evil, evil, evil),
                   '{"time":1,"name":"sctp:packet_sent","group_id":"%s","path":"1","data":{"header":{},"raw":{"payload_length":9},'
                   '"frames":[{"tsn":1,"last_tsn":1}]}}' % evil]
        name = evil.replace("/", "") + ".qlog"
        self.shown(self.file(name, "".join(f"\x1e{r}\n" for r in records).encode()))
        self.assertIn(evil, self.browser.text("#about"))
        self.assertIn("<img", self.browser.text("#paths"))
        self.browser.run("page.view.cursor_s = 0.001; page.controls.tell(page.plots[0], null, null)")
        self.assertEqual(self.browser.run("return [document.querySelectorAll('img').length, document.title]"), [0, "CMT viewer"])


if __name__ == "__main__":
    unittest.main()
