/* SPDX-License-Identifier: BSD-3-Clause
 *
 * fuzz_media_list.c - libFuzzer target: any bytes as the list of a folder, and the page that cmt-gateway
 * makes of it.
 *
 * Oracles: a name that is taken is one component of a path and moves no terminal; the page has no element
 * that cmt-gateway does not write; whatever is refused is refused with a sentence. runs: 100000
 * links: cmt_gateway_parts */
#include <stdlib.h>
#include <string.h>

#include <event2/buffer.h>

#include "films_page.h"
#include "media_list.h"
#include "support/fuzz.h"

static void check_entry(const char *line, size_t len)
{
	struct media_entry e;
	struct app_error error = {""};

	if (media_entry_decode(line, len, &e, &error) != 0) {
		REQUIRE(error.text[0] != '\0');
		return;
	}
	if (e.more) {
		return;
	}
	REQUIRE(e.name[0] != '\0' && strchr(e.name, '/') == NULL);
	REQUIRE(strcmp(e.name, ".") != 0 && strcmp(e.name, "..") != 0);
	for (const char *at = e.name; *at != '\0'; at += app_printable_bytes(at)) {
		REQUIRE(app_printable_bytes(at) > 0);
	}
	REQUIRE(e.folder || (e.size >= 0 && e.content_type[0] != '\0'));
}

static void check_page(const char *html)
{
	static const char *const own[] = {
	    "a ",    "a>", "audio", "body",   "details",  "h1>",    "head>", "html",  "li>",     "link rel",
	    "meta ", "p>", "span>", "style>", "summary>", "title>", "ul>",   "video", "!DOCTYPE"};

	for (const char *at = strchr(html, '<'); at != NULL; at = strchr(at + 1, '<')) {
		const char *const name = at[1] == '/' ? at + 2 : at + 1;
		bool known = false;

		for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++) {
			known = known || strncmp(name, own[i], strlen(own[i])) == 0;
		}
		REQUIRE(known);
	}
	REQUIRE(strstr(html, "<script") == NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct evbuffer *const out = evbuffer_new();
	struct app_error error = {""};

	check_entry((const char *)data, size);
	REQUIRE(out != NULL);
	if (films_page("/", (const char *)data, size, out, &error) != 0) {
		REQUIRE(error.text[0] != '\0');
	} else {
		REQUIRE(evbuffer_add(out, "", 1) == 0);
		check_page((const char *)evbuffer_pullup(out, -1));
	}
	evbuffer_free(out);
	return 0;
}
