/* SPDX-License-Identifier: BSD-3-Clause */
#include "cmt_heard.h"

#include <stddef.h>

#include "../util/cmt_serial.h"
#include "../util/cmt_tuned.h"

/* The record of one of the peer's paths; else a new one, in place of the path that was heard of last longest
 * ago when there is no room. */
static struct cmt_heard_path *path_of(struct cmt_heard *h, uint16_t path_id)
{
	struct cmt_heard_path *oldest = &h->paths[0];

	for (unsigned i = 0; i < CMT_ECHO_MAX_ENTRIES; i++) {
		if (h->paths[i].known && h->paths[i].path_id == path_id)
			return &h->paths[i];
		if (h->paths[i].at_pkts < oldest->at_pkts)
			oldest = &h->paths[i];
	}
	*oldest = (struct cmt_heard_path){.known = false};
	return oldest;
}

bool cmt_heard_on_timestamp(struct cmt_heard *h, const struct cmt_timestamp *ts, uint8_t from_slot,
                            uint64_t now_us)
{
	struct cmt_heard_path *p = ts->path_id != 0 ? path_of(h, ts->path_id) : NULL;

	if (p == NULL)
		return false;
	h->return_path = ts->return_path;
	p->packets++;
	p->at_pkts = ++h->pkts;
	p->path_id = ts->path_id;
	if (!p->known || cmt_serial_gt(ts->path_packet_number, p->path_packet_number)) {
		if (p->known)
			p->gap_us =
			    (p->gap_us * (CMT_SMOOTHING - 1) + (now_us - p->arrival_us)) / CMT_SMOOTHING;
		p->path_packet_number = ts->path_packet_number;
		p->ts_us = ts->ts_us;
		p->arrival_us = now_us;
		p->from_slot = from_slot;
		p->fresh = true;
	}
	p->known = true;
	return true;
}

uint64_t cmt_heard_echo_us(const struct cmt_heard *h, uint64_t now_us)
{
	return now_us > h->echoed_us ? now_us : h->echoed_us + 1;
}

void cmt_heard_on_echoed(struct cmt_heard *h, uint64_t echo_us)
{
	h->echoed_us = echo_us;
	for (unsigned i = 0; i < CMT_ECHO_MAX_ENTRIES; i++)
		h->paths[i].fresh = false;
}

/* Thin paths have long gaps. */
static bool is_silent(const struct cmt_heard *h, const struct cmt_heard_path *p, uint64_t now_us)
{
	uint64_t quiet_us = now_us - p->arrival_us;

	return h->pkts - p->at_pkts > CMT_GROUP_PKTS && quiet_us > CMT_HOST_LATE_US &&
	       quiet_us > CMT_SURE_SAMPLES * p->gap_us;
}

const struct cmt_heard_path *cmt_heard_find(const struct cmt_heard *h, uint16_t path_id)
{
	for (unsigned i = 0; i < CMT_ECHO_MAX_ENTRIES; i++) {
		if (h->paths[i].known && h->paths[i].path_id == path_id)
			return &h->paths[i];
	}
	return NULL;
}

uint8_t cmt_heard_return_slot(const struct cmt_heard *h, uint64_t now_us)
{
	const struct cmt_heard_path *p = cmt_heard_find(h, h->return_path);

	return p == NULL || is_silent(h, p, now_us) ? 0 : p->from_slot;
}
