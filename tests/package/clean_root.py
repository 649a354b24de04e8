# SPDX-License-Identifier: BSD-3-Clause
"""A root folder that has nothing but chosen Debian packages and what they depend on: their files, taken from this system,
and a package database that knows of no others. So a package that forgot a dependency is refused by dpkg or does not
run, without a network and in seconds.

Needs chroot(2): enter_namespaces() makes the caller root of namespaces of its own."""

import os
import re
import shutil
import subprocess
import sys
import tempfile

DPKG = "/var/lib/dpkg"
# Not what programs need: spares three quarters of the files.
SKIPPED = re.compile(r"/usr/share/(doc|man|locale|info|i18n|lintian|icons|zoneinfo|cmake-[0-9.]+/Help)/|/usr/lib/debug/")


def enter_namespaces():
    """Runs the program again, as root of new user, mount, network and process namespaces, and returns there, with a folder
    that is removed when all is over: from outside, where nothing is mounted in it. Programs keep their key and whom they know
    there, too."""
    work = os.environ.get("CMT_NAMESPACES")
    if work:
        run("ip", "link", "set", "lo", "up")
        return work
    user = [] if os.geteuid() == 0 else ["--user", "--map-root-user"]
    with tempfile.TemporaryDirectory(prefix="cmt-root-") as work:
        command = ["unshare", *user, "--mount", "--net", "--pid", "--fork", "--kill-child", "--mount-proc"]
        done = subprocess.run([*command, sys.executable, "-B", *sys.argv], check=False,
                              env={**os.environ, "CMT_NAMESPACES": work, "XDG_CONFIG_HOME": os.path.join(work, "config"),
                                   "XDG_STATE_HOME": os.path.join(work, "state")})
    sys.exit(done.returncode)


def run(*command, **more):
    """Standard output; an error has the rest."""
    done = subprocess.run(command, capture_output=True, text=True, check=False, **more)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(command)}: exit status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def alternatives(field):
    """The packages of a Depends field, as lists of which one will do."""
    return [[re.sub(r"[ (:\[].*", "", one.strip()) for one in choice.split("|")] for choice in field.split(",")
            if choice.strip()]


class CleanRoot:
    def __init__(self, folder):
        self.folder = folder
        self.packages = set()
        self._depends, self._providers, self._paragraphs = {}, {}, {}
        essential = self._read_database()
        for path in ("usr/bin", "usr/sbin", "usr/lib", "usr/lib64", "tmp", "proc", "dev", "root", "var/tmp", "etc",
                     DPKG[1:] + "/info", DPKG[1:] + "/updates", DPKG[1:] + "/triggers"):
            os.makedirs(os.path.join(folder, path))
        for name in ("bin", "sbin", "lib", "lib64"):
            os.symlink("usr/" + name, os.path.join(folder, name))
        run("mount", "-t", "proc", "proc", os.path.join(folder, "proc"))
        for name in ("null", "zero", "urandom"):
            with open(os.path.join(folder, "dev", name), "wb") as file:
                run("mount", "--bind", "/dev/" + name, file.name)
        with open(os.path.join(folder, "etc/passwd"), "w", encoding="ascii") as file:
            file.write("root:x:0:0:root:/root:/bin/bash\n")
        self.add(*essential)

    def _read_database(self):
        """Names of the essential packages, on which nobody depends by name."""
        essential = []
        with open(DPKG + "/status", encoding="utf-8") as file:
            paragraphs = file.read().split("\n\n")
        for paragraph in paragraphs:
            fields = dict(re.findall(r"(?m)^([\w-]+): (.*)", paragraph))
            if fields.get("Status", "").endswith(" installed"):
                name = fields["Package"]
                essential += [name] if fields.get("Essential") == "yes" else []
                self._paragraphs[name] = paragraph
                self._depends[name] = alternatives(fields.get("Pre-Depends", "") + "," + fields.get("Depends", ""))
                for provided in alternatives(fields.get("Provides", "")):
                    self._providers.setdefault(provided[0], name)
        return essential

    def _closure(self, names):
        found, waiting = set(), list(names)
        while waiting:
            name = waiting.pop()
            name = name if name in self._depends else self._providers.get(name)
            if name is None or name in found:
                continue
            found.add(name)
            for choice in self._depends[name]:
                there = [one for one in choice if one in self._depends or one in self._providers]
                if not there:
                    raise AssertionError(f"{name} depends on {' or '.join(choice)}, which is not installed here")
                waiting.append(there[0])
        return found

    def add(self, *names):
        """The packages and what they depend on."""
        missing = [name for name in names if name not in self._depends and name not in self._providers]
        if missing:
            raise AssertionError(f"not installed here: {' '.join(missing)}")
        new = self._closure(names) - self.packages
        self.packages |= new
        info = [name for name in os.listdir(DPKG + "/info") if re.split(r"[:.](?=[^.]*$|amd64)", name)[0] in new
                or name.partition(":")[0] in new]
        files = set()
        for name in info:
            if name.endswith(".list"):
                with open(f"{DPKG}/info/{name}", encoding="utf-8") as file:
                    files.update(file.read().split("\n"))
        wanted = set()
        for path in files:
            real = os.path.join(os.path.realpath(os.path.dirname(path)), os.path.basename(path))
            if path and not SKIPPED.search(real) and (os.path.islink(real) or os.path.isfile(real)):
                wanted.add(real[1:])
        listing = os.path.join(self.folder, "tmp/files")
        with open(listing, "w", encoding="utf-8") as file:
            file.write("".join(path + "\n" for path in sorted(wanted)))
        run("sh", "-c", f"tar -C / -T {listing} -cf - | tar -C {self.folder} --keep-directory-symlink -xf -")
        for name in info:
            shutil.copy(f"{DPKG}/info/{name}", self.folder + DPKG + "/info")
        self._write_database()
        self.run("ldconfig")

    def _write_database(self):
        with open(self.folder + DPKG + "/status", "a+", encoding="utf-8") as file:
            file.seek(0)
            there = set(re.findall(r"(?m)^Package: (\S+)", file.read()))
            file.write("".join(self._paragraphs[name] + "\n\n" for name in sorted(self.packages - there)))
        with open(self.folder + DPKG + "/triggers/File", "w", encoding="utf-8"):
            pass
        with open(self.folder + DPKG + "/triggers/ldconfig", "w", encoding="utf-8") as file:
            file.write("libc-bin\n")

    def install(self, *files):
        """dpkg checks what the packages depend on against what is in the root."""
        return run("dpkg", "--force-unsafe-io", "--root=" + self.folder, "--install", *files)

    def remove(self, *names):
        run("dpkg", "--root=" + self.folder, "--remove", *names)

    def environment(self):
        return {"PATH": "/usr/bin:/usr/sbin", "HOME": "/root", "LC_ALL": "C.UTF-8"}

    def run(self, *command):
        return run("chroot", self.folder, *command, env=self.environment())

    def start(self, *command):
        return subprocess.Popen(["chroot", self.folder, *command], env=self.environment(), stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, text=True)
