/* SPDX-License-Identifier: BSD-3-Clause
 *
 * An application takes away the address that data are under way to: they are taken all the same until the
 * peer has agreed, and not answered by ABORT. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <unistd.h>

#include "support/isolate.h"
#include "support/raw.h"
#include "support/variant.h"

static struct raw r;

static const struct raw_options options = {.n_paths = 2,
                                           .parameters = {RAW_ADDRESS(0), RAW_ADDRESS(1), RAW_TAKES_ASCONF},
                                           .parameters_bytes = 16 + RAW_TAKES_ASCONF_BYTES};

struct outcome {
	unsigned asconfs, aborts, sacks;
};

static void data_to_a_removed_address(const void *job, void *outcome)
{
	struct outcome *o = outcome;
	struct sockaddr_storage address;
	struct packet_draft d;
	unsigned since;

	(void)job;
	raw_accepted(&r, &options);
	since = r.n_heard;
	REQUIRE(usrsctp_cmt_sim_address(r.sim, 0, 0, RAW_STACK_PORT, &address) == 0);
	REQUIRE(usrsctp_bindx(r.so, (struct sockaddr *)&address, 1, SCTP_BINDX_REM_ADDR) == 0);
	if (!CMT_TEST_FIXED)
		(void)usleep(200000);
	raw_run(&r, 100000);
	o->asconfs = raw_count(&r, since, CHUNK_ASCONF);
	since = r.n_heard;
	raw_begin(&r, &d);
	raw_add_data(&r, &d, 0, 0, 100);
	raw_send(&r, 0, &d);
	raw_run(&r, 300000);
	o->aborts = raw_count(&r, since, CHUNK_ABORT);
	o->sacks = raw_count(&r, since, CHUNK_SACK);
	raw_close(&r);
}

static void data_under_way_to_an_address_that_goes_are_taken(void **state)
{
	struct outcome o;

	(void)state;
	/* Upstream leaves the ASCONF to a thread, which may sleep on. */
	do
		isolate_run(data_to_a_removed_address, NULL, &o, sizeof(o));
	while (!CMT_TEST_FIXED && o.asconfs == 0);
	printf("%u ASCONFs, %u ABORTs, %u SACKs\n", o.asconfs, o.aborts, o.sacks);
	assert_int_equal(o.aborts, !CMT_TEST_FIXED);
	assert_int_equal(o.sacks, CMT_TEST_FIXED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(data_under_way_to_an_address_that_goes_are_taken),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
