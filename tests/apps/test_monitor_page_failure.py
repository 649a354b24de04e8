# SPDX-License-Identifier: BSD-3-Clause
"""A path's failure is on the admin page within a second of the stack's knowing.

In two network namespaces of its own, joined by two cables; the second one is pulled at the far end, so that nothing but
silence tells of it."""
import os
import time
import unittest

from browser import Browser
from http_client import Server
import two_networks
from transfer_programs import Program, TransferTest, wait_for
from two_networks import FAR, NEAR
from undisturbed import undisturbed

WATCHED = os.environ["WATCHED_PROGRAM"]
WITHIN_S = 1.0


class Failure(TransferTest):
    def setUp(self):
        super().setUp()
        self.networks = two_networks.TwoNetworks(self)
        sink = Program(self, [*self.networks.there_prefix(), WATCHED, "listen", FAR])
        wait_for(lambda: "listening" in sink.stdout, "the sink")
        self.program = Program(self, [WATCHED, "connect", "0", "1", "50000", NEAR, FAR])
        wait_for(lambda: "all up" in self.program.stdout, "the connection")
        self.server = Server(self.program)
        wait_for(lambda: all(p["state"] == "active" and p["sent_bytes"] > 0 for p in self.paths()), "both paths in use")

    def paths(self):
        associations = self.server.stats()["associations"]
        return associations[0]["paths"] if associations else [{"state": "", "sent_bytes": 0}]

    def told_s(self, word):
        """When the stack told the program that the path to 10.2.0.2 is `word`."""
        lines = [line.split() for line in self.program.stdout.splitlines()]
        wait_for(lambda: any(line.startswith(f"{word} 10.2.0.2") for line in self.program.stdout.splitlines()), word)
        lines = [line.split() for line in self.program.stdout.splitlines()]
        return next(float(line[2]) for line in lines if line[:2] == [word, "10.2.0.2"])

    @undisturbed
    def test_failure_and_return_are_on_the_page_within_a_second(self):
        browser = Browser()
        self.addCleanup(browser.close)
        browser.open(self.server.url)
        browser.wait_for(lambda: "live" in browser.text("#link"), "the page to be live")
        # The page itself notes when it shows what; its clock is this machine's.
        browser.run("""
            window.shown = {};
            new MutationObserver(() => {
                const failed = !document.getElementById('alarm').hidden;
                if (failed && !shown.failed) shown.failed = Date.now() / 1000;
                if (!failed && shown.failed && !shown.back) shown.back = Date.now() / 1000;
            }).observe(document.body, {subtree: true, childList: true, characterData: true, attributes: true});
        """)
        cut_s = time.time()
        self.networks.there("ip", "link", "set", "far2", "down")
        shown_s = browser.wait_for(lambda: browser.run("return shown.failed"), "the failure")
        self.assertRegex(browser.text("#alarm"), r"10\.2\.0\.1:\d+ \(near2\) → 10\.2\.0\.2:9899")
        self.assertIn("▲ failed", browser.text("tr.failed"))
        self.assertIn("path failed", browser.text("#events"))
        failed_s = self.told_s("down")
        print(f"stack knew {failed_s - cut_s:.2f} s after the cut, page showed it {shown_s - failed_s:.2f} s later, "
              f"{shown_s - cut_s:.2f} s after the cut")
        self.assertLess(shown_s - failed_s, WITHIN_S)
        self.networks.there("ip", "link", "set", "far2", "up")
        back_s = browser.wait_for(lambda: browser.run("return shown.back"), "the return")
        print(f"page showed the return {back_s - self.told_s('up'):.2f} s after the stack knew")
        self.assertLess(back_s - self.told_s("up"), WITHIN_S)
        browser.wait_for(lambda: "path recovered" in browser.text("#events"), "the event")
        events = [e["event"] for e in self.server.stats()["events"]]
        self.assertEqual(events[:2], ["failed", "back"])


if __name__ == "__main__":
    two_networks.enter()
    unittest.main()
