# SPDX-License-Identifier: BSD-3-Clause
# cost: 21 s
"""What the plugin says about the stored captures: the same as last time, in every run and every pass, and the same of
one transfer in whatever it is carried. `test_golden.py --update` writes the expectations anew."""

import os
import re
import sys
import unittest

import capture
import shark

GOLDEN = os.path.join(shark.HERE, "golden")
SOURCE = os.path.dirname(shark.HERE)
# Known only when later packets have been seen.
LATER = {"sctp.cmt.analysis.echo_in", "sctp.cmt.analysis.data.forward_delay",
         "sctp.cmt.analysis.data.forward_delay_above_min", "sctp.cmt.analysis.spurious_in"}
RAW = ["sctp.cmt.sender_timestamp", "sctp.cmt.path_packet", "sctp.cmt.path_id", "sctp.cmt.return_path",
       "sctp.cmt.tsn_scale", "sctp.cmt.receiver_timestamp", "sctp.cmt.echo.path_id", "sctp.cmt.echo.packets",
       "sctp.cmt.echo.sender_timestamp", "sctp.cmt.time_elapsed", "sctp.cmt.echo.path_packet"]


def own_fields(sh):
    """Every field of the plugin, expert infos included."""
    names = [line.split("\t")[2] for line in sh.tshark("-G", "fields").splitlines() if line.startswith("F\t")]
    return sorted(name for name in names if name.startswith("sctp.cmt."))


def describe(rows):
    """One line for each frame that has a field. Truth values are 1 for Wireshark 4.0, True for later ones."""
    out = []
    for number, row in enumerate(rows, 1):
        cells = [f"{name[len('sctp.cmt.'):]}={','.join(values).replace('True', '1').replace('False', '0')}" for name, values in row.items()]
        if cells:
            out.append(f"{number} " + " ".join(cells) + "\n")
    return "".join(out)


def output(sh, path, names, passes):
    """Fields and both statistics."""
    rows, more = sh.fields_and_more(sh.put(path), names, *passes, *sh.keys_of(path), "-z", "sctp-cmt,stat", "-z", "sctp-cmt,tree")
    return describe(rows) + re.sub(r" +$", "", more, flags=re.M)


def golden_file(name):
    return os.path.join(GOLDEN, name.replace(".pcap", ".txt"))


class WithShark(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.sh = shark.Shark()
        cls.addClassCleanup(cls.sh.close)

    def capture(self, name):
        return self.sh.put(os.path.join(shark.CAPTURES, name + ".pcap"))


class Loading(WithShark):
    def test_an_ordinary_user_loads_the_plugin(self):
        plugins = self.sh.tshark("-G", "plugins", time_limit_s=30)
        self.assertRegex(plugins, rf"(?m)^sctp-cmt\.so\s+\S+\s+.*dissector.*{re.escape(self.sh.plugins)}/\d+\.\d+/epan/")

    def test_the_documentation_has_every_field(self):
        with open(os.path.join(SOURCE, "..", "docs", "wireshark.md"), encoding="utf-8") as file:
            guide = file.read()
        for name in own_fields(self.sh):
            short = name[len("sctp.cmt."):]
            self.assertTrue(f"`{short}`" in guide or f"`.{short.rsplit('.', 1)[-1]}`" in guide, name)

    def test_a_missing_plugin_is_not_mistaken_for_one(self):
        done = self.sh.run("tshark", "-r", self.capture("ipv4"), "-T", "fields", "-e", "sctp.cmt.path_id",
                           WIRESHARK_PLUGIN_DIR=self.sh.home)
        self.assertNotEqual(done.returncode, 0)


class Golden(WithShark):
    def test_every_capture_says_what_it_said(self):
        """One pass leaves out what is known only later; that apart, both say the same."""
        names = own_fields(self.sh)
        for name in shark.stored_captures():
            path = os.path.join(shark.CAPTURES, name)
            two = output(self.sh, path, names, ["-2"])
            with self.subTest(name), open(golden_file(name), encoding="utf-8") as file:
                self.assertEqual(two, file.read())
                later = re.compile("|".join(rf" {re.escape(n[len('sctp.cmt.'):])}=\S+" for n in sorted(LATER, reverse=True)))
                self.assertEqual(later.sub("", output(self.sh, path, names, [])), later.sub("", two))


class Carriers(WithShark):
    def rows(self, name, *arguments):
        return self.sh.statistic(self.capture(name), *arguments)

    def test_one_transfer_is_the_same_in_whatever_carries_it(self):
        plain = self.rows("ipv4")
        self.assertEqual(plain[0]["Packets"], "41")
        for name in ("ethernet", "fragments"):
            with self.subTest(name):
                self.assertEqual(self.rows(name), plain)
        for name, other in (("udp", "ipv4"), ("udp-ipv6", "ipv6")):
            with self.subTest(name):
                rows = self.rows(name)
                self.assertEqual(shark.without_ports(rows), self.rows(other))
                self.assertEqual({end[-5:] for row in rows for end in (row["From"], row["To"])}, {":9899"})
        self.assertRegex(self.rows("udp-ipv6")[0]["From"], r"^\[[0-9a-f:]+\]:9899$")

    def test_paths_with_the_same_addresses_are_told_apart_by_port(self):
        """What the server of two uplinks behind one public address sees."""
        moved = shark.behind_one_address(self.sh.folder)
        rows = self.sh.statistic(moved)
        self.assertEqual(sorted((row["Path"], row["From"], row["To"]) for row in rows),
                         [("1", "10.1.0.1:40001", "10.1.0.2:9899"), ("1", "10.1.0.2:9899", "10.1.0.1:40001"),
                          ("2", "10.1.0.1:40002", "10.1.0.2:9899"), ("2", "10.1.0.2:9899", "10.1.0.1:40002")])
        ends = ("From", "To")
        numbers = [[{k: v for k, v in row.items() if k not in ends} for row in some] for some in (rows, self.rows("loss"))]
        self.assertEqual(numbers[0], numbers[1])
        tree = self.sh.tshark("-q", "-r", moved, "-z", "sctp-cmt,tree")
        self.assertIn("Path 2: 10.1.0.1:40002 to 10.1.0.2:9899", tree)

    def test_the_ports_of_a_tunnel_are_not_those_of_a_path(self):
        """SCTP over IP, in GTP-U over UDP."""
        link, frames = capture.read(os.path.join(shark.CAPTURES, "ipv4.pcap"))
        tunnel = os.path.join(self.sh.folder, "tunnel.pcap")
        capture.write(tunnel, [f._replace(ip=capture.in_gtp(f.ip), wire_bytes=None) for f in frames], link)
        rows = self.sh.statistic(tunnel)
        self.assertEqual([(row["From"], row["To"]) for row in rows], [(row["From"], row["To"]) for row in self.rows("ipv4")])

    def test_one_transfer_is_the_same_wherever_its_numbers_begin(self):
        plain = self.rows("loss-sent")
        self.assertEqual([row["Lost"] for row in plain], ["2", "0", "0", "0"])
        self.assertEqual(self.rows("wrap"), plain)

    def test_what_is_cut_off_is_not_needed(self):
        keep = [{k: v for k, v in row.items() if k not in ("Bytes", "Goodput kbit/s")} for row in self.rows("ipv4")]
        cut = [{k: v for k, v in row.items() if k not in ("Bytes", "Goodput kbit/s")} for row in self.rows("truncated")]
        self.assertEqual(keep, cut)

    def test_quoted_and_damaged_packets_stay_out(self):
        # Of these three only the first has nothing but good packets.
        good = [row for row in self.rows("restart") if row["Association"] == "1"]
        for name in ("quoted", "damaged"):
            with self.subTest(name):
                self.assertEqual(self.rows(name), good)

    def test_associations_are_told_apart(self):
        for name in ("restart", "two-associations"):
            rows = self.rows(name)
            one, two = ([{**row, "Association": "-"} for row in rows if row["Association"] == n] for n in "12")
            self.assertEqual(len(one), 4)
            self.assertEqual(one, two)

    def test_real_processes_are_counted_as_the_shaped_network_counted_them(self):
        """netem.pcap is of the receiving host's interfaces, of real time; the queues were offered 72 and 19 packets."""
        data = {row["Path"]: row for row in shark.without_ports(self.rows("netem")) if row["From"].endswith(".1.2")}
        self.assertEqual({path: row["Packets"] for path, row in data.items()}, {"1": "72", "2": "19"})
        self.assertEqual({row["Lost"] for row in data.values()}, {"0"})

    def test_joined_packets_are_all_counted_and_none_is_lost(self):
        for name in ("offload-sent", "offload-received"):
            packets = capture.joined_packets(os.path.join(shark.CAPTURES, name + ".pcap"))
            for arguments in ((), ("-d", "udp.port==9899,sctp")):
                with self.subTest(name, arguments=arguments):
                    rows = self.rows(name, *arguments)
                    self.assertEqual({row["Lost"] for row in rows}, {"0"})
                    self.assertEqual(sum(int(row["Packets"]) for row in rows), len(packets))

    def test_sctp_is_found_on_any_udp_port(self):
        link, frames = capture.read(os.path.join(shark.CAPTURES, "ipv4.pcap"))
        moved = os.path.join(self.sh.folder, "other-port.pcap")
        ports = {True: (40000, 5002), False: (5002, 40000)}
        capture.write(moved, [f._replace(ip=capture.in_udp(f.ip, *ports[capture.is_from_client(f.ip)]), wire_bytes=None)
                              for f in frames], link)
        self.assertEqual(shark.without_ports(self.sh.statistic(moved)), self.rows("ipv4"))

    def test_a_wrong_checksum_is_believed_when_told_to(self):
        believed = self.rows("damaged", "-o", "sctp_cmt.verify_checksum:FALSE")
        self.assertNotEqual(believed, self.rows("damaged"))


class Display(WithShark):
    def test_the_info_column_names_the_chunks(self):
        for passes in ((), ("-2",)):
            text = self.sh.tshark("-r", self.capture("ipv4"), *passes)
            self.assertIn(" CMT-TIMESTAMP DATA (TSN=0)", text)
            self.assertIn(" SACK (Ack=0, Arwnd=1864135) CMT-ECHO", re.sub(r"Ack=\d+, Arwnd=\d+", "Ack=0, Arwnd=1864135", text))
            self.assertNotIn("RESERVED", text)

    def test_joined_packets_are_shown_as_packets(self):
        text = self.sh.tshark("-r", self.capture("offload-sent"))
        self.assertRegex(text, r"(?m) \d+ packets joined by segmentation offload, DATA chunks: \d+$")
        self.assertNotIn("Malformed", self.sh.tshark("-r", self.capture("offload-sent"), "-V"))
        rows = self.sh.fields(self.capture("offload-sent"), ["sctp.cmt.analysis.joined", "sctp.cmt.path_packet",
                                                             "sctp.cmt.analysis.tsn", "sctp.data_tsn_raw"])
        self.assertGreater(max(int(row.get("sctp.cmt.analysis.joined", ["0"])[0]) for row in rows), 4)
        for row in rows:
            self.assertEqual(row.get("sctp.cmt.analysis.tsn"), row.get("sctp.data_tsn_raw"))

    def test_the_fields_are_in_their_chunk(self):
        text = self.sh.tshark("-r", self.capture("ipv4"), "-V", "-Y", "sctp.cmt.path_packet == 3")
        self.assertRegex(text, r"(?m)^    CMT-TIMESTAMP chunk \(path 1, packet 3, sent at \d+ us\)\n"
                               r"        Chunk type: CMT-TIMESTAMP \(0x9e\)")
        self.assertRegex(text, r"(?m)^        Path ID: 1$")

    def test_conversations_are_found_by_number(self):
        def count(expression):
            return len(self.sh.tshark("-r", self.capture("two-associations"), "-Y", expression).splitlines())

        # An ABORT with a reflected tag is of neither direction.
        everything = count("sctp && !sctp.abort_t_bit == 1")
        self.assertEqual([count(f"sctp.cmt.analysis.association == {n}") for n in (1, 2)], [everything // 2] * 2)
        paths = [count(f"sctp.cmt.analysis.association == 1 && sctp.cmt.analysis.path == {n}") for n in (1, 2)]
        self.assertEqual(sum(paths), everything // 2)
        self.assertGreater(min(paths), 0)

    def test_lies_are_named(self):
        text = self.sh.tshark("-q", "-r", self.capture("malformed"), "-z", "expert")
        self.assertRegex(text, r"Malformed +SCTP-CMT +CMT-TIMESTAMP with a length of 12")
        self.assertRegex(text, r"Malformed +SCTP-CMT +CMT-ECHO with a length of 28")
        self.assertIn("Echo with another Sender Timestamp", text)
        text = self.sh.tshark("-q", "-r", self.capture("loss-received"), "-z", "expert,note")
        self.assertRegex(text, r"2 +Sequence +SCTP-CMT +Packets of path 1 missing: 1")
        self.assertRegex(text, r"Sequence +SCTP-CMT +TSN \d+ was sent again spuriously")
        text = self.sh.tshark("-q", "-r", self.capture("damaged"), "-z", "expert")
        self.assertRegex(text, r"7 +Checksum +SCTP-CMT +Wrong checksum")


class Lua(WithShark):
    def test_the_fallback_has_the_same_raw_fields(self):
        script = self.sh.put(os.path.join(SOURCE, "lua", "sctp-cmt.lua"))
        for name in ("ipv4", "udp-ipv6", "fragments", "malformed", "truncated", "offload-sent", "offload-received"):
            with self.subTest(name):
                capture = self.capture(name)
                plugin = self.sh.fields(capture, RAW)
                beside = self.sh.fields(capture, RAW, "-X", f"lua_script:{script}")
                self.sh.environment["WIRESHARK_PLUGIN_DIR"] = self.sh.home
                try:
                    alone = self.sh.fields(capture, RAW, "-X", f"lua_script:{script}")
                finally:
                    self.sh.environment["WIRESHARK_PLUGIN_DIR"] = self.sh.plugins
                self.assertEqual(alone, plugin)
                self.assertEqual(beside, plugin)


def update():
    sh = shark.Shark()
    names = own_fields(sh)
    for name in shark.stored_captures():
        with open(golden_file(name), "w", encoding="utf-8") as file:
            file.write(output(sh, os.path.join(shark.CAPTURES, name), names, ["-2"]))
    sh.close()


if __name__ == "__main__":
    if sys.argv[1:] == ["--update"]:
        update()
    else:
        unittest.main()
