/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Upstream defect 7: setting SCTP_CMT_ON_OFF is refused unless the sysctl of the same name was switched on.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>

#include "support/isolate.h"
#include "support/pair.h"
#include "support/variant.h"

struct outcome {
	int result, error;
	uint32_t value;      /* as read back; 99 = not readable */
	uint64_t path1_pkts; /* on the path that only CMT uses for data */
	bool delivered;
};

static void switch_on(struct socket *so, int host, void *arg)
{
	struct sctp_assoc_value v = {.assoc_id = SCTP_FUTURE_ASSOC, .assoc_value = SCTP_CMT_BASE};
	struct outcome *o = arg;
	socklen_t len = sizeof(v);

	if (host != PAIR_CLIENT)
		return;
	errno = 0;
	o->result = usrsctp_setsockopt(so, IPPROTO_SCTP, SCTP_CMT_ON_OFF, &v, sizeof(v));
	o->error = errno;
	v.assoc_value = 99;
	(void)usrsctp_getsockopt(so, IPPROTO_SCTP, SCTP_CMT_ON_OFF, &v, &len);
	o->value = v.assoc_value;
}

static void transfer(const void *job, void *outcome)
{
	const struct usrsctp_cmt_sim_link link = {.rate_bps = 2000000, .delay_us = 20000, .queue_pkts = 100};
	struct pair_options options = {.seed = 1,
	                               .n_paths = 2,
	                               .forward = {link, link},
	                               .backward = {link, link},
	                               .bytes = 200000,
	                               .sysctl_cmt = *(const bool *)job,
	                               .configure = switch_on,
	                               .arg = outcome};
	struct usrsctp_cmt_sim_link_stats stats;
	struct outcome *o = outcome;
	struct pair p;

	pair_open(&p, &options);
	pair_run(&p, UINT64_C(600000000));
	REQUIRE(usrsctp_cmt_sim_link_stats(p.sim, 1, 0, &stats) == 0);
	o->path1_pkts = stats.sent_pkts;
	o->delivered = p.complete && p.intact;
	pair_close(&p);
}

static void the_option_alone_switches_cmt_on(void **state)
{
	const bool sysctl = false;
	struct outcome o;

	(void)state;
	isolate_run(transfer, &sysctl, &o, sizeof(o));
	assert_true(o.delivered);
	if (CMT_TEST_FIXED) {
		assert_int_equal(o.result, 0);
		assert_int_equal(o.value, SCTP_CMT_BASE);
		assert_in_range(o.path1_pkts, 50, 200);
	} else {
		assert_int_equal(o.result, -1);
		assert_int_equal(o.error, ENOPROTOOPT);
		assert_in_range(o.path1_pkts, 0, 10);
	}
}

static void the_sysctl_still_does(void **state)
{
	const bool sysctl = true;
	struct outcome o;

	(void)state;
	isolate_run(transfer, &sysctl, &o, sizeof(o));
	assert_true(o.delivered);
	assert_int_equal(o.result, 0);
	assert_int_equal(o.value, SCTP_CMT_BASE);
	assert_in_range(o.path1_pkts, 50, 200);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_option_alone_switches_cmt_on),
	    cmocka_unit_test(the_sysctl_still_does),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
