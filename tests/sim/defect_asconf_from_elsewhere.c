/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ASCONF from addresses that the association does not know (RFC 5061, section 4.1.1: the address parameter
 * tells which association is meant, the wildcard address that the tag does). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/isolate.h"
#include "support/raw.h"
#include "support/variant.h"

static struct raw r;
static const struct raw_options options = {.n_paths = 2};

/* To an accepted socket; then everything is closed, which fails when a reference is missing or left over. */
static void wildcard(const void *job, void *outcome)
{
	static const uint8_t serial_and_any_address[] = {0, 0, 0, 1, 0, 5, 0, 8, 0, 0, 0, 0};
	bool *alive = outcome;
	struct packet_draft d;

	(void)job;
	raw_accepted(&r, &options);
	raw_begin(&r, &d);
	packet_add(&d, CHUNK_ASCONF, 4 + sizeof(serial_and_any_address), serial_and_any_address,
	           sizeof(serial_and_any_address));
	raw_send(&r, 1, &d);
	*alive = raw_alive(&r);
	raw_close(&r);
}

static void an_asconf_found_by_its_tag_leaves_references_as_they_were(void **state)
{
	bool alive = false;

	(void)state;
	assert_int_equal(isolate_survives(wildcard, NULL, &alive, sizeof(alive)), CMT_TEST_FIXED);
	if (CMT_TEST_FIXED)
		assert_true(alive);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(an_asconf_found_by_its_tag_leaves_references_as_they_were)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
