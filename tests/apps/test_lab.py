# SPDX-License-Identifier: BSD-3-Clause
"""cmt-lab as a process: its command line and what it prints."""

import json
import os
import subprocess
import unittest

LAB = os.environ["CMT_LAB"]


def lab(*arguments):
    return subprocess.run([LAB, *arguments], capture_output=True, text=True, stdin=subprocess.DEVNULL)


class Arguments(unittest.TestCase):
    def test_what_is_wrong_is_named_with_what_is_accepted(self):
        for arguments, message in [
            (["--cc", "cubic"], "--cc: \"cubic\" is not a congestion control; write one of default, uncoupled"),
            (["--cc", "linked:"], "--cc: \"linked:\" is not NAME[:KEY=VALUE,..]"),
            (["--recovery", "rack"], "--recovery: \"rack\" is not a recovery; write one of default, none, dsack"),
        ]:
            for command in ["run", "compare"]:
                with self.subTest(command=command, message=message):
                    done = lab(command, "sarwar1", *arguments)
                    self.assertEqual((done.returncode, done.stdout), (2, ""))
                    self.assertTrue(done.stderr.startswith("cmt-lab: " + message), done.stderr)

    def test_the_result_says_what_was_asked_for(self):
        for cc, recovery in [("default", "default"), ("linked:hystart=0", "dsack")]:
            done = lab("run", "sarwar1", "--bytes", "20kB", "--cc", cc, "--recovery", recovery, "--json")
            result = json.loads(done.stdout)
            self.assertEqual((result["cc"], result["recovery"], result["integrity"]), (cc, recovery, "ok"))

    def test_list_names_every_policy(self):
        text = lab("list").stdout
        for name in ["arrival", "uncoupled", "linked", "olia", "eifel", "frto", "sarwar1"]:
            self.assertRegex(text, rf"(?m)^  {name}\b")


if __name__ == "__main__":
    unittest.main()
