# SPDX-License-Identifier: BSD-3-Clause
# cost: 3 s
"""The stored captures, plain and encrypted, with random bytes changed: no crash, no hang, no report of a sanitizer. Many are
put into one file, as tshark takes longer to start than to read one. CMT_MUTATIONS says how many; ./check takes few."""

import os
import random
import shutil
import unittest

import capture
import dtls
import shark

COUNT = int(os.environ.get("CMT_MUTATIONS", "170"))
PER_FILE = 85
ENCRYPTED_PER_FILE = 8
SEED = int(os.environ.get("CMT_MUTATION_SEED", "1"))
# Every look at the packets in turn. Without checksums the changes reach the analysis.
LOOKS = [
    ("-q", "-z", "sctp-cmt,stat", "-z", "sctp-cmt,tree", "-z", "expert"),
    ("-V",),
    ("-2", "-T", "fields", "-e", "sctp_cmt", "-e", "sctp.cmt.analysis.displacement", "-e", "sctp.cmt.spurious"),
    ("-q", "-z", "sctp-cmt,stat,sctp.cmt.analysis.path == 1", "-z", "expert,sctp.cmt.path_id == 1"),
]


def mutate(rng, frame, probability):
    """Each byte changes with this probability, as with `editcap -E`; some frames are lost, cut or doubled."""
    ip = bytearray(frame.ip)
    for _ in range(sum(rng.random() < probability for _ in range(len(ip)))):
        ip[rng.randrange(len(ip))] = rng.randrange(256)
    # Where it hurts: the headers of chunks, and of records.
    if rng.random() < 0.2:
        at = rng.randrange(min(len(ip), 100))
        ip[at] = rng.choice((0, 1, 3, 0x28, 0x2B, 0x41, 0x80, 0x81, 0x9E, 0x9F, 0xFF))
    fate = rng.random()
    if fate < 0.02:
        return []
    if fate < 0.04:
        return [frame._replace(ip=bytes(ip[:rng.randrange(1, len(ip) + 1)]), wire_bytes=len(ip))]
    return [frame._replace(ip=bytes(ip))] * (2 if fate < 0.06 else 1)


def encrypt(rng, frames, probability):
    """What is changed is encrypted; or what is encrypted is changed, some of it with a right checksum. (frames, key log)"""
    encryption = dtls.Encryption(rng.choice(sorted(dtls.KEY_BYTES)), packets_per_epoch=rng.choice((None, 20)),
                                 first_number=rng.choice((0, 65530, 1 << 22)))
    out, before = [], rng.random() < 0.5
    for frame in frames:
        header, packet = capture.split(frame.ip)
        packet_of = capture.Frame(frame.at_us, packet)
        for changed in mutate(rng, packet_of, probability) if before else [packet_of]:
            if len(changed.ip) >= capture.SCTP_HEADER_BYTES:
                packet = capture.split(encryption.protect(capture.join(header, changed.ip)))[1]
                for again in [capture.Frame(0, packet)] if before else mutate(rng, capture.Frame(0, packet), probability):
                    whole = again.ip
                    if not before and len(whole) > capture.SCTP_HEADER_BYTES and rng.random() < 0.5:
                        whole = capture.with_checksum(whole)
                    out.append(frame._replace(ip=capture.join(header, whole), wire_bytes=None))
    return out, encryption.log


class Mutation(unittest.TestCase):
    def test_nothing_breaks(self):
        sh = shark.Shark()
        self.addCleanup(sh.close)
        stored = [capture.read(os.path.join(shark.CAPTURES, name)) for name in shark.stored_captures()]
        path, keylog = os.path.join(sh.folder, "mutated.pcap"), os.path.join(sh.folder, "keys.log")
        raw = [os.path.join(shark.CAPTURES, name + ".pcap") for name in ("ipv4", "ipv6", "loss", "malformed")]
        for batch in range(-(-COUNT // PER_FILE)):
            rng = random.Random(SEED * 1000003 + batch)
            frames, log = [], ""
            for i in range(min(PER_FILE, COUNT - batch * PER_FILE)):
                link, some = stored[(batch * PER_FILE + i) % len(stored)]
                probability = rng.choice((0.0, 0.001, 0.01, 0.05))
                some = [m for f in some for m in mutate(rng, f, probability)]
                # Raw IP and Ethernet do not go into one file: without its header the latter is raw IP, too.
                frames += [f._replace(ip=f.ip[14:]) for f in some if len(f.ip) > 15] if link == capture.ETHERNET else some
            for i in range(ENCRYPTED_PER_FILE):
                some, lines = encrypt(rng, capture.read(raw[i % len(raw)])[1], rng.choice((0.0, 0.001, 0.01, 0.05)))
                frames += some
                log += lines
            capture.write(path, [f for f in frames if f.ip])
            with open(keylog, "w", encoding="ascii") as file:
                file.write(log)
            os.chmod(path, 0o644)
            os.chmod(keylog, 0o644)
            look = LOOKS[batch % len(LOOKS)]
            checksums = [] if batch % 3 else ["-o", "sctp_cmt.verify_checksum:FALSE"]
            keys = ["-o", "sctp_cmt.keylog_file:" + keylog]
            done = sh.run("tshark", "-n", "-r", path, *look, *checksums, *keys, time_limit_s=300)
            broken = done.returncode != 0 or any(word in done.stderr for word in shark.SANITIZER_ERRORS)
            if broken:
                kept = shutil.copy(path, f"/tmp/cmt-mutated-{SEED}-{batch}.pcap")
                self.fail(f"{kept}: tshark {' '.join(look)}: exit status {done.returncode}\n{done.stderr[-4000:]}")
        print(f"{COUNT} mutated captures, seed {SEED}")


if __name__ == "__main__":
    unittest.main()
