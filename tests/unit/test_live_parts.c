/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt-live's other parts: messages, the sender's backlog, where a stream is cut, endpoints. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "backlog.h"
#include "endpoint.h"
#include "live_message.h"
#include "srt_url.h"
#include "ts_cut.h"

static void messages_survive_coding(void **state)
{
	static const struct live_message messages[] = {
	    {.type = LIVE_HELLO,
	     .seq = 0xfffffff0,
	     .stream = UINT64_C(0x1122334455667788),
	     .latency_ms = 60000},
	    {.type = LIVE_WELCOME, .latency_ms = 1},
	    {.type = LIVE_STATUS, .status = {1, 2, 3, 4, 5, UINT64_MAX, 0}},
	    {.type = LIVE_STATUS, .repair = true, .status = {1, 2, 3, 4, 5, 6, 7}},
	    {.type = LIVE_HELLO, .seq = 1, .latency_ms = 300, .repair = true},
	    {.type = LIVE_WELCOME, .latency_ms = 300, .repair = true},
	    {.type = LIVE_END, .seq = 77},
	    {.type = LIVE_REFUSE, .text = "no"},
	};
	uint8_t bytes[LIVE_MAX_CONTROL_BYTES];

	(void)state;
	for (size_t i = 0; i < sizeof(messages) / sizeof(messages[0]); i++) {
		const size_t len = live_message_encode(&messages[i], bytes);
		struct live_message out;

		assert_int_equal(live_message_decode(bytes, len, &out), 0);
		assert_memory_equal(&out, &messages[i], sizeof(out));
		assert_int_equal(
		    live_message_decode(bytes, len - (messages[i].type == LIVE_REFUSE ? 3 : 1), &out), -1);
	}
}

static void data_carry_number_time_and_payload(void **state)
{
	static const uint8_t expected[] = {1, 1, 0, 0, 1, 2, 3, 4, 0, 0, 0, 0, 0, 0x0f, 0x42, 0x40, 'x', 'y'};
	uint8_t bytes[sizeof(expected)];
	struct live_message out;

	(void)state;
	live_data_header(0x01020304, 1000000, bytes);
	memcpy(bytes + LIVE_DATA_HEADER_BYTES, "xy", 2);
	assert_memory_equal(bytes, expected, sizeof(expected));
	assert_int_equal(live_message_decode(bytes, sizeof(bytes), &out), 0);
	assert_int_equal(out.seq, 0x01020304);
	assert_int_equal(out.time_us, 1000000);
	assert_int_equal(out.payload_bytes, 2);
	assert_memory_equal(out.payload, "xy", 2);
}

static void what_is_out_of_range_is_refused(void **state)
{
	uint8_t bytes[LIVE_MAX_CONTROL_BYTES] = {0};
	struct live_message out;

	(void)state;
	live_data_header(1, LIVE_MAX_TIME_US + 1, bytes);
	assert_int_equal(live_message_decode(bytes, 20, &out), -1);
	live_data_header(1, 5, bytes);
	assert_int_equal(live_message_decode(bytes, 16, &out), -1); /* an empty datagram */
	bytes[1] = LIVE_VERSION + 1;
	assert_int_equal(live_message_decode(bytes, 20, &out), -1);
	for (uint32_t ms = 0; ms <= 60001; ms += 60001) {
		const struct live_message hello = {.type = LIVE_HELLO, .latency_ms = ms};

		assert_int_equal(live_message_decode(bytes, live_message_encode(&hello, bytes), &out), -1);
	}
	assert_int_equal(live_message_decode((const uint8_t *)"\x63\x01\x00\x00", 4, &out), -1);
	assert_int_equal(live_message_decode(bytes, 0, &out), -1);
}

static void the_backlog_drops_what_is_older_than_the_budget(void **state)
{
	struct backlog b;

	(void)state;
	backlog_init(&b);
	for (uint64_t i = 0; i < 5; i++) {
		backlog_add(&b, "abc", 3, 1000 * i);
	}
	backlog_expire(&b, 2000, 4000);
	assert_int_equal(b.dropped, 2);
	assert_int_equal(backlog_first(&b)->time_us, 2000);
	assert_int_equal(backlog_first(&b)->message[7], 2); /* its number */
	backlog_take(&b, backlog_first(&b));
	assert_int_equal(b.dropped, 2);
	assert_int_equal(b.next_seq, 5);
	backlog_free(&b);
	assert_int_equal(b.bytes, 0);
}

static void the_backlog_is_bounded(void **state)
{
	static uint8_t large[LIVE_MAX_DATAGRAM_BYTES + 1];
	struct backlog b;

	(void)state;
	backlog_init(&b);
	backlog_add(&b, large, LIVE_MAX_DATAGRAM_BYTES + 1, 0);
	assert_int_equal(b.dropped, 1);
	for (int i = 0; i < 2000; i++) {
		backlog_add(&b, large, LIVE_MAX_DATAGRAM_BYTES, 0);
		assert_true(b.bytes <= BACKLOG_MAX_BYTES);
	}
	assert_int_equal(b.datagrams, 2001);
	assert_true(b.dropped > 900);
	backlog_free(&b);
}

static void transport_streams_are_cut_between_packets(void **state)
{
	uint8_t ts[10 * TS_PACKET_BYTES];

	(void)state;
	memset(ts, 0, sizeof(ts));
	for (size_t i = 0; i < 10; i++) {
		ts[i * TS_PACKET_BYTES] = 0x47;
	}
	assert_int_equal(ts_cut(ts, sizeof(ts), false), TS_CUT_BYTES);
	assert_int_equal(ts_cut(ts, 1315, false), 0);
	assert_int_equal(ts_cut(ts, 1315, true), 6 * 188);
	assert_int_equal(ts_cut(ts, 100, true), 0);
	assert_int_equal(ts_cut(ts, 0, true), 0);
	ts[188] = 0x48;
	assert_int_equal(ts_cut(ts, 500, false), 500);
	assert_int_equal(ts_cut(ts, sizeof(ts), false), TS_CUT_BYTES);
}

static void endpoints_are_read(void **state)
{
	struct endpoint e;
	struct app_error error;

	(void)state;
	assert_int_equal(endpoint_parse("-", &e, &error), 0);
	assert_int_equal(e.kind, ENDPOINT_STDIO);
	assert_int_equal(endpoint_parse("cmt://10.1.0.1,10.2.0.1:5003", &e, &error), 0);
	assert_int_equal(e.kind, ENDPOINT_CMT);
	assert_string_equal(e.hosts, "10.1.0.1,10.2.0.1:5003");
	assert_int_equal(e.port, 5003);
	assert_int_equal(endpoint_parse("cmt://[fd00::1],[fd00::2]:7", &e, &error), 0);
	assert_string_equal(e.hosts, "[fd00::1],[fd00::2]:7");
	assert_int_equal(e.port, 7);
	assert_int_equal(endpoint_parse("cmt://[fd00::1]", &e, &error), 0);
	assert_int_equal(e.port, 0);
	assert_int_equal(endpoint_parse("cmt://:5003", &e, &error), 0);
	assert_null(e.hosts);
	assert_int_equal(endpoint_parse("cmt://", &e, &error), 0);
	assert_int_equal(endpoint_parse("udp://:5004", &e, &error), 0);
	assert_int_equal(e.kind, ENDPOINT_UDP);
	assert_int_equal(endpoint_parse("udp://127.0.0.1", &e, &error), -1);
	assert_non_null(strstr(error.text, "has no port"));
	assert_int_equal(endpoint_parse("rtp://127.0.0.1:5", &e, &error), -1);
	assert_non_null(strstr(error.text, "is not an endpoint"));
	assert_int_equal(endpoint_parse("udp://127.0.0.1:70000", &e, &error), -1);
	assert_non_null(strstr(error.text, "\"70000\" is not a port"));
	assert_int_equal(endpoint_parse("cmt://:5003?latency=300", &e, &error), -1);
	assert_non_null(strstr(error.text, "options"));
}

static void srt_says_who_calls(void **state)
{
	static const struct {
		const char *text, *at;
		bool listens, unasked;
	} of[] = {
	    {":9000", "127.0.0.1:9000", true, true},
	    {":9000?mode=listener", "127.0.0.1:9000", true, true},
	    {"0.0.0.0:9000", "0.0.0.0:9000", true, false},
	    {"[::]:9000", "[::]:9000", true, false},
	    {"10.1.0.1:9000", "10.1.0.1:9000", false, false},
	    {"10.1.0.1:9000?mode=listener", "10.1.0.1:9000", true, false},
	    {"[fd00::1]:9000?mode=caller", "[fd00::1]:9000", false, false},
	    {"studio.example:9000?latency=20", "studio.example:9000", false, false},
	};
	struct srt_url url;
	struct app_error error;

	(void)state;
	for (size_t i = 0; i < sizeof(of) / sizeof(of[0]); i++) {
		assert_int_equal(srt_url_parse(of[i].text, &url, &error), 0);
		assert_string_equal(url.at, of[i].at);
		assert_int_equal(url.port, 9000);
		assert_int_equal(url.listens, of[i].listens);
		assert_int_equal(url.loopback_unasked, of[i].unasked);
	}
}

static void srt_settings_are_decoded(void **state)
{
	static const char *const wrong[] = {
	    ":9?streamid=%",
	    ":9?streamid=%4",
	    ":9?streamid=%00",
	    ":9?=",
	    ":9?latency=",
	    ":9?latency=-1",
	    ":9?pbkeylen=20",
	    ":9?passphrase=%2",
	    "?",
	    "",
	    ":",
	    ":9/x",
	    ":9?latency",
	};
	struct srt_url url;
	struct app_error error;

	(void)state;
	assert_int_equal(
	    srt_url_parse(":9?streamid=%23!::r=a%26b&passphrase=0123456%3789&latency=0&pbkeylen=24", &url,
	                  &error),
	    0);
	assert_string_equal(url.streamid, "#!::r=a&b");
	assert_string_equal(url.passphrase, "0123456789");
	assert_int_equal(url.latency_ms, 0);
	assert_int_equal(url.key_bytes, 24);
	assert_int_equal(srt_url_parse(":9", &url, &error), 0);
	assert_int_equal(url.latency_ms, -1);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		assert_int_equal(srt_url_parse(wrong[i], &url, &error), -1);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(messages_survive_coding),
	    cmocka_unit_test(data_carry_number_time_and_payload),
	    cmocka_unit_test(what_is_out_of_range_is_refused),
	    cmocka_unit_test(the_backlog_drops_what_is_older_than_the_budget),
	    cmocka_unit_test(the_backlog_is_bounded),
	    cmocka_unit_test(transport_streams_are_cut_between_packets),
	    cmocka_unit_test(endpoints_are_read),
	    cmocka_unit_test(srt_says_who_calls),
	    cmocka_unit_test(srt_settings_are_decoded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
