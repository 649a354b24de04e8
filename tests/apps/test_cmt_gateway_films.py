# SPDX-License-Identifier: BSD-3-Clause
"""The page of a folder: what cmt-streamd has, playable, and nothing of what it hides."""
import json
import os
import re
import signal
import unittest

from gateway_programs import GatewayTest


class Films(GatewayTest):
    def setUp(self):
        super().setUp()
        self.file("10.mp4", 1000)
        self.file("9.mp4", 12345)
        self.file(".hidden.mp4", 10)
        self.file("series/<S01> & \"E01\".mp4", 10)
        self.file("film.mkv", 10)
        os.mkdir(os.path.join(self.media, "empty"))
        os.symlink("/etc/passwd", os.path.join(self.media, "passwd.mp4"))
        os.symlink("9.mp4", os.path.join(self.media, "link.mp4"))
        os.mkfifo(os.path.join(self.media, "fifo.mp4"))

    def page(self, path="/", status=200, **options):
        answer, body = self.ask(path, **options)
        self.assertEqual(answer.status, status, body)
        self.assertEqual(answer.getheader("Content-Type"), "text/html; charset=utf-8")
        return answer, body.decode()

    def test_it_has_the_files_of_the_folder_that_others_may_have(self):
        self.both()
        _, html = self.page()
        self.assertEqual(re.findall('<video[^>]* src="([^"]*)"', html), ["9.mp4", "10.mp4", "link.mp4"])
        self.assertEqual(re.findall('href="([^"]*)">', html)[-3:], ["empty/", "series/", "film.mkv"])
        self.assertIn("9.mp4 <span>12.3 kB</span>", html)
        for hidden in ("hidden", "passwd", "fifo"):
            self.assertNotIn(hidden, html)

    def test_its_references_lead_to_the_files(self):
        self.both()
        _, html = self.page("/series/")
        source = re.search('<video[^>]* src="([^"]*)"', html)[1]
        self.assertIn("&lt;S01&gt; &amp; &quot;E01&quot;.mp4", html)
        answer, body = self.ask("/series/" + source)
        self.assertEqual((answer.status, body), (200, self.read('series/<S01> & "E01".mp4')))
        self.assertIn('href="../"', html)

    def test_no_script_runs_in_it_and_nothing_is_loaded_from_elsewhere(self):
        self.both()
        answer, _ = self.page()
        rules = dict(rule.split(" ", 1) for rule in answer.getheader("Content-Security-Policy").split("; "))
        self.assertEqual((rules["default-src"], rules["media-src"]), ("'none'", "'self'"))
        self.assertNotIn("script-src", rules)
        self.assertRegex(rules["style-src"], "^'sha256-[A-Za-z0-9+/=]*'$")
        for rule in ("base-uri", "form-action", "frame-ancestors"):
            self.assertEqual(rules[rule], "'none'")
        self.assertEqual([answer.getheader(name) for name in ("X-Content-Type-Options", "Referrer-Policy",
                                                              "Cross-Origin-Resource-Policy", "Cache-Control")],
                         ["nosniff", "no-referrer", "same-origin", "no-store"])

    def test_head_has_the_length_and_no_page(self):
        self.both()
        got, html = self.page()
        head, nothing = self.page(method="HEAD")
        self.assertEqual(nothing, "")
        self.assertEqual(head.getheader("Content-Length"), got.getheader("Content-Length"))
        self.assertEqual(int(got.getheader("Content-Length")), len(html.encode()))

    def test_an_empty_folder_says_so(self):
        self.both()
        self.assertIn("This folder is empty.", self.page("/empty/")[1])

    def test_a_page_of_the_servers_own_goes_before(self):
        own = self.file("index.html", 100)
        self.both()
        answer, body = self.ask("/")
        self.assertEqual((answer.status, body), (200, own))

    def test_what_is_no_folder_is_404_and_says_so(self):
        self.both()
        for path in ("/nosuch/", "/9.mp4/", "/.hidden/"):
            self.assertIn("404 Not Found, there is no such folder", self.page(path, 404)[1])
        answer, _ = self.ask("/.hidden/.list")
        self.assertEqual(answer.status, 404)
        answer, _ = self.ask("/../.list")
        self.assertEqual(answer.status, 400)

    def test_a_server_may_keep_its_names_to_itself(self):
        self.server("--no-list")
        self.gateway()
        self.assertIn("the server does not list it", self.page("/", 404)[1])
        self.assertEqual(self.ask("/.list")[0].status, 404)
        self.assertEqual(self.ask("/9.mp4")[0].status, 200)

    def test_a_server_that_is_away_is_told_of_in_the_page(self):
        server = self.server()
        self.gateway("--retry-for", "1s")
        server.signal(signal.SIGKILL)
        server.wait()
        self.assertRegex(self.page("/", 504)[1], "The films cannot be shown: 504 Gateway Timeout, (cannot connect to|no answer from) ")

    def test_the_list_is_a_file_like_others(self):
        self.both()
        answer, body = self.ask("/.list")
        self.assertEqual((answer.status, answer.getheader("Content-Type")), (200, "application/x-ndjson"))
        entries = [json.loads(line) for line in body.decode().splitlines()]
        self.assertEqual([e["name"] for e in entries], ["9.mp4", "10.mp4", "empty", "film.mkv", "link.mp4", "series"])
        self.assertEqual(entries[0]["size"], 12345)
        self.assertEqual(entries[0]["content_type"], "video/mp4")
        self.assertTrue(entries[2]["folder"])
        part, some = self.ask("/.list", {"Range": "bytes=5-9", "If-Range": answer.getheader("ETag")})
        self.assertEqual((part.status, some), (206, body[5:10]))
        self.file("new.mp4", 1)
        self.assertNotEqual(self.ask("/.list")[0].getheader("ETag"), answer.getheader("ETag"))

    def test_a_folder_with_more_files_than_a_list_takes(self):
        os.mkdir(os.path.join(self.media, "many"))
        for i in range(5001):
            with open(os.path.join(self.media, f"many/{i}.mp4"), "wb"):
                pass
        self.both()
        _, html = self.page("/many/")
        self.assertEqual(html.count("<video"), 5000)
        self.assertIn("This folder has more files than can be listed.", html)


if __name__ == "__main__":
    unittest.main()
