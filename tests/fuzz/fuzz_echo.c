/* SPDX-License-Identifier: BSD-3-Clause
 *
 * fuzz_echo.c - libFuzzer target: packets sent on one path and echoes of them, true and false, into the
 * validation of echoes and what is estimated from them.
 *
 * Oracles: an echo is accepted only for a packet that was really sent with that stamp and is newer than the
 * newest one echoed, and only with a Te that fits between then and now; every estimate stays a time or a
 * rate. runs: 60000, edges: 230 */
#include <stdlib.h>
#include <string.h>

#include "delay/cmt_clock.h"
#include "delay/cmt_path_est.h"
#include "support/fuzz.h"
#include "util/cmt_time.h"

enum { RECORDS = 64, STEPS_MAX = 400 };

struct path {
	struct cmt_sent_record records[RECORDS];
	struct cmt_path_est est;
	struct cmt_clock clock;
	uint64_t now_us, sent_us[STEPS_MAX + 1];
	uint32_t offset_us, sent, newest;
};

static uint32_t stamp(const struct path *p, uint64_t at_us)
{
	return (uint32_t)at_us + p->offset_us;
}

static void send(struct path *p, struct fuzz_bytes *in)
{
	uint32_t number = cmt_path_est_on_sent(
	    &p->est, &(struct cmt_path_packet){.now_us = p->now_us,
	                                       .stamp = stamp(p, p->now_us),
	                                       .wire_bytes = 40 + (uint32_t)fuzz_take(in, 2),
	                                       .limited = fuzz_take(in, 1) & 1});

	REQUIRE(number == ++p->sent);
	p->sent_us[number] = p->now_us;
}

static void check_estimates(const struct path *p)
{
	const struct cmt_path_est *e = &p->est;

	REQUIRE(cmt_path_est_queue_us(e, p->now_us) >= 0);
	REQUIRE(cmt_path_est_standing_queue_us(e) >= 0);
	REQUIRE(cmt_path_est_jitter_us(e) >= 0);
	REQUIRE((cmt_path_est_base_us(e) == CMT_UNKNOWN_US) ==
	        (cmt_path_est_start_us(e, p->now_us) == CMT_UNKNOWN_US));
	REQUIRE(cmt_path_est_rate_bps(e) <= UINT64_C(1000000000000000));
}

static void echo(struct path *p, struct fuzz_bytes *in)
{
	uint32_t kind = (uint32_t)fuzz_take(in, 1);
	uint32_t number = p->sent - (uint32_t)fuzz_take(in, 1) % 70, echoed_stamp = 0, elapsed_us;
	uint32_t age_us = 0;

	if (number >= 1 && number <= p->sent) {
		echoed_stamp = stamp(p, p->sent_us[number]);
		age_us = (uint32_t)(p->now_us - p->sent_us[number]);
	}
	number += (kind & 1) != 0 ? (uint32_t)fuzz_take_size(in, UINT32_MAX) : 0;
	echoed_stamp += (kind & 2) != 0 ? (uint32_t)fuzz_take_size(in, UINT32_MAX) : 0;
	elapsed_us = (kind & 4) != 0 ? (uint32_t)fuzz_take_size(in, UINT32_MAX)
	                             : (uint32_t)((uint64_t)age_us * (fuzz_take(in, 1) % 255) / 255);
	if (!cmt_path_est_accepts(&p->est, number, echoed_stamp, elapsed_us, stamp(p, p->now_us)))
		return;
	REQUIRE(number >= 1 && number <= p->sent && number > p->newest);
	REQUIRE(echoed_stamp == stamp(p, p->sent_us[number]));
	REQUIRE(elapsed_us <= p->now_us - p->sent_us[number] + (p->now_us - p->sent_us[number]) / 1024 + 1);
	p->newest = number;
	cmt_path_est_on_echo(
	    &p->est, p->now_us, number,
	    cmt_clock_on_echo(&p->clock,
	                      &(struct cmt_clock_echo){.sent_us = p->sent_us[number],
	                                               .now_us = p->now_us,
	                                               .tr_us = (uint32_t)fuzz_take(in, 4),
	                                               .elapsed_us = elapsed_us,
	                                               .return_path_id = (uint16_t)(fuzz_take(in, 1) % 9)})
	        .arrival_us,
	    (uint16_t)(p->est.heard_pkts + 1 + fuzz_take(in, 1)));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_bytes in = {data, size};
	static struct path p;

	memset(&p, 0, sizeof(p));
	p.now_us = UINT64_C(1000000000) + fuzz_take(&in, 4);
	p.offset_us = (uint32_t)fuzz_take(&in, 4);
	cmt_path_est_init(&p.est, p.records, RECORDS);
	cmt_clock_init(&p.clock);
	for (unsigned i = 0; i < STEPS_MAX && in.left > 0; i++) {
		unsigned what = (unsigned)fuzz_take(&in, 1);

		p.now_us += (what & 1) != 0 ? fuzz_take(&in, 2) : fuzz_take_size(&in, 4000000);
		if ((what & 0x36) == 0x36) {
			/* Forgets what was echoed, too. */
			cmt_path_est_clock_step(&p.est);
			p.newest = 0;
		} else if ((what & 4) != 0) {
			echo(&p, &in);
		} else {
			send(&p, &in);
		}
		check_estimates(&p);
	}
	return 0;
}
