#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""webrtc.py LIBRARY FOLDER

An unchanged Debian Janus runs on LIBRARY by the link of docs/migration.md: a data channel through its echo test, with and
without a scheduler. The other end is aiortc, from PyPI, in an environment of its own in FOLDER, which later runs use again.
Everything takes place in a network namespace with one address."""
import asyncio
import contextlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request
import venv

ADDRESS = "10.99.0.1"
PORT = 8088
PREFIX = "Janus EchoTest here! You wrote: "
BIG_BYTES = 30000
REPEAT = 20
LIMIT_S = 60


def prepare(folder):
    """The Python with aiortc."""
    python = folder / "bin" / "python"
    ready = python.exists() and subprocess.run([python, "-c", "import aiortc"], stderr=subprocess.DEVNULL,
                                                 check=False).returncode == 0
    if not ready:
        venv.create(folder, with_pip=True, clear=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "aiortc"], check=True)
    return python


def configure(folder):
    """Janus's configuration in `folder`: the echo test, spoken to over HTTP."""
    for kind, name in (("plugins", "libjanus_echotest.so"), ("transports", "libjanus_http.so")):
        library = next(pathlib.Path("/usr/lib").glob(f"*/janus/{kind}/{name}"), None)
        if library is None:
            sys.exit(f"{name} is missing: apt-get install --no-install-recommends janus")
        (folder / kind).mkdir()
        (folder / kind / name).symlink_to(library.resolve())
    (folder / "janus.jcfg").write_text(f"""
general: {{
    configs_folder = "{folder}"
    plugins_folder = "{folder}/plugins"
    transports_folder = "{folder}/transports"
    events_folder = "{folder}"
    loggers_folder = "{folder}"
    debug_level = 4
    debug_colors = false
}}
""")
    (folder / "janus.transport.http.jcfg").write_text(f"""
general: {{
    json = "compact"
    base_path = "/janus"
    http = true
    port = {PORT}
    ip = "127.0.0.1"
    https = false
}}
admin: {{
    admin_http = false
    admin_https = false
}}
""")
    (folder / "janus.plugin.echotest.jcfg").write_text("general: {}\n")
    (folder / "lib").mkdir()


@contextlib.contextmanager
def janus(library, scheduler):
    """A running Janus."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        configure(folder)
        (folder / "lib" / "libusrsctp.so.2").symlink_to(library)
        environment = dict(os.environ, LD_LIBRARY_PATH=str(folder / "lib"))
        if scheduler:
            environment["USRSCTP_CMT_SCHEDULER"] = scheduler
        with open(folder / "log", "w", encoding="utf-8") as log, \
                subprocess.Popen(["janus", "--configs-folder", name, "--config", str(folder / "janus.jcfg")],
                                 env=environment, stdout=log, stderr=subprocess.STDOUT) as process:
            try:
                yield process
            except BaseException:
                print((folder / "log").read_text(encoding="utf-8", errors="replace"), file=sys.stderr)
                raise
            finally:
                process.terminate()
                try:
                    process.wait(10)
                except subprocess.TimeoutExpired:
                    process.kill()


async def speak(path, request=None):
    """What Janus answers to a request, or tells whoever waits for events."""
    body = None if request is None else json.dumps(dict(request, transaction="t")).encode()

    def call():
        direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with direct.open(f"http://127.0.0.1:{PORT}/janus{path}", body, LIMIT_S) as answer:
            return json.load(answer)

    answer = await asyncio.to_thread(call)
    if answer["janus"] == "error":
        sys.exit(f"Janus: {answer['error']}")
    return answer


async def is_up():
    """Waits until Janus listens."""
    for _ in range(100):
        with contextlib.suppress(urllib.error.URLError):
            await speak("/info")
            return
        await asyncio.sleep(0.1)
    sys.exit("Janus does not listen after 10 s")


async def open_channel(connection):
    """A data channel to the echo test, open, and the queue of what comes back."""
    from aiortc import RTCSessionDescription  # pylint: disable=import-outside-toplevel

    channel = connection.createDataChannel("echo")
    opened, echoes = asyncio.Event(), asyncio.Queue()
    channel.on("open", opened.set)
    channel.on("message", echoes.put_nowait)
    await connection.setLocalDescription(await connection.createOffer())
    session = f"/{(await speak('', {'janus': 'create'}))['data']['id']}"
    attached = await speak(session, {"janus": "attach", "plugin": "janus.plugin.echotest"})
    offer = {"type": "offer", "sdp": connection.localDescription.sdp}
    answer = await speak(f"{session}/{attached['data']['id']}",
                         {"janus": "message", "body": {"audio": False, "video": False}, "jsep": offer})
    while "jsep" not in answer:
        answer = await speak(session)
    await connection.setRemoteDescription(RTCSessionDescription(**answer["jsep"]))
    await opened.wait()
    return channel, echoes


async def exchange():
    """Text and bytes of both sizes, each of them back and unaltered."""
    from aiortc import RTCPeerConnection  # pylint: disable=import-outside-toplevel

    connection = RTCPeerConnection()
    await is_up()
    channel, echoes = await open_channel(connection)
    for i in range(REPEAT):
        text = f"message {i} " + "x" * (BIG_BYTES if i % 2 else 1)
        blob = bytes((i * 31 + at * 7) & 255 for at in range(BIG_BYTES if i % 2 else 100))
        for sent, expected in ((text, PREFIX + text), (blob, blob)):
            channel.send(sent)
            echo = await echoes.get()
            if echo != expected:
                sys.exit(f"message {i}: {len(sent)} bytes sent, {len(echo)} of another kind or content came back")
    await connection.close()


def inside(library):
    """In the namespace, by the Python with aiortc."""
    for command in ("ip link set lo up", "ip link add net0 type veth peer name net1",
                    f"ip addr add {ADDRESS}/24 dev net0", "ip link set net0 up", "ip link set net1 up"):
        subprocess.run(command.split(), check=True)
    for scheduler in (None, "auto"):
        with janus(library, scheduler) as process:
            asyncio.run(asyncio.wait_for(exchange(), LIMIT_S))
            maps = pathlib.Path(f"/proc/{process.pid}/maps").read_text(encoding="utf-8")
            if library not in maps:
                sys.exit(f"Janus did not load {library}")
        print(f"scheduler {scheduler}: {2 * REPEAT} messages came back")


def main():
    if sys.argv[1] == "--inside":
        inside(sys.argv[2])
        return
    library = os.path.realpath(sys.argv[1])
    python = prepare(pathlib.Path(sys.argv[2]))
    user = [] if os.geteuid() == 0 else ["--user", "--map-root-user"]
    subprocess.run(["unshare", *user, "--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc", python, "-B",
                    __file__, "--inside", library], check=True)


if __name__ == "__main__":
    main()
