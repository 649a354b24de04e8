/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A window probe that was to be measured is taken back when the window opens, and sent again: then it is no
 * sample. The next packet has to be one, or the path's round trip and RTO stay what they were for good
 * (upstream/fixes/window-probe-rtt.manifest). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>

#include "support/head_last.h"
#include "support/isolate.h"
#include "support/raw.h"

enum { MESSAGES = 20, MESSAGE_BYTES = 1000, ROUNDS = 10, ROUND_TRIP_US = 100000, MOMENT_US = 1000 };

struct outcome {
	unsigned in_order, ahead; /* chunks of the first and the second flight */
	unsigned probes, again;   /* transmissions of the lowest TSN with the window closed, and then */
	uint32_t srtt_us;         /* after ROUNDS round trips of ROUND_TRIP_US */
};

/* All before the TSN `gap` (counted from the first) has arrived, and `behind` of what follows it. */
static void acknowledge(struct raw *r, uint32_t gap, uint32_t behind, uint32_t window_bytes)
{
	uint8_t body[16] = {0};
	uint16_t len = behind > 0 ? 16 : 12;
	struct packet_draft d;

	packet_put32(body, r->stack_tsn + gap - 1);
	packet_put32(body + 4, window_bytes);
	packet_put16(body + 8, behind > 0);
	packet_put16(body + 12, 2);
	packet_put16(body + 14, (uint16_t)(behind + 1));
	raw_begin(r, &d);
	packet_add(&d, CHUNK_SACK, (uint16_t)(4 + len), body, len);
	raw_send(r, 0, &d);
	raw_run(r, MOMENT_US);
}

/* Packets from `since` on that carry the TSN. */
static unsigned count_tsn(const struct raw *r, unsigned since, uint32_t tsn)
{
	unsigned n = 0;
	struct chunk c;

	while (raw_hear(r, &since, CHUNK_DATA, &c))
		n += chunk_tsn(&c) == tsn;
	return n;
}

/* All that was heard has arrived. */
static void acknowledge_all(struct raw *r)
{
	uint32_t n = 0;
	unsigned behind = 0;

	while (count_tsn(r, 0, r->stack_tsn + n) > 0)
		n++;
	while (count_tsn(r, 0, r->stack_tsn + n + 1 + behind) > 0)
		behind++;
	acknowledge(r, n, behind, RAW_WINDOW_BYTES);
}

static uint32_t srtt_us(const struct raw *r)
{
	struct sctp_cmt_path_stats path = {.size = sizeof(path)};
	socklen_t len = sizeof(path);

	REQUIRE(usrsctp_getsockopt(r->so, IPPROTO_SCTP, SCTP_CMT_PATH_STATS, &path, &len) == 0);
	return path.srtt_us;
}

static void probe_and_measure(const void *job, void *outcome)
{
	static struct raw r;
	/* To a single address of a peer without the extension nothing is scheduled. */
	const struct raw_options options = {.n_paths = 2,
	                                    .parameters = {RAW_ADDRESS(0), RAW_ADDRESS(1)},
	                                    .parameters_bytes = 16,
	                                    .configure = head_last_choose};
	struct outcome *o = outcome;
	unsigned since;

	(void)job;
	raw_accepted(&r, &options);
	since = r.n_heard;
	for (int i = 0; i < MESSAGES; i++)
		raw_write(&r, MESSAGE_BYTES);
	raw_run(&r, MOMENT_US);
	o->in_order = raw_count(&r, since, CHUNK_DATA);
	since = r.n_heard;
	acknowledge(&r, o->in_order, 0, RAW_WINDOW_BYTES);
	while (count_tsn(&r, since, r.stack_tsn + o->in_order + 1 + o->ahead) > 0)
		o->ahead++;
	since = r.n_heard;
	acknowledge(&r, o->in_order, o->ahead, 0);
	o->probes = count_tsn(&r, since, r.stack_tsn + o->in_order);
	since = r.n_heard;
	acknowledge(&r, o->in_order, o->ahead, RAW_WINDOW_BYTES);
	o->again = count_tsn(&r, since, r.stack_tsn + o->in_order);
	for (int i = 0; i < MESSAGES; i++)
		acknowledge_all(&r);
	for (int i = 0; i < ROUNDS; i++) {
		raw_write(&r, MESSAGE_BYTES);
		raw_run(&r, ROUND_TRIP_US);
		acknowledge_all(&r);
	}
	o->srtt_us = srtt_us(&r);
	raw_close(&r);
}

static void a_path_is_measured_behind_a_window_probe_that_was_taken_back(void **state)
{
	struct outcome o;

	(void)state;
	isolate_run(probe_and_measure, NULL, &o, sizeof(o));
	printf("%u chunks, %u ahead, %u probes, sent again %u times, smoothed round trip %u us\n", o.in_order,
	       o.ahead, o.probes, o.again, o.srtt_us);
	assert_in_range(o.ahead, 1, MESSAGES);
	assert_int_equal(o.probes, 1);
	assert_int_equal(o.again, 1);
	assert_in_range(o.srtt_us, ROUND_TRIP_US / 2, ROUND_TRIP_US + 10000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_path_is_measured_behind_a_window_probe_that_was_taken_back),
	};

	if (usrsctp_cmt_register_scheduler(&head_last) != 0)
		return 1;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
