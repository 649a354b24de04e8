# SPDX-License-Identifier: BSD-3-Clause
"""cmt-gateway when the server goes away: bodies go on where they stopped, requests wait, and nothing is mixed."""
import http.client
import signal
import time
import unittest

from gateway_programs import GatewayTest
from transfer_programs import wait_for
from undisturbed import undisturbed

MB = 1_000_000


class Outages(GatewayTest):
    def test_a_body_goes_on_where_it_stopped_when_the_server_was_killed(self):
        content, other = self.file("film.mp4", 12 * MB), self.file("other.mp4", 6 * MB)
        server = self.server()
        self.gateway("--retry-for", "60s", "--window", "512KiB")
        answers = [(self.begin("/film.mp4"), content), (self.begin("/other.mp4"), other)]
        got = [answer.read(MB) for answer, _ in answers]
        server.process.kill()
        server.end()
        late = self.connection()
        late.request("GET", "/other.mp4", headers={"Range": "bytes=5-9"})
        self.server()
        for (answer, expected), first in zip(answers, got):
            self.assertTrue(first + answer.read() == expected)
        self.assertEqual(late.getresponse().read(), other[5:10])

    def test_a_server_that_is_told_to_stop_and_comes_back_is_hardly_noticed(self):
        content = self.file("film.mp4", 12 * MB)
        server = self.server("--grace", "1s")
        self.gateway("--retry-for", "60s", "--window", "512KiB")
        answer = self.begin("/film.mp4")
        first = answer.read(MB)
        server.signal(signal.SIGTERM)
        self.assertEqual(server.wait(), 0)
        self.server()
        self.assertTrue(first + answer.read() == content)

    def test_a_file_that_was_changed_meanwhile_is_cut_off_and_never_mixed(self):
        content = self.file("film.mp4", 12 * MB)
        server = self.server()
        self.gateway("--retry-for", "60s", "--window", "256KiB")
        answer = self.begin("/film.mp4")
        first = answer.read(MB)
        server.process.kill()
        server.end()
        changed = self.file("film.mp4", 12 * MB, seed=2)
        self.server()
        with self.assertRaises(http.client.IncompleteRead) as caught:
            answer.read()
        got = first + caught.exception.partial
        self.assertTrue(content.startswith(got))
        self.assertLess(len(got), len(content))
        self.assertEqual(self.ask("/film.mp4")[1], changed)

    @undisturbed
    def test_a_paused_player_outlives_the_patience_of_its_server(self):
        content = self.file("film.mp4", 12 * MB)
        server = self.server("--idle-timeout", "1s")
        gateway = self.gateway("--window", "512KiB", "--retry-for", "1s")
        answer = self.begin("/film.mp4")
        first = answer.read(1000)
        wait_for(lambda: "no requests" in server.stdout, "the server to lose its patience")
        time.sleep(2)
        self.assertTrue(first + answer.read() == content)
        self.assertEqual(gateway.stderr.count("connected to"), 2, gateway.stderr)

    def test_requests_wait_for_the_server_but_not_for_ever(self):
        content = self.file("film.mp4", 1000)
        gateway = self.gateway("--retry-for", "500ms", connected=False)
        answer, body = self.ask("/film.mp4")
        self.assertEqual((answer.status, body[:20]), (504, b"504 Gateway Timeout:"))
        self.end(gateway)
        self.gateway("--retry-for", "60s", connected=False)
        waiting = self.connection()
        waiting.request("GET", "/film.mp4")
        self.server()
        self.assertEqual(waiting.getresponse().read(), content)

    def test_a_body_is_cut_off_when_the_server_does_not_come_back(self):
        content = self.file("film.mp4", 12 * MB)
        server = self.server()
        gateway = self.gateway("--retry-for", "300ms", "--timeout", "1s", "--window", "256KiB")
        answer = self.begin("/film.mp4")
        server.process.kill()
        server.end()
        with self.assertRaises(http.client.IncompleteRead) as caught:
            answer.read()
        self.assertTrue(content.startswith(caught.exception.partial))
        self.assertIn("cut off", gateway.stderr)

    @undisturbed
    def test_an_idle_connection_is_closed_and_opened_again(self):
        content = self.file("film.mp4", 1000)
        server = self.server("--access-log", "none")
        gateway = self.gateway("--idle", "200ms", connected=False)
        self.assertNotIn("connected to", gateway.stderr)
        for times in (1, 2):
            self.assertEqual(self.ask("/film.mp4")[1], content)
            self.assertEqual(gateway.stderr.count("connected to"), times)
            time.sleep(1)
        self.assertNotIn("trying again", gateway.stderr)
        self.assertIsNone(server.process.poll())


if __name__ == "__main__":
    unittest.main()
