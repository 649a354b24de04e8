# SPDX-License-Identifier: BSD-3-Clause
# cost: 5 s
"""A browser's <video> plays through cmt-gateway: seeks, shows the frame of that moment, and goes on from there."""
import os
import subprocess
import unittest

from browser import Browser
from film import make_film
from gateway_programs import GatewayTest

SECONDS, BIT_RATE = 12, "4M"
POSITIONS = (9.5, 1.5, 6.5)  # ahead of what is there, back, and between
THUMBNAIL = (16, 9)

# The page that the gateway gives opens a film by its name.
OPEN = """document.querySelector('summary').click(); const video = document.querySelector('video');
video.muted = true; video.preload = 'metadata'; video.load();"""

SEEK = """const [position] = arguments, video = document.querySelector('video');
video.pause(); video.onseeked = () => { video.shown = true }; video.shown = false; video.currentTime = position;"""

SHOWN = """const [width, height] = arguments, video = document.querySelector('video');
if (!video.shown || video.readyState < 2) return null;
const canvas = document.createElement('canvas'); canvas.width = width; canvas.height = height;
const context = canvas.getContext('2d', {willReadFrequently: true});
context.imageSmoothingQuality = 'high'; context.drawImage(video, 0, 0, width, height);
return Array.from(context.getImageData(0, 0, width, height).data).filter((_, i) => i % 4 < 3);"""

STATE = """const video = document.querySelector('video');
return [video.readyState, video.currentTime, video.getVideoPlaybackQuality().totalVideoFrames,
        video.error ? video.error.message : null];"""


class Video(GatewayTest):
    def thumbnail(self, film, position):
        """The frame of that moment, as ffmpeg shows it."""
        width, height = THUMBNAIL
        return list(subprocess.run(["ffmpeg", "-v", "error", "-nostdin", "-ss", str(position), "-i", film, "-frames:v",
                                    "1", "-vf", f"scale={width}:{height}:flags=area", "-pix_fmt", "rgb24", "-f",
                                    "rawvideo", "-"], check=True, capture_output=True).stdout)

    def test_it_seeks_to_three_positions_and_plays(self):
        film = os.path.join(self.media, "film.mp4")  # its index is at the end: nothing plays without ranges
        make_film(film, ["libx264", "-preset", "ultrafast", "-b:v", BIT_RATE], SECONDS, "320x180",
                  ["-vf", f"hue=H=2*PI*t/{SECONDS}"])
        frames = [self.thumbnail(film, position) for position in POSITIONS]
        server = self.server()
        self.gateway("--pace", "6Mbit", "--burst", "500kB")
        browser = Browser(700, 530)
        self.addCleanup(browser.close)

        def state():
            found = browser.run(STATE)
            self.assertIsNone(found[3])
            return found

        browser.open(self.url(""))
        browser.run(OPEN)
        browser.wait_for(lambda: state()[0] >= 1, "the film's metadata")
        for number, position in enumerate(POSITIONS):
            browser.run(SEEK, position)
            shown = browser.wait_for(lambda: browser.run(SHOWN, *THUMBNAIL), f"the frame at {position} s")
            distances = [sum(abs(a - b) for a, b in zip(shown, frame)) / len(shown) for frame in frames]
            self.assertEqual(min(distances), distances[number], distances)
            self.assertLess(distances[number], 20, distances)
            before = state()
            browser.run("document.querySelector('video').play()")
            browser.wait_for(lambda: state()[1] > position + 0.4 and state()[2] > before[2] + 3, "the film to go on")
        if "CMT_SCREENSHOT" in os.environ:
            browser.picture(os.environ["CMT_SCREENSHOT"])
        ranges = [line for line in server.stdout.splitlines() if "GET /film.mp4 " in line and " 206 " in line]
        self.assertGreaterEqual(len(ranges), 3, server.stdout)

    def test_the_page_of_a_folder_plays_a_film(self):
        name = "a <b>film</b".replace("/", "") + " & 100%.mp4"
        make_film(os.path.join(self.media, name), ["libx264", "-preset", "ultrafast", "-b:v", BIT_RATE], SECONDS,
                  "320x180", [])
        self.both()
        browser = Browser(700, 530)
        self.addCleanup(browser.close)
        browser.open(self.url(""))
        self.assertEqual(browser.text("summary").rsplit(" ", 2)[0].strip(), name)
        browser.run("document.querySelector('summary').click(); const video = document.querySelector('video');"
                    "video.muted = true; video.play()")
        browser.wait_for(lambda: browser.run(STATE)[1] > 0.4 and browser.run(STATE)[2] > 3, "the film to play")
        self.assertEqual(browser.complaints(), [])


if __name__ == "__main__":
    unittest.main()
