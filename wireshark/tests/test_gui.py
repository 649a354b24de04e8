# SPDX-License-Identifier: BSD-3-Clause
# cost: 3 s
"""Wireshark itself, on a virtual screen, with the profile: opens a capture and both statistics. Pictures are kept in
CMT_SCREENSHOTS if that is set; docs/wireshark.md has some of them."""

import os
import shutil
import time
import unittest

import screen
import shark

PROFILE = os.path.join(os.path.dirname(shark.HERE), "profile", "multipath")


class Window(unittest.TestCase):
    def setUp(self):
        self.sh = shark.Shark()
        self.addCleanup(self.sh.close)
        self.screen = screen.Screen(self.sh, PROFILE)
        self.addCleanup(self.screen.close)

    def picture(self, name):
        width, height, png = self.screen.settled_picture()
        self.assertEqual((width, height), screen.SIZE)
        # An empty screen compresses to almost nothing.
        self.assertGreater(len(png), 20000)
        if "CMT_SCREENSHOTS" in os.environ:
            with open(os.path.join(os.environ["CMT_SCREENSHOTS"], name + ".png"), "wb") as file:
                file.write(png)

    def test_a_capture_and_its_statistics_are_shown(self):
        capture = self.sh.put(os.path.join(shark.CAPTURES, "loss.pcap"))
        self.screen.start("-C", "multipath", "-r", capture, "-z", "sctp-cmt,stat")
        main = self.screen.wait_for(r"^loss\.pcap")
        paths = self.screen.wait_for(r"SCTP Multipath: Paths")
        self.screen.place(main, 0, 0, *screen.SIZE)
        # The tree has no option on Wireshark's command line: the last entry of the menu Statistics.
        self.screen.keys(main, "alt+s", "Up")
        self.picture("menu")
        self.screen.keys(main, "Return")
        order = self.screen.wait_for(r"SCTP Multipath: Delay and Order")
        self.screen.place(paths, 60, 480, 1320, 220)
        self.screen.place(order, 60, 720, 1320, 140)
        self.picture("statistics")
        self.assertIsNone(self.screen.wireshark.poll(), "Wireshark has ended")

    def test_the_menu_opens_a_page_of_the_capture(self):
        capture = self.sh.put(os.path.join(shark.CAPTURES, "loss.pcap"))
        # cmt-capstat where it is looked for, and a browser that tells what it was to open.
        programs, told = os.path.join(self.sh.folder, "bin"), os.path.join(self.sh.home, "told")
        os.mkdir(programs)
        shutil.copy(os.path.join(os.path.dirname(shark.HERE), "cmt-capstat"), programs)
        with open(os.path.join(programs, "xdg-open"), "w", encoding="ascii") as file:
            file.write(f'#!/bin/sh\ncp "$1" {told}.part && mv {told}.part {told}\nrm "$1"\n')
        os.chmod(os.path.join(programs, "xdg-open"), 0o755)
        self.sh.environment.update(PATH=programs + ":" + self.sh.environment["PATH"], TMPDIR=self.sh.home,
                                   CMT_VIEWER=self.sh.put(os.environ["CMT_VIEWER"]))
        self.screen.start("-C", "multipath", "-r", capture)
        main = self.screen.wait_for(r"^loss\.pcap")
        self.screen.place(main, 0, 0, *screen.SIZE)
        self.screen.settled_picture()
        # The last entry of the menu Tools.
        self.screen.keys(main, "alt+t", "Up", "Right")
        self.picture("tools")
        self.screen.keys(main, "Return")
        until = time.monotonic() + screen.TIME_LIMIT_S
        while not os.path.exists(told):
            self.assertLess(time.monotonic(), until, "no page was opened")
            time.sleep(0.05)
        with open(told, encoding="utf-8") as file:
            self.assertIn('data-name="loss.pcap"', file.read())


if __name__ == "__main__":
    unittest.main()
