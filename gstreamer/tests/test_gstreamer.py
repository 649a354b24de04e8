# SPDX-License-Identifier: BSD-3-Clause
# cost: 4 s
"""cmtsink and cmtsrc in gst-launch-1.0, with each other and with cmt-live: what arrives, and what is said when it cannot."""
import os
import re
import signal
import subprocess
import unittest

from test_live import LIVE, LiveTest
from transfer_programs import RECEIVER, SENDER, Program, sha256, wait_for

TEST_PICTURE = ("videotestsrc num-buffers={} is-live=true pattern=ball ! video/x-raw,framerate=25/1,width=320,height=180 ! "
                "x264enc tune=zerolatency bitrate=1000 key-int-max=10 ! mpegtsmux alignment=7")


class GstTest(LiveTest):
    def launch(self, *pipelines, **options):
        return Program(self, ["gst-launch-1.0", *" ".join(pipelines).split()], **options)

    def path(self, name):
        return os.path.join(self.folder, name)

    def picture_to(self, sink, frames=50):
        """Encodes a test picture; what is sent is in "in.ts" too."""
        return self.launch(TEST_PICTURE.format(frames), "! tee name=t ! queue ! filesink location=" + self.path("in.ts"),
                           "t. ! queue !", sink)

    def assert_arrived(self, name="out.ts", frames=50):
        self.assertEqual(sha256(self.path(name)), sha256(self.path("in.ts")))
        done = subprocess.run(["ffprobe", "-v", "error", "-count_frames", "-select_streams", "v", "-show_entries",
                               "stream=nb_read_frames", "-of", "csv=p=0", self.path(name)], capture_output=True, text=True,
                              check=True, timeout=60)
        self.assertEqual(done.stderr, "")
        self.assertEqual(int(done.stdout.split()[0].strip(",")), frames)


class Inspect(GstTest):
    WANTED = {"cmtsink": ("uri", "mode", "latency", "passphrase", "localaddress", "localport", "stats", "wait-for-connection"),
              "cmtsrc": ("uri", "mode", "latency", "passphrase", "localaddress", "localport", "stats", "keep-listening")}

    def test_properties_are_named_as_those_of_srt(self):
        for element, wanted in self.WANTED.items():
            own, srt = (set(re.findall(r"^  ([a-z-]+) +: ", self.inspect(name), re.M))
                        for name in (element, element.replace("cmt", "srt")))
            self.assertLessEqual(set(wanted), own & srt)
            self.assertIn("Supported URI protocols:\n    cmt\n", self.inspect(element))

    def inspect(self, element):
        done = subprocess.run(["gst-inspect-1.0", element], capture_output=True, text=True, check=True, timeout=60)
        self.assertNotIn("WARNING", done.stderr)
        return done.stdout


class Streams(GstTest):
    def test_to_cmt_live(self):
        with open(self.path("out.ts"), "wb") as file:
            receiver = self.live_receiver("-", "--once", stdout=file)
        sender = self.picture_to(f"cmtsink uri=cmt://{RECEIVER} localaddress={SENDER}")
        self.assert_ends(sender)
        self.assert_ends(receiver)
        self.assertNotIn("WARNING", sender.stderr)
        self.assert_arrived()

    def test_from_cmt_live(self):
        """The end of the stream is that of the pipeline."""
        receiver = self.launch(f"cmtsrc uri=cmt://{RECEIVER}?mode=listener ! filesink location={self.path('out.ts')}")
        self.assert_ends(self.picture_to("fakesink", frames=50))
        with open(self.path("in.ts"), "rb") as file:
            sender = self.live_sender("-", "--rate", "4Mbit", stdin=file)
            self.assert_ends(sender)
        self.assert_ends(receiver)
        self.assertEqual(sender.stats["receiver"]["lost"], 0)
        self.assert_arrived()

    def test_from_sink_to_source_with_a_passphrase(self):
        """The side that sends listens; what arrives is decoded while it arrives."""
        sender = self.picture_to(f"cmtsink uri=cmt://{SENDER}:5010?mode=listener&passphrase=very%20secret&latency=200")
        receiver = self.launch(
            f"cmtsrc uri=cmt://{SENDER}:5010?passphrase=very%20secret localaddress={RECEIVER}",
            f"! tee name=t ! queue ! filesink async=false location={self.path('out.ts')}",
            "t. ! queue ! tsdemux ! h264parse ! avdec_h264 ! fakesink async=false")
        self.assert_ends(sender)
        self.assert_ends(receiver)
        self.assert_arrived()

    def test_datagrams_keep_their_boundaries(self):
        out, endpoint = self.output()
        self.live_receiver(endpoint, "--release", "early")
        sender = self.launch("fakesrc num-buffers=20 sizetype=fixed sizemax=1000 filltype=pattern-span ! "
                             f"cmtsink uri=cmt://{RECEIVER} localaddress={SENDER}")
        self.assert_ends(sender)
        self.assertEqual([len(out.recv(1 << 16)) for _ in range(20)], [1000] * 20)


class Breaks(GstTest):
    def test_the_peer_vanishes_and_comes_back(self):
        with open(self.path("one.ts"), "wb") as file:
            receiver = self.live_receiver("-", "--release", "early", stdout=file)
        sender = self.picture_to(f"cmtsink uri=cmt://{RECEIVER} localaddress={SENDER}", frames=1000)
        wait_for(lambda: os.path.getsize(self.path("one.ts")) > 50000, "the stream")
        receiver.process.kill()
        receiver.wait()
        with open(self.path("two.ts"), "wb") as file:
            receiver = self.live_receiver("-", "--release", "early", "--once", stdout=file)
        wait_for(lambda: os.path.getsize(self.path("two.ts")) > 50000, "the stream again")
        sender.process.send_signal(signal.SIGKILL)
        sender.wait()
        self.assertNotIn("ERROR", sender.stderr)

    def test_an_interrupted_pipeline_ends_its_stream(self):
        """gst-launch-1.0 -e: the other side learns that it is over."""
        with open(self.path("out.ts"), "wb") as file:
            receiver = self.live_receiver("-", "--once", stdout=file)
        sender = self.launch("-e", TEST_PICTURE.format(10000), f"! cmtsink uri=cmt://{RECEIVER} localaddress={SENDER}")
        wait_for(lambda: os.path.getsize(self.path("out.ts")) > 20000, "the stream")
        sender.signal(signal.SIGINT)
        self.assert_ends(sender)
        self.assert_ends(receiver)


class Refuses(GstTest):
    def test_what_is_said(self):
        receiver = Program(self, [LIVE, "cmt://", "-", "--bind", RECEIVER], stdout=subprocess.DEVNULL)
        wait_for(lambda: "listening" in receiver.stderr, "cmt-live to listen")
        for sink, message in ((f"cmtsink uri=cmt://{RECEIVER} passphrase=wrong timeout=1000", "passphrase"),
                              (f"cmtsink uri=cmt://{RECEIVER} encrypted=false timeout=1000", "encrypt"),
                              (f"cmtsink uri=cmt://{SENDER} timeout=1000", "no connection within timeout"),
                              ("cmtsink uri=cmt://192.0.2.x", "cannot be resolved"),
                              (f"cmtsink uri=cmt://{RECEIVER}?mode=listener", "cannot bind|in use")):
            with self.subTest(sink):
                program = self.launch("fakesrc is-live=true do-timestamp=true !", sink)
                self.assertNotEqual(program.wait(), 0)
                self.assertRegex(program.stderr, f"ERROR: from element .*cmtsink0: .*({message})")


if __name__ == "__main__":
    unittest.main()
