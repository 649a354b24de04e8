#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""webrtc.py LIBRARY FOLDER

An unchanged Debian Janus runs on LIBRARY by the link of docs/migration.md: a data channel through its echo test, with and
without a scheduler. The other ends are aiortc, from PyPI, in an environment of its own in FOLDER, which later runs use again,
and Chromium, whose SCTP is dcSCTP. They are behind NATs, Janus is the server of the network of tests/paths."""
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

sys.path[:0] = [os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", folder) for folder in ("apps", "paths")]
from browser import Browser  # pylint: disable=wrong-import-position
from network import Uplinks, in_namespace  # pylint: disable=wrong-import-position

ADDRESS = "198.51.100.1"
PORT = 8088
PREFIX = "Janus EchoTest here! You wrote: "
BIG_BYTES = 30000
REPEAT = 20
LIMIT_S = 60

# In the page: an offer; then what exchange() does.
OFFER = """return (async () => {
	window.peer = new RTCPeerConnection();
	window.channel = peer.createDataChannel("echo");
	channel.binaryType = "arraybuffer";
	await peer.setLocalDescription();
	while (peer.iceGatheringState !== "complete")
		await new Promise(done => peer.addEventListener("icegatheringstatechange", done, {once: true}));
	return peer.localDescription.sdp;
})()"""
EXCHANGE = """return (async (sdp, prefix, repeat, bigBytes) => {
	const echoes = [], next = async () => {
		while (echoes.length === 0)
			await new Promise(done => channel.addEventListener("message", done, {once: true}));
		return echoes.shift();
	};
	channel.addEventListener("message", event => echoes.push(event.data));
	await peer.setRemoteDescription({type: "answer", sdp: sdp});
	if (channel.readyState !== "open")
		await new Promise(done => channel.addEventListener("open", done, {once: true}));
	for (let i = 0; i < repeat; i++) {
		const text = "message " + i + " " + "x".repeat(i % 2 ? bigBytes : 1);
		const blob = Uint8Array.from({length: i % 2 ? bigBytes : 100}, (_, at) => (i * 31 + at * 7) & 255);
		channel.send(text);
		if (await next() !== prefix + text)
			return "message " + i + ": another text came back";
		channel.send(blob);
		const echo = new Uint8Array(await next());
		if (echo.length !== blob.length || echo.some((byte, at) => byte !== blob[at]))
			return "message " + i + ": other bytes came back";
	}
	peer.close();
	return "";
})(...arguments)"""


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
    ip = "{ADDRESS}"
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
                subprocess.Popen(in_namespace("server", "janus", "--configs-folder", name, "--config", str(folder / "janus.jcfg")),
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
        with direct.open(f"http://{ADDRESS}:{PORT}/janus{path}", body, LIMIT_S) as answer:
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


async def negotiate(sdp):
    """The answer of the echo test to an offer."""
    session = f"/{(await speak('', {'janus': 'create'}))['data']['id']}"
    attached = await speak(session, {"janus": "attach", "plugin": "janus.plugin.echotest"})
    answer = await speak(f"{session}/{attached['data']['id']}", {
        "janus": "message", "body": {"audio": False, "video": False}, "jsep": {"type": "offer", "sdp": sdp}})
    while "jsep" not in answer:
        answer = await speak(session)
    return answer["jsep"]


async def open_channel(connection):
    """A data channel to the echo test, open, and the queue of what comes back."""
    from aiortc import RTCSessionDescription  # pylint: disable=import-outside-toplevel

    channel = connection.createDataChannel("echo")
    opened, echoes = asyncio.Event(), asyncio.Queue()
    channel.on("open", opened.set)
    channel.on("message", echoes.put_nowait)
    await connection.setLocalDescription(await connection.createOffer())
    answer = await negotiate(connection.localDescription.sdp)
    await connection.setRemoteDescription(RTCSessionDescription(**answer))
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


async def exchange_with_browser():
    """The same in a page of Chromium."""
    browser = await asyncio.to_thread(Browser)
    try:
        await is_up()
        answer = await negotiate(await asyncio.to_thread(browser.run, OFFER))
        wrong = await asyncio.to_thread(browser.run, EXCHANGE, answer["sdp"], PREFIX, REPEAT, BIG_BYTES)
        if wrong:
            sys.exit(f"Chromium: {wrong}")
    finally:
        browser.close()


def in_client(library):
    """Behind the NATs, by the Python with aiortc."""
    for scheduler in (None, "auto"):
        with janus(library, scheduler) as process:
            for other_end in (exchange, exchange_with_browser):
                asyncio.run(asyncio.wait_for(other_end(), LIMIT_S))
            maps = pathlib.Path(f"/proc/{process.pid}/maps").read_text(encoding="utf-8")
            if library not in maps:
                sys.exit(f"Janus did not load {library}")
        print(f"scheduler {scheduler}: {2 * REPEAT} messages came back to aiortc, and to Chromium")


def inside(library):
    """In namespaces of its own: builds the network."""
    subprocess.run(["mount", "-t", "tmpfs", "none", "/run"], check=True)
    network = Uplinks()
    network.move_servers_off_loopback()
    assert network.servers == [ADDRESS]
    subprocess.run(in_namespace("client", sys.executable, "-B", __file__, "--in-client", library), check=True)


def main():
    if sys.argv[1] == "--in-client":
        in_client(sys.argv[2])
        return
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
