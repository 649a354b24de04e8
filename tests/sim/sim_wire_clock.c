/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Clocks: hours apart, running at different speed, and time stamps that wrap in the middle of a transfer. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>

#include "support/isolate.h"
#include "support/packet.h"
#include "support/pair.h"

#define HOUR_US INT64_C(3600000000)

enum { SKEW_PPM = 500 };

struct job {
	const char *scheduler;
	int64_t offset_us[2];
	int32_t skew_ppm[2];
};

struct outcome {
	uint32_t first_stamp[2], last_stamp[2]; /* Ts of the client, Tr of the server */
	bool known[2], wrapped[2];
	uint64_t samples, rejected, done_us;
	int64_t base_difference_us; /* base forward delay of the second path minus the first's */
	uint32_t timeouts;
	bool delivered;
};

static void note(struct outcome *o, unsigned which, uint32_t stamp)
{
	if (!o->known[which])
		o->first_stamp[which] = stamp;
	o->wrapped[which] |= o->known[which] && stamp < o->last_stamp[which];
	o->known[which] = true;
	o->last_stamp[which] = stamp;
}

static void watch(struct usrsctp_cmt_sim *sim, const struct usrsctp_cmt_sim_packet *packet, void *arg)
{
	struct chunk c;

	(void)sim;
	if (packet->event != USRSCTP_CMT_SIM_SENT)
		return;
	if (packet->direction == 0 && packet_find(packet->packet, packet->packet_bytes, CHUNK_TIMESTAMP, &c))
		note(arg, 0, packet_get32(c.bytes + 4));
	if (packet->direction == 1 && packet_find(packet->packet, packet->packet_bytes, CHUNK_ECHO, &c))
		note(arg, 1, packet_get32(c.bytes + 4));
}

static void transfer(const void *job, void *outcome)
{
	const struct usrsctp_cmt_sim_link fast = {.rate_bps = 4000000, .delay_us = 10000, .queue_pkts = 100};
	const struct usrsctp_cmt_sim_link slow = {.rate_bps = 2000000, .delay_us = 40000, .queue_pkts = 100};
	struct sctp_cmt_path_stats paths[USRSCTP_CMT_SIM_MAX_PATHS];
	const struct job *j = job;
	struct outcome *o = outcome;
	struct pair_options options = {.seed = 21,
	                               .n_paths = 2,
	                               .forward = {fast, slow},
	                               .backward = {fast, slow},
	                               .bytes = 2000000,
	                               .scheduler = j->scheduler,
	                               .clock_offset_us = {j->offset_us[0], j->offset_us[1]},
	                               .clock_skew_ppm = {j->skew_ppm[0], j->skew_ppm[1]},
	                               .tap = watch,
	                               .arg = o};
	struct sctpstat stats;
	struct pair p;

	pair_open(&p, &options);
	pair_run(&p, UINT64_C(600000000));
	o->delivered = p.complete && p.intact;
	o->done_us = p.done_us;
	usrsctp_get_stat(&stats);
	o->timeouts = stats.sctps_timodata;
	for (int i = 0, n = pair_path_stats(p.client, paths); i < n; i++) {
		o->samples += paths[i].samples;
		o->rejected += paths[i].samples_rejected;
	}
	o->base_difference_us = paths[1].fwd_delay_base_us - paths[0].fwd_delay_base_us;
	pair_close(&p);
}

static struct outcome run(struct job job)
{
	struct outcome o;

	isolate_run(transfer, &job, &o, sizeof(o));
	printf("%s, offsets %lld %lld us, skews %d %d ppm: %llu us, %llu samples\n", job.scheduler,
	       (long long)job.offset_us[0], (long long)job.offset_us[1], job.skew_ppm[0], job.skew_ppm[1],
	       (unsigned long long)o.done_us, (unsigned long long)o.samples);
	assert_true(o.delivered);
	assert_int_equal(o.timeouts, 0);
	assert_int_equal(o.rejected, 0);
	assert_true(o.samples > 500);
	/* 30 ms, and what packets of 1000 bytes take longer on the wire. */
	assert_in_range(o.base_difference_us, 29000, 33000);
	return o;
}

static void assert_unharmed(const struct outcome *o, const struct outcome *reference)
{
	assert_in_range(o->done_us, reference->done_us * 95 / 100, reference->done_us * 105 / 100);
}

static const char *const schedulers[] = {"arrival", "lcm"};

/* Of either end, either way. */
static void assert_no_harm(int64_t offset_us, int32_t skew_ppm)
{
	for (unsigned s = 0; s < 2; s++) {
		struct outcome reference = run((struct job){.scheduler = schedulers[s]});

		for (int sign = -1; sign <= 1; sign += 2) {
			for (unsigned host = 0; host < 2; host++) {
				struct job job = {.scheduler = schedulers[s]};
				struct outcome o;

				job.offset_us[host] = sign * offset_us;
				job.skew_ppm[host] = sign * skew_ppm;
				o = run(job);
				assert_unharmed(&o, &reference);
			}
		}
	}
}

static void clocks_an_hour_apart_do_no_harm(void **state)
{
	(void)state;
	assert_no_harm(HOUR_US, 0);
}

static void clocks_of_different_speed_do_no_harm(void **state)
{
	(void)state;
	assert_no_harm(0, SKEW_PPM);
}

/* The same seed draws the same random offset, so a first run tells how far the clock is from its wrap. */
static void stamps_may_wrap_in_the_middle(void **state)
{
	(void)state;
	for (unsigned s = 0; s < 2; s++) {
		struct outcome reference = run((struct job){.scheduler = schedulers[s]});

		assert_false(reference.wrapped[0] || reference.wrapped[1]);
		for (unsigned host = 0; host < 2; host++) {
			struct job job = {.scheduler = schedulers[s]};
			struct outcome o;

			job.offset_us[host] = (int64_t)UINT32_MAX - reference.first_stamp[host] -
			                      (int64_t)reference.done_us / 2;
			o = run(job);
			assert_true(o.wrapped[host]);
			assert_false(o.wrapped[1 - host]);
			/* Nothing else differs: not even a decision may. */
			assert_int_equal(o.done_us, reference.done_us);
			assert_int_equal(o.samples, reference.samples);
			assert_int_equal(o.base_difference_us, reference.base_difference_us);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(clocks_an_hour_apart_do_no_harm),
	    cmocka_unit_test(clocks_of_different_speed_do_no_harm),
	    cmocka_unit_test(stamps_may_wrap_in_the_middle),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
