/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Packets that a back end has received together, and says so (`more` of struct usrsctp_cmt_arrival): one SACK
 * answers up to 16 of them, on one path and on two, and the transfer takes no longer. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#include "support/carrier.h"
#include "support/isolate.h"

enum { BYTES = 2000000, LIMIT_US = 60000000, DELAY_US = 10000 };

struct job {
	unsigned n_paths;
	bool says_more;
};

struct outcome {
	uint64_t took_us;
	size_t data_pkts, answers;
};

static void transfer(const void *arg, void *out)
{
	const struct job *job = arg;
	struct carrier *c = calloc(1, sizeof(*c));
	struct outcome o = {.took_us = 0};

	REQUIRE(c != NULL);
	c->in_virtual_time = true;
	c->n_paths = job->n_paths;
	c->says_more = job->says_more;
	c->delay_us = DELAY_US;
	REQUIRE(carrier_open(c) == 0);
	carrier_connect(c, 0, BYTES);
	REQUIRE(carrier_run(c, 0, BYTES, LIMIT_US) && c->hosts[1].intact);
	o.took_us = carrier_now_us(c);
	for (unsigned p = 0; p < job->n_paths; p++) {
		o.data_pkts += c->hosts[0].out_pkts[p];
		o.answers += c->hosts[1].out_pkts[p];
	}
	carrier_close(c);
	free(c);
	*(struct outcome *)out = o;
}

static struct outcome run(unsigned n_paths, bool says_more)
{
	const struct job job = {.n_paths = n_paths, .says_more = says_more};
	struct outcome o;

	isolate_run(transfer, &job, &o, sizeof(o));
	print_message("%u paths, %s: %zu packets, %zu answers, %.1f ms\n", n_paths,
	              says_more ? "together" : "one by one", o.data_pkts, o.answers, (double)o.took_us / 1e3);
	return o;
}

static void one_sack_answers_what_came_together(void **state)
{
	(void)state;
	for (unsigned n_paths = 1; n_paths <= 2; n_paths++) {
		const struct outcome alone = run(n_paths, false), together = run(n_paths, true);

		assert_in_range(alone.answers, alone.data_pkts / 3, alone.data_pkts);
		assert_in_range(together.answers, together.data_pkts / 20, alone.answers / 2);
		assert_in_range(together.took_us, 0, alone.took_us + alone.took_us / 20);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(one_sack_answers_what_came_together),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
