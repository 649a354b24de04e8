# SPDX-License-Identifier: BSD-3-Clause
"""The viewer in a browser, and runs of the lab to show."""
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from browser import Browser

LAB = os.environ["CMT_LAB"]
PAGE = pathlib.Path(os.environ["CMT_VIEWER"]).as_uri()


class ViewerTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="cmt-viewer-")
        cls.addClassCleanup(shutil.rmtree, cls.folder, True)
        cls.browser = Browser(1280, 1000)
        cls.addClassCleanup(cls.browser.close)

    def setUp(self):
        self.browser.open(PAGE)

    def tearDown(self):
        # That pixels are read concerns the tests alone.
        self.assertEqual([c for c in self.browser.complaints() if "willReadFrequently" not in c], [])

    @classmethod
    def file(cls, name, content=None):
        path = os.path.join(cls.folder, name)
        if content is not None:
            with open(path, "wb") as file:
                file.write(content)
        return path

    @classmethod
    def run_lab(cls, *arguments):
        done = subprocess.run([LAB, "run", *arguments, "--json"], capture_output=True, text=True, check=True, timeout=100)
        return json.loads(done.stdout)

    def settled(self):
        """Whether the file is shown, and drawn; or why not."""
        state = self.browser.run("""
            const error = document.querySelector('#message.bad:not([hidden])');
            if (error !== null) return ['error', error.textContent];
            return page.opened_ms > 0 && !page.asked ? ['shown', document.getElementById('json').textContent] : null;""")
        return state

    def open_file(self, path):
        """What becomes of a file: ("shown", summary) or ("error", sentence)."""
        self.browser.run("page.opened_ms = 0; page.say('')")
        self.browser.choose("#file", path)
        kind, text = self.browser.wait_for(self.settled, f"{path} to be shown")
        return kind, json.loads(text) if kind == "shown" else text

    def shown(self, path):
        kind, summary = self.open_file(path)
        self.assertEqual(kind, "shown", summary)
        return summary

    def pixels(self, title, color=None):
        """How many pixels of the picture of that title have colour: neither grey nor clear; or have that of `color`."""
        return self.browser.run("""
            const plot = page.plots.find(p => p.spec.title === arguments[0]);
            if (plot === undefined) return -1;
            const color = arguments[1] === null ? null : page.view.color(arguments[1]);
            const wanted = color === null ? null : [1, 3, 5].map(i => parseInt(color.slice(i, i + 2), 16));
            const {data} = plot.canvas.getContext('2d').getImageData(0, 0, plot.canvas.width, plot.canvas.height);
            let n = 0;
            for (let i = 0; i < data.length; i += 4) {
                const [r, g, b, a] = data.subarray(i, i + 4);
                n += wanted === null ? a > 128 && Math.max(r, g, b) - Math.min(r, g, b) > 60
                    : a === 255 && r === wanted[0] && g === wanted[1] && b === wanted[2];
            }
            return n;""", title, color)
