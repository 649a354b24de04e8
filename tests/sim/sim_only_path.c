/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Where all paths have failed one is used all the same (RFC 7829, section 4.2). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/isolate.h"
#include "support/policy.h"
#include "support/raw.h"

enum { SILENCE_US = 800000, MESSAGE_BYTES = 100 };

static const char *const policies[] = {"stock", "rr", "lcm", "arrival", "auto"};
enum { N_POLICIES = sizeof(policies) / sizeof(policies[0]) };

struct job {
	const char *scheduler;
	bool extension; /* of the peer; without it one path leaves nothing to schedule */
};

static const char *scheduler;
static struct raw r;

static void use_scheduler(struct socket *so)
{
	const int on = 1;

	policy_choose(so, SCTP_CMT_SCHEDULER, scheduler);
	REQUIRE(usrsctp_setsockopt(so, IPPROTO_SCTP, SCTP_NODELAY, &on, sizeof(on)) == 0);
}

static void ask(uint16_t number)
{
	struct packet_draft d;

	raw_begin(&r, &d);
	raw_add_data(&r, &d, 0, number, MESSAGE_BYTES);
	raw_send(&r, 0, &d);
}

static unsigned path_state(void)
{
	struct sctp_cmt_path_stats path = {.size = sizeof(path)};
	socklen_t len = sizeof(path);

	REQUIRE(usrsctp_getsockopt(r.so, IPPROTO_SCTP, SCTP_CMT_PATH_STATS, &path, &len) == 0 &&
	        len == sizeof(path));
	return path.state;
}

struct outcome {
	uint64_t waited_us;     /* for the second echo; UINT64_MAX = longer than 5 s */
	unsigned before, after; /* enum sctp_cmt_path_state: at the end of the silence, and when the second
	                           echo was acknowledged. No HEARTBEAT was answered meanwhile. */
};

/* The application echoes. */
static void echo_after_a_silence(const void *job, void *outcome)
{
	const struct job *j = job;
	const struct raw_options options = {.configure = use_scheduler,
	                                    .parameters = {RAW_SPEAKS_OURS},
	                                    .parameters_bytes = j->extension ? RAW_SPEAKS_OURS_BYTES : 0};
	struct outcome *o = outcome;
	uint64_t asked_us;
	unsigned since;

	scheduler = j->scheduler;
	raw_accepted(&r, &options);
	ask(0);
	raw_write(&r, MESSAGE_BYTES);
	raw_run(&r, SILENCE_US);
	o->before = path_state();
	raw_acknowledge(&r);
	since = r.n_heard;
	ask(1);
	asked_us = usrsctp_cmt_sim_now_us(r.sim);
	raw_write(&r, MESSAGE_BYTES);
	o->waited_us = UINT64_MAX;
	for (unsigned ms = 0; ms < 5000 && o->waited_us == UINT64_MAX; ms++) {
		if (raw_count(&r, since, CHUNK_DATA) > 0)
			o->waited_us = usrsctp_cmt_sim_now_us(r.sim) - asked_us;
		raw_run(&r, 1000);
	}
	raw_acknowledge(&r);
	o->after = path_state();
	raw_close(&r);
}

static struct outcome run(const char *name, bool extension)
{
	const struct job job = {.scheduler = name, .extension = extension};
	struct outcome o;

	isolate_run(echo_after_a_silence, &job, &o, sizeof(o));
	print_message("%s, extension %d: %.0f ms, state %u and then %u\n", name, extension,
	              (double)o.waited_us / 1e3, o.before, o.after);
	return o;
}

static void data_leave_on_the_only_path_though_it_is_potentially_failed(void **state)
{
	(void)state;
	for (unsigned i = 0; i < N_POLICIES; i++) {
		assert_in_range(run(policies[i], false).waited_us, 0, 25000);
		assert_in_range(run(policies[i], true).waited_us, 0, 25000);
	}
}

/* As an answered HEARTBEAT does (RFC 7829, section 4.2). */
static void acknowledged_data_make_the_only_path_active_again(void **state)
{
	(void)state;
	for (unsigned i = 0; i < N_POLICIES; i++) {
		const struct outcome o = run(policies[i], true);

		/* Upstream's own rotation knows no potentially failed paths unless it is told to. */
		assert_int_equal(o.before, i == 0 ? SCTP_CMT_PATH_ACTIVE : SCTP_CMT_PATH_FAILED);
		assert_int_equal(o.after, SCTP_CMT_PATH_ACTIVE);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(data_leave_on_the_only_path_though_it_is_potentially_failed),
	    cmocka_unit_test(acknowledged_data_make_the_only_path_active_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
