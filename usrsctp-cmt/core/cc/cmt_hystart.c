/* SPDX-License-Identifier: BSD-3-Clause */
#include "cmt_hystart.h"

#include "../util/cmt_serial.h"
#include "../util/cmt_time.h"
#include "../util/cmt_tuned.h"

/* RFC 9406, section 4.3. */
enum {
	MAX_RTT_THRESH_US = 16000,
	MIN_RTT_DIVISOR = 8,
	N_RTT_SAMPLE = 8,
	CSS_ROUNDS = 5,
};

void cmt_hystart_init(struct cmt_hystart *h)
{
	*h = (struct cmt_hystart){
	    .phase = CMT_HYSTART_SLOW_START,
	    .round_min_us = CMT_UNKNOWN_US,
	    .last_us = CMT_UNKNOWN_US,
	    .baseline_us = CMT_UNKNOWN_US,
	};
}

static void note_rate(struct cmt_hystart *h, uint64_t now_us)
{
	const uint64_t us = now_us - h->round_start_us;

	for (unsigned i = CMT_HYSTART_ROUNDS - 1; i > 0; i--)
		h->rates_bps[i] = h->rates_bps[i - 1];
	h->rates_bps[0] = us > 0 ? h->round_bytes * CMT_BPS_PER_BYTE_PER_US / us : 0;
	h->round_start_us = now_us;
	h->round_bytes = 0;
}

static bool used_window(const struct cmt_hystart *h, uint32_t cwnd_bytes)
{
	return h->round_bytes >= cwnd_bytes / 4 * 3;
}

static void begin_round(struct cmt_hystart *h, const struct cmt_hystart_ack *ack)
{
	if (h->started && h->phase == CMT_HYSTART_CONSERVATIVE && used_window(h, ack->cwnd_bytes))
		h->conservative_rounds++;
	h->started = true;
	h->round_end = ack->next_number;
	h->last_us = h->round_min_us;
	h->round_min_us = CMT_UNKNOWN_US;
	h->samples = 0;
	note_rate(h, ack->now_us);
}

/* The RFC takes an eighth of the last round's smallest round trip; a delay with an unknown offset has no
 * eighth, so the smoothed round trip stands in for it. */
static uint64_t threshold_us(uint32_t srtt_us)
{
	const uint64_t share_us = srtt_us / MIN_RTT_DIVISOR;

	if (share_us < CMT_MIN_RTT_THRESH_US)
		return CMT_MIN_RTT_THRESH_US;
	return share_us < MAX_RTT_THRESH_US ? share_us : MAX_RTT_THRESH_US;
}

/* Unsigned, because the difference of two delays may exceed their type. */
static bool delay_has_grown(const struct cmt_hystart *h, uint32_t srtt_us)
{
	return h->last_us != CMT_UNKNOWN_US && h->round_min_us > h->last_us &&
	       (uint64_t)h->round_min_us - (uint64_t)h->last_us >= threshold_us(srtt_us);
}

static bool rate_has_grown(const struct cmt_hystart *h)
{
	const uint64_t before_bps = h->rates_bps[CMT_HYSTART_ROUNDS - 1];

	return h->conservative_rounds >= CMT_HYSTART_ROUNDS && h->rates_bps[0] > before_bps + before_bps / 4;
}

/* Delays are compared anew: with those of the round trip that begins. */
static void go_on(struct cmt_hystart *h)
{
	h->phase = CMT_HYSTART_SLOW_START;
	h->baseline_us = CMT_UNKNOWN_US;
	h->last_us = CMT_UNKNOWN_US;
}

static void update_phase(struct cmt_hystart *h, uint32_t srtt_us)
{
	const bool certain = h->samples >= N_RTT_SAMPLE;

	switch (h->phase) {
	case CMT_HYSTART_SLOW_START:
		if (certain && delay_has_grown(h, srtt_us)) {
			h->phase = CMT_HYSTART_CONSERVATIVE;
			h->baseline_us = h->round_min_us;
			h->conservative_rounds = 0;
		}
		break;
	case CMT_HYSTART_CONSERVATIVE:
		if (h->conservative_rounds >= CSS_ROUNDS) {
			h->phase = CMT_HYSTART_DONE;
		} else if (rate_has_grown(h)) {
			go_on(h);
		} else if (certain && h->round_min_us < h->baseline_us) {
			h->phase = CMT_HYSTART_SLOW_START;
			h->baseline_us = CMT_UNKNOWN_US;
		}
		break;
	case CMT_HYSTART_DONE: break;
	}
}

enum cmt_hystart_phase cmt_hystart_on_ack(struct cmt_hystart *h, const struct cmt_hystart_ack *ack)
{
	h->round_bytes += ack->bytes;
	if (!h->started || cmt_serial_ge(ack->number, h->round_end))
		begin_round(h, ack);
	if (ack->delay_us != CMT_UNKNOWN_US) {
		if (h->round_min_us == CMT_UNKNOWN_US || ack->delay_us < h->round_min_us)
			h->round_min_us = ack->delay_us;
		h->samples++;
	}
	update_phase(h, ack->srtt_us);
	return h->phase;
}
