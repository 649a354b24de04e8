# SPDX-License-Identifier: BSD-3-Clause
"""The manifest tool on small sources, and capture(apply(x)) == x on the pinned release."""

import contextlib
import io
import os
import re
import sys
import tempfile
import unittest

ROOT = os.environ.get("CMT_SOURCE_DIR") or os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
sys.path.insert(0, os.path.join(ROOT, "usrsctp-cmt", "upstream"))
sys.dont_write_bytecode = True

import hooks  # noqa: E402
from hooktool import capture, manifest, patch, source  # noqa: E402

SAMPLE = """\
#include <a.h>
#define TWO_LINES(x) \\
\tdo_it(x)

struct thing {
\tint one;	/* first */
\tint two;
};

static int
early(int);

static int
early(int x)
{
\tx = 1;
\tif (x) {
\t\tstop();
\t}
\tstop();
\treturn (x);
}

int late(int y)
{
#ifdef DEEP
\tstop();
#endif
\treturn (y);
}
"""
LINES = source.split_lines(SAMPLE)


MEANING = "what stands there"


def said(text):
    """`text` with a meaning above every entry that has none."""
    return re.sub(rf"(?<!{MEANING}\n)^(?=(after|before|replace) )", f"# {MEANING}\n", text, flags=re.MULTILINE)


def written(found):
    """What capture found, once somebody has said what stands at its anchors."""
    return "".join(f"in {e.scope}\n{manifest.write_entry(e)}\n" for e in found).replace(manifest.UNSAID, MEANING)


def entries(text, kind="hooks"):
    return manifest.parse(f"/m/{kind}/x.manifest", "# because\n" + said(text))


def hash_of(line):
    return source.line_hash(line)


def apply(text, kind="hooks"):
    lines, errors = patch.patch(LINES, entries("file f.c\n" + text, kind))
    if errors:
        raise AssertionError(errors)
    return lines


def errors_of(text, kind="hooks"):
    return patch.patch(LINES, entries("file f.c\n" + text, kind))[1]


class Hash(unittest.TestCase):
    def test_blanks_at_the_ends_and_their_number_do_not_count(self):
        self.assertEqual(hash_of("\tx  =\t1;"), hash_of("x = 1;\r"))
        self.assertNotEqual(hash_of("x = 1;"), hash_of("x =1;"))

    def test_is_the_start_of_sha256(self):
        self.assertEqual(hash_of(" abc "), "ba7816bf8f01")


class Scope(unittest.TestCase):
    def text(self, scope):
        return [[LINES[i] for i in range(a, b + 1)] for a, b in source.find_scopes(LINES, scope)]

    def test_a_function_is_its_definition_not_its_declaration(self):
        self.assertEqual(len(self.text("early")), 1)
        self.assertEqual(self.text("early")[0][0], "early(int x)")
        self.assertEqual(self.text("early")[0][-1], "}")

    def test_the_type_may_stand_before_the_name(self):
        self.assertEqual(self.text("late")[0][0], "int late(int y)")

    def test_a_struct(self):
        self.assertEqual(self.text("struct thing")[0][1:-1], ["\tint one;	/* first */", "\tint two;"])

    def test_part_of_a_name_is_not_the_name(self):
        self.assertEqual(self.text("arly"), [])
        self.assertEqual(self.text("struct thin"), [])

    def test_every_line_is_found_in_the_scope_that_it_is_said_to_be_in(self):
        for i in range(len(LINES)):
            name = source.scope_at(LINES, i)
            self.assertTrue(any(a <= i <= b for a, b in source.find_scopes(LINES, name)), (i, name))
        self.assertEqual(source.scope_at(LINES, LINES.index("\tx = 1;")), "early")
        self.assertEqual(source.scope_at(LINES, LINES.index("\treturn (y);")), "late")
        self.assertEqual(source.scope_at(LINES, 0), "*")


class Apply(unittest.TestCase):
    def test_a_hook_is_put_in_bare_behind_its_anchor(self):
        out = apply(f"in early\nafter {hash_of('x = 1;')}\n+\tHOOK;\n")
        self.assertEqual(out[out.index("\tx = 1;") + 1], "\tHOOK;")
        self.assertEqual(len(out), len(LINES) + 1)

    def test_before(self):
        out = apply(f"in struct thing\nbefore {hash_of('int two;')}\n+\tA\n+\tB\n")
        at = out.index("\tint two;")
        self.assertEqual(out[at - 2 : at], ["\tA", "\tB"])

    def test_the_occurrence_is_counted_in_the_scope_only(self):
        out = apply(f"in early\nafter {hash_of('stop();')} 2/2\n+\tHOOK;\n")
        self.assertEqual(out[out.index("\tHOOK;") + 1], "\treturn (x);")
        out = apply(f"in late\nafter {hash_of('stop();')}\n+\tHOOK;\n")
        self.assertEqual(out[out.index("\tHOOK;") + 1], "#endif")

    def test_a_fix_is_wrapped(self):
        out = apply(f"in early\nafter {hash_of('x = 1;')}\n+\tCURE;\n", "fixes")
        at = out.index("\tx = 1;")
        self.assertEqual(out[at + 1 : at + 4], ["#ifdef SCTP_CMT_FIXES", "\tCURE;", "#endif"])

    def test_a_replacement_keeps_the_original(self):
        out = apply(f"in early\nreplace {hash_of('if (x) {')} {hash_of('stop();')} {hash_of('}')}\n+\tCURE;\n", "fixes")
        at = out.index("#ifdef SCTP_CMT_FIXES")
        expected = ["#ifdef SCTP_CMT_FIXES", "\tCURE;", "#else", "\tif (x) {", "\t\tstop();", "\t}", "#endif"]
        self.assertEqual(out[at : at + 7], expected)

    def test_a_replacement_by_nothing(self):
        out = apply(f"in early\nreplace {hash_of('x = 1;')}\n", "fixes")
        at = out.index("#ifndef SCTP_CMT_FIXES")
        self.assertEqual(out[at : at + 3], ["#ifndef SCTP_CMT_FIXES", "\tx = 1;", "#endif"])

    def test_lines_for_one_place_keep_the_order_of_the_manifests(self):
        anchor = hash_of("x = 1;")
        out = apply(f"in early\nafter {anchor}\n+A\nreplace {hash_of('if (x) {')}\n+C\nafter {anchor}\n+B\n", "fixes")
        self.assertEqual([x for x in out if x in ("A", "B", "C")], ["A", "B", "C"])

    def test_the_whole_file_as_scope(self):
        out = apply(f"in *\nafter {hash_of('#include <a.h>')}\n+#include <b.h>\n")
        self.assertEqual(out[1], "#include <b.h>")


class Refusal(unittest.TestCase):
    def refused(self, part, text, kind="hooks"):
        errors = errors_of(text, kind)
        self.assertEqual(len(errors), 1, errors)
        self.assertIn(part, errors[0])
        return errors[0]

    def test_a_missing_anchor_names_everything(self):
        text = self.refused("was found 0 times, the manifest counts on 1", "in early\nafter 0123456789ab\n+x\n")
        for part in ("/m/hooks/x.manifest:5", "f.c", "early", "0123456789ab", "hooks.py show"):
            self.assertIn(part, text)

    def test_an_ambiguous_anchor(self):
        self.refused("found 2 times, the manifest counts on 1", f"in early\nafter {hash_of('stop();')}\n+x\n")
        self.refused("found 2 times, the manifest counts on 3", f"in early\nafter {hash_of('stop();')} 1/3\n+x\n")

    def test_an_unknown_function(self):
        self.refused("there is no never in it", f"in never\nafter {hash_of('stop();')}\n+x\n")

    def test_the_middle_of_a_macro(self):
        self.refused("backslash", f"in *\nbefore {hash_of('do_it(x)')}\n+x\n")

    def test_half_a_conditional(self):
        self.refused("#if", f"in late\nreplace {hash_of('#ifdef DEEP')}\n+x\n", "fixes")

    def test_two_replacements_of_one_line(self):
        one = f"replace {hash_of('x = 1;')}\n+A\n"
        self.refused("replaces too", f"in early\n{one}{one}", "fixes")

    def test_an_insertion_amid_a_replacement(self):
        text = f"in early\nreplace {hash_of('x = 1;')} {hash_of('if (x) {')}\n+A\nafter {hash_of('x = 1;')}\n+B\n"
        self.refused("amid", text, "fixes")

    def malformed(self, part, text, kind="hooks", explained=True):
        with self.assertRaises(manifest.ManifestError) as caught:
            manifest.parse(f"/m/{kind}/x.manifest", ("# because\n" if explained else "") + said(text))
        self.assertIn(part, str(caught.exception))

    def test_malformed_manifests(self):
        anchor = "file f.c\nin early\nafter 0123456789ab"
        self.malformed("say why", anchor + "\n+x\n", explained=False)
        self.malformed("say why", "#\n" + anchor + "\n+x\n", explained=False)
        self.malformed("nothing to insert", anchor + "\n")
        self.malformed("no entry", "file f.c\nin early\n")
        self.malformed("is no hash", "file f.c\nin early\nafter 123\n+x\n")
        self.malformed("is no occurrence", anchor + " 3/2\n+x\n")
        self.malformed("is missing", "file f.c\nin early\nafter 1/2\n+x\n")
        self.malformed("needs after", "file f.c\nin early\n+x\n")
        self.malformed("cannot read", "file f.c\nafter 0123456789ab\n+x\n")
        self.malformed("hooks only insert", "file f.c\nin early\nreplace 0123456789ab\n+x\n")
        self.malformed("folder named hooks or fixes", anchor + "\n+x\n", kind="other")

    def meaning_refused(self, part, above):
        text = f"# because\n\nfile f.c\nin early\n{above}after 0123456789ab\n+x\n"
        with self.assertRaises(manifest.ManifestError, msg=above) as caught:
            manifest.parse("/m/hooks/x.manifest", text)
        line = text[: text.index("after")].count("\n") + 1
        for expected in (part, f"/m/hooks/x.manifest:{line}: ", "3 to 12 words", "hooks.py show"):
            self.assertIn(expected, str(caught.exception))

    def test_an_entry_that_does_not_say_what_stands_at_its_anchor(self):
        self.meaning_refused("there is none", "")
        self.meaning_refused("there is none", "#\n")
        self.meaning_refused("there is none", "#the last test\n")
        self.meaning_refused("there is none", "# the last test\n\n")
        self.meaning_refused("there are several", "# the last test\n# of them all\n")
        self.meaning_refused("nobody has written it yet", f"# {manifest.UNSAID}\n")
        self.meaning_refused("it has 2 words", "# last test\n")
        self.meaning_refused("it has 13 words", "# the" + 12 * " last" + "\n")
        self.meaning_refused("the line has 141 characters, 140", f"# the last {'x' * 130}\n")
        self.meaning_refused("like a sentence", "# the last test.\n")
        self.meaning_refused("like a sentence", "# The last test\n")
        self.meaning_refused("like a sentence", "# the last test \n")

    def test_the_meaning_of_one_entry_does_not_count_for_the_next(self):
        text = "file f.c\nin early\n# the last test\nafter 0123456789ab\n+x\n"
        for second in ("after 0123456789ab\n+x\n", "replace 0123456789ab\n"):
            with self.assertRaises(manifest.ManifestError) as caught:
                manifest.parse("/m/fixes/x.manifest", "# because\n" + text + second)
            self.assertIn("/m/fixes/x.manifest:7: ", str(caught.exception))
        with self.assertRaises(manifest.ManifestError):
            manifest.parse("/m/fixes/x.manifest", "# because the last is\n" + text.replace("# the last test\n", ""))

    def test_a_meaning_of_the_longest_and_of_the_shortest_kind(self):
        for meaning in ("the last test", "SHUTDOWN is" + 10 * " x", f"the last {'x' * 129}"):
            text = f"# because\nfile f.c\nin early\n# {meaning}\nafter 0123456789ab\n+x\n"
            (entry,) = manifest.parse("/m/hooks/x.manifest", text)
            self.assertEqual((entry.meaning, entry.added), (meaning, ["x"]))
            self.assertIn(f"# {meaning}\nafter 0123456789ab\n+x", manifest.write_entry(entry))


class Capture(unittest.TestCase):
    def captured(self, edited, known=()):
        return capture.capture(LINES, edited, "f.c", known)

    def round_trip(self, edited, kind):
        found = self.captured(edited)
        self.assertEqual({e.kind for e in found}, {kind})
        return apply(written(found), kind)

    def test_insertions_come_back(self):
        for at in range(len(LINES) + 1):
            if at and LINES[at - 1].endswith("\\"):
                continue
            edited = LINES[:at] + ["\tNEW_LINE;"] + LINES[at:]
            self.assertEqual(self.round_trip(edited, "hooks"), edited, at)

    def test_replacements_come_back_wrapped(self):
        at = LINES.index("\tx = 1;")
        out = self.round_trip(LINES[:at] + ["\tx = 2;"] + LINES[at + 1 :], "fixes")
        expected = ["#ifdef SCTP_CMT_FIXES", "\tx = 2;", "#else", "\tx = 1;", "#endif"]
        self.assertEqual(out[at : at + 5], expected)

    def test_an_applied_tree_comes_back(self):
        anchor = hash_of("x = 1;")
        text = f"in early\nafter {anchor}\n+CURE\nreplace {hash_of('return (x);')}\n+A\n+B\n"
        found = self.captured(apply(text, "fixes"))
        self.assertEqual([(e.kind, e.action, e.added) for e in found],
                         [("fixes", "after", ["CURE"]), ("fixes", "replace", ["A", "B"])])

    def test_what_comes_back_is_refused_until_its_meaning_is_said(self):
        at = LINES.index("\tx = 1;") + 1
        (entry,) = self.captured(LINES[:at] + ["NEW"] + LINES[at:])
        text = f"# because\nfile f.c\nin {entry.scope}\n{manifest.write_entry(entry)}\n"
        with self.assertRaises(manifest.ManifestError):
            manifest.parse("/m/hooks/x.manifest", text)
        (again,) = manifest.parse("/m/hooks/x.manifest", text.replace(manifest.UNSAID, MEANING))
        self.assertEqual((again.added, again.meaning), (["NEW"], MEANING))

    def test_what_manifests_say_already_is_left_out(self):
        text = f"in early\nafter {hash_of('x = 1;')}\n+OLD\n"
        edited = apply(text)
        edited.insert(edited.index("OLD") + 1, "NEW")
        found = self.captured(edited, entries("file f.c\n" + text))
        self.assertEqual([e.added for e in found], [["NEW"]])
        self.assertEqual(self.captured(apply(text), entries("file f.c\n" + text)), [])


class Tree(unittest.TestCase):
    def setUp(self):
        self.work = tempfile.TemporaryDirectory()
        self.addCleanup(self.work.cleanup)
        self.src, self.dst = os.path.join(self.work.name, "src"), os.path.join(self.work.name, "dst")
        self.write("src/usrsctplib/usrsctp.h", "x\n")
        self.write("src/usrsctplib/netinet/f.c", SAMPLE)
        body = f"# why\nfile netinet/f.c\nin early\nafter {hash_of('x = 1;')}\n+HOOK\n"
        self.manifest = self.write("hooks/a.manifest", said(body))

    def write(self, name, text):
        path = os.path.join(self.work.name, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="latin-1") as f:
            f.write(text)
        return path

    def run_tool(self, *arguments):
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            status = hooks.main(list(arguments))
        return status, out.getvalue(), err.getvalue()

    def test_apply_leaves_unchanged_files_alone(self):
        self.assertEqual(self.run_tool("apply", "--src", self.src, "--dst", self.dst, self.manifest)[0], 0)
        path = os.path.join(self.dst, "usrsctplib/netinet/f.c")
        self.assertIn("HOOK", source.read_text(path))
        os.utime(path, (1, 1))
        status, out, _ = self.run_tool("apply", "--src", self.src, "--dst", self.dst, self.manifest)
        self.assertEqual((status, os.stat(path).st_mtime), (0, 1))
        self.assertIn("0 files changed", out)

    def test_a_wrong_manifest_changes_nothing(self):
        self.run_tool("apply", "--src", self.src, "--dst", self.dst, self.manifest)
        body = "# why\nfile netinet/f.c\nin early\nafter 0123456789ab\n+X\n"
        wrong = self.write("hooks/b.manifest", said(body))
        before = source.tree_hash(self.dst)
        status, _, err = self.run_tool("apply", "--src", self.src, "--dst", self.dst, wrong)
        self.assertEqual((status, source.tree_hash(self.dst)), (1, before))
        self.assertIn("b.manifest:5", err)
        unsaid = self.write("hooks/c.manifest", body)
        for command in (("apply", "--dst", self.dst), ("check",)):
            status, _, err = self.run_tool(*command, "--src", self.src, unsaid)
            self.assertEqual((status, source.tree_hash(self.dst)), (1, before))
            self.assertIn("c.manifest:4: one comment line directly above after", err)

    def test_a_file_that_went_away_is_removed(self):
        self.write("dst/usrsctplib/gone.c", "")
        self.run_tool("apply", "--src", self.src, "--dst", self.dst)
        self.assertEqual(source.tree_hash(self.dst), source.tree_hash(self.src))

    def test_check_holds_hooks_to_their_budget(self):
        lines = "+HOOK\n" * (hooks.HOOK_BUDGET_LINES + 1)
        body = f"# why\nfile netinet/f.c\nin early\nafter {hash_of('x = 1;')}\n{lines}"
        big = self.write("hooks/b.manifest", said(body))
        self.assertEqual(self.run_tool("check", "--src", self.src, self.manifest)[0], 0)
        status, _, err = self.run_tool("check", "--src", self.src, big)
        self.assertEqual(status, 1)
        self.assertIn("budget", err)

    def test_the_tree_hash_sees_names_and_contents(self):
        first = source.tree_hash(self.src)
        os.rename(f"{self.src}/usrsctplib/netinet/f.c", f"{self.src}/usrsctplib/netinet/g.c")
        second = source.tree_hash(self.src)
        self.write("src/usrsctplib/netinet/g.c", SAMPLE + "\n")
        self.assertEqual(len({first, second, source.tree_hash(self.src)}), 3)

    def test_show_gives_what_a_manifest_needs(self):
        _, out, _ = self.run_tool("show", "--src", self.src, "netinet/f.c", "early", "stop")
        self.assertIn(f"{hash_of('stop();')} 1/2", out)
        self.assertIn(f"{hash_of('stop();')} 2/2", out)


@unittest.skipUnless(os.environ.get("CMT_UPSTREAM_PRISTINE"), "the build names the release in CMT_UPSTREAM_PRISTINE")
class Release(unittest.TestCase):
    def test_an_insertion_anywhere_in_a_real_file_comes_back(self):
        folder = source.library_folder(os.environ["CMT_UPSTREAM_PRISTINE"])
        lines = source.split_lines(source.read_text(os.path.join(folder, "netinet/sctp_indata.c")))
        for at in range(40, len(lines), 331):
            if lines[at - 1].endswith("\\"):
                continue
            edited = lines[:at] + ["\tNEW_LINE;"] + lines[at:]
            found = capture.capture(lines, edited, "netinet/sctp_indata.c")
            text = "file netinet/sctp_indata.c\n" + written(found)
            self.assertEqual(patch.patch(lines, entries(text)), (edited, []), at)


if __name__ == "__main__":
    unittest.main()
