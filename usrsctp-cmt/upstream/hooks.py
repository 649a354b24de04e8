#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Applies, checks and writes the manifests that turn a pristine usrsctp tree into the fork."""

import argparse
import os
import re
import sys
import tempfile

sys.dont_write_bytecode = True  # the source tree stays as it is

from hooktool import capture as capturing, source  # noqa: E402
from hooktool.manifest import FIXES, HOOKS, ManifestError, parse, write_entry  # noqa: E402
from hooktool.patch import PlacementError, patch  # noqa: E402

HOOK_BUDGET_LINES = 61


def load(manifests):
    """(entries in the order of the manifests, errors)."""
    entries, errors = [], []
    for path in manifests:
        try:
            entries += parse(path)
        except ManifestError as error:
            errors.append(str(error))
    return entries, errors


def build(folder, entries):
    """({relative name: patched text} of every file that an entry names, errors)."""
    by_file = {}
    for entry in entries:
        by_file.setdefault(entry.file, []).append(entry)
    patched, errors = {}, []
    for name, wanted in sorted(by_file.items()):
        path = os.path.join(folder, name)
        if not os.path.isfile(path):
            errors.append(f"{wanted[0].where()}: {name}: no such file in {folder}")
            continue
        lines, found = patch(source.split_lines(source.read_text(path)), wanted)
        errors += found
        patched[name] = "\n".join(lines) + "\n"
    return patched, errors


def budget_error(entries):
    used = sum(len(e.added) for e in entries if e.kind == HOOKS)
    if used <= HOOK_BUDGET_LINES:
        return []
    return [f"hooks insert {used} lines, the budget is {HOOK_BUDGET_LINES}; move logic into usrsctp-cmt/stack"]


def report(errors):
    for error in errors:
        print(f"hooks.py: {error}", file=sys.stderr)
    return 1 if errors else 0


def write_if_changed(path, data):
    """Whether it was written. A reader sees the old or the new content, nothing between."""
    try:
        with open(path, "rb") as f:
            if f.read() == data:
                return False
    except OSError:
        pass
    os.makedirs(os.path.dirname(path), exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=os.path.dirname(path))
    with os.fdopen(handle, "wb") as f:
        f.write(data)
    os.chmod(temporary, 0o644)
    os.replace(temporary, path)
    return True


def command_apply(args):
    folder = source.library_folder(args.src)
    entries, errors = load(args.manifest)
    patched, more = build(folder, entries)
    errors += more
    if errors:
        return report(errors)  # nothing was written
    target = os.path.join(args.dst, source.LIBRARY_FOLDER)
    names = source.list_files(folder)
    written = 0
    for name in names:
        text = patched[name] if name in patched else source.read_text(os.path.join(folder, name))
        written += write_if_changed(os.path.join(target, name), text.encode("latin-1"))
    for name in set(source.list_files(target)) - set(names):
        os.remove(os.path.join(target, name))
        written += 1
    print(f"{len(entries)} entries in {len(patched)} files applied, {written} files changed in {target}")
    return 0


def command_check(args):
    folder = source.library_folder(args.src)
    entries, errors = load(args.manifest)
    errors += build(folder, entries)[1]
    width = max([len(m) for m in args.manifest] + [8])
    print(f"{'manifest':{width}}  files  entries  inserted  replaced")
    for path in args.manifest:
        own = [e for e in entries if e.manifest == path]
        replaced = sum(len(e.hashes) for e in own if e.action == "replace")
        inserted = sum(len(e.added) for e in own)
        print(f"{path:{width}}  {len({e.file for e in own}):5}  {len(own):7}  {inserted:8}  {replaced:8}")
    for kind, budget in ((HOOKS, f" of {HOOK_BUDGET_LINES}"), (FIXES, "")):
        own = [e for e in entries if e.kind == kind]
        replaced = sum(len(e.hashes) for e in own if e.action == "replace")
        inserted = sum(len(e.added) for e in own)
        print(f"{kind}: {len(own)} entries, {inserted}{budget} lines inserted, {replaced} replaced")
    return report(errors + budget_error(entries))


def command_show(args):
    lines = source.split_lines(source.read_text(os.path.join(source.library_folder(args.src), args.file)))
    scopes = source.find_scopes(lines, args.function)
    if not scopes:
        return report([f"{args.file}: there is no {args.function} in it"])
    inside = [i for first, last in scopes for i in range(first, last + 1)]
    named = {i: source.line_hash(lines[i]) for i in inside}
    total, seen = {}, {}
    for i in inside:
        total[named[i]] = total.get(named[i], 0) + 1
    for i in inside:
        name = named[i]
        seen[name] = seen.get(name, 0) + 1
        if args.pattern and not re.search(args.pattern, lines[i]):
            continue
        count = "" if total[name] == 1 else f"{seen[name]}/{total[name]}"
        print(f"{i + 1:6} {name} {count:7} {lines[i]}")
    return 0


def command_capture(args):
    folder, edited = source.library_folder(args.src), source.library_folder(args.edited)
    known, errors = load(args.manifest)
    found = []
    for name in source.list_files(edited):
        path = os.path.join(folder, name)
        if not os.path.isfile(path):
            errors.append(f"{name}: new in {edited}; a new file belongs into usrsctp-cmt/stack")
            continue
        before, after = source.read_text(path), source.read_text(os.path.join(edited, name))
        if before == after:
            continue
        own = [e for e in known if e.file == name]
        try:
            found += capturing.capture(source.split_lines(before), source.split_lines(after), name, own)
        except (PlacementError, ValueError) as error:
            errors.append(f"{name}: {error}")
    for kind in (HOOKS, FIXES):
        place = None
        for entry in (e for e in found if e.kind == kind):
            if place is None:
                print(f"# {kind}/: say here why this is needed")
            if place is None or place[0] != entry.file:
                print(f"file {entry.file}")
            if place != (entry.file, entry.scope):
                print(f"in {entry.scope}")
            place = (entry.file, entry.scope)
            print(write_entry(entry))
    return report(errors)


def command_treehash(args):
    print(source.tree_hash(args.dir))
    return 0


def parse_arguments(argv):
    parser = argparse.ArgumentParser(description=__doc__, epilog="The manifest format is described in docs/fork.md.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def add(name, function, text):
        command = commands.add_parser(name, help=text, description=text)
        command.set_defaults(run=function)
        return command

    src = {"required": True, "metavar": "DIR", "help": "pristine source tree (holds usrsctplib/)"}
    files = {"nargs": "*", "metavar": "MANIFEST", "help": "files in hooks/ or fixes/"}
    command = add("apply", command_apply, "Copy usrsctplib/ from --src to --dst with the manifests applied.")
    command.add_argument("--src", **src)
    command.add_argument("--dst", required=True, metavar="DIR", help="receives usrsctplib/; unchanged files keep their time")
    command.add_argument("manifest", **files)
    command = add("check", command_check, "Try the manifests, write nothing, print what they insert and replace.")
    command.add_argument("--src", **src)
    command.add_argument("manifest", **files)
    command = add("show", command_show, "List a function's lines with number, hash and occurrence, to write a manifest.")
    command.add_argument("--src", **src)
    command.add_argument("file", metavar="FILE", help="relative to usrsctplib/, as netinet/sctp_output.c")
    command.add_argument("function", metavar="FUNCTION", help='function, "struct NAME", or "*" for the whole file')
    command.add_argument("pattern", metavar="PATTERN", nargs="?", help="only lines that match this regular expression")
    command = add("capture", command_capture, "Print the manifest entries that turn --src into --edited.")
    command.add_argument("--src", **src)
    command.add_argument("--edited", required=True, metavar="DIR", help="edited tree, pristine or applied before the edit")
    command.add_argument("manifest", nargs="*", metavar="MANIFEST", help="leave out what these already say")
    command = add("treehash", command_treehash, "Print the SHA-256 over names and contents of usrsctplib/.")
    command.add_argument("dir", metavar="DIR")
    return parser.parse_args(argv)


def main(argv=None):
    args = parse_arguments(argv)
    try:
        return args.run(args)
    except OSError as error:
        return report([str(error)])


if __name__ == "__main__":
    try:
        sys.exit(main())
    except BrokenPipeError:
        os._exit(1)
