/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The INIT of a peer that restarts, or that crosses the stack's own, wants chunks authenticated and knows no
 * AUTH, which is only found out when its COOKIE-ECHO has changed the association (RFC 9260, section 5.2.4,
 * actions A and B). It ends, and both sides are told. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "support/isolate.h"
#include "support/raw.h"
#include "support/variant.h"

enum { OTHER_TAG = 0x0badcafe, OTHER_TSN = 70000, MESSAGE_BYTES = 1000, PATIENCE_US = 30000000 };

/* All that AUTH needs, and AUTH not among the extensions. */
static const uint8_t keys_without_auth[] = {RAW_TAKES_ASCONF};
enum { AUTH_AT = 6 };

static struct raw r;
static struct raw_options options;

struct outcome {
	unsigned aborts;
	bool ended;
};

static void echo_a_cookie_for_an_unusable_init(struct outcome *o)
{
	struct packet_draft d;
	unsigned since;

	memcpy(options.parameters, keys_without_auth, sizeof(keys_without_auth));
	REQUIRE(options.parameters[AUTH_AT] == CHUNK_AUTH);
	options.parameters[AUTH_AT] = CHUNK_RECONFIG;
	options.parameters_bytes = RAW_TAKES_ASCONF_BYTES;
	r.tag = OTHER_TAG;
	r.tsn = OTHER_TSN;
	raw_ask_cookie(&r);
	since = r.n_heard;
	raw_begin_cookie_echo(&r, &d);
	raw_send(&r, 0, &d);
	REQUIRE(raw_count(&r, since, CHUNK_COOKIE_ACK) == 0);
	o->aborts = raw_count(&r, since, CHUNK_ABORT);
	raw_run(&r, PATIENCE_US);
	o->ended = r.ended;
}

static void restart_with_data_out(const void *job, void *outcome)
{
	(void)job;
	options = (struct raw_options){.n_paths = 1};
	raw_accepted(&r, &options);
	raw_write(&r, MESSAGE_BYTES);
	raw_run(&r, 1000);
	echo_a_cookie_for_an_unusable_init(outcome);
	raw_close(&r);
}

/* The stack waits for COOKIE-ACK, which nobody sends. */
static void cross_its_cookie_echo(const void *job, void *outcome)
{
	struct packet_draft d;

	(void)job;
	options = (struct raw_options){.n_paths = 1};
	raw_connect(&r, &options);
	raw_begin(&r, &d);
	raw_add_init(&r, &d, CHUNK_INIT_ACK, "cookie!", 8);
	raw_send(&r, 0, &d);
	REQUIRE(raw_count(&r, 0, CHUNK_COOKIE_ECHO) == 1);
	echo_a_cookie_for_an_unusable_init(outcome);
	raw_close(&r);
}

static void expect_end(isolate_scenario *scenario)
{
	struct outcome o = {.aborts = 0};
	bool survived = isolate_survives(scenario, NULL, &o, sizeof(o));

	printf("%s, ABORT %u, %s\n", survived ? "ends well" : "does not end well", o.aborts,
	       o.ended ? "told" : "not told");
	if (!CMT_TEST_FIXED) {
		assert_false(survived && o.aborts == 1 && o.ended);
		return;
	}
	assert_true(survived);
	assert_int_equal(o.aborts, 1);
	assert_true(o.ended);
}

static void a_restart_that_cannot_be_used_ends_the_association(void **state)
{
	(void)state;
	expect_end(restart_with_data_out);
}

static void so_does_an_init_that_crosses_the_cookie_echo(void **state)
{
	(void)state;
	expect_end(cross_its_cookie_echo);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_restart_that_cannot_be_used_ends_the_association),
	    cmocka_unit_test(so_does_an_init_that_crosses_the_cookie_echo),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
