# SPDX-License-Identifier: BSD-3-Clause
# cost: 4 s
"""200 clients of cmt-streamd at once, every byte verified, in bounded memory."""
import json
import os
import re
import unittest

from media_programs import MediaTest, SERVER, VIEWER
from transfer_programs import Program

LOAD = os.environ["MEDIA_LOAD"]
CLIENTS = 200
FILE_BYTES = 4_000_000
MEMORY_BYTES = 40_000_000 + 200_000 * CLIENTS


class Load(MediaTest):
    def test_many_clients_at_once_in_bounded_memory(self):
        source = self.file("target/film.mp4", FILE_BYTES)
        server = self.server()
        load = Program(self, [LOAD, VIEWER, SERVER, str(CLIENTS), "/film.mp4", source])
        self.assertEqual(load.process.wait(), 0, load.stderr)  # it ends by itself when nothing arrives any more
        result = json.loads(load.stdout)
        with open(f"/proc/{server.process.pid}/status", encoding="ascii") as status:
            peak_bytes = int(re.search(r"VmHWM:\s+(\d+) kB", status.read())[1]) * 1024
        with open(f"/proc/{server.process.pid}/stat", encoding="ascii") as stat:
            ticks = sum(map(int, stat.read().rsplit(")", 1)[1].split()[11:13]))
        cpu_s = ticks / os.sysconf("SC_CLK_TCK")
        print(f"{result}, peak {peak_bytes / 1e6:.1f} MB, server {cpu_s:.1f} s of processor time")
        self.assertEqual((result["clients"], result["verified"]), (CLIENTS, CLIENTS))
        self.assertEqual(len(self.log(server, CLIENTS)), CLIENTS)
        self.assertLessEqual(peak_bytes, MEMORY_BYTES)


if __name__ == "__main__":
    unittest.main()
