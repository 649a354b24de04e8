# SPDX-License-Identifier: BSD-3-Clause
"""Where a job runs: a network of its own with nobody else in it, that is gone when the job is.

Either namespaces of this kernel, when it has sch_netem, or a User Mode Linux that is booted for the job. Both end by
themselves: `timeout` is their parent.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading

HERE = os.path.dirname(os.path.abspath(__file__))
GUEST = os.path.join(HERE, "guest.py")
UML_MODULES = "/usr/lib/uml/modules"
UML_BASE_MEMORY_MB = 1024  # besides what is sent, received and captured: TCP gets a tenth of it, for windows of 12 MB
running = set()  # processes of run_bounded()
END_S = 3
BOOT_S = 60  # more than any boot takes, also on a busy host
CACHE = os.path.join(os.environ.get("XDG_CACHE_HOME", os.path.expanduser("~/.cache")), "usrsctp-cmt", "uml")

NAMESPACE_INIT = """#!/bin/sh
mount -t tmpfs -o size=100% tmpfs /run && exec {python} -B {guest} {folder}
"""

# No module beyond these: sctp.ko, loaded, would answer the stack's packets with ABORTs.
MODULES = ("drivers/net/veth", "net/sched/sch_netem")

UML_INIT = """#!/bin/sh
export PATH=/usr/sbin:/usr/bin:/sbin:/bin
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t tmpfs -o size=100% tmpfs /run
kernel={uml_modules}/$(uname -r)/kernel
for module in {modules}; do
	[ -e $kernel/$module.ko ] && insmod $kernel/$module.ko
done
{python} -B {guest} {folder}
{python} -c 'import ctypes; ctypes.CDLL(None).reboot(0x4321fedc)'
"""


class NoMachine(Exception):
    """Neither this kernel nor User Mode Linux can do it; says what is missing."""


def host_has_netem():
    """Whether a netem qdisc can be made in a new network namespace of this kernel."""
    script = "ip link add x type veth peer name y && tc qdisc add dev x root netem delay 1ms"
    try:
        return subprocess.run([*unshare(), "sh", "-c", script], capture_output=True, timeout=20,
                              check=False).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def unshare():
    user = [] if os.geteuid() == 0 else ["--user", "--map-root-user"]
    return ["unshare", *user, "--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"]


class Namespaces:
    name = "namespaces of this kernel"
    time_travel = False

    def command(self, folder, _job, _core):
        return [*unshare(), write_init(folder, NAMESPACE_INIT, guest=GUEST)]

    def environment(self, _folder):
        return dict(os.environ)


class UserModeLinux:
    def __init__(self, kernel, time_travel=False, modules=MODULES, guest=GUEST):
        self.kernel, self.time_travel, self.modules, self.guest = kernel, time_travel, modules, guest
        self.name = f"User Mode Linux ({kernel}{', time-travel=inf-cpu' if time_travel else ''})"

    def command(self, folder, job, core):
        # UML's processes take turns: on one core without waking up another one, which costs more than the turn, and
        # before everything else, if this user may: a process that comes late looks like jitter of the network. With
        # time travel nothing comes late.
        core = max(os.sched_getaffinity(0)) if core is None else core
        memory_mb = UML_BASE_MEMORY_MB + 4 * job["bytes"] // 1_000_000
        init = write_init(folder, UML_INIT, guest=self.guest, uml_modules=UML_MODULES, modules=" ".join(self.modules))
        first = [] if self.time_travel else ["nice", "-n", "-19"]
        return [*first, "taskset", "-c", str(core), self.kernel, f"mem={memory_mb}M", "rootfstype=hostfs",
                "rootflags=/", "rw", f"init={init}", f"uml_dir={folder}/uml", "con=null", "con0=null,fd:1", "quiet",
                *(["time-travel=inf-cpu"] if self.time_travel else [])]

    def environment(self, folder):
        return {**os.environ, "TMPDIR": memory_folder(folder), "LD_PRELOAD": preload("uml_xstate")}


def memory_folder(folder):
    """Where UML keeps its memory: a file system in memory, if there is one."""
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else folder


def python():
    """The interpreter itself: a wrapper (pyenv) would be run anew inside."""
    return os.path.realpath(sys.executable)


def write_init(folder, template, **words):
    path = os.path.join(folder, "init")
    with open(path, "w", encoding="utf-8") as stream:
        stream.write(template.format(folder=folder, python=python(), **words))
    os.chmod(path, 0o755)
    return path


def preload(name):
    """The shared library of a source file beside this one, compiled once."""
    source, out = os.path.join(HERE, f"{name}.c"), os.path.join(CACHE, f"{name}.so")
    if not os.path.exists(out) or os.path.getmtime(out) < os.path.getmtime(source):
        os.makedirs(CACHE, exist_ok=True)
        draft = f"{out}.{os.getpid()}.{threading.get_ident()}"  # another one may be doing the same now
        subprocess.run(["cc", "-O2", "-shared", "-fPIC", "-o", draft, source], check=True)
        os.rename(draft, out)
    return out


def find(time_travel=False):
    """The machine to use. Raises NoMachine."""
    built = os.path.join(CACHE, "linux")
    if time_travel:
        if not os.path.exists(built):
            raise NoMachine(f"--time-travel: there is no {built}; run tests/netem/build-uml once")
        return UserModeLinux(built, time_travel=True)
    return Namespaces() if host_has_netem() else packaged_uml()


def packaged_uml(**what):
    """Debian's User Mode Linux. Raises NoMachine."""
    kernel = shutil.which("linux.uml")
    if kernel is None:
        raise NoMachine("this kernel has no sch_netem (or no namespaces for this user), and there is no linux.uml; "
                        "install the package user-mode-linux")
    if not os.path.isdir(UML_MODULES):
        raise NoMachine(f"linux.uml has no modules in {UML_MODULES}; install the package user-mode-linux")
    return UserModeLinux(kernel, **what)


def run(machine, job, files=None, keep=None, core=None):
    """Runs `job` (guest.py) and returns its outcome. `files` are texts or bytes that the job finds in its folder;
    `keep(folder, outcome)` sees the folder before it is removed. `core`: where, if the machine has but one."""
    with tempfile.TemporaryDirectory(prefix="cmt-netem-") as folder:
        for name, content in {"job.json": json.dumps(job), **(files or {})}.items():
            with open(os.path.join(folder, name), "wb") as stream:
                stream.write(content.encode() if isinstance(content, str) else content)
        console = run_bounded(machine, job, folder, core)
        outcome = read_outcome(folder)
        if outcome is None:
            outcome = {"problems": [f"{machine.name} gave no result; its last words: {console.strip()[-400:]}"]}
        if keep is not None:
            keep(folder, outcome)
        return outcome


def run_bounded(machine, job, folder, core):
    limit_s = job["timeout_s"] + BOOT_S
    with open(os.path.join(folder, "console"), "w+", encoding="utf-8", errors="replace") as console:
        process = subprocess.Popen(["timeout", "--kill-after=5", str(limit_s), *machine.command(folder, job, core)],
                                   stdin=subprocess.DEVNULL, stdout=console, stderr=subprocess.STDOUT,
                                   env=machine.environment(folder), start_new_session=True)
        running.add(process)
        try:
            process.wait()
        finally:
            end_session(process)
            running.discard(process)
        console.seek(0)
        return console.read()


def end_all():
    """Of this process' machines; their run() returns."""
    for process in list(running):
        end_session(process)


def end_session(process):
    """Nothing that it started may outlive it. UML has a session of its own and takes its processes along when it is
    asked to end; namespaces end with the first process in them."""
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(END_S)
        except subprocess.TimeoutExpired:
            pass
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()


def read_outcome(folder):
    try:
        with open(os.path.join(folder, "outcome.json"), encoding="utf-8") as stream:
            return json.load(stream)
    except FileNotFoundError:
        return None
