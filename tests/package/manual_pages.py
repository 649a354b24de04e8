#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""manual_pages.py MANUAL DOCS_MANUAL NAME COMMAND [NAME COMMAND]..: the pages that the build made in MANUAL. Every program
has one; options of --help and of the page are the same; neither groff nor mandoc has anything to say."""

import glob
import gzip
import os
import re
import subprocess
import sys
import unittest

FOLDER, MAKERS = sys.argv[1:3]
PROGRAMS = dict(zip(sys.argv[3::2], sys.argv[4::2]))
sys.path.insert(0, MAKERS)
import help_text  # noqa: E402, the form of --help is described there


def pages():
    return [page for page in sorted(glob.glob(FOLDER + "/man?/*.gz")) if not os.path.islink(page)]


def source(name, section=1):
    with gzip.open(f"{FOLDER}/man{section}/{name}.{section}.gz", "rt", encoding="utf-8") as file:
        return file.read()


def options_of_page(text):
    """Options in the terms of its entries."""
    terms = re.findall(r"(?m)^\.TP.*\n(.*)", text)
    plain = (re.sub(r"\\f[BIR]", "", term).replace("\\-", "-") for term in terms)
    return {option for term in plain if term.startswith("-") for option in help_text.OPTION.findall(term)}


class ManualPages(unittest.TestCase):
    def test_every_program_has_a_page_and_every_page_a_program(self):
        self.assertEqual({f"{name}.1.gz" for name in PROGRAMS}, set(os.listdir(FOLDER + "/man1")))

    def test_options_are_those_of_help(self):
        for name, command in PROGRAMS.items():
            with self.subTest(name):
                text = help_text.ask([command], "--help")
                said = help_text.options(text)
                for each in help_text.commands(name, text):
                    said |= help_text.options(help_text.ask([command], each, "--help"))
                self.assertTrue(said)
                self.assertEqual(said, options_of_page(source(name)))

    def test_help_names_what_is_installed(self):
        documents = os.path.dirname(MAKERS)
        for name, command in PROGRAMS.items():
            text = help_text.ask([command], "--help")
            for part in [text] + [help_text.ask([command], each, "--help") for each in help_text.commands(name, text)]:
                with self.subTest(name):
                    self.assertNotIn("docs/", part)
                    words = " ".join(part.split())
                    for page, section in re.findall(r"([a-z][\w-]*)\(([1-8])\)", words):
                        self.assertTrue(os.path.exists(f"{FOLDER}/man{section}/{page}.{section}.gz"), page)
                    named = re.findall(r"([\w-]+\.md) in share/doc/usrsctp-cmt", words)
                    self.assertEqual(re.findall(r"(?<![\w/-])([\w-]+\.md)", words), named)
                    for document in named:
                        self.assertTrue(os.path.exists(f"{documents}/{document}"), document)

    def test_synopsis_and_exit_status_are_there(self):
        for name in PROGRAMS:
            with self.subTest(name):
                text = source(name)
                for section in ("NAME", "SYNOPSIS", "DESCRIPTION", "EXAMPLES", "SEE ALSO"):
                    self.assertEqual(1, len(re.findall(rf"(?m)^\.SH {section}$", text)), section)
                self.assertRegex(text, r"(?mi)^\.S[HS] EXIT STATUS$")

    def test_groff_has_no_warning(self):
        for page in pages():
            with self.subTest(page):
                done = subprocess.run(["man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", page], check=False,
                                      stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                                      env={**os.environ, "LC_ALL": "C.UTF-8", "MANROFFSEQ": "t"})
                self.assertEqual((0, ""), (done.returncode, done.stderr))

    def test_mandoc_has_no_warning(self):
        for page in pages():  # one by one: it uncompresses only the first
            with self.subTest(page):
                done = subprocess.run(["mandoc", "-T", "lint", "-W", "warning", page], check=False, capture_output=True,
                                      text=True)
                self.assertEqual((0, ""), (done.returncode, done.stdout))

    def test_no_mark_of_markdown_is_left(self):
        for name in PROGRAMS:
            with self.subTest(name):
                text = source(name)
                for mark in ("\\(ga\\(ga", "**", "](", "<!--"):
                    self.assertNotIn(mark, text)

    def test_functions_have_links(self):
        for name in ("usrsctp_cmt_conn_write", "usrsctp_cmt_register_scheduler", "usrsctp_cmt_sim_run"):
            link = f"{FOLDER}/man3/{name}.3.gz"
            self.assertTrue(os.path.islink(link) and os.path.exists(link), link)

    def test_what_headers_say_is_in_their_pages(self):
        text = source("usrsctp_cmt", 3).replace("\\-", "-")
        for words in ("ENOENT: it has no such address", "percent of what the path could carry that is used, 1 to 100",
                      "0x00001217: struct sctp_cmt_path, get and set", "usrsctp_cmt_next_timeout(void);"):
            self.assertIn(words, text)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
