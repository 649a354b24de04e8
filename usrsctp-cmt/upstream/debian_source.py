# SPDX-License-Identifier: BSD-3-Clause
"""Debian's source packages by apt with private package lists: needs no root, and nothing of the system's configuration or
package lists changes."""

import os
import re
import shutil
import subprocess


class SourceError(Exception):
    """Text says what failed."""


def as_source_list(name, text):
    """The same sources with their type turned into deb-src; `name` tells deb822 from one-line format."""
    if name.endswith(".sources"):
        return re.sub(r"(?mi)^Types:.*$", "Types: deb-src", text)
    lines = [line for line in text.splitlines() if re.match(r"\s*deb\s", line)]
    return "".join(re.sub(r"^\s*deb\b", "deb-src", line) + "\n" for line in lines)


def private_sources(folder):
    """Copies the system's package sources to `folder` as deb-src. What apt ignores, like *.disabled, is ignored."""
    query = ["apt-config", "shell", "LIST", "Dir::Etc::sourcelist/f", "PARTS", "Dir::Etc::sourceparts/d"]
    output = subprocess.run(query, capture_output=True, text=True, check=True).stdout
    paths = dict(re.findall(r"^(\w+)='(.*)'$", output, re.M))
    files = [paths.get("LIST", "/etc/apt/sources.list")]
    parts = paths.get("PARTS", "/etc/apt/sources.list.d")
    if os.path.isdir(parts):
        files += [os.path.join(parts, name) for name in sorted(os.listdir(parts))]
    count = 0
    for path in files:
        name = os.path.basename(path)
        if not re.fullmatch(r"[A-Za-z0-9_.-]+\.(list|sources)", name) or not os.path.isfile(path):
            continue
        with open(path, encoding="utf-8", errors="replace") as f:
            text = as_source_list(name, f.read())
        if text.strip():
            with open(os.path.join(folder, name), "w", encoding="utf-8") as f:
                f.write(text)
            count += 1
    return count


def run_apt(options, arguments, folder):
    command = ["apt-get", "-q", *options, *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)
    errors = [line for line in (done.stderr + done.stdout).splitlines() if line.startswith(("E:", "Err:"))]
    return done.returncode == 0, "; ".join(errors[:3])


class Archive:
    """What the system's package sources have; lists and downloads are in `folder`."""

    def __init__(self, folder):
        self.folder = folder
        if not shutil.which("apt-get"):
            raise SourceError("there is no apt-get here")
        for name in ("parts", "lists/partial", "cache/archives/partial"):
            os.makedirs(os.path.join(folder, name), exist_ok=True)
        if private_sources(os.path.join(folder, "parts")) == 0:
            raise SourceError("apt has no package sources")
        self.options = [
            "-oDir::Etc::SourceList=/dev/null",
            f"-oDir::Etc::SourceParts={folder}/parts",
            f"-oDir::State::Lists={folder}/lists",
            f"-oDir::Cache={folder}/cache",
            "-oAPT::Sandbox::User=root",  # the private folders are not apt's; only root ever switches user
            "-oAcquire::Languages=none",
            "-oAcquire::Retries=2",
        ]
        self.updated, self.why = run_apt(self.options, ["update"], folder)

    def get(self, is_wanted, *packages):
        """Downloads the first of `packages` (NAME or NAME=VERSION) that is there, and returns the path of the file whose
        name `is_wanted`."""
        why = self.why
        for package in packages:
            done, error = run_apt(self.options, ["source", "--download-only", package], self.folder)
            found = [name for name in os.listdir(self.folder) if is_wanted(name)]
            if done and found:
                return os.path.join(self.folder, found[0])
            why = why or error
        what = "could not be fetched" if why or not self.updated else "was not found"
        raise SourceError(f"{what} ({why or 'no reason given'})")
