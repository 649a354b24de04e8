# SPDX-License-Identifier: BSD-3-Clause
"""What users and machines get wrong: a message that names it and the way out, and the exit status."""
import os
import re
import resource
import shutil
import socket
import subprocess
import unittest

from transfer_programs import RECEIVER, RECV, SEND, SENDER, Program, TransferTest, wait_for

LIVE, PERF, STREAMD = (os.environ[name] for name in ("CMT_LIVE", "CMT_PERF", "CMT_STREAMD"))
NOBODY = 65534


def as_nobody():
    """Root may do everything, so it cannot show what is forbidden."""
    if os.geteuid() == 0:
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)


def has_bound(address, port):
    local = f"{int.from_bytes(socket.inet_aton(address), 'little'):08X}:{port:04X}"
    with open("/proc/net/udp", encoding="ascii") as table:
        return any(line.split()[1] == local for line in table)


def with_file_limit():
    resource.setrlimit(resource.RLIMIT_FSIZE, (2_000_000, 2_000_000))


class Arguments(TransferTest):
    def assert_usage(self, arguments, message):
        done = subprocess.run(arguments, capture_output=True, text=True, stdin=subprocess.DEVNULL)
        self.assertEqual((done.returncode, done.stderr), (2, message + "\n"))

    def test_wrong_arguments_of_cmt_send(self):
        to = ["--connect", RECEIVER]
        for arguments, message in [
            ([], "no receiver given; write --connect ADDR[,ADDR..]"),
            (to, "nothing to send; name files or folders, or - for standard input"),
            (["--connect", "10.0.0.256", "x"], "--connect: \"10.0.0.256\" cannot be resolved: "),
            ([*to, "--cc", "cubic", "x"], "--cc: \"cubic\" is not a congestion control; write one of default, veno, uncoupled"),
            ([*to, "--sched", "fast", "x"], "--sched: \"fast\" is not a scheduler; write one of "),
            ([*to, "--port", "70000", "x"], "--port: \"70000\" is not a port; write 1 to 65535"),
            ([*to, "--peer-udp-port", "0", "x"], "--peer-udp-port: \"0\" is not a port; write 1 to 65535"),
            ([*to, "--msg", "0", "x"], "--msg: \"0\" is out of range; write 1 to 262144"),
            ([*to, "--msg", "1MB", "x"], "--msg: \"1MB\" is out of range; write 1 to 262144"),
            ([*to, "--mtu", "100", "x"], "--mtu: \"100\" is not a packet size; write 576 to 65535"),
            ([*to, "--sndbuf", "many", "x"], "--sndbuf: \"many\" is not a size; write 1400, 50kB, 64KiB or 5M"),
            ([*to, "--stats", "xml", "x"], "--stats: \"xml\" is not a format of statistics; write json"),
            ([*to, "--msg", "3000", "--sndbuf", "4096", "x"], "--msg: \"3000\" is too large for --sndbuf 4096; at most half"),
            ([*to, "--timeout", "60x", "x"], "--timeout: \"60x\" is not a time; write 500us, 10ms or 1.5s"),
            ([*to, "--timeout", "1ms", "x"], "--timeout: \"1ms\" is too small; write 1s or more"),
            (["--connect", f"{RECEIVER}:99999", "x"], "--connect: \"127."),
            (["--connect", "10.1.0.1:1,10.2.0.1:2", "x"], "--connect: ports 1 and 2 differ; all addresses share one port"),
            (["--connect", "10.1.0.1:1", "--peer-udp-port", "2", "--port", "3", "x"],
             "--connect: port 1, but --port 3; write only one of them"),
            ([*to, "--resume", "-"], "--resume: standard input cannot be resumed; send a file"),
            ([*to, "--name", "n", "a", "b"], "--name: is for one file or folder, and 2 are given"),
            ([*to, "--bind", "eth0", "x"], "--bind: \"eth0\" is not an IP address; write 192.0.2.1 or fd00::1"),
            ([*to, "--wrong", "x"], "\"--wrong\": unknown option, or its value is missing; try `cmt-send --help`"),
            (["x", "--connect"], "\"--connect\": unknown option, or its value is missing; try `cmt-send --help`"),
        ]:
            with self.subTest(message):
                done = subprocess.run([SEND, *arguments], capture_output=True, text=True, stdin=subprocess.DEVNULL)
                status = 1 if "cannot be resolved" in message else 2  # a name server may know it another time
                self.assertEqual(done.returncode, status)
                self.assertTrue(done.stderr.startswith("cmt-send: " + message), done.stderr)

    def test_wrong_arguments_of_cmt_recv(self):
        for arguments, message in [
            (["-o", "x", "-d", "y"], "-o and -d exclude each other; write -o DIR/FILE"),
            (["-o", ""], "-o: the name is empty; write -o FILE or -o -"),
            (["x"], "\"x\": one argument too many; try `cmt-recv --help`"),
            (["--bind", "any", "--bind", "127.0.0.1"], "--bind: \"any\" cannot be combined with other addresses"),
            (["--bind", "127.0.0.1:0"], "--bind: \"0\" is not a port; write 1 to 65535"),
            (["--bind", "127.0.0.1:1", "--bind", "127.0.0.2:2"], "--bind: ports 1 and 2 differ; all addresses share one port"),
            (["--udp-port", "-1"], "--udp-port: \"-1\" is not a port; write 0 (any) to 65535"),
        ]:
            with self.subTest(message):
                self.assert_usage([RECV, *arguments], "cmt-recv: " + message)


class Start(TransferTest):
    def run_receiver(self, *arguments, **options):
        program = Program(self, [RECV, *arguments], **options)
        program.wait()
        return program

    def for_nobody(self, program):
        """A copy that is reachable without root's rights."""
        os.chmod(self.folder, 0o755)
        return shutil.copy(program, self.folder)

    def test_address_not_on_this_host(self):
        message = (r"cannot bind 192\.0\.2\.7: address not on this host \(have .*127\.0\.0\.1.*\); "
                   r"write --bind any to use all")
        self.assert_failed(self.run_receiver("--bind", "192.0.2.7"), "cmt-recv: " + message)
        self.assert_failed(Program(self, [SEND, "--bind", f"{SENDER},192.0.2.7", "--connect", RECEIVER,
                                          self.file("x", 1)]), "cmt-send: " + message)

    def test_options_that_a_policy_has_not(self):
        control = r"--cc: linked has no option \"speed\"; it has hystart, pacing, queue_us"
        scheduler = r"--sched: queue_us of arrival must be a whole number from 0 to 10000000, not \"1ms\""
        for arguments, message in ((["--cc", "linked:speed=1"], control), (["--sched", "arrival:queue_us=1ms"], scheduler)):
            self.assert_failed(self.run_receiver("--bind", RECEIVER, *arguments), "cmt-recv: " + message, status=2)
            self.assert_failed(Program(self, [SEND, "--connect", RECEIVER, *arguments, self.file("x", 1)]),
                               "cmt-send: " + message, status=2)

    def test_port_in_use(self):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as other:
            other.bind((RECEIVER.split(",")[1], 9899))
            self.assert_failed(self.run_receiver("--bind", RECEIVER),
                               r"cmt-recv: cannot bind 127\.[0-9.]+: UDP port 9899 is in use there, by python3[.0-9]* \(process \d+\); "
                               "choose another with --udp-port")

    def test_no_permission_for_raw_sockets(self):
        os.chmod(self.target, 0o777)
        program = Program(self, [self.for_nobody(RECV), "--bind", RECEIVER, "--raw", "-d", self.target],
                          preexec_fn=as_nobody)
        self.assert_failed(program, "cmt-recv: cannot open raw sockets: no permission; run as root or with CAP_NET_RAW, "
                           "or leave --raw out")

    def test_folder_that_cannot_be_made_or_written(self):
        self.assert_failed(self.run_receiver("-d", self.in_target("no/where")), "cmt-recv: cannot make the folder "
                           ".*/no/where: No such file or directory; choose another with -d")
        self.assert_failed(self.run_receiver("-d", self.file("x", 1)), "cmt-recv: cannot open the folder .*/x: "
                           "Not a directory; choose another with -d")
        os.chmod(self.target, 0o555)
        program = Program(self, [self.for_nobody(RECV), "--bind", RECEIVER, "-d", self.target], preexec_fn=as_nobody)
        self.assert_failed(program, "cmt-recv: cannot write to the folder .*: Permission denied; choose another with -d")

    def test_receiver_not_there(self):
        source = self.file("x", 1)
        sender = self.send("--timeout", "2s", source)
        self.assert_failed(sender, f"cmt-send: cannot connect to {RECEIVER.replace(',', ', ')}, UDP port 9899: "
                           r"Connection refused; is cmt-recv running there, and with --bind\? Without --bind a server listens "
                           "on 127.0.0.1 only")

    def test_receiver_listens_on_loopback_unless_told_otherwise(self):
        receiver = Program(self, [RECV, "--udp-port", "0", "-d", self.target])
        wait_for(lambda: "listening" in receiver.stderr, "cmt-recv to listen")
        self.assertRegex(receiver.stderr, "listening on 127.0.0.1, SCTP port 5001, UDP port [0-9]+; "
                         "with --bind any, other hosts can connect\n")
        port = re.search(r"UDP port (\d+)", receiver.stderr)[1]
        source = self.file("x", 1000)
        sender = Program(self, [SEND, "--connect", "127.0.0.1", "--peer-udp-port", port, source])
        self.assert_sent(sender)
        self.assert_same(source, "x")

    def test_all_servers_run_on_one_host(self):
        for arguments, port in (([RECV, "-d", self.in_target("new")], 9899), ([PERF, "-s"], 5201),
                                ([STREAMD, "-d", self.target], 5002), ([LIVE, "cmt://", "udp://127.0.0.1:9"], 5003)):
            server = Program(self, [*arguments, "--bind", RECEIVER])
            wait_for(lambda: "listening" in server.stderr or server.process.poll() is not None, arguments[0])
            self.assertRegex(server.stderr, f"listening on .*, UDP port {port}\n")
        self.assert_sent(self.send("--timeout", "60", self.file("x", 1000)))
        self.assertEqual(os.listdir(self.in_target("new")), ["x"])
        self.assert_sent(Program(self, [SEND, "--connect", RECEIVER + ":9899", self.file("y", 1000)]))
        again = Program(self, [STREAMD, "-d", self.target, "--bind", RECEIVER])
        self.assert_failed(again, r"UDP port 5002 is in use there, by cmt-streamd \(process \d+\); choose another")

    def test_bind_any_takes_all_addresses(self):
        receiver = Program(self, [RECV, "--bind", "any", "--udp-port", "0", "-d", self.target])
        wait_for(lambda: "listening" in receiver.stderr, "cmt-recv to listen")
        self.assertIn("127.0.0.1", receiver.stderr)


class Files(TransferTest):
    def test_what_cannot_be_sent_is_named_before_anything_is_sent(self):
        self.receiver()
        source = self.file("x", 1)
        self.assert_failed(self.send(source, os.path.join(self.folder, "missing")),
                           "cmt-send: .*/missing: cannot be sent: No such file or directory")
        self.assertEqual(os.listdir(self.target), [])
        os.mkdir(os.path.join(self.folder, "other"))
        shutil.copy(source, os.path.join(self.folder, "other/x"))
        self.assert_failed(self.send(source, os.path.join(self.folder, "other/x")),
                           "cmt-send: .*/x and .*/other/x would both be x at the receiver; send them one after the other")
        self.assert_failed(self.send(self.file("bad\nname", 1)), r"cmt-send: \"bad\\x0aname\" has control characters "
                           "or is not UTF-8; rename it first")
        self.assert_failed(self.send("--name", "../x", source), "is not a path below the receiver's folder")

    def test_an_unreadable_file_is_named_and_the_others_arrive(self):
        self.receiver()
        os.chmod(self.folder, 0o755)
        program = shutil.copy(SEND, self.folder)
        secret, public = self.file("tree/a_secret", 10), self.file("tree/b_public", 10)
        os.chmod(secret, 0)
        os.makedirs(os.path.join(self.folder, "tree/c_closed"))
        os.chmod(os.path.join(self.folder, "tree/c_closed"), 0)
        sender = Program(self, [program, "--bind", SENDER, "--connect", RECEIVER, os.path.join(self.folder, "tree")],
                         preexec_fn=as_nobody)
        self.assert_failed(sender, "tree/a_secret: cannot read it: Permission denied")
        self.assertRegex(sender.stderr, "tree/c_closed: Permission denied")
        self.assert_same(public, "tree/b_public")

    def test_no_room_for_the_file(self):
        source = self.file("big", 8_000_000)
        receiver = self.receiver("--once", preexec_fn=with_file_limit)
        self.assert_failed(self.send(source), "cmt-send: big: larger than the receiver may write; what arrived is kept; "
                           r"raise its limit \(ulimit -f\) and send again with --resume")
        self.assertEqual(receiver.wait(), 1)
        self.assertEqual(os.path.getsize(self.in_target("big.cmt-part")), 2_000_000)
        self.receiver()
        sender = self.send("--resume", "--stats", "json", source)
        self.assert_sent(sender)
        self.assertEqual(sender.stats["resumed_at_bytes"], 2_000_000)
        self.assert_same(source, "big")

    def test_a_file_without_room_does_not_stop_the_others(self):
        big, small = self.file("a_big", 8_000_000), self.file("b_small", 1000)
        self.receiver(preexec_fn=with_file_limit)
        self.assert_failed(self.send(big, small), "a_big: larger than the receiver may write")
        self.assert_same(small, "b_small")

    def test_full_disk_behind_standard_output(self):
        with open("/dev/full", "wb") as full:
            receiver = self.receiver("--once", where=["-o", "-"], stdout=full)
            self.assert_failed(self.send(self.file("x", 100_000)), "cannot write to standard output: No space left on device")
            self.assert_failed(receiver, "cannot write to standard output: No space left on device")

    def test_reader_of_standard_output_gone(self):
        receiver = self.receiver("--once", where=["-o", "-"], stdout=subprocess.PIPE)
        receiver.process.stdout.close()
        self.assert_failed(self.send(self.file("x", 100_000)), "cannot write to standard output: Broken pipe")
        self.assertEqual(receiver.wait(), 1)

    def test_a_folder_that_cannot_be_made(self):
        os.chmod(self.folder, 0o755)
        os.chmod(self.target, 0o777)
        os.mkdir(self.in_target("tree"), 0o555)
        self.file("tree/sub/x", 10)
        program = shutil.copy(RECV, self.folder)
        receiver = Program(self, [program, "--bind", RECEIVER, "-d", self.target], preexec_fn=as_nobody)
        wait_for(lambda: "listening" in receiver.stderr, "cmt-recv to listen")
        sender = self.send(os.path.join(self.folder, "tree"))
        self.assert_failed(sender, r"tree/sub: the receiver may not write there \(Permission denied\); choose another "
                           "folder with -d")

    def test_quiet_says_nothing_when_all_is_well_and_all_when_not(self):
        receiver = Program(self, [RECV, "-q", "--bind", RECEIVER, "-d", self.target])
        wait_for(lambda: has_bound(RECEIVER.split(",")[0], 9899), "cmt-recv to listen")
        sender = self.send("-q", self.file("x", 1000))
        self.assert_sent(sender)
        self.assertEqual((sender.stderr, sender.stdout, receiver.stderr), ("", "", ""))
        os.remove(os.path.join(self.folder, "x"))
        self.assert_failed(self.send("-q", self.file("x", 999)), "x: already exists at the receiver with other content")


if __name__ == "__main__":
    unittest.main()
