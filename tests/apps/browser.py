# SPDX-License-Identifier: BSD-3-Clause
"""Headless Chromium, driven through chromedriver (W3C WebDriver)."""
import base64
import json
import os
import re
import shutil
import subprocess
import tempfile
import time
import urllib.request

PATIENCE_S = 60


class Browser:
    """One window, with a profile of its own. `close()` ends both processes."""

    def __init__(self, width=1280, height=800):
        self.folder = tempfile.mkdtemp(prefix="cmt-browser-")
        self.log = open(os.path.join(self.folder, "log"), "w+b")
        self.driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=self.log, stderr=self.log,
                                       stdin=subprocess.DEVNULL)
        self.session = None
        try:
            self.port = self._port()
            arguments = ["--headless=new", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
                         "--disable-background-networking", "--disable-component-update", "--no-proxy-server",
                         f"--window-size={width},{height}", f"--user-data-dir={self.folder}/profile"]
            if os.geteuid() == 0:
                arguments.append("--no-sandbox")
            options = {"args": arguments, "binary": shutil.which("chromium")}
            reply = self._ask("POST", "/session", {"capabilities": {"alwaysMatch": {
                "browserName": "chrome", "goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}}})
            self.session = "/session/" + reply["sessionId"]
        except BaseException:
            self.close()
            raise

    def _port(self):
        until = time.monotonic() + PATIENCE_S
        while time.monotonic() < until:
            with open(os.path.join(self.folder, "log"), "rb") as log:
                found = re.search(rb"started successfully on port (\d+)", log.read())
            if found:
                return int(found[1])
            time.sleep(0.02)
        raise AssertionError("chromedriver does not start")

    def _ask(self, method, path, body=None):
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", method=method,
                                         data=None if body is None else json.dumps(body).encode(),
                                         headers={"Content-Type": "application/json"})
        with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=PATIENCE_S) as reply:
            return json.load(reply)["value"]

    def open(self, url):
        self._ask("POST", self.session + "/url", {"url": url})

    def run(self, script, *arguments):
        """`script` is the body of a function; its result."""
        return self._ask("POST", self.session + "/execute/sync", {"script": script, "args": list(arguments)})

    def choose(self, selector, path):
        """As a user who chooses a file in the first such element."""
        found = self._ask("POST", self.session + "/element", {"using": "css selector", "value": selector})
        self._ask("POST", f"{self.session}/element/{next(iter(found.values()))}/value", {"text": os.path.abspath(path)})

    def text(self, selector):
        """What a person reads of the first such element; "" when there is none."""
        return self.run("const e = document.querySelector(arguments[0]); return e ? e.innerText : ''", selector)

    def wait_for(self, condition, what, seconds=PATIENCE_S):
        """Returns the first true result of `condition()`."""
        until = time.monotonic() + seconds
        while True:
            result = condition()
            if result:
                return result
            if time.monotonic() > until:
                raise AssertionError(f"waited in vain for {what}; the page reads:\n{self.text('body')[:2000]}")
            time.sleep(0.02)

    def complaints(self):
        """The console's errors and warnings since the last call, violations of the page's policy among them."""
        return [entry["message"] for entry in self._ask("POST", self.session + "/se/log", {"type": "browser"})
                if entry["level"] in ("SEVERE", "WARNING")]

    def picture(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self._ask("GET", self.session + "/screenshot")))

    def prefer(self, scheme):
        """"light" or "dark": what the page is told that the user likes."""
        self._ask("POST", self.session + "/goog/cdp/execute", {"cmd": "Emulation.setEmulatedMedia", "params": {
            "features": [{"name": "prefers-color-scheme", "value": scheme}]}})

    def close(self):
        try:
            if self.session is not None:
                self._ask("DELETE", self.session)
        except OSError:
            pass
        finally:
            self.driver.terminate()
            self.driver.wait()
            self.log.close()
            shutil.rmtree(self.folder, ignore_errors=True)
