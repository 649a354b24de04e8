/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Partial reliability (RFC 3758, RFC 7496) among reliable messages of the same association: whatever is given
 * up, the reliable ones all arrive, in order, and units are sent ahead again afterwards.
 *
 * cost: 7 s */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/isolate.h"
#include "support/sanitized.h"
#include "support/transfer.h"

static const char *const schedulers[] = {"rr", "lcm", "arrival"};
enum { N_SCHEDULERS = SCHEDULERS_TO_RUN(sizeof(schedulers) / sizeof(schedulers[0])) };

/* 150 reliable, 60 partially reliable, three times while the queue is full; then reliable ones, enough for
 * all that came before to leave the queue. */
enum {
	RELIABLE_RUN = 150,
	PARTIAL_RUN = 60,
	N_MIXED = 3 * (RELIABLE_RUN + PARTIAL_RUN),
	N_MESSAGES = N_MIXED + 600
};

static uint16_t policy;
static uint32_t policy_value, n_streams, partial_bytes;

static bool is_partial(uint32_t index)
{
	return index < N_MIXED && index % (RELIABLE_RUN + PARTIAL_RUN) >= RELIABLE_RUN;
}

static struct transfer_message mixed(int host, uint32_t index)
{
	struct transfer_message m = {.bytes = 1000, .stream = (uint16_t)(index % n_streams)};

	(void)host;
	m.unordered = n_streams > 1 && index % 7 == 0;
	if (is_partial(index)) {
		m.pr_policy = policy;
		m.pr_value = policy_value;
		m.bytes = partial_bytes;
	}
	return m;
}

/* Every message a chunk of its own, so that both kinds mix within one packet time. */
static struct transfer_message alternating(int host, uint32_t index)
{
	struct transfer_message m = mixed(host, index);

	m.pr_policy = index % 2 == 0 && index < N_MIXED ? policy : SCTP_PR_SCTP_NONE;
	m.pr_value = m.pr_policy != SCTP_PR_SCTP_NONE ? policy_value : 0;
	m.bytes = m.pr_policy != SCTP_PR_SCTP_NONE ? partial_bytes : 1000;
	return m;
}

/* marks[0]: units sent ahead when the last partially reliable message had been handed over. */
static void note_ahead(struct transfer *t, int host, uint32_t index)
{
	if (t->job->message(host, index).pr_policy != SCTP_PR_SCTP_NONE)
		t->outcome->marks[0] = transfer_stats(t, host).sent_ahead_units;
}

/* Not with fragments: the pinned upstream mixes up what is left of a message that was given up after parts of
 * it were acknowledged for good, with one path and without CMT as well. */
static void use_nr_sack(struct socket *so)
{
	struct sctp_assoc_value on = {.assoc_id = SCTP_FUTURE_ASSOC, .assoc_value = 1};

	REQUIRE(usrsctp_setsockopt(so, IPPROTO_SCTP, SCTP_NRSACK_SUPPORTED, &on, sizeof(on)) == 0);
}

static void run(const char *what, struct transfer_message (*message)(int, uint32_t), double loss)
{
	uint32_t given_up = 0;

	for (unsigned s = 0; s < N_SCHEDULERS; s++) {
		for (uint64_t seed = 1; seed <= 4; seed++) {
			struct transfer_job job = transfer_two_paths(schedulers[s], seed);
			struct transfer_outcome o;

			n_streams = seed % 2 == 0 ? 10 : 1;
			job.message = message;
			job.n_messages[TRANSFER_CLIENT] = N_MESSAGES;
			job.on_handed = note_ahead;
			job.configure = seed > 2 && partial_bytes <= 1000 ? use_nr_sack : NULL;
			job.links[0].loss = job.links[1].loss = loss;
			o = transfer_run(&job);
			transfer_assert_delivered(&job, &o);
			given_up += o.handed[0] - o.arrived[0];
			if (s > 0)
				assert_true(o.stats[0].sent_ahead_units > o.marks[0]);
		}
	}
	print_message("%s, messages of %u bytes, loss %.2f: %u given up\n", what, partial_bytes, loss,
	              given_up);
}

static void run_both(const char *what, uint16_t pr_policy, uint32_t value)
{
	policy = pr_policy;
	policy_value = value;
	for (unsigned i = 0; i < 2; i++) {
		partial_bytes = i == 0 ? 1000 : 3000;
		run(what, mixed, 0.03);
		run(what, alternating, 0.03);
		run(what, mixed, 0);
	}
}

static void messages_with_a_lifetime(void **state)
{
	(void)state;
	run_both("20 ms", SCTP_PR_SCTP_TTL, 20);
	run_both("200 ms", SCTP_PR_SCTP_TTL, 200);
}

static void messages_with_a_limit_of_retransmissions(void **state)
{
	(void)state;
	run_both("no retransmission", SCTP_PR_SCTP_RTX, 0);
	run_both("one retransmission", SCTP_PR_SCTP_RTX, 1);
}

/* The pinned upstream takes the policy and never gives up a message because of it. */
static void messages_that_give_way_to_others(void **state)
{
	(void)state;
	run_both("priority", SCTP_PR_SCTP_BUF, 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(messages_with_a_lifetime),
	    cmocka_unit_test(messages_with_a_limit_of_retransmissions),
	    cmocka_unit_test(messages_that_give_way_to_others),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
