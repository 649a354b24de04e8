/* SPDX-License-Identifier: BSD-3-Clause
 *
 * SCTP_CMT_PATH in a transfer: what a cap and a weight leave of a path's rate, under any scheduler, and when
 * a path that costs more is used. Rates are those of IP packets with DATA, as a tap counts them from 2 s
 * after the beginning on. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/isolate.h"
#include "support/packet.h"
#include "support/transfer.h"

enum { SETTLED_US = 2000000, N_PATHS = 2 };
/* Marks of the outcome: bytes on the paths, from when to when. */
enum { BYTES, FROM_US = BYTES + N_PATHS, TO_US };

static struct transfer_message kilobyte(int host, uint32_t index)
{
	(void)host;
	(void)index;
	return (struct transfer_message){.bytes = 1000};
}

static void count(struct transfer *t, const struct usrsctp_cmt_sim_packet *packet)
{
	uint64_t *marks = t->outcome->marks;

	if (packet->event != USRSCTP_CMT_SIM_SENT || packet->direction != 0 || marks[FROM_US] == 0 ||
	    packet->at_us < marks[FROM_US] || !packet_has(packet->packet, packet->packet_bytes, CHUNK_DATA))
		return;
	marks[BYTES + packet->path] += packet->wire_bytes;
	marks[TO_US] = packet->at_us;
}

/* The job's argument: how each path is to be used. */
static void use_paths(struct transfer *t)
{
	const struct sctp_cmt_path *use = t->job->arg;

	t->outcome->marks[FROM_US] = usrsctp_cmt_sim_now_us(t->sim) + SETTLED_US;
	for (int p = 0; p < N_PATHS; p++) {
		struct sctp_cmt_path path = use[p];

		path.size = sizeof(path);
		path.assoc_id = SCTP_FUTURE_ASSOC;
		REQUIRE(usrsctp_cmt_sim_address(t->sim, TRANSFER_SERVER, p, 0, &path.address) == 0);
		REQUIRE(usrsctp_setsockopt(t->sides[TRANSFER_CLIENT].so, IPPROTO_SCTP, SCTP_CMT_PATH, &path,
		                           sizeof(path)) == 0);
	}
}

/* 10 Mbit/s each, of which the second has half the delay. */
static struct transfer_outcome run(const char *scheduler, const struct sctp_cmt_path *use, uint32_t messages,
                                   uint64_t interval_us)
{
	struct transfer_job job = {.scheduler = scheduler,
	                           .seed = 1,
	                           .n_paths = N_PATHS,
	                           .message = kilobyte,
	                           .n_messages = {messages},
	                           .interval_us = interval_us,
	                           .on_up = use_paths,
	                           .tap = count,
	                           .arg = use};
	struct transfer_outcome o;

	for (int p = 0; p < N_PATHS; p++)
		job.links[p] = (struct usrsctp_cmt_sim_link){
		    .rate_bps = 10000000, .delay_us = p == 0 ? 20000 : 10000, .queue_pkts = 100};
	o = transfer_run(&job);
	transfer_assert_delivered(&job, &o);
	return o;
}

static double rate_bps(const struct transfer_outcome *o, int path)
{
	return (double)o->marks[BYTES + path] * 8e6 / (double)(o->marks[TO_US] - o->marks[FROM_US]);
}

static void assert_rates(const char *scheduler, const struct transfer_outcome *o, const double (*bands)[2])
{
	for (int p = 0; p < N_PATHS; p++) {
		print_message("%s: path %d: %.3f Mbit/s\n", scheduler, p + 1, rate_bps(o, p) / 1e6);
		assert_true(rate_bps(o, p) >= bands[p][0] * 1e6);
		assert_true(rate_bps(o, p) <= bands[p][1] * 1e6);
	}
}

static const char *const schedulers[] = {"arrival", "osia", "minrtt", "rr"};
enum { N_SCHEDULERS = sizeof(schedulers) / sizeof(schedulers[0]) };

static void a_cap_bounds_what_is_sent(void **state)
{
	static const struct sctp_cmt_path use[N_PATHS] = {{.cap_bps = 0}, {.cap_bps = 1000000}};

	(void)state;
	for (unsigned s = 0; s < N_SCHEDULERS; s++) {
		struct transfer_outcome o = run(schedulers[s], use, 6000, 0);

		assert_rates(schedulers[s], &o, (const double[][2]){{8, 10.1}, {0.95, 1.02}});
	}
}

static void a_weight_is_a_part_of_what_the_path_carries(void **state)
{
	static const struct sctp_cmt_path use[N_PATHS] = {{.weight = 25}, {.weight = 0}};

	(void)state;
	for (unsigned s = 0; s < N_SCHEDULERS; s++) {
		struct transfer_outcome o = run(schedulers[s], use, 6000, 0);

		assert_rates(schedulers[s], &o, (const double[][2]){{2.2, 2.6}, {8, 10.1}});
	}
}

/* More than the cap is never measured, so a weight beside it is a part of that. */
static void a_weight_beside_a_cap_is_a_part_of_the_cap(void **state)
{
	static const struct sctp_cmt_path use[N_PATHS] = {{.weight = 50, .cap_bps = 2000000}, {.weight = 20}};
	struct transfer_outcome o = run("arrival", use, 3000, 0);

	(void)state;
	assert_rates("arrival", &o, (const double[][2]){{0.9, 1.1}, {1.8, 2.1}});
}

/* 1 Mbit/s, which the cheap path carries, although the other one is faster. */
static void auto_leaves_a_path_that_costs_more_alone_while_the_others_suffice(void **state)
{
	static const struct sctp_cmt_path use[N_PATHS] = {{.cost = 0}, {.cost = 1}};
	struct transfer_outcome o = run("auto", use, 1000, 8000);

	(void)state;
	assert_rates("auto", &o, (const double[][2]){{1, 1.1}, {0, 0.01}});
	o = run("arrival", use, 1000, 8000);
	assert_rates("arrival", &o, (const double[][2]){{0, 0.1}, {0.9, 1.1}});
}

static void auto_takes_it_when_they_do_not(void **state)
{
	static const struct sctp_cmt_path use[N_PATHS] = {{.cost = 0}, {.cost = 1}};
	struct transfer_outcome o = run("auto", use, 8000, 0);

	(void)state;
	assert_rates("auto", &o, (const double[][2]){{9, 10.1}, {8.5, 10.1}});
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_cap_bounds_what_is_sent),
	    cmocka_unit_test(a_weight_is_a_part_of_what_the_path_carries),
	    cmocka_unit_test(a_weight_beside_a_cap_is_a_part_of_the_cap),
	    cmocka_unit_test(auto_leaves_a_path_that_costs_more_alone_while_the_others_suffice),
	    cmocka_unit_test(auto_takes_it_when_they_do_not),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
