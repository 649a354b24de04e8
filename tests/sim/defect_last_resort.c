/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The only address has failed, and what was sent again there is acknowledged: what the application writes
 * then leaves at once (RFC 9260, section 8.2), whether HEARTBEATs are answered or not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/isolate.h"
#include "support/raw.h"
#include "support/variant.h"

enum { MESSAGE_BYTES = 100, FAILED_US = 150000000 }; /* six timeouts in a row, 1 to 32 s and some */

static struct raw r;

struct outcome {
	unsigned sent_again, sent_at_once;
};

static void write_after_a_failure(const void *job, void *outcome)
{
	const struct raw_options options = {.n_paths = 1};
	struct outcome *o = outcome;
	unsigned since;

	(void)job;
	raw_accepted(&r, &options);
	since = r.n_heard;
	raw_write(&r, MESSAGE_BYTES);
	raw_run(&r, FAILED_US);
	o->sent_again = raw_count(&r, since, CHUNK_DATA) - 1;
	raw_acknowledge(&r);
	since = r.n_heard;
	raw_write(&r, MESSAGE_BYTES);
	raw_run(&r, 100000);
	o->sent_at_once = raw_count(&r, since, CHUNK_DATA);
	raw_close(&r);
}

static void data_leave_on_the_only_address_though_it_is_inactive(void **state)
{
	struct outcome o;

	(void)state;
	isolate_run(write_after_a_failure, NULL, &o, sizeof(o));
	print_message("%u times sent again, then %u at once\n", o.sent_again, o.sent_at_once);
	assert_in_range(o.sent_again, 6, 9);
	assert_int_equal(o.sent_at_once, CMT_TEST_FIXED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(data_leave_on_the_only_address_though_it_is_inactive),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
