# SPDX-License-Identifier: BSD-3-Clause
"""Two networks of a test's own, this process in one of them, joined by two cables that can be pulled.

    if __name__ == "__main__":
        two_networks.enter()
        unittest.main()"""
import os
import subprocess
import sys

from transfer_programs import Program, wait_for

NEAR, FAR = "10.1.0.1,10.2.0.1", "10.1.0.2,10.2.0.2"
_ENTERED = "CMT_TEST_NETWORK"  # in the environment of the process that has the network


def run(*command):
    subprocess.run(command, check=True)


class TwoNetworks:
    """Cable N joins nearN, 10.N.0.1, here and farN, 10.N.0.2, there."""

    def __init__(self, test):
        run("ip", "link", "set", "lo", "up")
        self.other = Program(test, ["unshare", "--net", "sleep", "600"])
        mine = os.readlink("/proc/self/ns/net")
        wait_for(lambda: os.readlink(f"/proc/{self.other.process.pid}/ns/net") != mine, "the other network")
        for path in (1, 2):
            run("ip", "link", "add", "name", f"near{path}", "type", "veth", "peer", "name", f"far{path}",
                "netns", str(self.other.process.pid))
            test.addCleanup(subprocess.run, ["ip", "link", "del", f"near{path}"], check=False)
            run("ip", "address", "add", f"10.{path}.0.1/24", "dev", f"near{path}")
            run("ip", "link", "set", f"near{path}", "up")
            self.there("ip", "address", "add", f"10.{path}.0.2/24", "dev", f"far{path}")
            self.there("ip", "link", "set", f"far{path}", "up")

    def there_prefix(self):
        """Before the words of a command that runs there."""
        return ["nsenter", "--net", "--target", str(self.other.process.pid)]

    def there(self, *command):
        run(*self.there_prefix(), *command)


def enter():
    """Runs this test anew in a network of its own, as root in it."""
    if _ENTERED in os.environ:
        return
    user = [] if os.geteuid() == 0 else ["--user", "--map-root-user"]
    os.environ[_ENTERED] = "1"
    os.execvp("unshare", ["unshare", *user, "--net", sys.executable, "-B", *sys.argv])
