/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Path Packet Numbers, and the echoes that answer them (docs/wire-format.md). Forward delay D = Tr - Te - Ts,
 * with the offset of the two clocks in it, equal on all paths of an association. */
#include "analyse.h"
#include "util/cmt_serial.h"

/* A number that leaps further than this begins a new count. */
#define MAX_GAP 65536

/* A time in the capture may be so much less than the same time between the stamps, for clocks and capture
 * that differ: 1/1024 and */
#define SLACK_US 1000

static uint64_t widen(uint64_t near, uint32_t number)
{
	return near + (uint64_t)(int64_t)cmt_serial_diff(number, (uint32_t)near);
}

void cmt_analyse_number(struct cmt_packet *p)
{
	struct cmt_lane *lane = p->has_timestamp ? cmt_state_lane(p->half, p->stamp.path_id, true) : NULL;
	uint32_t number = p->stamp.path_packet_number;

	if (lane == NULL) {
		return;
	}
	p->path->id = lane->id;
	lane->path = p->path;
	if (lane->highest == 0) {
		/* The first number is 1: what is missing before was lost, or sent before the capture began.
		 */
		lane->highest = (UINT64_C(1) << 32) + number;
		p->number = lane->highest;
	} else {
		p->number = widen(lane->highest, number);
		if (p->number > lane->highest) {
			uint64_t gap = p->number - lane->highest - 1;

			p->path_gap = gap <= MAX_GAP ? (uint32_t)gap : 0;
			lane->highest = p->number;
		} else {
			p->path_late = (uint32_t)(lane->highest - p->number);
		}
	}
	p->ordinal = ++lane->n_packets;
	cmt_sparse_set(&lane->packets, number, p);
}

/* Whether these times cannot be. */
static bool is_impossible(const struct cmt_packet *echo, const struct cmt_packet *data,
                          const struct cmt_echo_entry *entry)
{
	int64_t took_us = echo->at_us - data->at_us;

	return data->stamp.ts_us != entry->ts_us || entry->elapsed_us > took_us + took_us / 1024 + SLACK_US;
}

static void measure(struct cmt_half *data, struct cmt_lane *lane, struct cmt_sample *s)
{
	int32_t change = cmt_serial_diff((uint32_t)s->delay_us, (uint32_t)lane->last_delay_us);

	if (lane->measured) {
		uint32_t size = change < 0 ? 0 - (uint32_t)change : (uint32_t)change;

		lane->jitter_us_x16 += size - ((lane->jitter_us_x16 + 8) >> 4);
	}
	lane->measured = true;
	lane->last_delay_us = s->delay_us;
	s->jitter_us = lane->jitter_us_x16 >> 4;
	if (!data->knows_delay || cmt_serial_gt((uint32_t)data->least_delay_us, (uint32_t)s->delay_us)) {
		data->knows_delay = true;
		data->least_delay_us = s->delay_us;
	}
	s->above_us = (uint32_t)s->delay_us - (uint32_t)data->least_delay_us;
}

/* Packets that are missing since the last echo: numbers, which begin with 1, minus the count of those heard.
 * Modulo 2^16 as the count; negative when packets came that newer ones had overtaken. */
static int16_t unreported(struct cmt_lane *lane, const struct cmt_echo_entry *entry)
{
	uint16_t missing = (uint16_t)(entry->path_packet_number - entry->packets);
	bool begun_later = !lane->echoed && cmt_sparse_get(&lane->packets, 1) == NULL;
	uint16_t before = begun_later ? missing : lane->missing;

	lane->missing = missing;
	return (int16_t)(missing - before);
}

static void on_entry(struct cmt_packet *p, struct cmt_half *data, uint32_t tr_us,
                     const struct cmt_echo_entry *entry, struct cmt_sample *s)
{
	struct cmt_lane *lane = cmt_state_lane(data, entry->path_id, false);

	s->delay_us = (int32_t)(tr_us - entry->elapsed_us - entry->ts_us);
	if (lane == NULL) {
		return;
	}
	s->path = lane->path;
	s->packet = cmt_sparse_get(&lane->packets, entry->path_packet_number);
	if (s->packet == NULL) {
		return;
	}
	s->impossible = is_impossible(p, s->packet, entry);
	if (s->impossible) {
		return;
	}
	s->stale = lane->echoed && s->packet->number <= lane->echo_highest;
	if (s->stale) {
		return;
	}
	s->valid = true;
	s->unreported = unreported(lane, entry);
	lane->echoed = true;
	lane->echo_highest = s->packet->number;
	measure(data, lane, s);
	s->packet->echoed_by = p;
	s->packet->delay_us = s->delay_us;
	s->packet->above_us = s->above_us;
}

void cmt_analyse_echo(struct cmt_packet *p, const struct cmt_echo *echo)
{
	p->samples = wmem_alloc0_array(wmem_file_scope(), struct cmt_sample, echo->n_entries);
	p->n_samples = echo->n_entries;
	for (uint32_t i = 0; i < echo->n_entries; i++) {
		on_entry(p, p->half->peer, echo->tr_us, &echo->entries[i], &p->samples[i]);
	}
}
