# SPDX-License-Identifier: BSD-3-Clause
"""Who the other side is: what is taken, what is refused with one sentence before anything was sent, what is told."""
import json
import os
import re
import stat
import subprocess
import unittest

from transfer_programs import RECEIVER, SENDER, Program, TransferTest, wait_for

PERF, MAKER = os.environ["CMT_PERF"], os.environ["CERTIFICATE_MAKER"]
FINGERPRINT = "sha256:[0-9a-f]{64}"
OTHER = "sha256:" + "ab" * 32
SUITE = "TLS_AES_128_GCM_SHA256"


class Secure(TransferTest):
    def setUp(self):
        super().setUp()
        self.source = self.file("film", 200_000)
        self.known = os.path.join(self.folder, "known_peers")

    def secret(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="ascii", opener=lambda path, flags: os.open(path, flags, 0o600)) as file:
            file.write(text)
        return path

    def certificate(self, days):
        path = os.path.join(self.folder, f"own-{days}.pem")
        subprocess.run([MAKER, path, "maker", str(days)], check=True)
        return ["--cert", path, "--key", path]

    def another_user(self, name="user"):
        home = os.path.join(self.folder, name)
        return os.environ | {"XDG_CONFIG_HOME": home, "XDG_STATE_HOME": home}

    def fingerprint_of(self, receiver):
        wait_for(lambda: re.search(f"--peer {FINGERPRINT}\n", receiver.stderr), "the fingerprint")
        return re.search(f"--peer ({FINGERPRINT})\n", receiver.stderr)[1]

    def assert_refused(self, receiver, sender, message):
        """One sentence, nothing sent."""
        self.assert_failed(sender, message)
        said = [line for line in sender.stderr.splitlines() if "0 files, 0 B" not in line]
        self.assertEqual(len(said), 1, sender.stderr)
        self.assertRegex(said[0], "^cmt-send: cannot connect to ")
        self.assertEqual(os.listdir(self.target), [])
        self.assertNotIn(": from ", receiver.stderr)
        self.assertIsNone(receiver.process.poll(), "the receiver is gone")

    def send_known(self, *arguments, **options):
        return self.send("--known-peers", self.known, *arguments, self.source, **options)


class FirstUse(Secure):
    def test_who_is_new_is_taken_told_and_remembered(self):
        receiver = self.receiver()
        fingerprint = self.fingerprint_of(receiver)
        first = self.send_known()
        self.assert_sent(first)
        self.assertIn(f"cmt-send: new peer {RECEIVER.split(',', maxsplit=1)[0]}:9899, fingerprint {fingerprint}; "
                      f"remembered in {self.known}\n", first.stderr)
        with open(self.known, encoding="ascii") as file:
            self.assertEqual(file.read(), "".join(f"{host}:9899 {fingerprint}\n" for host in RECEIVER.split(",")))
        second = self.send_known()
        self.assert_sent(second)
        self.assertNotIn("new peer", second.stderr)
        self.assert_same(self.source, "film")

    def test_who_has_another_key_is_refused_before_anything_is_sent(self):
        first = self.receiver()
        self.assert_sent(self.send_known("--name", "before"))
        first.end()
        os.unlink(self.in_target("before"))
        receiver = self.receiver(env=self.another_user())
        with open(self.known, encoding="ascii") as file:
            before = file.read()
        self.assert_refused(receiver, self.send_known(),
                            f"has another key than before, {self.fingerprint_of(receiver)}; if that is meant, delete line 1 of "
                            f"{self.known}\n")
        with open(self.known, encoding="ascii") as file:
            self.assertEqual(file.read(), before)

    def test_a_line_that_is_none_is_named(self):
        self.secret("known_peers", "# mine\n10.1.0.1:9899 sha256:12\n")
        self.assert_refused(self.receiver(), self.send_known(),
                            f"{self.known}:2: \"10.1.0.1:9899 sha256:12\" is not HOST:PORT sha256:HEX; correct the line or delete it")

    def test_where_nothing_can_be_kept_the_transfer_goes_on_and_says_so(self):
        nowhere = os.environ | {"XDG_CONFIG_HOME": "/proc/nowhere", "XDG_STATE_HOME": "/proc/nowhere"}
        receiver = self.receiver(env=nowhere)
        self.assertIn("cmt-recv: the own key is for this run only", receiver.stderr)
        sender = self.send(self.source, env=nowhere)
        self.assert_sent(sender)
        self.assertRegex(sender.stderr, f"new peer .*, fingerprint {FINGERPRINT}; cannot be remembered: ")


class Asked(Secure):
    def test_the_fingerprint_that_is_asked_for(self):
        receiver = self.receiver()
        self.assert_refused(receiver, self.send("--peer", OTHER, self.source), f"{self.fingerprint_of(receiver)}.*|{OTHER}")
        sender = self.send("--peer", self.fingerprint_of(receiver), self.source)
        self.assert_sent(sender)
        self.assertNotIn("new peer", sender.stderr)

    def test_a_receiver_that_asks(self):
        receiver = self.receiver("--peer", OTHER)
        self.assert_refused(receiver, self.send("--peer", self.fingerprint_of(receiver), self.source),
                            f"the peer refuses our certificate .*: ours is {FINGERPRINT}\n|ended the connection at once; ")
        wait_for(lambda: "refused" in receiver.stderr, "cmt-recv to say whom it has refused")
        self.assertRegex(receiver.stderr, f"cmt-recv: refused 127[.0-9]+: .*{FINGERPRINT}")

    def test_a_receiver_that_asks_for_this_one(self):
        shown = self.receiver("--udp-port", "9898")  # of the same user: the same key
        self.receiver("--peer", f"{OTHER},{self.fingerprint_of(shown)}")
        self.assert_sent(self.send_known())

    def test_a_certificate_that_has_expired(self):
        self.assert_refused(self.receiver(*self.certificate(1)), self.send_known(), "certificate expired on ")
        self.assertFalse(os.path.exists(self.known), "an expired certificate is remembered")

    def test_a_certificate_of_ones_own(self):
        receiver = self.receiver(*self.certificate(10), "--stats", "json")
        self.assert_sent(self.send("--peer", self.fingerprint_of(receiver), *self.certificate(20), self.source))


class Passphrases(Secure):
    def test_both_know_it(self):
        word = self.secret("word", "open sesame\n")
        receiver = self.receiver("--passphrase-file", word)
        self.assertNotIn("--peer", receiver.stderr)
        sender = self.send("--passphrase-file", word, "--stats", "json", self.source)
        self.assert_sent(sender)
        self.assertEqual(sender.stats["encryption"], {"suite": SUITE, "passphrase": True, "chain": False, "fingerprint": None,
                                                      "name": None})

    def test_they_differ(self):
        receiver = self.receiver("--passphrase-file", self.secret("word", "open sesame\n"))
        self.assert_refused(receiver, self.send("--passphrase-file", self.secret("other", "open barley\n"), self.source),
                            "the peer's passphrase is another than ours: give both ends the same")

    def test_only_one_has_one(self):
        receiver = self.receiver("--passphrase-file", self.secret("word", "open sesame\n"))
        self.assert_refused(receiver, self.send_known(), "passphrase")

    def test_others_can_read_it(self):
        word = self.secret("word", "open sesame\n")
        os.chmod(word, 0o644)
        self.assert_failed(self.send("--passphrase-file", word, self.source),
                           f"^cmt-send: --passphrase-file: others can read or change {word} \\(mode 0644\\); run chmod 600 on it\n$")


class InTheClear(Secure):
    def test_both_want_it_and_say_so(self):
        receiver = self.receiver("--insecure")
        sender = self.send("--insecure", "--stats", "json", self.source)
        self.assert_sent(sender)
        for program in receiver, sender:
            self.assertEqual(program.stderr.count("--insecure: nothing is encrypted, and nobody knows who the other side is\n"), 1)
        self.assertIsNone(sender.stats["encryption"])
        self.assertNotIn("--peer", receiver.stderr)

    def test_only_the_receiver_wants_it(self):
        self.assert_refused(self.receiver("--insecure"), self.send_known(), "the peer offers no encryption; if that is meant, ")

    def test_only_the_sender_wants_it(self):
        receiver = self.receiver()
        sender = self.send("--insecure", self.source)
        self.assert_failed(sender, "cannot connect to .*: the peer takes encrypted connections only; leave --insecure out\n")
        self.assertEqual(os.listdir(self.target), [])
        self.assertNotIn(": from ", receiver.stderr)


class Told(Secure):
    def test_both_know_who_the_other_is(self):
        receiver = self.receiver("--once", "--stats", "json", *self.certificate(10))
        sender = self.send_known("--stats", "json")
        self.assert_sent(sender)
        self.assert_sent(receiver)
        self.assertEqual(sender.stats["encryption"], {"suite": SUITE, "passphrase": False, "chain": False,
                                                      "fingerprint": self.fingerprint_of(receiver), "name": "maker"})
        caller = receiver.stats["encryption"]
        self.assertRegex(caller["fingerprint"], f"^{FINGERPRINT}$")
        self.assertIn(f": {caller['fingerprint']} ({caller['name']}), {SUITE}\n", receiver.stderr)

    def test_cmt_perf(self):
        server = Program(self, [PERF, "-s", "-1", "--bind", RECEIVER])
        wait_for(lambda: "--peer" in server.stderr, "cmt-perf to listen")
        client = Program(self, [PERF, "-c", RECEIVER, "-B", SENDER, "-n", "1M", "-J", "--peer", self.fingerprint_of(server)])
        self.assertEqual(client.wait(), 0, client.stderr)
        end = json.loads(client.stdout)["end"]
        self.assertEqual(end["streams"][0]["encryption"]["fingerprint"], self.fingerprint_of(server))
        self.assertEqual(end["receiver_streams"][0]["encryption"]["suite"], SUITE)

    def test_the_key_log(self):
        log = os.path.join(self.folder, "keys")
        self.receiver()
        sender = self.send_known("--keylog", log)
        self.assert_sent(sender)
        self.assertIn(f"cmt-send: --keylog: whoever has {log} can read everything that is sent\n", sender.stderr)
        self.assertEqual(stat.S_IMODE(os.stat(log).st_mode), 0o600)
        with open(log, encoding="ascii") as file:
            self.assertRegex(file.read(), r"\A(SCTP_DTLS [0-9a-f]{8} 0 3 1301( [0-9a-f]+){3}\n){2}\Z")


if __name__ == "__main__":
    unittest.main()
