/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A route becomes several times as long. The link delivers what it did before, if the window holds that for a
 * round trip of now: it is there within ten of them, not after a hundred of growth by a packet. What is late
 * at first is no loss, though probes on another path come before it.
 *
 * cost: 5 s */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/isolate.h"
#include "support/transfer.h"

enum { MS = 1000, MESSAGE_BYTES = 1200 };

struct step {
	uint64_t at_us, longer_us; /* on path 1 */
	uint64_t from_us, to_us;   /* what arrives between counts */
};
enum { ARRIVED_FROM, ARRIVED_TO };

static struct transfer_message message(int host, uint32_t index)
{
	(void)host;
	(void)index;
	return (struct transfer_message){.bytes = MESSAGE_BYTES};
}

static void become_longer(struct usrsctp_cmt_sim *sim, void *arg)
{
	const struct transfer *t = arg;
	const struct step *step = t->job->arg;

	for (int host = 0; host < 2; host++) {
		struct usrsctp_cmt_sim_link link;

		REQUIRE(usrsctp_cmt_sim_get_link(sim, 0, host, &link) == 0);
		link.delay_us += step->longer_us;
		REQUIRE(usrsctp_cmt_sim_set_link(sim, 0, host, &link) == 0);
	}
}

static void begin_to_count(struct usrsctp_cmt_sim *sim, void *arg)
{
	struct transfer *t = arg;

	(void)sim;
	t->outcome->marks[ARRIVED_FROM] = t->outcome->arrived[TRANSFER_CLIENT];
}

static void end_to_count(struct usrsctp_cmt_sim *sim, void *arg)
{
	struct transfer *t = arg;

	(void)sim;
	t->outcome->marks[ARRIVED_TO] = t->outcome->arrived[TRANSFER_CLIENT];
}

static void on_up(struct transfer *t)
{
	const struct step *step = t->job->arg;
	const uint64_t now_us = usrsctp_cmt_sim_now_us(t->sim);

	transfer_after(t, step->at_us - now_us, become_longer);
	transfer_after(t, step->from_us - now_us, begin_to_count);
	transfer_after(t, step->to_us - now_us, end_to_count);
}

static struct transfer_outcome run(const struct step *step, int n_paths,
                                   const struct usrsctp_cmt_sim_link *links, uint64_t *arrived_bps)
{
	struct transfer_job job = {.scheduler = "auto",
	                           .seed = 1,
	                           .n_paths = n_paths,
	                           .n_messages = {200000},
	                           .message = message,
	                           .sndbuf_bytes = 6000000,
	                           .rcvbuf_bytes = 6000000,
	                           .limit_us = step->to_us + 10 * MS,
	                           .on_up = on_up,
	                           .arg = step};
	struct transfer_outcome o;

	for (int i = 0; i < n_paths; i++)
		job.links[i] = links[i];
	o = transfer_run(&job);
	*arrived_bps = (o.marks[ARRIVED_TO] - o.marks[ARRIVED_FROM]) * MESSAGE_BYTES * UINT64_C(8000000) /
	               (step->to_us - step->from_us);
	print_message(
	    "%llu ms longer after %llu ms: %llu kbit/s, round trip %u us, %u probes, %u chunks lost\n",
	    (unsigned long long)step->longer_us / MS, (unsigned long long)step->at_us / MS,
	    (unsigned long long)*arrived_bps / 1000, o.paths[0].srtt_us, (unsigned)o.paths[0].probes,
	    (unsigned)o.paths[0].lost_chunks);
	assert_int_equal(o.wrong, 0);
	return o;
}

/* 60 Mbit/s and 40 ms, 200 ms later: the window that filled the link is a fifth of the one that does. Judged
 * from ten round trips after it on, for three seconds: 13 Mbit/s without. */
static void a_window_that_filled_a_link_fills_a_longer_one(void **state)
{
	const struct usrsctp_cmt_sim_link link = {
	    .rate_bps = 60000000, .delay_us = 20 * MS, .queue_pkts = 50};

	(void)state;
	for (uint64_t at_us = 1200 * MS; at_us <= 3000 * MS; at_us += 600 * MS) {
		const struct step step = {.at_us = at_us,
		                          .longer_us = 80 * MS,
		                          .from_us = at_us + 2000 * MS,
		                          .to_us = at_us + 5000 * MS};
		uint64_t arrived_bps;

		(void)run(&step, 1, &link, &arrived_bps);
		assert_true(arrived_bps >= 24000000);
	}
}

/* In the first round trips, when a probe goes after 40 ms, over the other path. */
static void what_a_probe_overtakes_is_not_lost(void **state)
{
	const struct usrsctp_cmt_sim_link links[2] = {
	    {.rate_bps = 8000000, .delay_us = 10 * MS, .queue_pkts = 100},
	    {.rate_bps = 8000000, .delay_us = 40 * MS, .queue_pkts = 100},
	};

	(void)state;
	for (uint64_t at_us = 30 * MS; at_us <= 60 * MS; at_us += 10 * MS) {
		const struct step step = {
		    .at_us = at_us, .longer_us = 90 * MS, .from_us = 1500 * MS, .to_us = 3500 * MS};
		uint64_t arrived_bps;
		const struct transfer_outcome o = run(&step, 2, links, &arrived_bps);

		assert_true(o.paths[0].probes > 0);
		assert_int_equal(o.paths[0].lost_chunks, 0);
		assert_true(arrived_bps >= 13000000);
	}
}

/* When all that the path has shown but for its first packets is of the longer route: no jitter. */
static void a_thin_link_that_becomes_longer_at_once_is_used(void **state)
{
	const struct usrsctp_cmt_sim_link link = {.rate_bps = 1000000, .delay_us = 5 * MS, .queue_pkts = 100};

	(void)state;
	for (uint64_t at_us = 30 * MS; at_us <= 120 * MS; at_us += 30 * MS) {
		const struct step step = {
		    .at_us = at_us, .longer_us = 20 * MS, .from_us = 5000 * MS, .to_us = 10000 * MS};
		uint64_t arrived_bps;

		(void)run(&step, 1, &link, &arrived_bps);
		assert_true(arrived_bps >= 900000);
	}
}

/* Jitter that keeps the order explains some of what a longer route delays: not for ever. 7 to 8.5 Mbit/s
 * where what was sent long ago counts as our own queue. */
static void so_is_a_link_with_jitter(void **state)
{
	const struct usrsctp_cmt_sim_link link = {.rate_bps = 10000000,
	                                          .delay_us = 30 * MS,
	                                          .queue_pkts = 100,
	                                          .jitter = USRSCTP_CMT_SIM_JITTER_NORMAL,
	                                          .jitter_us = 3 * MS};

	(void)state;
	for (uint64_t at_us = 4000 * MS; at_us <= 6000 * MS; at_us += 1000 * MS) {
		const struct step step = {.at_us = at_us,
		                          .longer_us = 20 * MS,
		                          .from_us = at_us + 2000 * MS,
		                          .to_us = at_us + 12000 * MS};
		uint64_t arrived_bps;

		(void)run(&step, 1, &link, &arrived_bps);
		assert_true(arrived_bps >= 9000000);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_window_that_filled_a_link_fills_a_longer_one),
	    cmocka_unit_test(what_a_probe_overtakes_is_not_lost),
	    cmocka_unit_test(a_thin_link_that_becomes_longer_at_once_is_used),
	    cmocka_unit_test(so_is_a_link_with_jitter),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
