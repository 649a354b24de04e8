/* SPDX-License-Identifier: BSD-3-Clause */
#include "cmt_rack.h"

#include "../util/cmt_serial.h"
#include "../util/cmt_tuned.h"

enum {
	DUP_THRESHOLD = 3,
	KEEP_EVENTS = 16,
	PATIENT_AFTER_TIMES = 2 * CMT_LOST_TIMES,
	PATIENT_DOUBLINGS_MAX = 10
};

void cmt_rack_init(struct cmt_rack *r)
{
	*r = (struct cmt_rack){.quarters = 1};
}

static int64_t quarter_us(const struct cmt_rack_path *path)
{
	int64_t min_rtt_us = path->min_rtt_us == CMT_UNKNOWN_US ? path->srtt_us : path->min_rtt_us;

	return cmt_max_us(CMT_TICK_US, min_rtt_us / 4);
}

static int64_t window_us(const struct cmt_rack *r, const struct cmt_rack_path *path)
{
	int64_t us = quarter_us(path) * r->quarters;

	return path->srtt_us > 0 ? cmt_min_us(us, path->srtt_us) : us;
}

bool cmt_rack_window_is_full(const struct cmt_rack *r, const struct cmt_rack_path *path)
{
	return path->srtt_us > 0 && quarter_us(path) * r->quarters >= path->srtt_us;
}

static void widen(struct cmt_rack *r, const struct cmt_rack_path *path, uint32_t quarters)
{
	r->reordering = true;
	r->keep_events = KEEP_EVENTS;
	while (r->quarters < quarters && !cmt_rack_window_is_full(r, path))
		r->quarters++;
}

/* Quarters that cover what came so late, and a quarter of that more. */
static uint32_t quarters_for(const struct cmt_rack_path *path, int64_t late_us)
{
	int64_t us = cmt_min_us(cmt_max_us(0, late_us), 60000000);

	return (uint32_t)((us + us / 4) / quarter_us(path) + 1);
}

void cmt_rack_on_delivered(struct cmt_rack *r, const struct cmt_rack_path *path,
                           const struct cmt_rack_packet *packet, uint64_t now_us)
{
	int64_t rtt_us = (int64_t)(now_us - packet->sent_us);

	/* An acknowledgement of the original would make the round trip too short (section 6.2, step 1). */
	if (packet->times_sent > 1 && path->min_rtt_us != CMT_UNKNOWN_US && rtt_us < path->min_rtt_us)
		return;
	if (!r->now.known || cmt_serial_gt(packet->number, r->now.number))
		r->now = (struct cmt_rack_newest){.known = true, .number = packet->number, .rtt_us = rtt_us};
	if (r->before.known && cmt_serial_gt(r->before.number, packet->number) && packet->times_sent <= 1 &&
	    !packet->told_late)
		widen(r, path, quarters_for(path, rtt_us - r->before.rtt_us));
}

void cmt_rack_on_sack_end(struct cmt_rack *r)
{
	r->before = r->now;
}

static int64_t patience_us(const struct cmt_rack_path *path, uint32_t times_sent)
{
	uint32_t doublings = times_sent > PATIENT_AFTER_TIMES ? times_sent - PATIENT_AFTER_TIMES : 0;

	if (doublings == 0)
		return 0;
	return path->srtt_us << (doublings < PATIENT_DOUBLINGS_MAX ? doublings : PATIENT_DOUBLINGS_MAX);
}

uint64_t cmt_rack_deadline_us(const struct cmt_rack *r, const struct cmt_rack_path *path,
                              const struct cmt_rack_packet *packet)
{
	int32_t later = r->now.known ? cmt_serial_diff(r->now.number, packet->number) : 0;
	int64_t window;

	if (later <= 0)
		return CMT_NEVER_US;
	if (packet->told_late)
		window = cmt_max_us(window_us(r, path), path->srtt_us);
	else
		window = !r->reordering && later >= DUP_THRESHOLD ? 0 : window_us(r, path);
	return packet->sent_us + (uint64_t)(r->now.rtt_us + window + patience_us(path, packet->times_sent));
}

void cmt_rack_on_spurious(struct cmt_rack *r, const struct cmt_rack_path *path, int64_t late_us)
{
	widen(r, path, late_us == CMT_UNKNOWN_US ? r->quarters + 1 : quarters_for(path, late_us));
}

void cmt_rack_on_loss_event(struct cmt_rack *r)
{
	if (r->keep_events > 0 && --r->keep_events == 0)
		r->quarters = 1;
}

int64_t cmt_rack_probe_timeout_us(int64_t srtt_us, bool alone)
{
	return 2 * srtt_us + (alone ? CMT_RACK_MAX_SACK_DELAY_US : 0);
}
