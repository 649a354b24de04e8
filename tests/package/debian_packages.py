#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""debian_packages.py BUILD CONSUMER APPS CLASSIC: makes the Debian packages of a build tree, installs them into roots that have nothing
but what they depend on, and uses them there as somebody would who has only Debian: programs, plugin, library."""

import glob
import json
import os
import shutil
import subprocess
import sys
import time
import unittest

from clean_root import CleanRoot, alternatives, enter_namespaces, run

BUILD, CONSUMER, APPS, CLASSIC = sys.argv[1:5]
TOOLCHAIN = ("gcc", "libc6-dev", "pkg-config", "cmake", "ninja-build")


class DebianPackages(unittest.TestCase):
    """One root that grows: each test adds packages to those before."""

    @classmethod
    def setUpClass(cls):
        packages = os.path.join(WORK, "packages")
        run("cpack", "--config", os.path.join(BUILD, "CPackConfig.cmake"), "-B", packages)
        cls.packages = {run("dpkg-deb", "-f", file, "Package").strip(): file for file in glob.glob(packages + "/*.deb")}
        cls.root = CleanRoot(os.path.join(WORK, "root"))

    def install(self, *names):
        """With what the packages say that they depend on, and nothing else."""
        depends = [choice[0] for name in names
                   for choice in alternatives(run("dpkg-deb", "-f", self.packages[name], "Depends"))]
        self.root.add(*(name for name in depends if name not in self.packages))
        self.root.install(*(self.packages[name] for name in names))

    def contents(self, name):
        listing = run("dpkg", "--root=" + self.root.folder, "--listfiles", name)
        return [path for path in listing.splitlines() if not os.path.isdir(self.root.folder + path)]

    def test_0_lintian_has_nothing_to_say(self):
        for file in self.packages.values():
            with self.subTest(os.path.basename(file)):
                done = subprocess.run(["lintian", "--allow-root", "--fail-on=error,warning", file], capture_output=True,
                                      text=True, check=False)
                self.assertEqual((0, "", ""), (done.returncode, done.stdout, done.stderr))

    def test_1_the_root_is_clean(self):
        with self.assertRaisesRegex(AssertionError, "libisal2 is not installed"):
            self.root.install(self.packages["cmt-tools"])
        self.root.remove("cmt-tools")

    def test_2_every_package_has_its_papers(self):
        self.install("libusrsctp-cmt1", "libusrsctp-cmt-sim1", "libusrsctp-cmt-event1", "libusrsctp-cmt-blocking1", "cmt-tools")
        for name in ("libusrsctp-cmt1", "libusrsctp-cmt-sim1", "libusrsctp-cmt-event1", "libusrsctp-cmt-blocking1", "cmt-tools"):
            have = self.contents(name)
            for paper in ("copyright", "changelog.gz", "changelog.Debian.gz"):
                self.assertIn(f"/usr/share/doc/{name}/{paper}", have)
        self.assertIn("/usr/lib/libusrsctp-cmt.so.1", self.contents("libusrsctp-cmt1"))
        with open(self.root.folder + "/usr/share/doc/cmt-tools/copyright", encoding="utf-8") as file:
            text = file.read()
        self.assertIn("the usrsctp-cmt authors", text)
        self.assertIn("Randall Stewart and Michael Tuexen", text)

    def test_3_every_program_runs_and_has_page_and_completion(self):
        have = self.contents("cmt-tools")
        programs = [os.path.basename(path) for path in have if path.startswith("/usr/bin/")]
        self.assertLessEqual({"cmt-lab", "cmt-send", "cmt-recv", "cmt-perf"}, set(programs))
        for name in programs:
            self.assertIn("0.1.", self.root.run(name, "--version"))
            self.assertIn("SYNOPSIS", self.root.run(name, "--help"))
            self.assertIn(f"/usr/share/man/man1/{name}.1.gz", have)
            self.assertIn(f"/usr/share/bash-completion/completions/{name}", have)
        units = {os.path.basename(path) for path in glob.glob(APPS + "/*/*.service")}
        self.assertEqual(units, {os.path.basename(path) for path in have if path.startswith("/usr/lib/systemd/system/")})

    def test_4_the_lab_finds_its_scenarios(self):
        self.assertIn("Scenarios (/usr/bin/../share/usrsctp-cmt/scenarios)", self.root.run("cmt-lab", "list"))
        result = json.loads(self.root.run("cmt-lab", "run", "sarwar1", "--bytes", "100kB", "--json"))
        self.assertEqual("ok", result["integrity"])

    def test_5_a_measurement_over_loopback(self):
        server = self.root.start("cmt-perf", "-s", "-1", "-q", "--bind", "127.0.1.1,127.0.2.1")
        self.addCleanup(server.communicate)
        for attempt in range(50):
            try:
                text = self.root.run("cmt-perf", "-c", "127.0.1.1,127.0.2.1", "-n", "1MB", "-J")
                break
            except AssertionError:
                if attempt == 49 or server.poll() is not None:
                    server.kill()
                    raise
                time.sleep(0.1)
        self.assertEqual(1_000_000, json.loads(text)["end"]["sum_received"]["bytes"])
        self.assertEqual(0, server.wait(timeout=20))

    def test_6_the_plugin_in_tshark(self):
        if "wireshark-sctp-cmt" not in self.packages:
            self.fail("the build has no Wireshark plugin: wireshark-dev is missing")
        self.install("wireshark-sctp-cmt")
        self.assertRegex(self.root.run("tshark", "-G", "plugins"), r"sctp-cmt\.so\s+0\.1\.")
        self.root.run("cmt-lab", "run", "sarwar1", "--bytes", "100kB", "--pcap", "/tmp/capture.pcap")
        report = json.loads(self.root.run("cmt-capstat", "--json", "/tmp/capture.pcap"))
        self.assertTrue(report)
        # With the viewer's page of cmt-tools.
        self.root.run("cmt-capstat", "/tmp/capture.pcap", "--html", "/tmp/capture.html")
        with open(self.root.folder + "/tmp/capture.html", encoding="utf-8") as file:
            self.assertIn('data-name="capture.pcap"', file.read())

    def test_6_the_plugin_in_gstreamer(self):
        if "gstreamer1.0-cmt" not in self.packages:
            self.fail("the build has no GStreamer plugin: libgstreamer1.0-dev is missing")
        self.root.add("gstreamer1.0-tools")
        self.install("gstreamer1.0-cmt")
        for element in ("cmtsink", "cmtsrc"):
            self.assertRegex(self.root.run("gst-inspect-1.0", element), r"Version +0\.1\.")

    def test_7_a_program_against_the_development_package(self):
        self.root.add(*TOOLCHAIN)
        shutil.copytree(CONSUMER, self.root.folder + "/root/consumer")
        parts = []
        self.install("libusrsctp-cmt-dev")
        for part in ("", "sim", "event", "blocking"):
            if part:
                self.install(f"libusrsctp-cmt-{part}-dev")
                parts.append(part)
            self.root.run("/root/consumer/build", "gcc", "/root/built" + part, *parts)
        self.assertIn("libusrsctp-cmt.so.1 => /", self.root.run("ldd", "/root/built/shared"))
        self.assertIn("libusrsctp-cmt-event.so.1 => /", self.root.run("ldd", "/root/builtevent/shared-event"))
        self.assertIn("/usr/share/man/man3/usrsctp_cmt_conn_write.3.gz", self.contents("libusrsctp-cmt-dev"))

    def test_8_a_program_linked_to_usrsctp(self):
        program = os.path.join(WORK, "classic")
        run("cc", CLASSIC, "-o", program, "-lusrsctp")
        shutil.copy(program, self.root.folder + "/root/classic")
        self.assertIn("libusrsctp.so.2 => not found", self.root.run("ldd", "/root/classic"))
        self.install("libusrsctp-cmt-compat")
        self.assertIn("libusrsctp.so.2 => /", self.root.run("ldd", "/root/classic"))
        fields = run("dpkg-deb", "-f", self.packages["libusrsctp-cmt-compat"], "Provides", "Conflicts")
        self.assertRegex(fields, r"Provides: libusrsctp2 \(= .*\)\nConflicts: libusrsctp2\n")
        server = self.root.start("/root/classic", "server", "7001", "127.0.0.1")
        self.addCleanup(server.communicate)
        self.assertEqual("listening\n", server.stdout.readline())
        self.root.run("/root/classic", "client", "7002", "7001", "100", "127.0.0.1")
        self.assertEqual("100000 bytes read\n", server.stdout.readline())

    def test_9_removed_without_a_trace(self):
        files = [path for name in self.packages for path in self.contents(name)]
        self.root.remove(*self.packages)
        left = [path for path in files if os.path.lexists(self.root.folder + path)]
        self.assertEqual([], left)


if __name__ == "__main__":
    WORK = enter_namespaces()
    unittest.main(argv=sys.argv[:1] + sys.argv[5:])
