# SPDX-License-Identifier: BSD-3-Clause
# cost: 3 s
"""The page of --admin in a browser."""
import os
import re
import signal
import subprocess
import unittest

from browser import Browser
from monitor_programs import MonitorTest
from transfer_programs import RECEIVER, SENDER, Program, wait_for


class Page(MonitorTest):
    @classmethod
    def setUpClass(cls):
        cls.browser = Browser()
        cls.addClassCleanup(cls.browser.close)

    def assert_no_complaints(self):
        """That programs went away is none."""
        self.assertEqual([c for c in self.browser.complaints() if "net::ERR" not in c], [])

    def active_rows(self, n):
        """The rows of all paths shown once they are `n`, all active; the states of paths come with the next period."""
        rows = self.browser.run("return [...document.querySelectorAll('tbody tr')].map(r => r.innerText)")
        return rows if len(rows) == n and all("● active" in row for row in rows) else None

    def test_paths_and_values(self):
        program, server = self.perf()
        browser = self.browser
        browser.open(server.url)
        browser.wait_for(lambda: "live" in browser.text("#link"), "the page to be live")
        browser.wait_for(lambda: re.search(r"\d Mbit/s", browser.text("#sending")), "the rate")
        rows = browser.wait_for(lambda: self.active_rows(2), "two active paths")
        for address in RECEIVER.split(","):
            self.assertTrue(any(address in row for row in rows), rows)
        # Charts have a line when there are two samples.
        browser.wait_for(lambda: browser.run("return [...document.querySelectorAll('td svg path')]"
                                             ".every(p => (p.getAttribute('d').match(/L/g) || []).length > 1)"), "charts")
        self.assertEqual(browser.text("#program"), "cmt-perf")
        self.assertTrue(browser.run("return document.getElementById('alarm').hidden"))
        browser.prefer("light")
        light = browser.run("return getComputedStyle(document.body).backgroundColor")
        browser.prefer("dark")
        self.assertNotEqual(browser.run("return getComputedStyle(document.body).backgroundColor"), light)
        # It goes away, and comes back at the same place.
        program.signal(signal.SIGKILL)
        browser.wait_for(lambda: "disconnected" in browser.text("#link"), "the page to notice")
        program.wait()
        self.sink_program.end()
        self.perf(admin=str(server.port))
        browser.wait_for(lambda: "live" in browser.text("#link"), "the page to come back")
        self.assert_no_complaints()

    def test_many(self):
        _, server = self.crowd(60)
        browser = self.browser
        browser.open(server.url)
        browser.wait_for(lambda: "25 of 60" in browser.text("#hint"), "25 of them")
        self.assertEqual(browser.run("return document.querySelectorAll('.body:not([hidden])').length"), 0)
        browser.run("const f = document.getElementById('filter'); f.value = 'viewer #42'; f.dispatchEvent(new Event('input'))")
        self.assertIn("#42 viewer 42", browser.text("#list"))
        self.assertNotIn("viewer 41", browser.text("#list"))
        browser.wait_for(lambda: self.active_rows(2), "its paths to be active")

    def test_text_of_peers_stays_text(self):
        receiver, server = self.watched(os.environ["CMT_RECV"], "--bind", RECEIVER, "-d", self.target, "--admin", "0")
        wait_for(lambda: "listening" in receiver.stderr, "cmt-recv")
        name = "<img src=x onerror=alert(1)>&lt;"
        Program(self, [os.environ["CMT_SEND"], "--bind", SENDER, "--connect", RECEIVER, "--name", name, "-"],
                stdin=subprocess.PIPE).process.stdin.flush()
        browser = self.browser
        browser.open(server.url)
        browser.wait_for(lambda: name in browser.text("#list"), "the name")
        self.assertEqual(browser.run("return document.querySelectorAll('img').length"), 0)
        self.assert_no_complaints()


if __name__ == "__main__":
    unittest.main()
