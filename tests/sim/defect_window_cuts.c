/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Upstream defect 4: with CMT the congestion window is cut at every SACK of one loss event, and a lost
 * retransmission is repaired by T3-rtx only. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>

#include "support/isolate.h"
#include "support/packet.h"
#include "support/pair.h"
#include "support/policy.h"
#include "support/variant.h"

enum { VICTIMS_MAX = 8, WATCH_EVERY_US = 1000 };

/* TSNs, counted from the first one, whose first `copies` transmissions are lost. */
struct job {
	const char *scheduler; /* NULL = upstream's own CMT */
	unsigned n_victims, copies;
	uint32_t victims[VICTIMS_MAX];
};

struct outcome {
	uint32_t cuts, timeouts;
	uint64_t dropped_pkts;
	bool delivered;
};

struct watch {
	const struct job *job;
	struct outcome *outcome;
	struct pair pair;
	uint32_t first_tsn, cwnd_bytes;
	unsigned seen[VICTIMS_MAX];
};

static bool is_victim(struct watch *w, const struct usrsctp_cmt_sim_packet *packet)
{
	size_t offset = 0;
	struct chunk c;
	bool victim = false;

	while (packet_next_chunk(packet->packet, packet->packet_bytes, &offset, &c)) {
		if (c.type == CHUNK_INIT)
			w->first_tsn = packet_get32(c.bytes + 16);
		for (unsigned i = 0; chunk_is_data(&c) && i < w->job->n_victims; i++) {
			if (chunk_tsn(&c) - w->first_tsn == w->job->victims[i])
				victim |= w->seen[i]++ < w->job->copies;
		}
	}
	return victim;
}

static void lose_victims(struct usrsctp_cmt_sim *sim, const struct usrsctp_cmt_sim_packet *packet, void *arg)
{
	struct usrsctp_cmt_sim_link link;

	if (packet->event != USRSCTP_CMT_SIM_SENT || packet->direction != 0)
		return;
	REQUIRE(usrsctp_cmt_sim_get_link(sim, packet->path, 0, &link) == 0);
	link.down = is_victim(arg, packet);
	REQUIRE(usrsctp_cmt_sim_set_link(sim, packet->path, 0, &link) == 0);
}

static void watch_window(struct usrsctp_cmt_sim *sim, void *arg)
{
	struct sctp_paddrinfo info = {.spinfo_assoc_id = 0};
	socklen_t len = sizeof(info);
	struct watch *w = arg;
	struct sockaddr_storage address;

	REQUIRE(usrsctp_cmt_sim_address(sim, PAIR_SERVER, 0, PAIR_SERVER_PORT, &address) == 0);
	info.spinfo_address = address;
	if (usrsctp_getsockopt(w->pair.client, IPPROTO_SCTP, SCTP_GET_PEER_ADDR_INFO, &info, &len) == 0) {
		w->outcome->cuts += w->seen[0] > 0 && info.spinfo_cwnd < w->cwnd_bytes;
		w->cwnd_bytes = info.spinfo_cwnd;
	}
	REQUIRE(usrsctp_cmt_sim_at(sim, usrsctp_cmt_sim_now_us(sim) + WATCH_EVERY_US, watch_window, w) == 0);
}

/* Every loss event cuts the window of this control, also in slow start. */
static void take_uncoupled(struct socket *so, int host, void *arg)
{
	const struct watch *w = arg;

	(void)host;
	if (w->job->scheduler != NULL)
		REQUIRE(policy_set(so, SCTP_CMT_CC, SCTP_FUTURE_ASSOC, "uncoupled", "") == 0);
}

static void transfer(const void *job, void *outcome)
{
	const struct usrsctp_cmt_sim_link link = {.rate_bps = 4000000, .delay_us = 50000};
	struct watch w = {.job = job, .outcome = outcome};
	struct pair_options options = {.seed = 1,
	                               .n_paths = 1,
	                               .forward = {link},
	                               .backward = {link},
	                               .bytes = 1000000,
	                               .rcvbuf_bytes = 1000000,
	                               .sysctl_cmt = true,
	                               .scheduler = w.job->scheduler,
	                               .configure = take_uncoupled,
	                               .tap = lose_victims,
	                               .arg = &w};
	struct sctpstat stats;

	pair_open(&w.pair, &options);
	watch_window(w.pair.sim, &w);
	pair_run(&w.pair, UINT64_C(600000000));
	usrsctp_get_stat(&stats);
	w.outcome->timeouts = stats.sctps_timodata;
	w.outcome->dropped_pkts = pair_links(&w.pair).dropped_pkts;
	w.outcome->delivered = w.pair.complete && w.pair.intact;
	pair_close(&w.pair);
}

static struct outcome run(struct job job)
{
	struct outcome o;

	isolate_run(transfer, &job, &o, sizeof(o));
	printf("%s: %llu packets lost, window cut %u times, %u timeouts\n",
	       job.scheduler != NULL ? job.scheduler : "stock", (unsigned long long)o.dropped_pkts, o.cuts,
	       o.timeouts);
	assert_true(o.delivered);
	assert_int_equal(o.dropped_pkts, job.n_victims * job.copies);
	return o;
}

/* Six of one window, apart from each other, so that each shows in another SACK. */
static const struct job six_losses = {.n_victims = 6, .copies = 1, .victims = {60, 63, 66, 69, 72, 75}};

static void one_loss_event_cuts_the_window_once(void **state)
{
	struct outcome o = run(six_losses);

	(void)state;
	if (CMT_TEST_FIXED)
		assert_int_equal(o.cuts, 1);
	else
		assert_in_range(o.cuts, 3, 12);
}

static void a_lost_retransmission_waits_for_the_timer_in_stock_cmt(void **state)
{
	struct outcome o = run((struct job){.n_victims = 1, .copies = 2, .victims = {60}});

	(void)state;
	assert_in_range(o.timeouts, 1, 3);
}

static void schedulers_cut_once_too(void **state)
{
	const char *const names[3] = {"rr", "lcm", "arrival"};

	(void)state;
	if (!CMT_TEST_FIXED)
		return; /* schedulers are the fork's */
	for (unsigned i = 0; i < 3; i++) {
		struct job job = six_losses;

		job.scheduler = names[i];
		assert_int_equal(run(job).cuts, 1);
	}
}

static void schedulers_repair_a_lost_retransmission_without_the_timer(void **state)
{
	const char *const names[3] = {"rr", "lcm", "arrival"};

	(void)state;
	if (!CMT_TEST_FIXED)
		return; /* schedulers are the fork's */
	for (unsigned i = 0; i < 3; i++) {
		for (unsigned copies = 2; copies <= 4; copies++) {
			struct outcome o = run((struct job){
			    .scheduler = names[i], .n_victims = 1, .copies = copies, .victims = {60}});

			assert_int_equal(o.timeouts, 0);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_loss_event_cuts_the_window_once),
		cmocka_unit_test(a_lost_retransmission_waits_for_the_timer_in_stock_cmt),
		cmocka_unit_test(schedulers_cut_once_too),
		cmocka_unit_test(schedulers_repair_a_lost_retransmission_without_the_timer),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
