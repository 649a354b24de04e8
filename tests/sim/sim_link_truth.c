/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the sender believes of its paths against what the network does: the arrival that it predicted of each
 * packet, the rate that it reports, the queue that it lets stand. Networks and bands only, whatever model is
 * behind the beliefs.
 *
 * cost: 5 s */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include <usrsctp_cmt_trace.h>

#include "support/transfer.h"

enum { PATHS = 2, SAMPLES_MAX = 1 << 16, MESSAGE_BYTES = 1200, PACKET_BYTES = 1272 };

/* What is judged, by path, from WARM_UP_US after the start or AFTER_CHANGE_US after a change. */
enum { WARM_UP_US = 2000000, AFTER_CHANGE_US = 3000000, CHANGE_AT_US = 6000000, LIMIT_US = 12000000 };
enum { ERROR_P50_US, ERROR_P95_US, QUEUE_P95_US, RATE_BPS, PACKETS, PER_PATH };

struct network {
	const char *name;
	struct usrsctp_cmt_sim_link links[PATHS];
	struct usrsctp_cmt_sim_link changed[PATHS]; /* at CHANGE_AT_US; rate 0 = not */
	uint64_t interval_us;                       /* between messages; 0 = as many as there is room for */
	struct {
		uint64_t error_p50_us, error_p95_us; /* at most */
		uint64_t queue_p95_us; /* at most: 14 ms or a quarter of the least round trip, and a packet */
		uint32_t rate_low_pct, rate_high_pct; /* of the link's; high 0 = the path is not used */
		uint32_t load_pct;                    /* of the link, what is sent at least */
	} want[PATHS];
};

#define THIN(kbps, ms)                                                                                       \
	{                                                                                                    \
		.rate_bps = (kbps)*UINT64_C(1000), .delay_us = (ms)*UINT64_C(1000), .queue_pkts = 200        \
	}
#define LINK(mbps, ms) THIN((mbps)*1000, ms)

struct sent {
	bool known;
	uint32_t number;
	uint64_t at_us;
	int64_t arrival_us;
};

/* In the child process that runs the job. */
static struct {
	const struct network *network;
	struct usrsctp_cmt_sim *sim;
	struct sent sent[PATHS][SAMPLES_MAX];
	uint32_t n[PATHS];
	int64_t error_us[PATHS][SAMPLES_MAX], transit_us[PATHS][SAMPLES_MAX];
} seen;

static uint64_t judged_from_us(const struct network *network)
{
	return network->changed[0].rate_bps != 0 ? CHANGE_AT_US + AFTER_CHANGE_US : WARM_UP_US;
}

static bool is_judged(void)
{
	return seen.sim != NULL && usrsctp_cmt_sim_now_us(seen.sim) >= judged_from_us(seen.network);
}

/* Time stamps are modulo 2^32. */
static int64_t difference_us(int64_t a, int64_t b)
{
	return (int32_t)(uint32_t)(a - b);
}

static void on_event(const struct usrsctp_cmt_trace *e, void *arg)
{
	const unsigned path = (unsigned)e->path_id - 1;
	struct sent *sent;

	(void)arg;
	if (e->path_id == 0 || path >= PATHS || !e->of.packet.numbered)
		return;
	sent = &seen.sent[path][e->of.packet.number % SAMPLES_MAX];
	if (e->type == USRSCTP_CMT_TRACE_SENT && e->assoc == 1) {
		*sent = (struct sent){.known = is_judged() &&
		                               e->of.packet.arrival_us != USRSCTP_CMT_TRACE_UNKNOWN_US,
		                      .number = e->of.packet.number,
		                      .at_us = e->at_us,
		                      .arrival_us = e->of.packet.arrival_us};
	} else if (e->type == USRSCTP_CMT_TRACE_RECEIVED && e->assoc == 2 && sent->known &&
	           sent->number == e->of.packet.number && seen.n[path] < SAMPLES_MAX) {
		seen.error_us[path][seen.n[path]] =
		    llabs(difference_us(e->of.packet.arrival_us, sent->arrival_us));
		seen.transit_us[path][seen.n[path]++] = (int64_t)(e->at_us - sent->at_us);
		sent->known = false;
	}
}

static void listen_to_it(struct socket *so)
{
	static bool listening;

	(void)so;
	if (!listening)
		assert_int_equal(
		    usrsctp_cmt_trace_add(on_event, NULL,
		                          USRSCTP_CMT_TRACE_MASK(USRSCTP_CMT_TRACE_SENT) |
		                              USRSCTP_CMT_TRACE_MASK(USRSCTP_CMT_TRACE_RECEIVED)),
		    0);
	listening = true;
}

static int compare(const void *a, const void *b)
{
	const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

static uint64_t percentile(int64_t *values, uint32_t n, uint32_t percent)
{
	qsort(values, n, sizeof(*values), compare);
	return n == 0 ? UINT64_MAX : (uint64_t)values[(uint64_t)(n - 1) * percent / 100];
}

/* Without a queue a packet takes the link's delay and the time to put it on the link. */
static uint64_t queue_p95_us(const struct usrsctp_cmt_sim_link *link, uint32_t path)
{
	const uint64_t transit_us = percentile(seen.transit_us[path], seen.n[path], 95);
	const uint64_t empty_us = link->delay_us + PACKET_BYTES * UINT64_C(8000000) / link->rate_bps;

	return transit_us > empty_us ? transit_us - empty_us : 0;
}

static void judge(struct usrsctp_cmt_sim *sim, void *arg)
{
	struct transfer *t = arg;
	struct sctp_cmt_path_stats paths[USRSCTP_CMT_SIM_MAX_PATHS];
	const int n = transfer_path_stats(t, paths);

	for (int i = 0; i < n; i++) {
		const uint32_t path = paths[i].path_id - 1;
		uint64_t *const mark = &t->outcome->marks[path * PER_PATH];
		struct usrsctp_cmt_sim_link link;

		(void)usrsctp_cmt_sim_get_link(sim, (int)path, 0, &link);
		mark[ERROR_P50_US] = percentile(seen.error_us[path], seen.n[path], 50);
		mark[ERROR_P95_US] = percentile(seen.error_us[path], seen.n[path], 95);
		mark[QUEUE_P95_US] = queue_p95_us(&link, path);
		mark[RATE_BPS] = paths[i].rate_bps;
		mark[PACKETS] = seen.n[path];
	}
}

static void change(struct usrsctp_cmt_sim *sim, void *arg)
{
	(void)arg;
	for (int i = 0; i < PATHS; i++)
		if (seen.network->changed[i].rate_bps != 0)
			(void)usrsctp_cmt_sim_set_link(sim, i, 0, &seen.network->changed[i]);
}

static void on_up(struct transfer *t)
{
	seen.network = t->job->arg;
	seen.sim = t->sim;
	transfer_after(t, CHANGE_AT_US - usrsctp_cmt_sim_now_us(t->sim), change);
	transfer_after(t, LIMIT_US - usrsctp_cmt_sim_now_us(t->sim), judge);
}

static struct transfer_message message(int host, uint32_t index)
{
	(void)host;
	(void)index;
	return (struct transfer_message){.bytes = MESSAGE_BYTES};
}

static void is_believed(const struct network *network, uint64_t seeds)
{
	for (uint64_t seed = 1; seed <= seeds; seed++) {
		struct transfer_job job = transfer_two_paths("auto", seed);
		struct transfer_outcome o;

		job.n_paths = PATHS;
		memcpy(job.links, network->links, sizeof(network->links));
		/* More than there is time for. */
		job.n_messages[TRANSFER_CLIENT] = 200000;
		job.message = message;
		job.interval_us = network->interval_us;
		job.limit_us = LIMIT_US + 1000000;
		job.configure = listen_to_it;
		job.on_up = on_up;
		job.arg = network;
		o = transfer_run(&job);
		assert_int_equal(o.wrong, 0);
		for (int i = 0; i < PATHS; i++) {
			const uint64_t *const got = &o.marks[i * PER_PATH];
			const struct usrsctp_cmt_sim_link *link =
			    network->changed[i].rate_bps != 0 ? &network->changed[i] : &network->links[i];
			const uint64_t rate_pct = 100 * got[RATE_BPS] / link->rate_bps;

			const uint64_t load_pct = 100 * got[PACKETS] * PACKET_BYTES * UINT64_C(8000000) /
			                          (link->rate_bps * (LIMIT_US - judged_from_us(network)));

			if (got[PACKETS] == 0) {
				assert_int_equal(network->want[i].rate_high_pct, 0);
				continue;
			}
			print_message(
			    "%s, path %d: %llu packets, error %llu, %llu us (50, 95 %%), queue %llu us, "
			    "rate %llu %%\n",
			    network->name, i + 1, (unsigned long long)got[PACKETS],
			    (unsigned long long)got[ERROR_P50_US], (unsigned long long)got[ERROR_P95_US],
			    (unsigned long long)got[QUEUE_P95_US], (unsigned long long)rate_pct);
			assert_in_range(got[ERROR_P50_US], 0, network->want[i].error_p50_us);
			assert_in_range(got[ERROR_P95_US], 0, network->want[i].error_p95_us);
			assert_in_range(got[QUEUE_P95_US], 0, network->want[i].queue_p95_us);
			assert_in_range(rate_pct, network->want[i].rate_low_pct,
			                network->want[i].rate_high_pct);
			assert_in_range(load_pct, network->want[i].load_pct, 101);
		}
	}
}

static void are_believed(const struct network *networks, size_t n, uint64_t seeds)
{
	for (size_t i = 0; i < n; i++)
		is_believed(&networks[i], seeds);
}

static void constant_links_are_known_exactly(void **state)
{
	static const struct network network = {
	    .name = "constant",
	    .links = {LINK(8, 10), LINK(2, 50)},
	    .want = {{100, 1000, 15000, 97, 103}, {100, 1000, 35000, 97, 103}},
	};

	(void)state;
	is_believed(&network, 1);
}

static void so_is_a_thin_link_beside_a_wide_one(void **state)
{
	static const struct network network = {
	    .name = "thin beside wide",
	    .links = {LINK(20, 10), {.rate_bps = 500000, .delay_us = 60000, .queue_pkts = 200}},
	    .want = {{100, 1000, 8000, 97, 103}, {1000, 10000, 48000, 97, 103}},
	};

	(void)state;
	is_believed(&network, 1);
}

static void jitter_that_keeps_order_is_taken_for_jitter(void **state)
{
	static const struct network network = {
	    .name = "jitter in order",
	    .links = {{.rate_bps = 10000000,
	               .delay_us = 20000,
	               .queue_pkts = 200,
	               .jitter = USRSCTP_CMT_SIM_JITTER_EXPONENTIAL,
	               .jitter_us = 3000},
	              LINK(5, 40)},
	    .want = {{8000, 20000, 40000, 85, 115}, {3000, 10000, 20000, 80, 103}},
	};

	(void)state;
	is_believed(&network, 3);
}

static void an_application_below_the_rate_meets_no_queue(void **state)
{
	static const struct network network = {
	    .name = "application limited",
	    .links = {LINK(8, 10), LINK(4, 50)},
	    .interval_us = 2000,
	    .want = {{100, 1000, 3000, 60, 103}, {0}},
	};

	(void)state;
	is_believed(&network, 1);
}

static void a_link_that_halves_its_rate_is_followed(void **state)
{
	static const struct network network = {
	    .name = "half the rate",
	    .links = {LINK(8, 10), LINK(4, 50)},
	    .changed = {LINK(4, 10), LINK(4, 50)},
	    .want = {{100, 1000, 17000, 97, 103}, {100, 1000, 35000, 97, 103}},
	};

	(void)state;
	is_believed(&network, 1);
}

static void and_one_that_doubles_it(void **state)
{
	static const struct network network = {
	    .name = "twice the rate",
	    .links = {LINK(4, 10), LINK(4, 50)},
	    .changed = {LINK(8, 10), LINK(4, 50)},
	    .want = {{100, 1000, 20000, 97, 103}, {100, 1000, 35000, 97, 103}},
	};

	(void)state;
	is_believed(&network, 1);
}

/* A quarter of the long link is somebody else's. */
static void a_route_that_grows_is_no_queue(void **state)
{
	static const struct network networks[] = {
	    {.name = "20 ms longer",
	     .links = {LINK(8, 10), LINK(4, 50)},
	     .changed = {LINK(8, 30), LINK(4, 50)},
	     .want = {{100, 1000, 15000, 97, 103, 97}, {100, 1000, 35000, 97, 103, 97}}},
	    {.name = "60 ms longer",
	     .links = {LINK(8, 10), LINK(4, 50)},
	     .changed = {LINK(8, 70), LINK(4, 50)},
	     .want = {{100, 1000, 40000, 97, 103, 85}, {100, 1000, 15000, 97, 103, 97}}},
	    {.name = "both longer",
	     .links = {LINK(8, 10), LINK(4, 50)},
	     .changed = {LINK(8, 30), LINK(4, 80)},
	     .want = {{100, 1000, 20000, 97, 103, 97}, {100, 1000, 30000, 97, 103, 97}}},
	};

	(void)state;
	are_believed(networks, sizeof(networks) / sizeof(networks[0]), 3);
}

/* By about what a packet takes to leave. */
static void not_even_on_a_thin_link(void **state)
{
	static const struct network networks[] = {
	    {.name = "25 ms longer, 0.5 Mbit/s",
	     .links = {THIN(500, 20), THIN(500, 20)},
	     .changed = {THIN(500, 45), THIN(500, 45)},
	     .want = {{1000, 10000, 40000, 97, 103, 95}, {1000, 10000, 40000, 97, 103, 95}}},
	    {.name = "30 ms longer, 0.2 Mbit/s",
	     .links = {THIN(200, 20), THIN(200, 20)},
	     .changed = {THIN(200, 50), THIN(200, 50)},
	     .want = {{1000, 10000, 80000, 97, 103, 95}, {1000, 10000, 80000, 97, 103, 95}}},
	    {.name = "20 ms longer, 0.2 Mbit/s",
	     .links = {THIN(200, 20), THIN(200, 20)},
	     .changed = {THIN(200, 40), THIN(200, 40)},
	     .want = {{1000, 10000, 80000, 97, 103, 95}, {1000, 10000, 80000, 97, 103, 95}}},
	    {.name = "15 ms longer, 1 Mbit/s",
	     .links = {THIN(1000, 20), THIN(1000, 20)},
	     .changed = {THIN(1000, 35), THIN(1000, 35)},
	     .want = {{1000, 10000, 30000, 97, 103, 95}, {1000, 10000, 30000, 97, 103, 95}}},
	};

	(void)state;
	are_believed(networks, sizeof(networks) / sizeof(networks[0]), 3);
}

static void nor_does_one_that_shrinks_hide_one(void **state)
{
	static const struct network network = {
	    .name = "20 ms shorter",
	    .links = {LINK(8, 30), LINK(4, 50)},
	    .changed = {LINK(8, 10), LINK(4, 50)},
	    .want = {{100, 1000, 15000, 97, 103, 97}, {100, 1000, 15000, 97, 103, 97}},
	};

	(void)state;
	is_believed(&network, 3);
}

static void beside_other_traffic_the_rate_is_what_is_left(void **state)
{
	static const struct network network = {
	    .name = "cross traffic",
	    .links =
	        {LINK(8, 10),
	         {.rate_bps = 4000000,
	          .delay_us = 50000,
	          .queue_pkts = 200,
	          .cross = {.kind = USRSCTP_CMT_SIM_CROSS_CBR, .packet_bytes = 1000, .interval_us = 8000}}},
	    .want = {{100, 1000, 15000, 97, 103}, {4000, 40000, 60000, 70, 80}},
	};

	(void)state;
	is_believed(&network, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(constant_links_are_known_exactly),
	    cmocka_unit_test(so_is_a_thin_link_beside_a_wide_one),
	    cmocka_unit_test(jitter_that_keeps_order_is_taken_for_jitter),
	    cmocka_unit_test(an_application_below_the_rate_meets_no_queue),
	    cmocka_unit_test(a_link_that_halves_its_rate_is_followed),
	    cmocka_unit_test(and_one_that_doubles_it),
	    cmocka_unit_test(a_route_that_grows_is_no_queue),
	    cmocka_unit_test(not_even_on_a_thin_link),
	    cmocka_unit_test(nor_does_one_that_shrinks_hide_one),
	    cmocka_unit_test(beside_other_traffic_the_rate_is_what_is_left),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
