#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""api_reference.py NM API ALIASES LIBRARY...: every symbol of ours that the shared libraries export has a text in the API
reference, and so has every structure, enumeration and type of a callback. API has html/ and xml/ of Doxygen; ALIASES is
the header that gives functions their names of the linker."""

import glob
import os
import re
import subprocess
import sys
import unittest
import xml.etree.ElementTree as tree

NM, API, ALIASES, *LIBRARIES = sys.argv[1:]


def says_something(node):
    return any("".join(part.itertext()).strip() for kind in ("briefdescription", "detaileddescription")
               for part in node.findall(kind))


def documented(kind, in_files):
    """{name: whether it has a text} of members of this kind."""
    found = {}
    for file in glob.glob(API + "/xml/*.xml"):
        for member in tree.parse(file).getroot().iter("memberdef"):
            if member.get("kind") == kind and member.find("location").get("file").endswith(in_files):
                found[member.findtext("name")] = says_something(member)
    return found


class ApiReference(unittest.TestCase):
    def test_every_exported_symbol_has_a_text(self):
        text = subprocess.run([NM, "-D", "--defined-only", *LIBRARIES], capture_output=True, text=True, check=True).stdout
        exported = {line.split()[-1].split("@")[0] for line in text.splitlines() if line}
        ours = {name for name in exported if name.startswith(("usrsctp_cmt_", "cmt_"))} - {"cmt_tell_silence"}
        self.assertGreater(len(ours), 60)
        with open(ALIASES, encoding="utf-8") as file:
            aliases = {theirs: name for name, theirs in re.findall(r"#define (\w+)\s+(usrsctp_\w+)", file.read())}
        has_text = documented("function", ".h")
        silent = sorted(name for name in ours if not has_text.get(aliases.get(name, name)))
        # The name says it: get_stats fills the structure documented above it.
        self.assertEqual([], silent)

    def test_every_structure_of_the_public_headers_is_there(self):
        wanted = set()
        for name in ("usrsctp_cmt", "usrsctp_cmt_event", "usrsctp_cmt_blocking", "usrsctp_cmt_packets", "usrsctp_cmt_sim"):
            path = os.path.join(os.path.dirname(ALIASES), "..", "include", name + ".h")
            with open(path, encoding="utf-8") as file:
                wanted |= set(re.findall(r"(?m)^struct (\w+) \{", file.read()))
        names = {node.findtext("compoundname") for file in glob.glob(API + "/xml/struct*.xml")
                 for node in tree.parse(file).getroot().iter("compounddef")}
        self.assertEqual(set(), wanted - names)

    def test_comments_of_members_and_macros_arrive(self):
        values = documented("variable", ".h")
        self.assertTrue(values["cap_bps"] and values["queue_us"] and values["mtu_max_bytes"])
        self.assertTrue(documented("define", "usrsctp_cmt.h")["SCTP_CMT_PATH"])
        self.assertTrue(documented("enumvalue", ".h") or any(
            says_something(value) for file in glob.glob(API + "/xml/*.xml")
            for value in tree.parse(file).getroot().iter("enumvalue")
            if value.findtext("name") == "SCTP_CMT_PATH_STANDBY"))

    def test_pages_can_be_opened(self):
        with open(API + "/html/index.html", encoding="utf-8") as file:
            self.assertIn("usrsctp_cmt_event.h</a>", file.read())
        pages = glob.glob(API + "/html/usrsctp__cmt__event_8h.html")
        self.assertEqual(1, len(pages))
        with open(pages[0], encoding="utf-8") as file:
            text = file.read()
        self.assertIn("usrsctp_cmt_conn_write", text)
        self.assertNotIn("/tmp/", text)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
