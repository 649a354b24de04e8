# SPDX-License-Identifier: BSD-3-Clause
"""Runs tshark with the plugin, as an ordinary user: for root tshark silently ignores WIRESHARK_PLUGIN_DIR. Everything
that the user needs is copied to a folder that everybody may read. With a plugin built under sanitizers, their
runtime is loaded before tshark, and Wireshark's memory pools become malloc."""

import os
import re
import shutil
import subprocess
import tempfile

import capture

HERE = os.path.dirname(os.path.abspath(__file__))
CAPTURES = os.path.join(HERE, "captures")
NOBODY = 65534
TIME_LIMIT_S = 120
SANITIZER_ERRORS = ("AddressSanitizer", "runtime error:", "LeakSanitizer")


class Shark:
    """A folder with the plugin, a home, and whatever captures are put there."""

    def __init__(self, plugins=None):
        self.folder = tempfile.mkdtemp(prefix="cmt-shark-")
        os.chmod(self.folder, 0o755)
        self.plugins = os.path.join(self.folder, "plugins")
        shutil.copytree(plugins or os.environ["CMT_WIRESHARK_PLUGINS"], self.plugins)
        self.home = os.path.join(self.folder, "home")
        os.mkdir(self.home)
        self.as_user = []
        if os.geteuid() == 0:
            os.chown(self.home, NOBODY, NOBODY)
            self.as_user = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]
        self.environment = {
            "PATH": os.environ["PATH"], "HOME": self.home, "LC_ALL": "C.UTF-8", "TZ": "UTC",
            "XDG_RUNTIME_DIR": self.home, "WIRESHARK_PLUGIN_DIR": self.plugins, "WIRESHARK_CONFIG_DIR": self.home,
        }
        if os.environ.get("CMT_PRELOAD"):
            self.environment.update(LD_PRELOAD=os.environ["CMT_PRELOAD"], WIRESHARK_DEBUG_WMEM_OVERRIDE="simple",
                                    ASAN_OPTIONS="detect_leaks=0", UBSAN_OPTIONS="print_stacktrace=1")

    def close(self):
        shutil.rmtree(self.folder)

    def put(self, path):
        """A copy of a file that the user can read."""
        copy = os.path.join(self.folder, os.path.basename(path))
        shutil.copyfile(path, copy)
        os.chmod(copy, 0o644)
        return copy

    def keys_of(self, path):
        """Arguments that give tshark the keys of a capture: those in the file beside it, with .keys at the end."""
        return ("-o", "sctp_cmt.keylog_file:" + self.put(path + ".keys")) if os.path.exists(path + ".keys") else ()

    def run(self, *command, time_limit_s=TIME_LIMIT_S, **environment):
        """The finished process; a tool that hangs is a TimeoutExpired."""
        return subprocess.run([*self.as_user, *command], capture_output=True, text=True, errors="replace",
                              stdin=subprocess.DEVNULL, timeout=time_limit_s, check=False, cwd=self.home,
                              env={**self.environment, **environment})

    def tshark(self, *arguments, **options):
        """Its output; anything on stderr is an error."""
        done = self.run("tshark", *arguments, "-n", **options)
        if done.returncode != 0 or done.stderr.strip():
            raise AssertionError(f"tshark {' '.join(arguments)}: exit status {done.returncode}\n{done.stderr}")
        return done.stdout

    def fields(self, capture, names, *arguments):
        """A dict for every frame: field to list of values, those that it has."""
        return self.fields_and_more(capture, names, *arguments)[0]

    def fields_and_more(self, capture, names, *arguments):
        """The same, and what follows: statistics asked for with -z."""
        command = ["-r", capture, *arguments, "-T", "fields", "-E", "separator=/t", "-E", "aggregator=;"]
        for name in names:
            command += ["-e", name]
        fields, mark, more = self.tshark(*command).partition("\n" + 20 * "=")
        rows = [{name: cell.split(";") for name, cell in zip(names, line.split("\t")) if cell}
                for line in fields.splitlines()]
        return rows, mark + more

    def statistic(self, capture, *arguments):
        """Rows of -z sctp-cmt,stat, by column."""
        lines = self.tshark("-q", "-r", capture, "-z", "sctp-cmt,stat", *arguments).splitlines()
        head = next(i for i, line in enumerate(lines) if line.startswith("Association |"))
        names = [name.strip() for name in lines[head].rstrip(" |").split("|")]
        rows = [[cell.strip() for cell in line.rstrip(" |").split("|")] for line in lines[head + 2:]]
        return [dict(zip(names, row)) for row in rows if len(row) == len(names)]


def without_ports(rows):
    """Rows of the statistic, with the addresses of their paths alone."""
    def address(end):
        return re.sub(r":\d+$", "", end).strip("[]") if "." in end or "]" in end else end

    return [{**row, "From": address(row["From"]), "To": address(row["To"])} for row in rows]


def behind_one_address(folder):
    """A file: the two paths of loss.pcap with the same addresses, and two UDP ports."""
    link, frames = capture.read(os.path.join(CAPTURES, "loss.pcap"))
    file = os.path.join(folder, "one-address.pcap")
    capture.write(file, [f._replace(ip=capture.behind_one_address(f.ip), wire_bytes=None) for f in frames], link)
    return file


def stored_captures():
    return sorted(name for name in os.listdir(CAPTURES) if name.endswith(".pcap"))
