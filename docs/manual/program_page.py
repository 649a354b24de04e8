#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""program_page.py OUT VERSION LOWDOWN DOCS NAME OTHERS COMMAND...: the manual page of a program, section 1.

Nothing is written twice: synopsis, options, exit status and examples are those of --help, of every command too if the
program has any. Sections of its page in DOCS (NAME.md, or the one whose title has NAME) follow, save those that --help
has as well and those behind a line `<!-- not in the manual page -->`. OTHERS: names for SEE ALSO, comma separated."""

import glob
import os
import re
import subprocess
import sys

import help_text
import roff

FIRST = ("NAME", "SYNOPSIS", "DESCRIPTION")
LAST = ("ENVIRONMENT", "FILES", "SIGNALS", "EXIT STATUS", "EXAMPLES")
ELSEWHERE = ("OPTIONS", "COMMANDS", "SYNOPSIS", "EXIT STATUS", "EXAMPLES")  # of a document: --help has them
LEFT_OUT = "<!-- not in the manual page -->"


def show_blocks(lines, literal=False):
    out = ""
    for block in help_text.blocks(lines, literal):
        if block.kind == "entry":
            out += f".TP\n{roff.term(block.term)}\n" + (roff.inline(block.text) + "\n" if block.text else "\\&\n")
        elif block.kind == "text":
            out += f".PP\n{roff.inline(block.text)}\n"
        else:
            out += roff.literal(block.text)
    return out


def show_synopsis(lines):
    return show_blocks(lines) if any("  " in line.strip() for line in lines) else "".join(
        f".PP\n.nf\n{roff.term(line)}\n.fi\n" for line in lines if line)


def takes_options(lines):
    return any(block.kind == "entry" and block.term.startswith("-") for block in help_text.blocks(lines))


def show_middle(found, as_parts):
    """What is neither first nor last. `as_parts`: sections of options become parts of one section OPTIONS."""
    options, others = "", ""
    for name, lines in found.items():
        if name in FIRST + LAST:
            continue
        if as_parts and takes_options(lines):
            options += "" if name == "OPTIONS" else f".SS {roff.escape(name.capitalize())}\n"
            options += show_blocks(lines)
        else:
            others += f".SH {roff.escape(name)}\n" + show_blocks(lines)
    return (".SH OPTIONS\n" + options if options else "") + others


def show_name(name, found):
    text = " ".join(line.strip() for line in found["NAME"] if line.strip())
    if not text.startswith(name + " - "):
        raise SystemExit(f"{name} --help: the section NAME reads \"{text}\"; write \"{name} - what it does\"")
    return ".SH NAME\n" + roff.escape(name) + " \\- " + roff.escape(text.removeprefix(name + " - ")) + "\n"


def show_command(name, command, found):
    """A command of the program: a section of its own, without what all commands share."""
    summary = " ".join(line.strip() for line in found["NAME"] if line.strip()).partition(" - ")[2]
    out = f".SH COMMAND {roff.escape(command.upper())}\n{roff.inline(summary[:1].upper() + summary[1:])}.\n"
    out += show_synopsis(found.get("SYNOPSIS", [])) + show_blocks(found.get("DESCRIPTION", []))
    for section, lines in found.items():
        if section not in FIRST:
            out += f".SS {roff.escape(section.capitalize())}\n" + show_blocks(lines, section == "EXAMPLES")
    return out


def find_document(folder, name):
    own = os.path.join(folder, name + ".md")
    if os.path.exists(own):
        return own
    for path in sorted(glob.glob(os.path.join(folder, "*.md"))):
        with open(path, encoding="utf-8") as file:
            if re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", file.readline()):
                return path
    return None


def document_sections(path, said):
    """[(title, Markdown)] of what the document adds; title "" for the text in front of the first section."""
    with open(path, encoding="utf-8") as file:
        text = file.read().partition("\n")[2]
    parts = re.split(r"(?m)^## +(.*)\n", text)
    introduction = re.sub(r"(?ms)^```.*?^```\n|^\|.*?\n(?!\|)", "", parts[0]).strip()
    found = [("", introduction)] if introduction else []
    for title, body in zip(parts[1::2], parts[2::2]):
        plain = title.replace("`", "").upper()
        if plain not in said and not plain.startswith(ELSEWHERE) and LEFT_OUT not in body:
            found.append((plain, body))
    return found


def definition_lists(text):
    """Tables of two columns as definition lists, which fit into any terminal."""
    def rewrite(match):
        rows = [re.split(r"(?<!\\)\|", line.strip().strip("|")) for line in match.group(0).strip().split("\n")]
        if any(len(row) != 2 for row in rows):
            return match.group(0)
        return "\n" + "".join(f"{term.strip()}\n: {text.strip()}\n\n" for term, text in rows[2:])

    return re.sub(r"(?m)(^\|.*\n){2,}", rewrite, text + "\n")


def from_markdown(lowdown, text):
    text = re.sub(r"(?ms)^(```.*?^```\n)", r"\n\1\n", text)  # lowdown wants code blocks to stand alone
    text = re.sub(r"!\[[^]]*\]\([^)]*\)", "", text)
    text = re.sub(r"\[([^]]*)\]\((?!http)[^)]*\)", r"\1", text)  # the other pages are not links here
    text = re.sub(r"(?m)^##(#+ )", r"\1", definition_lists(text))
    command = [lowdown, "-Tman", "--nroff-nolinks", "--out-no-smarty"]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=True)
    return done.stdout.replace("\\fC", "\\fB")


def page(version, lowdown, folder, name, others, command):
    text = help_text.ask(command, "--help")
    found = help_text.sections(text)
    out = "'\\\" t\n.\\\" Made from --help and docs/ by docs/manual/program_page.py.\n"
    out += roff.heading(name, 1, version, "User Commands")
    out += show_name(name, found)
    out += ".SH SYNOPSIS\n" + show_synopsis(found["SYNOPSIS"])
    description = show_blocks(found.get("DESCRIPTION", []))
    document = find_document(folder, name)
    extra = document_sections(document, found) if document else []
    if extra and not extra[0][0]:
        description += from_markdown(lowdown, extra.pop(0)[1])
    out += ".SH DESCRIPTION\n" + description if description else ""
    commands = help_text.commands(name, text)
    out += show_middle(found, not commands)
    for each in commands:
        out += show_command(name, each, help_text.sections(help_text.ask(command, each, "--help")))
    for title, body in extra:
        out += f".SH {roff.escape(title)}\n" + from_markdown(lowdown, body)
    for section in LAST:
        if section in found:
            out += f".SH {section}\n" + show_blocks(found[section], section == "EXAMPLES")
    see = [f"\\fB{roff.escape(other)}\\fR(1)" for other in others if other != name]
    see += [f"\\fB{roff.escape(other)}\\fR(3)" for other in ("usrsctp_cmt", "usrsctp_cmt_event")]
    out += ".SH SEE ALSO\n" + ",\n".join(see) + "\n"
    out += ".PP\nFiles of docs/ are installed in share/doc/usrsctp\\-cmt, beside this page's share/man.\n"
    return roff.tidy(out)


def main():
    out, version, lowdown, folder, *programs = sys.argv[1:]
    commands = dict(zip(programs[::2], programs[1::2]))
    for name, command in commands.items():
        roff.write(os.path.join(out, name + ".1.gz"), page(version, lowdown, folder, name, commands, [command]))


if __name__ == "__main__":
    main()
