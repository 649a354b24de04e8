/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The control messages of docs/media-protocol.md. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "media_message.h"

#define GET   "\"type\":\"request\",\"method\":\"get\",\"window_bytes\":0"
#define BODY  "\"type\":\"answer\",\"status\":206,\"content_type\":\"video/mp4\",\"modified_us\":-1"
#define RANGE BODY ",\"etag\":\"a\""

static void a_message_survives_coding_and_decoding(void **state)
{
	static const char *const messages[] = {
	    "{\"type\":\"hello\",\"version\":1,\"agent\":\"cmt-gateway 1.0\"}",
	    "{\"type\":\"hello\",\"version\":1}",
	    "{\"type\":\"welcome\",\"version\":1,\"requests_max\":32}",
	    "{\"type\":\"request\",\"method\":\"get\",\"path\":\"/a/\xc3\xa4.mp4\",\"first\":0,\"last\":9,"
	    "\"etag\":\"5-1\",\"window_bytes\":65536,\"pace_bps\":6000000,\"burst_bytes\":1000000}",
	    "{\"type\":\"request\",\"method\":\"head\",\"path\":\"/\",\"suffix\":0,\"window_bytes\":0}",
	    "{" GET ",\"path\":\"/a\\nb\",\"last\":5}",
	    "{\"type\":\"window\",\"window_bytes\":9223372036854775807}",
	    "{\"type\":\"cancel\"}",
	    "{" RANGE ",\"size\":10,\"first\":4,\"bytes\":6}",
	    "{" RANGE ",\"size\":0,\"first\":0,\"bytes\":0,\"text\":\"empty\"}",
	    "{\"type\":\"answer\",\"status\":416,\"size\":7,\"text\":\"no\"}",
	    "{\"type\":\"end\",\"bytes\":6}",
	    "{\"type\":\"end\",\"bytes\":2,\"text\":\"cancelled\"}",
	    "{\"type\":\"bye\",\"text\":\"idle\"}",
	    "{\"type\":\"error\",\"text\":\"why\"}",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(messages) / sizeof(messages[0]); i++) {
		struct media_message m, again;
		struct app_error error = {""};
		size_t len;
		char *text;

		if (media_decode(messages[i], strlen(messages[i]), &m, &error) != 0) {
			fail_msg("%s: %s", messages[i], error.text);
		}
		text = media_encode(&m, &len);
		assert_int_equal(media_decode(text, len, &again, &error), 0);
		assert_memory_equal(&m, &again, sizeof(m));
		free(text);
	}
}

static void what_breaks_the_rules_is_refused_with_a_sentence(void **state)
{
	static const char wrong_kind[] = "has the wrong type or is out of range";
	static const struct {
		const char *json, *sentence;
	} wrong[] = {
	    {"[1]", "a control message is not a JSON object"},
	    {"{\"type\":\"bye\",\"type\":\"bye\"}", "a control message is not a JSON object"},
	    {"{\"type\":\"put\"}", "\"put\" is not a control message type"},
	    {"{\"type\":\"hello\",\"version\":2,\"new\":1}",
	     "the peer speaks version 2 of the media protocol, this program version 1; install the same "
	     "release on both sides"},
	    {"{\"type\":\"hello\"}", "a control message \"hello\" lacks \"version\""},
	    {"{\"type\":\"welcome\",\"version\":1,\"requests_max\":0}", wrong_kind},
	    {"{\"type\":\"cancel\",\"bytes\":1}", "a control message \"cancel\" has no \"bytes\""},
	    {"{\"type\":\"window\",\"window_bytes\":-1}", wrong_kind},
	    {"{\"type\":\"window\",\"window_bytes\":1e3}", wrong_kind},
	    {"{\"type\":\"window\",\"window_bytes\":9223372036854775808}",
	     "a control message is not a JSON object"},
	    {"{" GET "}", "a control message \"request\" lacks \"path\""},
	    {"{" GET ",\"path\":\"a\"}", "a path does not begin with \"/\""},
	    {"{" GET ",\"path\":\"\"}", "a path does not begin with \"/\""},
	    {"{" GET ",\"path\":\"/\\u0000\"}", "a control message is not a JSON object"},
	    {"{" GET ",\"path\":\"/\xff\"}", "a control message is not a JSON object"},
	    {"{" GET ",\"path\":\"/\",\"suffix\":1,\"last\":1}",
	     "\"suffix\" excludes \"first\" and \"last\""},
	    {"{" GET ",\"path\":\"/\",\"first\":-1}", wrong_kind},
	    {"{" GET ",\"path\":\"/\",\"pace_bps\":1000000000001}", wrong_kind},
	    {"{" GET ",\"path\":\"/\",\"etag\":\"a b\"}",
	     "a control message \"request\" has an invalid etag"},
	    {"{" GET ",\"path\":\"/\",\"etag\":\"a\\\"b\"}",
	     "a control message \"request\" has an invalid etag"},
	    {"{" GET ",\"path\":\"/\",\"etag\":\"\"}", "a control message \"request\" has an invalid etag"},
	    {"{\"type\":\"request\",\"method\":\"put\",\"window_bytes\":0,\"path\":\"/\"}", wrong_kind},
	    {"{\"type\":\"answer\",\"status\":404}", "a control message \"answer\" lacks \"text\""},
	    {"{\"type\":\"answer\",\"status\":100,\"text\":\"\"}", wrong_kind},
	    {"{" BODY ",\"size\":1,\"first\":0,\"bytes\":1}", "a control message \"answer\" lacks \"etag\""},
	    {"{" RANGE ",\"size\":10,\"first\":4,\"bytes\":7}",
	     "an answer extends beyond the end of its file"},
	    {"{" RANGE ",\"size\":10,\"first\":11,\"bytes\":0}",
	     "an answer extends beyond the end of its file"},
	    {"{" RANGE ",\"size\":10,\"first\":9223372036854775807,\"bytes\":9223372036854775807}",
	     "an answer extends beyond the end of its file"},
	    {"{\"type\":\"answer\",\"status\":404,\"text\":\"\",\"content_type\":\"a\\nb\"}",
	     "a control message \"answer\" has an invalid content type"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct media_message m;
		struct app_error error = {""};

		assert_int_equal(media_decode(wrong[i].json, strlen(wrong[i].json), &m, &error), -1);
		if (strstr(error.text, wrong[i].sentence) == NULL) {
			fail_msg("%s: %s", wrong[i].json, error.text);
		}
	}
}

static void texts_have_limits(void **state)
{
	char json[MEDIA_CONTROL_MAX_BYTES + 100], path[MEDIA_PATH_MAX_BYTES + 2];
	struct media_message m;
	struct app_error error;

	(void)state;
	memset(path, 'a', sizeof(path));
	path[0] = '/';
	path[MEDIA_PATH_MAX_BYTES + 1] = '\0';
	snprintf(json, sizeof(json), "{" GET ",\"path\":\"%s\"}", path);
	assert_int_equal(media_decode(json, strlen(json), &m, &error), -1);
	path[MEDIA_PATH_MAX_BYTES] = '\0';
	snprintf(json, sizeof(json), "{" GET ",\"path\":\"%s\"}", path);
	assert_int_equal(media_decode(json, strlen(json), &m, &error), 0);
	assert_string_equal(m.path, path);
	memset(json, ' ', sizeof(json));
	memcpy(json, "{\"type\":\"bye\"}", 14);
	assert_int_equal(media_decode(json, MEDIA_CONTROL_MAX_BYTES, &m, &error), 0);
	assert_int_equal(media_decode(json, MEDIA_CONTROL_MAX_BYTES + 1, &m, &error), -1);
	assert_string_equal(error.text, "a control message is longer than 16384 bytes");
}

static void a_text_for_people_is_printable_and_fits(void **state)
{
	struct media_message m = {.type = MEDIA_ERROR};
	char text[1000];
	size_t len;
	char *json;

	(void)state;
	memset(text, '\xff', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	media_set_text(&m, text);
	json = media_encode(&m, &len);
	assert_non_null(json);
	assert_true(len < 600);
	free(json);
}

static void what_is_not_utf8_is_not_coded(void **state)
{
	struct media_message m = {.type = MEDIA_HELLO, .has = MEDIA_M_AGENT, .agent = "\xff"};
	size_t len;

	(void)state;
	assert_null(media_encode(&m, &len));
	assert_int_equal(len, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_message_survives_coding_and_decoding),
	    cmocka_unit_test(what_breaks_the_rules_is_refused_with_a_sentence),
	    cmocka_unit_test(texts_have_limits),
	    cmocka_unit_test(a_text_for_people_is_printable_and_fits),
	    cmocka_unit_test(what_is_not_utf8_is_not_coded),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
