/* SPDX-License-Identifier: BSD-3-Clause */
#include "summary.h"

#include "util/cmt_serial.h"

/* Nobody loses more packets than that before the first one arrives. */
#define MAX_LOST_FIRST 1000

static void add_time(struct cmt_times *t, int64_t value_us)
{
	t->min_us = t->n == 0 || value_us < t->min_us ? value_us : t->min_us;
	t->sum_us += value_us;
	t->n++;
	cmt_quantile_add(&t->p95, value_us);
}

static struct cmt_sums *sums_of(struct cmt_summary *s, const struct cmt_half *half)
{
	struct cmt_sums *sums = g_hash_table_lookup(s->by_half, half);

	if (sums == NULL) {
		sums = g_new0(struct cmt_sums, 1);
		sums->half = half;
		sums->rows = g_ptr_array_new();
		g_hash_table_insert(s->by_half, (gpointer)(uintptr_t)half, sums);
	}
	return sums;
}

static struct cmt_row *row_of(struct cmt_summary *s, const struct cmt_half *half, const struct cmt_path *path)
{
	struct cmt_row *row;

	if (s->by_path == NULL) {
		s->by_path = g_hash_table_new(g_direct_hash, g_direct_equal);
		s->by_half = g_hash_table_new(g_direct_hash, g_direct_equal);
	}
	row = g_hash_table_lookup(s->by_path, path);
	if (row == NULL) {
		row = g_new0(struct cmt_row, 1);
		row->path = path;
		row->sums = sums_of(s, half);
		row->index = s->n_rows++;
		g_ptr_array_add(row->sums->rows, row);
		g_hash_table_insert(s->by_path, (gpointer)(uintptr_t)path, row);
	}
	return row;
}

static void add_chunk(struct cmt_row *row, const struct cmt_packet *p, const struct cmt_tx *tx)
{
	int view = p->copy_of != NULL;

	if (tx->first == NULL) {
		return;
	}
	if (tx->first == tx) {
		row->order[view].chunks++;
		row->order[view].reordered += tx->order.extent > 0;
		if (tx->order.extent > row->order[view].extent_max) {
			row->order[view].extent_max = tx->order.extent;
		}
	}
	if (view == 0 && tx->first == tx) {
		row->payload_bytes += tx->payload_bytes;
	} else if (view == 0) {
		row->retransmits++;
	}
}

static void add_delay(struct cmt_row *row, const struct cmt_sample *s)
{
	struct cmt_sums *sums = row->sums;
	int64_t delay_us;

	if (!sums->has_delay) {
		sums->has_delay = true;
		sums->first_delay_us = s->delay_us;
	}
	delay_us = cmt_serial_diff((uint32_t)s->delay_us, (uint32_t)sums->first_delay_us);
	sums->least_delay_us = delay_us < sums->least_delay_us ? delay_us : sums->least_delay_us;
	add_time(&row->delay, delay_us);
	row->jitter_us = s->jitter_us;
}

static void add_sample(struct cmt_row *row, const struct cmt_sample *s)
{
	row->unreported += s->unreported;
	if (!s->valid) {
		return;
	}
	add_delay(row, s);
	if (row->echoed_to == 0) {
		/* The first echo tells of all numbers before it only if the capture has them. */
		bool all = s->packet->number - s->packet->stamp.path_packet_number + 1 == row->first_number;

		row->echoed_from = all ? row->first_number - 1 : s->packet->number;
		row->ordinal_from = all ? 0 : s->packet->ordinal;
	}
	row->echoed_to = s->packet->number;
	row->ordinal_to = s->packet->ordinal;
}

static void add_number(struct cmt_row *row, const struct cmt_packet *p)
{
	if (row->numbered++ == 0) {
		/* Numbers count from 1: what the capture should have and has not was lost on the way to it.
		 */
		bool from_one = p->half->from_start && p->stamp.path_packet_number <= MAX_LOST_FIRST;

		row->first_number = from_one ? p->number - p->stamp.path_packet_number + 1 : p->number;
	}
	row->last_number = p->number > row->last_number ? p->number : row->last_number;
}

struct cmt_row *cmt_summary_add(struct cmt_summary *s, const struct cmt_packet *p)
{
	struct cmt_row *row = row_of(s, p->half, p->path);

	if (p->copy_of != NULL) {
		if (p->copy_of->seen_twice) {
			row->copies++;
			add_time(&row->transit[p->n_txs > 0], p->at_us - p->copy_of->at_us);
		}
	} else {
		row->packets++;
		row->bytes += p->bytes;
		row->joined += p->joined_to != NULL;
		if (p->number != 0) {
			add_number(row, p);
		}
	}
	if (p->n_txs > 0) {
		row->sums->first_us = row->sums->has_data ? row->sums->first_us : p->at_us;
		row->sums->has_data = true;
		row->sums->last_us = p->at_us > row->sums->last_us ? p->at_us : row->sums->last_us;
	}
	for (uint32_t i = 0; i < p->n_txs; i++) {
		add_chunk(row, p, &p->txs[i]);
	}
	for (uint32_t i = 0; i < p->n_spurious; i++) {
		const struct cmt_packet *again = p->spurious[i]->packet;

		row_of(s, again->half, again->path)->spurious++;
	}
	for (uint32_t i = 0; i < p->n_samples; i++) {
		if (p->samples[i].path != NULL) {
			add_sample(row_of(s, p->half->peer, p->samples[i].path), &p->samples[i]);
		}
	}
	return row;
}

static void free_row(gpointer key, gpointer value, gpointer data)
{
	struct cmt_row *row = value;

	(void)key;
	(void)data;
	cmt_quantile_free(&row->transit[0].p95);
	cmt_quantile_free(&row->transit[1].p95);
	cmt_quantile_free(&row->delay.p95);
	g_free(row);
}

static void free_sums(gpointer key, gpointer value, gpointer data)
{
	struct cmt_sums *sums = value;

	(void)key;
	(void)data;
	g_ptr_array_free(sums->rows, TRUE);
	g_free(sums);
}

void cmt_summary_free(struct cmt_summary *s)
{
	if (s->by_path != NULL) {
		g_hash_table_foreach(s->by_path, free_row, NULL);
		g_hash_table_foreach(s->by_half, free_sums, NULL);
		g_hash_table_destroy(s->by_path);
		g_hash_table_destroy(s->by_half);
	}
	*s = (struct cmt_summary){.n_rows = 0};
}

uint64_t cmt_row_lost(const struct cmt_row *row)
{
	uint64_t span = row->numbered > 0 ? row->last_number - row->first_number + 1 : 0;
	uint64_t left_out = span > row->numbered ? span - row->numbered : 0;
	int64_t between;

	if (row->copies > 0) {
		return left_out + (row->packets > row->copies ? row->packets - row->copies : 0);
	}
	between = (int64_t)(row->echoed_to - row->echoed_from) - (row->ordinal_to - row->ordinal_from);
	return left_out + (row->unreported > between ? (uint64_t)(row->unreported - between) : 0);
}

double cmt_row_goodput_bps(const struct cmt_row *row)
{
	double us = (double)(row->sums->last_us - row->sums->first_us);

	return us > 0 ? 8e6 * (double)row->payload_bytes / us : 0;
}

struct cmt_delays cmt_row_delays(const struct cmt_row *row)
{
	const struct cmt_times *transit = &row->transit[row->transit[1].n > 0];
	bool is_transit = transit->n > 0;
	const struct cmt_times *t = is_transit ? transit : &row->delay;
	int64_t zero_us = is_transit ? 0 : row->sums->least_delay_us;

	if (t->n == 0) {
		return (struct cmt_delays){.known = false};
	}
	return (struct cmt_delays){.known = true,
	                           .is_transit = is_transit,
	                           .min_us = (double)(t->min_us - zero_us),
	                           .mean_us = (double)t->sum_us / (double)t->n - (double)zero_us,
	                           .p95_us = (double)(cmt_quantile_p95(&t->p95) - zero_us)};
}

int cmt_row_view(const struct cmt_row *row)
{
	return row->order[1].chunks > 0;
}
