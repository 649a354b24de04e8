/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The application connects, writes, and closes its socket before the association is up, and the peer's INIT
 * crosses its own (RFC 9260, section 5.2.4, actions B and D), or the COOKIE-ACK is lost: what was written
 * arrives, then SHUTDOWN is sent. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>

#include "support/isolate.h"
#include "support/raw.h"
#include "support/variant.h"

enum { MESSAGE_BYTES = 1000, T1_US = 5000000 };

static struct raw r;
static const struct raw_options options = {.n_paths = 1};

struct outcome {
	unsigned data, shutdowns;
	unsigned early_shutdowns, cookies; /* before the COOKIE-ACK: SHUTDOWNs, COOKIE-ECHOs */
};

static void answer_init(void)
{
	struct packet_draft d;

	raw_begin(&r, &d);
	raw_add_init(&r, &d, CHUNK_INIT_ACK, "cookie!", 8);
	raw_send(&r, 0, &d);
	REQUIRE(raw_count(&r, 0, CHUNK_COOKIE_ECHO) == 1);
}

/* Action D when the peer's tag is known by its INIT-ACK, else B. */
static void cross(const void *job, void *outcome)
{
	const bool answered = *(const bool *)job;
	struct outcome *o = outcome;
	struct packet_draft d;
	unsigned since;

	raw_connect(&r, &options);
	raw_write(&r, MESSAGE_BYTES);
	if (answered)
		answer_init();
	raw_ask_cookie(&r);
	raw_close_socket(&r);
	since = r.n_heard;
	raw_begin_cookie_echo(&r, &d);
	raw_send(&r, 0, &d);
	REQUIRE(raw_count(&r, since, CHUNK_COOKIE_ACK) == 1);
	raw_run(&r, 1000);
	r.heard_before = 0; /* the message may have come with the COOKIE-ECHO */
	o->data = raw_count(&r, 0, CHUNK_DATA);
	raw_acknowledge(&r);
	o->shutdowns = raw_count(&r, since, CHUNK_SHUTDOWN);
	raw_close(&r);
}

static void what_was_written_arrives_though_the_socket_is_closed(void **state)
{
	static const bool answered[] = {false, true};

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		struct outcome o = {.data = 0};
		bool survived = isolate_survives(cross, &answered[i], &o, sizeof(o));

		printf("INIT %s: %s, DATA %u, SHUTDOWN %u\n", answered[i] ? "answered" : "not answered",
		       survived ? "survives" : "crashes", o.data, o.shutdowns);
		assert_int_equal(survived, CMT_TEST_FIXED);
		if (!CMT_TEST_FIXED)
			continue;
		assert_int_equal(o.data, 1);
		assert_int_equal(o.shutdowns, 1);
	}
}

/* The message is acknowledged, which goes with the COOKIE-ECHO; the COOKIE-ACK comes when that is repeated.
 */
static void lose_cookie_ack(const void *job, void *outcome)
{
	struct outcome *o = outcome;
	struct packet_draft d;
	uint8_t sack[12] = {0};

	(void)job;
	raw_connect(&r, &options);
	raw_write(&r, MESSAGE_BYTES);
	raw_close_socket(&r);
	answer_init();
	packet_put32(sack, r.stack_tsn);
	packet_put32(sack + 4, RAW_WINDOW_BYTES);
	raw_begin(&r, &d);
	packet_add(&d, CHUNK_PAD, 8, sack, 4); /* in front, a SACK counts as the COOKIE-ACK */
	packet_add(&d, CHUNK_SACK, 16, sack, sizeof(sack));
	raw_send(&r, 0, &d);
	raw_run(&r, T1_US);
	o->early_shutdowns = raw_count(&r, 0, CHUNK_SHUTDOWN);
	o->cookies = raw_count(&r, 0, CHUNK_COOKIE_ECHO);
	raw_begin(&r, &d);
	packet_add(&d, CHUNK_COOKIE_ACK, 4, NULL, 0);
	raw_send(&r, 0, &d);
	raw_run(&r, T1_US);
	o->shutdowns = raw_count(&r, 0, CHUNK_SHUTDOWN);
	raw_close(&r);
}

static void shutdown_waits_for_the_cookie_ack(void **state)
{
	struct outcome o = {.data = 0};
	bool survived = isolate_survives(lose_cookie_ack, NULL, &o, sizeof(o));

	(void)state;
	printf("%s, COOKIE-ECHO %u, SHUTDOWN %u before the COOKIE-ACK, %u in all\n",
	       survived ? "survives" : "crashes", o.cookies, o.early_shutdowns, o.shutdowns);
	assert_int_equal(survived && o.early_shutdowns == 0, CMT_TEST_FIXED);
	if (!CMT_TEST_FIXED)
		return;
	assert_in_range(o.cookies, 2, 4);
	assert_in_range(o.shutdowns, 2, 4); /* nobody answers */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(what_was_written_arrives_though_the_socket_is_closed),
	    cmocka_unit_test(shutdown_waits_for_the_cookie_ack),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
