# SPDX-License-Identifier: BSD-3-Clause
"""fetch without a network: what it reads, refuses, and says."""

import contextlib
import importlib.machinery
import importlib.util
import io
import os
import sys
import tarfile
import tempfile
import unittest
from unittest import mock

ROOT = os.environ.get("CMT_SOURCE_DIR") or os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
TOOL = os.path.join(ROOT, "usrsctp-cmt", "upstream", "fetch")
sys.path.insert(0, os.path.dirname(TOOL))
sys.dont_write_bytecode = True

import debian_source  # noqa: E402

loader = importlib.machinery.SourceFileLoader("fetch", TOOL)
fetch = importlib.util.module_from_spec(importlib.util.spec_from_loader("fetch", loader))
loader.exec_module(fetch)


class Fetch(unittest.TestCase):
    def setUp(self):
        work = tempfile.TemporaryDirectory()
        self.addCleanup(work.cleanup)
        self.work = work.name
        self.dst = os.path.join(self.work, "dst")
        environment = mock.patch.dict(os.environ, {"XDG_CACHE_HOME": os.path.join(self.work, "cache")})
        environment.start()
        self.addCleanup(environment.stop)
        os.environ.pop("USRSCTP_TARBALL", None)
        os.environ.pop("USRSCTP_SOURCE_DIR", None)

    def tarball(self, names):
        path = os.path.join(self.work, "some.tar.gz")
        with tarfile.open(path, "w:gz") as archive:
            for name in names:
                info = tarfile.TarInfo(name)
                info.size = 2
                archive.addfile(info, io.BytesIO(b"x\n"))
        return path

    def run_tool(self, *arguments):
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            with mock.patch.object(sys, "argv", ["fetch", "--dst", self.dst, *arguments]):
                status = fetch.main()
        return status, out.getvalue(), err.getvalue()

    def test_another_tree_is_refused_with_both_hashes_and_the_way_out(self):
        path = self.tarball(["u/usrsctplib/usrsctp.h", "u/programs/a.c", "u/LICENSE.md"])
        status, _, err = self.run_tool("--tarball", path)
        self.assertEqual(status, 1)
        self.assertEqual(len([word for word in err.split() if len(word) == 64]), 2)
        self.assertIn(fetch.read_pin()["tree_sha256"], err)
        self.assertIn("-DUSRSCTP_ALLOW_OTHER=ON", err)
        self.assertFalse(os.path.exists(self.dst))

    def test_another_tree_is_taken_when_asked_for(self):
        path = self.tarball(["u/usrsctplib/usrsctp.h", "u/programs/a.c", "u/LICENSE.md"])
        status, out, _ = self.run_tool("--tarball", path, "--allow-other")
        self.assertEqual(status, 0)
        self.assertIn("not the pinned", out)
        self.assertTrue(os.path.isfile(os.path.join(self.dst, "usrsctplib", "usrsctp.h")))

    def test_an_unpacked_tree_is_copied(self):
        path = self.tarball(["u/usrsctplib/usrsctp.h", "u/programs/a.c", "u/LICENSE.md"])
        fetch.unpack(path, os.path.join(self.work, "tree"))
        os.environ["USRSCTP_SOURCE_DIR"] = os.path.join(self.work, "tree")
        self.assertEqual(self.run_tool("--allow-other")[0], 0)
        self.assertTrue(os.path.isfile(os.path.join(self.dst, "programs", "a.c")))
        self.assertTrue(os.path.isfile(os.path.join(self.dst, "LICENSE.md")))

    def test_a_tree_without_its_licence(self):
        path = self.tarball(["u/usrsctplib/usrsctp.h"])
        status, _, err = self.run_tool("--tarball", path, "--allow-other")
        self.assertEqual(status, 1)
        self.assertIn(f"{path}: has no LICENSE.md", err)

    def test_nothing_is_unpacked_outside_of_its_folder(self):
        path = self.tarball(["u/../../evil", "/evil", "u/usrsctplib/usrsctp.h"])
        fetch.unpack(path, os.path.join(self.work, "in", "tree"))
        names = [name for _, _, files in os.walk(self.work) for name in files]
        self.assertEqual(sorted(names), ["evil", "some.tar.gz", "usrsctp.h"])
        self.assertTrue(os.path.isfile(os.path.join(self.work, "in", "tree", "evil")))  # "/evil" without its root

    def test_a_file_that_is_no_tarball(self):
        path = os.path.join(self.work, "text.tar.gz")
        with open(path, "w", encoding="ascii") as f:
            f.write("no tarball")
        status, _, err = self.run_tool("--tarball", path)
        self.assertEqual(status, 1)
        self.assertIn("cannot be unpacked", err)
        self.assertIn("no such file", self.run_tool("--tarball", path + ".gone")[2])

    def test_a_folder_without_usrsctp(self):
        status, _, err = self.run_tool("--source-dir", self.work)
        self.assertEqual(status, 1)
        self.assertIn(f"{self.work}: no usrsctplib/usrsctp.h in it", err)

    def test_without_apt_it_says_what_to_set(self):
        with mock.patch.object(debian_source.shutil, "which", return_value=None):
            status, _, err = self.run_tool()
        self.assertEqual(status, 1)
        for part in ("USRSCTP_TARBALL", "USRSCTP_SOURCE_DIR", "libusrsctp_0.9.5.0.orig.tar.gz"):
            self.assertIn(part, err)

    def test_without_network_it_says_what_to_set(self):
        failed = mock.Mock(returncode=100, stdout="", stderr="Err:1 http://deb.debian.org bookworm\nE: nothing\n")
        with mock.patch.object(debian_source, "private_sources", return_value=1):
            with mock.patch.object(debian_source.shutil, "which", return_value="/usr/bin/apt-get"):
                with mock.patch.object(debian_source.subprocess, "run", return_value=failed):
                    status, _, err = self.run_tool()
        self.assertEqual(status, 1)
        for part in ("could not be fetched", "E: nothing", "USRSCTP_TARBALL", "USRSCTP_SOURCE_DIR"):
            self.assertIn(part, err)


class Sources(unittest.TestCase):
    def test_deb822(self):
        text = "Types: deb\n# a comment\nURIs: http://x\n\nTypes: deb deb-src\nURIs: http://y\n"
        wanted = "Types: deb-src\n# a comment\nURIs: http://x\n\nTypes: deb-src\nURIs: http://y\n"
        self.assertEqual(debian_source.as_source_list("a.sources", text), wanted)

    def test_one_line(self):
        text = "# deb http://off\ndeb [arch=amd64] http://x stable main\ndeb-src http://x stable main\n"
        self.assertEqual(debian_source.as_source_list("a.list", text), "deb-src [arch=amd64] http://x stable main\n")

    def test_what_apt_ignores_is_ignored(self):
        with tempfile.TemporaryDirectory() as work:
            parts, copy = os.path.join(work, "parts"), os.path.join(work, "copy")
            os.mkdir(parts)
            os.mkdir(copy)
            for name in ("a.list", "b.list.disabled", "c.list.save", "d e.list"):
                with open(os.path.join(parts, name), "w", encoding="ascii") as f:
                    f.write("deb http://x stable main\n")
            answer = mock.Mock(stdout=f"LIST='{work}/none'\nPARTS='{parts}/'\n")
            with mock.patch.object(debian_source.subprocess, "run", return_value=answer):
                self.assertEqual(debian_source.private_sources(copy), 1)
            self.assertEqual(os.listdir(copy), ["a.list"])


if __name__ == "__main__":
    unittest.main()
