/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Messages of limited reliability (RFC 3758, RFC 7496) sent ahead: nothing but such messages, of one or
 * several fragments, on several streams, ordered and not. What arrives is intact, in order on its stream and
 * there once; FORWARD-TSN passes nothing that is still to be sent (transfer_assert_arrived()).
 *
 * cost: 7 s */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/isolate.h"
#include "support/meddle.h"
#include "support/sanitized.h"
#include "support/transfer.h"

static const char *const schedulers[] = {"arrival", "f2p+ocps", "bulk"};
enum {
	N_SCHEDULERS = SCHEDULERS_TO_RUN(sizeof(schedulers) / sizeof(schedulers[0])),
	N_MESSAGES = 1600,
	N_STREAMS = 7
};

static uint16_t policy;
static uint32_t policy_value;

/* One to five fragments. */
static struct transfer_message limited(int host, uint32_t index)
{
	(void)host;
	return (struct transfer_message){.bytes = 500 + index * 613 % 5500,
	                                 .stream = (uint16_t)(index * 5 % N_STREAMS),
	                                 .unordered = index % 4 == 0,
	                                 .pr_policy = policy,
	                                 .pr_value = policy_value};
}

/* The paper of `bulk`: messages of 500 bytes. */
static struct transfer_message small(int host, uint32_t index)
{
	struct transfer_message m = limited(host, index);

	m.bytes = 500;
	m.stream = 0;
	m.unordered = false;
	return m;
}

/* marks[0]: units sent ahead, all of messages with a limit. */
static void note_ahead(struct transfer *t, int host, uint32_t index)
{
	(void)index;
	t->outcome->marks[0] = transfer_stats(t, host).sent_ahead_units;
}

static struct transfer_outcome run(const char *scheduler, uint64_t seed,
                                   struct transfer_message (*message)(int, uint32_t), double loss)
{
	struct transfer_job job = transfer_two_paths(scheduler, seed);
	struct transfer_outcome o;

	job.message = message;
	job.n_messages[TRANSFER_CLIENT] = N_MESSAGES;
	job.on_handed = note_ahead;
	job.shutdown_at_once = true;
	/* Upstream sends a window probe again when the window opens, whatever its limit. */
	job.rcvbuf_bytes = 1000000;
	job.links[0].loss = job.links[1].loss = loss;
	o = transfer_run(&job);
	transfer_assert_delivered(&job, &o);
	assert_true(o.marks[0] > 0);
	return o;
}

static void no_retransmission(void **state)
{
	(void)state;
	policy = SCTP_PR_SCTP_RTX;
	policy_value = 0;
	for (unsigned s = 0; s < N_SCHEDULERS; s++) {
		for (uint64_t seed = 1; seed <= 8; seed++) {
			struct transfer_outcome o = run(schedulers[s], seed, limited, 0.03);
			uint32_t given_up = o.handed[0] - o.arrived[0];

			assert_int_equal(o.retransmissions, 0);
			assert_true(o.losses > 0);
			assert_in_range(given_up, 1, o.losses);
			o = run(schedulers[s], seed, small, 0.03);
			assert_int_equal(o.retransmissions, 0);
			given_up = o.handed[0] - o.arrived[0];
			/* But for what was lost once of two. */
			assert_in_range(o.losses - given_up, 0, o.stats[0].copies);
		}
	}
}

static void one_retransmission(void **state)
{
	(void)state;
	policy = SCTP_PR_SCTP_RTX;
	policy_value = 1;
	for (unsigned s = 0; s < N_SCHEDULERS; s++) {
		for (uint64_t seed = 1; seed <= 4; seed++)
			(void)run(schedulers[s], seed, limited, 0.1);
	}
}

static void a_lifetime(void **state)
{
	(void)state;
	policy = SCTP_PR_SCTP_TTL;
	for (unsigned s = 0; s < N_SCHEDULERS; s++) {
		for (uint64_t seed = 1; seed <= 8; seed++) {
			policy_value = seed % 2 == 0 ? 50 : 250;
			(void)run(schedulers[s], seed, limited, 0.05);
		}
	}
}

static void everything_arrives_where_nothing_is_lost(void **state)
{
	(void)state;
	policy = SCTP_PR_SCTP_RTX;
	policy_value = 0;
	for (unsigned s = 0; s < N_SCHEDULERS; s++) {
		struct transfer_outcome o = run(schedulers[s], 1, limited, 0);

		assert_int_equal(o.losses, 0);
		assert_int_equal(o.arrived[0], N_MESSAGES);
	}
}

static struct transfer_message apart(int host, uint32_t index)
{
	(void)host;
	(void)index;
	return (struct transfer_message){.bytes = 1200, .pr_policy = policy, .pr_value = policy_value};
}

/* The last packet but one of the fast path is lost, and found out by the clock, with no SACK to come. What
 * waits for it is let go long before T3, which takes a second at least. */
static void what_is_given_up_between_sacks_is_told_at_once(void **state)
{
	struct meddle loss = {.n = 1, .times = 1, .lose = true};
	uint64_t took_us[2];

	(void)state;
	policy = SCTP_PR_SCTP_RTX;
	policy_value = 0;
	for (unsigned lossy = 0; lossy < 2; lossy++) {
		struct transfer_job job = transfer_two_paths("arrival", 1);
		struct transfer_outcome o;

		job.message = apart;
		job.n_messages[TRANSFER_CLIENT] = 60;
		job.shutdown_at_once = true;
		job.n_paths = 1;
		job.tap = meddle_tap;
		job.arg = &loss;
		loss.first = lossy ? 58 : 1000;
		o = transfer_run(&job);
		transfer_assert_arrived(&job, &o);
		assert_int_equal(o.arrived[0], 60 - lossy);
		took_us[lossy] = o.last_us - o.up_us;
	}
	assert_in_range(took_us[1] - took_us[0], 1, 100000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(no_retransmission),
	    cmocka_unit_test(one_retransmission),
	    cmocka_unit_test(a_lifetime),
	    cmocka_unit_test(what_is_given_up_between_sacks_is_told_at_once),
	    cmocka_unit_test(everything_arrives_where_nothing_is_lost),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
