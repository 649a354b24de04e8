/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A receiver that lies in duplicates and echoes gains little. A single run says nothing: with the same loss,
 * that of one seed and the next differ by half.
 *
 * cost: 27 s */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/liar.h"

enum { N_SEEDS = 32, N_CONTROLS = 2 };

static uint64_t duration_us(enum lie lie, const char *cc, const char *recovery)
{
	uint64_t sum_us = 0;

	for (uint64_t seed = 1; seed <= N_SEEDS; seed++) {
		struct liar_outcome o = liar_run((struct liar_job){
		    .lie = lie, .cc = cc, .recovery = recovery, .seed = seed, .loss = 0.01});

		assert_true(o.delivered);
		if (lie != HONEST)
			assert_true(o.forged > 100);
		sum_us += o.done_us;
	}
	return sum_us;
}

static void liars_are_hardly_faster_than_the_honest(void **state)
{
	const char *const controls[] = {"uncoupled", "veno"};
	const enum lie lies[] = {LIE_DUPLICATES, LIE_MANY_DUPLICATES, LIE_STALE,
	                         LIE_OLD,        LIE_SILENT,          LIE_BOTH};

	(void)state;
	for (unsigned c = 0; c < N_CONTROLS; c++) {
		uint64_t honest_us = duration_us(HONEST, controls[c], NULL);

		for (unsigned i = 0; i < 6; i++) {
			uint64_t us = duration_us(lies[i], controls[c], NULL);

			print_message("%s: honest 1, lie %d %.2f\n", controls[c], (int)lies[i],
			              (double)honest_us / (double)us);
			assert_true(honest_us * 20 <= us * 23);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(liars_are_hardly_faster_than_the_honest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
