/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Upstream defect: a chunk that was cut before its path's MTU fell is no window probe. When the peer closes
 * its window with nothing under way, and the SACK that opens it again is lost, the transfer never ends
 * (upstream/fixes/large-window-probe.manifest). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>

#include "support/isolate.h"
#include "support/raw.h"
#include "support/variant.h"

enum { MESSAGES = 20, MESSAGE_BYTES = 1200, SMALL_PATHMTU_BYTES = 600, MOMENT_US = 1000, WAIT_US = 10000000 };

struct outcome {
	unsigned first, probes; /* chunks of the first flight, and with the window closed */
};

static void close_window(const void *job, void *outcome)
{
	static struct raw r;
	const struct raw_options options = {.n_paths = 1};
	struct outcome *o = outcome;
	unsigned since;

	(void)job;
	raw_accepted(&r, &options);
	since = r.n_heard;
	for (int i = 0; i < MESSAGES; i++)
		raw_write(&r, MESSAGE_BYTES);
	raw_run(&r, MOMENT_US);
	o->first = raw_count(&r, since, CHUNK_DATA);
	raw_set_path_mtu(&r, SMALL_PATHMTU_BYTES);
	since = r.n_heard;
	raw_acknowledge_within(&r, 0);
	raw_run(&r, WAIT_US);
	o->probes = raw_count(&r, since, CHUNK_DATA);
	raw_close(&r);
}

static void a_chunk_that_is_larger_than_the_mtu_probes_the_window(void **state)
{
	struct outcome o;

	(void)state;
	isolate_run(close_window, NULL, &o, sizeof(o));
	printf("%u chunks, then %u probes\n", o.first, o.probes);
	assert_in_range(o.first, 2, 6);
	if (CMT_TEST_FIXED)
		assert_in_range(o.probes, 2, 20);
	else
		assert_int_equal(o.probes, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_chunk_that_is_larger_than_the_mtu_probes_the_window),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
