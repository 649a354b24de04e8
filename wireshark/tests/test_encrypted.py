# SPDX-License-Identifier: BSD-3-Clause
# cost: 25 s
"""Encrypted captures: with the key log file they say what the plain ones say; without it, what can be told from outside."""

import os
import struct
import subprocess
import unittest

import capture
import dtls
import shark

# Wireshark's own, in what was decrypted.
THEIRS = ["sctp.data_tsn_raw", "sctp.sack_cumulative_tsn_ack_raw", "sctp.parameter_heartbeat_information",
          "sctp.data_payload_proto_id"]
RAW = ["restart", "pre_padding", "header", "epoch_bits", "encrypted_number", "tie_breaker", "offers_restart", "server", "client",
       "method"]
OUTSIDE_BYTES = 4 + 1 + 3 + 1 + 16  # of chunk, padding, record header, content type and tag
LUA = os.path.join(os.path.dirname(shark.HERE), "lua", "sctp-cmt.lua")


def padded(size):
    return size + 3 & ~3


class Encrypted(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.sh = shark.Shark()
        cls.addClassCleanup(cls.sh.close)
        names = [line.split("\t")[2] for line in cls.sh.tshark("-G", "fields").splitlines() if line.startswith("F\t")]
        cls.own = sorted(name for name in names if name.startswith("sctp.cmt.") and not name.startswith("sctp.cmt.dtls."))

    def write(self, name, text):
        path = os.path.join(self.sh.folder, name)
        with open(path, "w", encoding="ascii") as file:
            file.write(text)
        os.chmod(path, 0o644)
        return path

    def encrypt(self, name, change=lambda ip: ip, **how):
        """(capture, Encryption, arguments that give tshark its keys)"""
        encryption = dtls.Encryption(**how)
        path = encryption.capture(os.path.join(shark.CAPTURES, name + ".pcap"), os.path.join(self.sh.folder, "encrypted.pcap"),
                                  change)
        os.chmod(path, 0o644)
        return path, encryption, ("-o", "sctp_cmt.keylog_file:" + self.write("keys.log", encryption.log))

    def plain(self, name):
        return self.sh.put(os.path.join(shark.CAPTURES, name + ".pcap"))

    def custom(self, packets):
        """A capture of SCTP packets, all from one host to the other."""
        _, frames = capture.read(os.path.join(shark.CAPTURES, "ipv4.pcap"))
        header, _ = capture.split(frames[0].ip)
        path = os.path.join(self.sh.folder, "custom.pcap")
        capture.write(path, [capture.Frame(1000 * i, capture.join(header, packet)) for i, packet in enumerate(packets)])
        return path

    def assert_same(self, name, plain=None, change=lambda ip: ip, **how):
        path, _, keys = self.encrypt(name, change, **how)
        plain = plain or self.plain(name)
        for passes in ((), ("-2",)):
            statistics = ("-z", "sctp-cmt,tree")
            rows, tree = self.sh.fields_and_more(path, self.own + THEIRS, *keys, *passes, *statistics)
            expected, expected_tree = self.sh.fields_and_more(plain, self.own + THEIRS, *passes, *statistics)
            self.assertEqual(len(rows), len(expected))
            for number, (row, other) in enumerate(zip(rows, expected), 1):
                self.assertEqual(row, other, f"{name}: frame {number}")
            self.assertEqual(tree, expected_tree)


class WithKeys(Encrypted):
    def test_all_of_it_is_as_in_the_plain_capture(self):
        for suite in (0x1301, 0x1302, 0x1303):
            for name in ("loss", "ipv6"):
                with self.subTest(name, suite=hex(suite)):
                    self.assert_same(name, suite=suite)
        for name in ("loss-sent", "loss-received", "wrap", "middle", "malformed", "restart", "two-associations"):
            with self.subTest(name):
                self.assert_same(name)

    def test_whatever_carries_it(self):
        self.assert_same("ipv4", self.plain("udp"), capture.in_udp)

    def test_fragments_of_ip(self):
        encryption = dtls.Encryption()
        _, frames = capture.read(os.path.join(shark.CAPTURES, "ipv4.pcap"))
        path = os.path.join(self.sh.folder, "fragments.pcap")
        capture.write(path, [capture.Frame(f.at_us, ip) for f in frames
                             for ip in capture.fragments(encryption.protect(f.ip), 128)])
        keys = ("-o", "sctp_cmt.keylog_file:" + self.write("keys.log", encryption.log))

        def without_bytes(rows):
            return [{k: v for k, v in row.items() if k != "Bytes"} for row in rows]

        self.assertEqual(without_bytes(self.sh.statistic(path, *keys)), without_bytes(self.sh.statistic(self.plain("ipv4"))))

    def test_joined_packets_are_opened_one_by_one(self):
        """Segmentation offload joins packets of one size, of which the last may be shorter."""
        encryption = dtls.Encryption()
        _, frames = capture.read(os.path.join(shark.CAPTURES, "ipv4.pcap"))
        packets = [f for f in frames if capture.ttl(f.ip) == 64 and capture.stamp(capture.split(f.ip)[1]) and f.ip[13] == 1]
        sealed = [capture.split(encryption.protect(f.ip))[1] for f in packets]
        joined = sealed[:1]
        while len(joined) < 8 and len(sealed[len(joined)]) == len(joined[0]):
            joined.append(sealed[len(joined)])
        self.assertGreater(len(joined), 3)
        path = os.path.join(self.sh.folder, "joined.pcap")
        ip = capture.join(capture.split(packets[0].ip)[0], b"".join(joined))
        keys = ("-o", "sctp_cmt.keylog_file:" + self.write("keys.log", encryption.log))
        stamps = [capture.stamp(capture.split(f.ip)[1]) for f in packets[:len(joined)]]
        for port in (9899, 5201):
            capture.write(path, [capture.Frame(0, capture.in_udp(ip, port, port))])
            for passes in ((), ("-2",)):
                row, = self.sh.fields(path, ["sctp.cmt.path_packet", "sctp.cmt.analysis.joined"], *keys, *passes)
                self.assertEqual(row, {"sctp.cmt.path_packet": [str(number) for _, number, _ in stamps],
                                       "sctp.cmt.analysis.joined": [str(len(joined))]})
            text = self.sh.tshark("-r", path, *keys, "-V")
            for position, (_, number, at_us) in enumerate(stamps):
                self.assertRegex(text, rf"DTLS chunk \(epoch 3, record {position}, (.|\n)*"
                                       rf"CMT-TIMESTAMP chunk \(path 1, packet {number}, sent at {at_us} us\)")

    def test_padding_within_records_is_taken_off(self):
        self.assert_same("ipv4", padding=37)

    def test_epochs_follow_each_other_beyond_the_two_bits_in_the_packet(self):
        path, encryption, keys = self.encrypt("loss", packets_per_epoch=9)
        self.assertGreater(max(key.epoch for key in encryption.keys.values()), 8)
        self.assert_same("loss", packets_per_epoch=9)
        rows = self.sh.fields(path, ["sctp.cmt.dtls.epoch", "sctp.cmt.dtls.number"], *keys)
        numbers = {(int(row["sctp.cmt.dtls.epoch"][0]), int(row["sctp.cmt.dtls.number"][0])) for row in rows if row}
        self.assertEqual({number for _, number in numbers}, set(range(9)))

    def test_sequence_numbers_pass_16_bits_and_begin_anywhere(self):
        for first in (65500, 300000, 2**23 - 200):
            with self.subTest(first):
                self.assert_same("loss", first_number=first)
                path, _, keys = self.encrypt("loss", first_number=first)
                rows = self.sh.fields(path, ["sctp.cmt.dtls.number"], *keys)
                self.assertEqual(min(int(row["sctp.cmt.dtls.number"][0]) for row in rows if row), first)

    def test_a_restart_has_a_key_of_its_own(self):
        _, frames = capture.read(os.path.join(shark.CAPTURES, "ipv4.pcap"))
        cookie = next(p for _, p in (capture.split(f.ip) for f in frames) if capture.chunks(p)[0].kind == capture.COOKIE_ECHO)
        tag = dtls.tag_of(cookie)
        # The flag alone decides: both have the same key here.
        normal, restart = dtls.Key(tag, 3, 0x1301), dtls.Key(tag, 3, 0x1301)
        restart.restart = True
        path = self.custom([restart.protect(cookie), normal.protect(cookie)])
        for log, readable in ((normal, [False, True]), (restart, [True, False])):
            keys = ("-o", "sctp_cmt.keylog_file:" + self.write("keys.log", log.log_line()))
            rows = self.sh.fields(path, ["sctp.cookie"], *keys)
            self.assertEqual([bool(row) for row in rows], readable)

    def test_the_statistic_counts_bytes_of_the_network(self):
        path, _, keys = self.encrypt("loss")
        for row, plain in zip(self.sh.statistic(path, *keys), self.sh.statistic(self.plain("loss"))):
            extra = int(row.pop("Bytes")) - int(plain.pop("Bytes"))
            self.assertEqual(row, plain)
            # Chunks end on multiples of four; INIT and INIT-ACK are as they were.
            packets = int(row["Packets"])
            self.assertIn(extra, range((packets - 2) * padded(OUTSIDE_BYTES), packets * padded(OUTSIDE_BYTES) + 1))

    def test_both_layers_are_shown(self):
        path, _, keys = self.encrypt("ipv4")
        text = self.sh.tshark("-r", path, *keys, "-V", "-Y", "sctp.cmt.path_packet == 3")
        self.assertRegex(text, r"(?m)^    DTLS chunk \(epoch 3, record \d+, \d+ bytes\)\n        Chunk type: DTLS \(0x41\)")
        self.assertRegex(text, r"(?m)^    CMT-TIMESTAMP chunk \(path 1, packet 3, sent at \d+ us\)\n"
                               r"        Chunk type: CMT-TIMESTAMP \(0x9e\)")
        self.assertRegex(self.sh.tshark("-r", path, *keys), r"(?m) DTLS CMT-TIMESTAMP DATA \(TSN=0\) *$")
        rows = self.sh.fields(path, ["sctp.checksum.status"], *keys, "-o", "sctp.checksum:CRC 32c", "-Y", "sctp.cmt.dtls.number")
        good = "1"
        self.assertEqual({tuple(row["sctp.checksum.status"]) for row in rows}, {(good, good)})
        self.assertIn("Decrypted SCTP", self.sh.tshark("-r", path, *keys, "-x", "-Y", "sctp.cmt.path_packet == 3"))

    def test_the_file_may_hold_other_lines_and_keys_of_earlier_runs(self):
        path, encryption, _ = self.encrypt("ipv4")
        older = "".join(dtls.Key(tag, 3, 0x1302).log_line() for tag in encryption.keys)
        for log in ("# comment\nCLIENT_RANDOM 00 11\nSCTP_DTLS\n\n" + older + encryption.log,
                    encryption.log + older,
                    encryption.log + "SCTP_DTLS 1 0 3 1301 00 11 22\n" + 1000 * "x" + "\n",
                    encryption.log.replace("\n", "\r\n")):
            keys = ("-o", "sctp_cmt.keylog_file:" + self.write("keys.log", log))
            rows = self.sh.fields(path, self.own, *keys)
            self.assertEqual(rows, self.sh.fields(self.plain("ipv4"), self.own))

    def test_keys_that_come_while_tshark_reads(self):
        """Of two epochs only the first has a key until packets of the second have been seen."""
        path, encryption, keys = self.encrypt("loss", packets_per_epoch=50)
        lines = encryption.log.splitlines(keepends=True)
        log = self.write("keys.log", "".join(line for line in lines if " 0 3 " in line))
        with open(path, "rb") as file:
            data = file.read()
        process = subprocess.Popen([*self.sh.as_user, "tshark", "-n", "-l", "-r", "-", *keys, "-T", "fields", "-e",
                                    "frame.number", "-e", "sctp.cmt.analysis.encrypted", "-e", "sctp.cmt.dtls.epoch"],
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0,
                                   cwd=self.sh.home, env=self.sh.environment)
        # Wiretap reads whole blocks from a pipe.
        half = len(data) // 2 & ~0xFFF
        process.stdin.write(data[:half])
        process.stdin.flush()
        seen = []
        while not seen or not seen[-1][1]:
            seen.append(process.stdout.readline().decode().rstrip("\n").split("\t"))
        with open(log, "a", encoding="ascii") as file:
            file.write("".join(line for line in lines if " 0 3 " not in line))
        rest, _ = process.communicate(data[half:], timeout=shark.TIME_LIMIT_S)
        seen += [line.split("\t") for line in rest.decode().splitlines()]
        self.assertEqual(len(seen), len(capture.read(path)[1]))
        self.assertGreater(sum(bool(sealed) for _, sealed, _ in seen), 0)
        self.assertEqual({epoch for _, _, epoch in seen if epoch} - {"3"}, {str(key.epoch) for key in encryption.keys.values()})
        self.assertEqual(seen[-1][1], "")


class WithoutKeys(Encrypted):
    def sealed(self, path, *arguments):
        return [row["sctp.cmt.analysis.encrypted"] for row in self.sh.fields(path, ["sctp.cmt.analysis.encrypted"], *arguments)
                if row]

    def packet_of(self, frame):
        return capture.split(frame.ip)[1]

    def test_packets_and_bytes_are_counted_for_each_path(self):
        path, _, _ = self.encrypt("loss-sent")
        rows, plain = self.sh.statistic(path), self.sh.statistic(self.plain("loss-sent"))
        self.assertEqual([(r["From"], r["To"], r["Packets"]) for r in rows], [(r["From"], r["To"], r["Packets"]) for r in plain])
        self.assertTrue(all(int(row["Bytes"]) > int(other["Bytes"]) for row, other in zip(rows, plain)))
        self.assertEqual({(row["Lost"], row["Retransmitted"], row["Goodput kbit/s"]) for row in rows}, {("0", "0", "0.0")})
        tree = self.sh.tshark("-q", "-r", path, "-z", "sctp-cmt,tree")
        self.assertIn("Encrypted, no key", tree)

    def test_copies_are_recognised(self):
        """By what is encrypted, as both views have the same."""
        path, _, _ = self.encrypt("ipv4")
        copies = ["sctp.cmt.analysis.copy_of", "sctp.cmt.analysis.transit_time"]
        self.assertEqual(self.sh.fields(path, copies), self.sh.fields(self.plain("ipv4"), copies))

    def test_a_wrong_key_opens_nothing(self):
        path, encryption, _ = self.encrypt("ipv4")
        everything = self.sealed(path)
        self.assertEqual(everything, [[str(len(packet))] for packet in map(self.packet_of, capture.read(path)[1])
                                      if capture.chunks(packet)[0].kind == dtls.DTLS])
        for wrong in (lambda k: setattr(k, "key", bytes(len(k.key))), lambda k: setattr(k, "iv", bytes(12)),
                      lambda k: setattr(k, "sn_key", bytes(len(k.sn_key)))):
            lines = []
            for tag in encryption.keys:
                key = dtls.Key(tag, 3, 0x1301)
                wrong(key)
                lines.append(key.log_line())
            keys = ("-o", "sctp_cmt.keylog_file:" + self.write("wrong.log", "".join(lines)))
            self.assertEqual(self.sealed(path, *keys), everything)
            self.assertNotIn("CMT-TIMESTAMP", self.sh.tshark("-r", path, *keys))
            self.assertIn("no key of the key log file opens it", self.sh.tshark("-q", "-r", path, *keys, "-z", "expert,chat"))

    def test_what_is_missing_is_said(self):
        path, encryption, keys = self.encrypt("ipv4")
        self.assertRegex(self.sh.tshark("-q", "-r", path, "-z", "expert,chat"), r"Decryption +SCTP-CMT +Encrypted, no key")
        done = self.sh.run("tshark", "-n", "-r", path, "-o", "sctp_cmt.keylog_file:/nonexistent/keys.log")
        self.assertEqual(done.stderr.count("/nonexistent/keys.log"), 1)
        self.assertEqual(done.returncode, 0)
        # What the capture has cut cannot be opened.
        link, frames = capture.read(path)
        capture.write(path, [f._replace(ip=f.ip[:70], wire_bytes=len(f.ip)) for f in frames], link)
        self.assertIn("Encrypted, and cut off", self.sh.tshark("-q", "-r", path, *keys, "-z", "expert,chat"))

    def test_what_a_receiver_drops_is_said(self):
        _, frames = capture.read(os.path.join(shark.CAPTURES, "ipv4.pcap"))
        packet = capture.split(frames[-1].ip)[1]
        key = dtls.Key(dtls.tag_of(packet), 3, 0x1301)
        chunk = capture.chunks(key.protect(packet))[0]
        pad = capture.Chunk(capture.PAD, 0, b"")
        for chunks in ([chunk, pad], [chunk._replace(body=b"\0\x2f" + chunk.body[2:])]):
            path = self.custom([capture.rebuild(packet, chunks)])
            keys = ("-o", "sctp_cmt.keylog_file:" + self.write("keys.log", key.log_line()))
            text = self.sh.tshark("-q", "-r", path, *keys, "-z", "expert")
            self.assertRegex(text, r"(?s)Warns.*A receiver drops this DTLS chunk")
        path = self.custom([capture.rebuild(packet, [chunk._replace(body=chunk.body[:20])])])
        self.assertIn("DTLS with a length of 24", self.sh.tshark("-q", "-r", path, "-z", "expert"))


class Handshake(Encrypted):
    def first(self, kind):
        _, frames = capture.read(os.path.join(shark.CAPTURES, "ipv4.pcap"))
        return next(p for _, p in (capture.split(f.ip) for f in frames) if capture.chunks(p)[0].kind == kind)

    def offering(self, parameter):
        packet = self.first(capture.INIT)
        chunk = capture.chunks(packet)[0]
        body = chunk.body + bytes(-len(chunk.body) % 4)
        return capture.rebuild(packet, [chunk._replace(body=body + parameter)])

    def test_the_parameter_of_init(self):
        path = self.custom([self.offering(struct.pack(">HHIBBB", 0x8006, 11, 0xDEADBEEF, 0x03, 192, 0)),
                            self.offering(struct.pack(">HHIBB", 0x8006, 10, 7, 0x06, 77))])
        names = ["sctp.cmt.dtls." + name for name in ("tie_breaker", "offers_restart", "server", "client", "method")]
        rows = [[row[name] for name in names] for row in self.sh.fields(path, names)]
        self.assertEqual([[[v.replace("True", "1").replace("False", "0") for v in values] for values in row] for row in rows],
                         [[["0xdeadbeef"], ["0"], ["1"], ["1"], ["192", "0"]], [["0x00000007"], ["1"], ["1"], ["0"], ["77"]]])
        text = self.sh.tshark("-r", path, "-V")
        self.assertRegex(text, r"DTLS Key Management parameter\n +Tie Breaker: 0xdeadbeef\n")
        self.assertIn("Key management method: TLS 1.3 (192)", text)

    def test_malformed_parameters_are_left_alone(self):
        for parameter in (b"\x80\x06\0\x08\0\0\0\0", b"\x80\x06\0\x20\0\0\0\0\0\0", b"\x80\x06\0\0", b"\x80\x06",
                          struct.pack(">HHIB", 0x8006, 9, 1, 1), struct.pack(">HHIBB", 0x8006, 11, 1, 1, 192),
                          struct.pack(">HHIB", 0x8006, 18, 1, 1) + bytes(9)):
            path = self.custom([self.offering(parameter)])
            self.assertEqual(self.sh.fields(path, ["sctp.cmt.dtls.tie_breaker"]), [{}])

    def test_why_there_was_no_association(self):
        packet = self.first(capture.INIT)
        other = struct.pack(">HH", 12, 4)
        path = self.custom([capture.rebuild(packet, [capture.Chunk(capture.ABORT, 0, other + struct.pack(">HH", code, 4))])
                            for code in range(99, 105)])
        rows = self.sh.fields(path, ["sctp.cmt.dtls.cause"])
        self.assertEqual([row.get("sctp.cmt.dtls.cause") for row in rows], [None, ["100"], ["101"], ["102"], ["103"], None])
        self.assertIn("Cause: No Common DTLS Key Management Method (101)", self.sh.tshark("-r", path, "-V"))

    def test_key_messages_are_tls(self):
        packet = self.first(capture.INIT)
        hello = bytes.fromhex("16030100340100003003030000000000000000000000000000000000000000000000000000000000000000"
                              "00000213010100000500" "2b0003020304")
        body = struct.pack(">IHHI", 1, 0, 0, 4242) + b"\3" + hello
        path = self.custom([capture.rebuild(packet, [capture.Chunk(capture.DATA, 3, body)])])
        rows = self.sh.fields(path, ["sctp.cmt.dtls.key_epoch", "tls.handshake.type", "tls.handshake.ciphersuite"])
        self.assertEqual(rows, [{"sctp.cmt.dtls.key_epoch": ["3"], "tls.handshake.type": ["1"],
                                 "tls.handshake.ciphersuite": ["0x1301"]}])


class Lua(Encrypted):
    def test_the_fallback_shows_what_is_in_the_clear(self):
        names = ["sctp.cmt.dtls." + name for name in RAW]
        path, _, _ = self.encrypt("ipv4")
        link, frames = capture.read(path)
        init = Handshake.offering(self, struct.pack(">HHIBBB", 0x8006, 11, 0xDEADBEEF, 0x05, 192, 0))
        frames[0] = frames[0]._replace(ip=capture.join(capture.split(frames[0].ip)[0], init), wire_bytes=None)
        capture.write(path, frames, link)
        plugin = self.sh.fields(path, names)
        script = self.sh.put(LUA)
        alone = dict(self.sh.environment, WIRESHARK_PLUGIN_DIR=self.sh.home)
        self.sh.environment, before = alone, self.sh.environment
        try:
            self.assertEqual(self.sh.fields(path, names, "-X", f"lua_script:{script}"), plugin)
        finally:
            self.sh.environment = before

    first = Handshake.first


if __name__ == "__main__":
    unittest.main()
