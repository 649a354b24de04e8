# SPDX-License-Identifier: BSD-3-Clause
"""Captures: the stored ones of the Wireshark plugin and what that says of them; every file format and link layer."""
import glob
import os
import struct
import unittest

import capture
from viewing import ViewerTest

WIRESHARK = os.path.join(os.path.dirname(os.path.abspath(capture.__file__)))
# What the page does not do: put fragments together; look at chunks of wrong length as the plugin does; count bytes that a
# capture has cut off as missing.
OTHERWISE = {"fragments", "malformed", "truncated"}
# The plugin leaves INITs out that went to other addresses than the one that answered.
INITS = 4


def plugin_rows(name):
    """{(from, to): (packets, bytes, retransmitted)}, of all associations together, as the plugin's statistic has it."""
    rows = {}
    with open(os.path.join(WIRESHARK, "golden", name + ".txt"), encoding="utf-8") as file:
        for line in file:
            cells = [cell.strip() for cell in line.split("|")]
            if len(cells) >= 16 and cells[0].isdigit():
                counts = (int(cells[i]) for i in (4, 5, 12))
                rows[cells[2], cells[3]] = tuple(a + b for a, b in zip(counts, rows.get((cells[2], cells[3]), (0, 0, 0))))
    return rows


def pcap(frames, link, order="<", nanoseconds=False):
    head = struct.pack(order + "IHHiIII", 0xA1B23C4D if nanoseconds else 0xA1B2C3D4, 2, 4, 0, 0, 65535, link)
    unit = 1000 if nanoseconds else 1
    return head + b"".join(struct.pack(order + "IIII", at // 1000000, at % 1000000 * unit, len(data), len(data)) + data
                           for at, data in frames)


def block(order, kind, body):
    body += bytes(-len(body) % 4)
    return struct.pack(order + "II", kind, len(body) + 12) + body + struct.pack(order + "I", len(body) + 12)


def pcapng(frames, link, order="<"):
    """With times in nanoseconds, and blocks that nobody needs to know."""
    out = block(order, 0x0A0D0D0A, struct.pack(order + "IHHq", 0x1A2B3C4D, 1, 0, -1))
    out += block(order, 1, struct.pack(order + "HHI", link, 0, 0) + struct.pack(order + "HHB3xHH", 9, 1, 9, 0, 0))
    for at, data in frames:
        out += block(order, 6, struct.pack(order + "IIIII", 0, at * 1000 >> 32, at * 1000 & 0xFFFFFFFF, len(data), len(data)) + data)
        out += block(order, 0xBAD, b"what is this")
    return out


def ether_type(ip):
    return b"\x86\xdd" if capture.is_v6(ip) else b"\x08\x00"


CARRIERS = {
    "ethernet": (1, capture.in_ethernet),
    "vlan": (1, lambda ip: bytes(12) + b"\x81\x00\x00\x07" + ether_type(ip) + ip),
    "cooked": (113, lambda ip: bytes(14) + ether_type(ip) + ip),
    "cooked2": (276, lambda ip: ether_type(ip) + bytes(18) + ip),
    "loopback": (0, lambda ip: struct.pack("<I", 10 if capture.is_v6(ip) else 2) + ip),
    "raw": (101, lambda ip: ip),
    "raw-ip": (229, lambda ip: ip),
}


class Captures(ViewerTest):
    def everything(self):
        return self.browser.run("return page.view.trace.associations.flatMap(a => [0, 1].flatMap(d => "
                                "summarise(page.view.trace, a, d).paths))")

    def test_as_the_plugin_says(self):
        names = [os.path.basename(path)[:-5] for path in sorted(glob.glob(os.path.join(WIRESHARK, "captures", "*.pcap")))]
        self.assertGreater(len(names), 15)
        for name in names:
            with self.subTest(name):
                self.shown(os.path.join(WIRESHARK, "captures", name + ".pcap"))
                if name in OTHERWISE:
                    continue
                told = {}
                for p in self.everything():
                    counts = (p["packets"], p["bytes"], p["retransmitted"] or 0)
                    told[p["from"], p["to"]] = tuple(a + b for a, b in zip(counts, told.get((p["from"], p["to"]), (0, 0, 0))))
                wanted = plugin_rows(name)
                self.assertEqual(set(told), set(wanted))
                for ends, (packets, size, again) in wanted.items():
                    header = (40 if "::" in ends[0] else 20) + (8 if ends[0].endswith(":9899") or ends[1].endswith(":9899") else 0)
                    more = told[ends][0] - packets
                    self.assertTrue(0 <= more <= INITS, (ends, told[ends], packets))
                    if more == 0:
                        self.assertEqual(told[ends][1], size + packets * header, ends)
                    if name != "encrypted":
                        self.assertEqual(told[ends][2], again, ends)

    def test_encrypted(self):
        summary = self.shown(os.path.join(WIRESHARK, "captures", "encrypted.pcap"))
        self.assertTrue(summary["encrypted"])
        for p in summary["paths"]:
            self.assertGreater(p["encrypted_packets"], 30)
            self.assertEqual((p["chunks"], p["retransmitted"]), (None, None))
            self.assertEqual(p["delay"]["kind"], "true")
        self.assertEqual([p["lost"] for p in summary["paths"]], [2, 0])
        self.assertIn("Encrypted packets", self.browser.text("#about"))
        self.assertEqual(self.pixels("Sequence"), -1)
        self.assertGreater(self.pixels("Rate"), 100)

    def test_formats_and_link_layers(self):
        for family in ("loss", "ipv6"):
            frames = [(f.at_us, f.ip) for f in capture.read(os.path.join(WIRESHARK, "captures", family + ".pcap"))[1]]
            wanted = self.shown(os.path.join(WIRESHARK, "captures", family + ".pcap"))
            for name, (link, carry) in CARRIERS.items():
                carried = [(at, carry(ip)) for at, ip in frames]
                forms = {"le": pcap(carried, link)}
                if name == "raw":
                    forms.update({"be": pcap(carried, link, ">"), "ns": pcap(carried, link, nanoseconds=True),
                                  "ng": pcapng(carried, link), "ng-be": pcapng(carried, link, ">")})
                for form, data in forms.items():
                    with self.subTest(f"{family} {name} {form}"):
                        self.assertEqual(self.shown(self.file("some.cap", data)), wanted)

    def test_in_udp(self):
        """On any port, as the checksum tells; both paths from one address."""
        frames = capture.read(os.path.join(WIRESHARK, "captures", "loss.pcap"))[1]
        wanted = self.shown(os.path.join(WIRESHARK, "captures", "loss.pcap"))
        told = self.shown(self.file("udp.pcap", pcap([(f.at_us, capture.in_udp(f.ip, 5201, 5202)) for f in frames], 101)))
        for a, b in zip(wanted["paths"], told["paths"]):
            self.assertEqual(a["bytes"] + 8 * a["packets"], b["bytes"])
            self.assertEqual((a["chunks"], a["retransmitted"], a["delay"]), (b["chunks"], b["retransmitted"], b["delay"]))
        told = self.shown(self.file("one.pcap", pcap([(f.at_us, capture.behind_one_address(f.ip)) for f in frames], 101)))
        self.assertEqual([p["from"] for p in told["paths"]], ["10.1.0.1:40001", "10.1.0.1:40002"])

    def test_associations_are_chosen(self):
        self.shown(os.path.join(WIRESHARK, "captures", "two-associations.pcap"))
        options = "return [...document.querySelectorAll('#association option')].map(o => o.textContent)"
        self.assertEqual(len(self.browser.run(options)), 2)
        before = self.browser.text("#direction")
        self.browser.run("const s = document.getElementById('association'); s.value = '1'; s.dispatchEvent(new Event('change'))")
        self.assertNotEqual(self.browser.text("#direction"), before)
        # The direction with most data was chosen; the other one has SACKs alone.
        self.assertIn("most data", self.browser.run("const s = document.getElementById('direction'); "
                                                    "return s.options[s.selectedIndex].textContent"))
        self.browser.run("const s = document.getElementById('direction'); s.selectedIndex = 1 - s.selectedIndex; "
                         "s.dispatchEvent(new Event('change'))")
        self.assertTrue(self.browser.run("return page.summary.paths.every(p => p.chunks === null)"))


if __name__ == "__main__":
    unittest.main()
