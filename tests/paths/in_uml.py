# SPDX-License-Identifier: BSD-3-Clause
"""Transfers of peers.py inside a User Mode Linux, whose kernel has SCTP: python3 in_uml.py FOLDER

job.json names them; outcome.json says what became of each, whatever happens, and where its packets are."""

import json
import os
import sys

HERE = os.path.dirname(os.path.realpath(__file__))
sys.dont_write_bytecode = True
sys.path[:0] = [HERE, os.path.join(HERE, "..", "package")]
from clean_root import run  # pylint: disable=wrong-import-position
from network import Uplinks, in_namespace
from transfer import transfer

UDP_PORT = 9899


def encapsulate(namespace, stack):
    """The kernel's SCTP in UDP; where it is not the peer, the port is free."""
    port = UDP_PORT if stack == "kernel" else 0
    run(*in_namespace(namespace, "sysctl", "-qw", f"net.sctp.udp_port={port}", f"net.sctp.encap_port={port}"))


def outcomes(job, folder):
    for number, (kind, client, server) in enumerate(job["transfers"]):
        network, capture, problem = Uplinks(**kind, nftables=False), f"capture-{number}", ""
        network.move_servers_off_loopback()
        network.send_whole_packets()
        encapsulate("client", client)
        encapsulate("server", server)
        try:
            transfer(job["programs"], network, client, server, os.path.join(folder, capture))
        except AssertionError as error:
            problem = str(error)
        network.close()
        yield {"what": [kind, client, server], "problem": problem, "capture": capture}


def main():
    folder = sys.argv[1]
    with open(os.path.join(folder, "job.json"), encoding="utf-8") as stream:
        job = json.load(stream)
    outcome = {"problems": [], "kernel": os.uname().release, "transfers": []}
    try:
        outcome["transfers"].extend(outcomes(job, folder))
    except (AssertionError, OSError) as problem:
        outcome["problems"].append(str(problem))
    draft = os.path.join(folder, "outcome.draft")
    with open(draft, "w", encoding="utf-8") as stream:
        json.dump(outcome, stream)
    os.rename(draft, os.path.join(folder, "outcome.json"))


if __name__ == "__main__":
    main()
