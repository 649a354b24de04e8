/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The application has closed its socket while its last data are not acknowledged, and the peer restarts (RFC
 * 9260, section 5.2.4, action A): what was for the old association is dropped, and SHUTDOWN is sent. */
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

enum { RESTARTED_TAG = 0x0badcafe, RESTARTED_TSN = 70000, MESSAGE_BYTES = 1000, PATIENCE_US = 60000000 };

static struct raw r;
static const uint8_t both_addresses[] = {RAW_ADDRESS(0), RAW_ADDRESS(1)};
static struct raw_options options;

struct job {
	unsigned messages;
	int from; /* the path of the COOKIE-ECHO; the new association has the first one only */
};

struct outcome {
	unsigned data, shutdowns, ends; /* heard after the COOKIE-ACK; SHUTDOWN-COMPLETEs */
};

/* Who has closed its socket sends no INIT-ACK: the restart begins before. */
static void hear_restart(const void *job, void *outcome)
{
	const struct job *j = job;
	struct outcome *o = outcome;
	struct packet_draft d;
	unsigned since;

	options = (struct raw_options){.n_paths = 2, .parameters_bytes = sizeof(both_addresses)};
	memcpy(options.parameters, both_addresses, sizeof(both_addresses));
	raw_accepted(&r, &options);
	for (unsigned i = 0; i < j->messages; i++)
		raw_write(&r, MESSAGE_BYTES);
	raw_run(&r, 1000);
	r.tag = RESTARTED_TAG;
	r.tsn = RESTARTED_TSN;
	options.parameters_bytes = 0;
	raw_ask_cookie(&r);
	raw_close_socket(&r);
	since = r.n_heard;
	raw_begin_cookie_echo(&r, &d);
	raw_send(&r, j->from, &d);
	REQUIRE(raw_count(&r, since, CHUNK_COOKIE_ACK) == 1);
	raw_run(&r, PATIENCE_US);
	o->data = raw_count(&r, since, CHUNK_DATA);
	o->shutdowns = raw_count(&r, since, CHUNK_SHUTDOWN);
	raw_begin(&r, &d);
	packet_add(&d, CHUNK_SHUTDOWN_ACK, 4, NULL, 0);
	raw_send(&r, 0, &d);
	o->ends = raw_count(&r, since, CHUNK_SHUTDOWN_COMPLETE);
	raw_close(&r);
}

/* All under way; more than a window of the path and one packet hold, so that some have no TSN yet. */
static void what_the_closed_socket_left_is_dropped_and_the_new_association_ends(void **state)
{
	static const struct job jobs[] = {{1, 0}, {3, 0}, {60, 0}, {3, 1}};

	(void)state;
	for (unsigned i = 0; i < sizeof(jobs) / sizeof(jobs[0]); i++) {
		struct outcome o = {.data = 0};
		bool survived = isolate_survives(hear_restart, &jobs[i], &o, sizeof(o));

		printf("%u messages: %s, DATA %u, SHUTDOWN %u\n", jobs[i].messages,
		       survived ? "ends well" : "does not end well", o.data, o.shutdowns);
		if (!CMT_TEST_FIXED) {
			assert_false(survived && o.shutdowns > 0);
			continue;
		}
		assert_true(survived);
		assert_int_equal(o.data, 0);
		assert_in_range(o.shutdowns, 2, 12);
		assert_int_equal(o.ends, 1);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(what_the_closed_socket_left_is_dropped_and_the_new_association_ends)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
