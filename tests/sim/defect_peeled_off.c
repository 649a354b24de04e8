/* SPDX-License-Identifier: BSD-3-Clause
 *
 * An association of a one-to-many socket gets a socket of its own. References of timers that had run out
 * moved with it, though they had been given back: one endpoint was kept for ever, the other freed too early.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/isolate.h"
#include "support/raw.h"
#include "support/variant.h"

static struct raw r;
static const struct raw_options options = {.one_to_many = true};

static void peel_off(const void *job, void *outcome)
{
	struct socket *so;

	(void)job;
	raw_accepted(&r, &options);
	*(bool *)outcome = raw_alive(&r) && raw_alive(&r); /* the timer of a delayed SACK runs out */
	so = usrsctp_peeloff(r.so, raw_association(&r));
	REQUIRE(so != NULL);
	usrsctp_close(so);
	raw_run(&r, 1000000);
	raw_close(&r);
}

static void endpoints_of_an_association_that_was_peeled_off_end(void **state)
{
	bool alive = false;

	(void)state;
	assert_int_equal(isolate_survives(peel_off, NULL, &alive, sizeof(alive)), CMT_TEST_FIXED);
	assert_true(alive);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(endpoints_of_an_association_that_was_peeled_off_end)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
