/* SPDX-License-Identifier: BSD-3-Clause
 *
 * fuzz_media_message.c - libFuzzer target: any bytes into the parser of cmt-streamd's and cmt-gateway's
 * control messages, and what a server makes of a request.
 *
 * Oracles: what was decoded survives coding and decoding again; what goes into an HTTP header cannot end it;
 * a range that is granted lies within its file; a line of the access log is one line, and its quotes pair;
 * whatever is refused is refused with a sentence. runs: 200000
 * links: cmt_media cmt_streamd_parts */
#include <stdlib.h>
#include <string.h>

#include "access_log.h"
#include "media_message.h"
#include "range.h"
#include "support/fuzz.h"

static void check_header(const char *text)
{
	for (const char *c = text; *c != '\0'; c++) {
		REQUIRE(*c >= 0x20 && *c < 0x7f);
	}
}

static void check_range(const struct media_message *m)
{
	static const uint64_t sizes[] = {0, 1, 1000, INT64_MAX};

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		const struct range r = range_resolve(m, sizes[i]);

		REQUIRE(r.status == 200 || r.status == 206 || r.status == 400 || r.status == 416);
		REQUIRE(r.first <= sizes[i] && r.bytes <= sizes[i] - r.first);
		REQUIRE(r.status != 206 || r.bytes > 0);
	}
}

static void check_line(const struct media_message *m)
{
	const struct access_entry entry = {
	    .client = "127.0.0.1", .method = "GET", .path = m->path, .agent = m->agent, .status = 200};
	char line[8192];
	const size_t len = access_log_line(&entry, line, sizeof(line));
	unsigned quotes = 0;

	REQUIRE(len == strlen(line) && strchr(line, '\n') == line + len - 1);
	for (size_t i = 0; i < len; i++) {
		quotes += line[i] == '"';
	}
	REQUIRE(quotes == 4);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct media_message m, again;
	struct app_error error = {""};
	char *coded;
	size_t len;

	if (media_decode((const char *)data, size, &m, &error) != 0) {
		REQUIRE(error.text[0] != '\0');
		return 0;
	}
	check_header(m.etag);
	check_header(m.content_type);
	check_range(&m);
	check_line(&m);
	coded = media_encode(&m, &len);
	REQUIRE(coded != NULL);
	REQUIRE(media_decode(coded, len, &again, &error) == 0);
	REQUIRE(memcmp(&m, &again, sizeof(m)) == 0);
	free(coded);
	return 0;
}
