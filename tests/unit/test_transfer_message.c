/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The control messages and names of docs/transfer-protocol.md. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "transfer_message.h"

#define SHA "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

static void a_message_survives_coding_and_decoding(void **state)
{
	static const char *const messages[] = {
	    "{\"type\":\"hello\",\"version\":1,\"bytes\":5,\"files\":2,\"resume\":true,\"msg_bytes\":1400,"
	    "\"scheduler\":\"lcm\"}",
	    "{\"type\":\"welcome\",\"version\":1}",
	    "{\"type\":\"folder\",\"id\":0,\"name\":\"a/b\",\"mode\":493,\"mtime_us\":-5,\"final\":false}",
	    "{\"type\":\"file\",\"id\":9,\"name\":\"\xc3\xa4\",\"bytes\":9223372036854775807,\"mode\":420}",
	    "{\"type\":\"answer\",\"id\":9,\"overwrite\":true,\"verdict\":\"partial\",\"bytes\":7,\"sha256\":"
	    "\"" SHA "\"}",
	    "{\"type\":\"answer\",\"id\":9,\"verdict\":\"refused\",\"text\":\"no\"}",
	    "{\"type\":\"start\",\"id\":9,\"offset\":7}",
	    "{\"type\":\"end\",\"id\":9,\"bytes\":7,\"sha256\":\"" SHA "\"}",
	    "{\"type\":\"done\",\"id\":9,\"verdict\":\"corrupt\",\"text\":\"a\"}",
	    "{\"type\":\"busy\"}",
	    "{\"type\":\"bye\"}",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(messages) / sizeof(messages[0]); i++) {
		struct transfer_message m, again;
		struct app_error error = {""};
		size_t len;
		char *text;

		if (transfer_decode(messages[i], strlen(messages[i]), &m, &error) != 0) {
			fail_msg("%s: %s", messages[i], error.text);
		}
		text = transfer_encode(&m, &len);
		assert_int_equal(transfer_decode(text, len, &again, &error), 0);
		assert_memory_equal(&m, &again, sizeof(m));
		free(text);
	}
}

static void what_breaks_the_rules_is_refused_with_a_sentence(void **state)
{
	static const struct {
		const char *json, *sentence;
	} wrong[] = {
	    {"", "a control message is not a JSON object"},
	    {"{\"type\":\"bye\"} x", "a control message is not a JSON object"},
	    {"{\"type\":\"bye\",\"type\":\"bye\"}", "a control message is not a JSON object"},
	    {"{}", "a control message has no type"},
	    {"{\"type\":7}", "a control message has no type"},
	    {"{\"type\":\"dance\"}", "\"dance\" is not a control message type"},
	    {"{\"type\":\"bye\",\"id\":1}", "a control message \"bye\" has no \"id\""},
	    {"{\"type\":\"skip\"}", "a control message \"skip\" lacks \"id\""},
	    {"{\"type\":\"skip\",\"id\":-1}",
	     "\"id\" of a control message \"skip\" has the wrong type or is out of range"},
	    {"{\"type\":\"skip\",\"id\":1.5}",
	     "\"id\" of a control message \"skip\" has the wrong type or is out of range"},
	    {"{\"type\":\"file\",\"id\":1,\"name\":\"a\",\"mode\":2048}",
	     "\"mode\" of a control message \"file\" has the wrong type or is out of range"},
	    {"{\"type\":\"error\",\"text\":\"a\\u0000b\"}", "a control message is not a JSON object"},
	    {"{\"type\":\"answer\",\"id\":1,\"verdict\":\"ok\"}",
	     "\"ok\" is not a verdict of a control message \"answer\""},
	    {"{\"type\":\"done\",\"id\":1,\"verdict\":\"send\"}",
	     "\"send\" is not a verdict of a control message \"done\""},
	    {"{\"type\":\"answer\",\"id\":1,\"verdict\":\"existing\",\"bytes\":1}",
	     "a control message \"answer\" lacks \"sha256\""},
	    {"{\"type\":\"end\",\"id\":1,\"bytes\":1,\"sha256\":\"AB\"}",
	     "a control message \"end\" has an invalid sha256"},
	    {"{\"type\":\"file\",\"id\":1,\"name\":\"../a\",\"mode\":420}",
	     "\"../a\" is not a path below the receiver's folder"},
	    {"{\"type\":\"hello\",\"version\":2}",
	     "the peer speaks version 2 of the transfer protocol, this program version 1; install the same "
	     "release on both sides"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct transfer_message m;
		struct app_error error = {""};

		assert_int_equal(transfer_decode(wrong[i].json, strlen(wrong[i].json), &m, &error), -1);
		assert_string_equal(error.text, wrong[i].sentence);
	}
}

static void names_stay_below_the_folder(void **state)
{
	static const char *const wrong[] = {
	    "",     ".",     "..",   "/a",          "a/",         "a//b", "a/../b", "./a",     "a/.",
	    "a\nb", "a\x7f", "\xff", "x.cmt-part/", "a.cmt-part", "/",    "//",     "\xc2\x85"};
	static const char *const right[] = {"a", "a/b", "...", ".a", "a b", "\xc3\xa4", "-", "~", "cmt-part"};
	struct app_error error;

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		assert_int_equal(transfer_name_check(wrong[i], &error), -1);
	}
	for (size_t i = 0; i < sizeof(right) / sizeof(right[0]); i++) {
		assert_int_equal(transfer_name_check(right[i], &error), 0);
	}
}

static void names_have_limits(void **state)
{
	char name[TRANSFER_NAME_MAX_BYTES + 2];
	struct app_error error;

	(void)state;
	memset(name, 'a', sizeof(name));
	name[TRANSFER_COMPONENT_MAX_BYTES] = '\0';
	assert_int_equal(transfer_name_check(name, &error), 0);
	name[TRANSFER_COMPONENT_MAX_BYTES] = 'a';
	name[TRANSFER_COMPONENT_MAX_BYTES + 1] = '\0';
	assert_int_equal(transfer_name_check(name, &error), -1);
	for (size_t i = 0; i < sizeof(name); i++) {
		name[i] = i % 2 == 0 ? 'a' : '/';
	}
	name[TRANSFER_NAME_MAX_BYTES + 1] = '\0';
	name[TRANSFER_NAME_MAX_BYTES] = 'a';
	assert_int_equal(transfer_name_check(name, &error), -1);
	name[TRANSFER_NAME_MAX_BYTES] = '\0';
	name[TRANSFER_NAME_MAX_BYTES - 1] = 'a';
	assert_int_equal(transfer_name_check(name, &error), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_message_survives_coding_and_decoding),
	    cmocka_unit_test(what_breaks_the_rules_is_refused_with_a_sentence),
	    cmocka_unit_test(names_stay_below_the_folder),
	    cmocka_unit_test(names_have_limits),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
