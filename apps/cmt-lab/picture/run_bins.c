/* SPDX-License-Identifier: BSD-3-Clause */
#include "picture/run_bins.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/samples.h"
#include "measure/packet_log.h"

/* What the means of an interval are made of. */
struct counts {
	double arrived, predicted;
};

static bool rewind_log(FILE *packets)
{
	char head[sizeof(LAB_PACKET_LOG_HEAD)];

	rewind(packets);
	return fgets(head, sizeof(head), packets) != NULL && strcmp(head, LAB_PACKET_LOG_HEAD) == 0;
}

/* From our first packet to the last arrival. */
static bool find_span(FILE *packets, double *from_us, double *until_us)
{
	struct lab_logged_packet p;

	*from_us = INFINITY;
	*until_us = 0;
	if (!rewind_log(packets)) {
		return false;
	}
	while (lab_packet_log_read(packets, &p)) {
		if (p.ours) {
			*from_us = fmin(*from_us, (double)p.sent_us);
			*until_us = fmax(*until_us, (double)p.arrived_us);
		}
	}
	return *until_us > *from_us;
}

static struct lab_run_bin *bin_at(const struct lab_run_bins *b, int path, double at_us, size_t *i)
{
	const double number = (at_us - b->from_us) / b->bin_us;

	if (number < 0 || number > (double)b->n) {
		return NULL;
	}
	*i = number < (double)b->n ? (size_t)number : b->n - 1;
	return &b->bins[path][*i];
}

/* Paths wait for each other where they share a link; then the wait of others there is theirs, too. */
static bool meets(const struct lab_scenario *s, int path, int other)
{
	return path == other || (s->via[path] != 0 && s->via[path] == s->via[other]);
}

static void add_wait(const struct lab_run_bins *b, int path, enum lab_whose whose, double bytes,
                     double from_us, double until_us)
{
	const double last = (until_us - b->from_us) / b->bin_us;

	for (double i = fmax(0, floor((from_us - b->from_us) / b->bin_us)); i < (double)b->n && i < last; i++) {
		const double begin_us = b->from_us + i * b->bin_us;
		const double part_us = fmin(until_us, begin_us + b->bin_us) - fmax(from_us, begin_us);

		b->bins[path][(size_t)i].queue_bytes[whose] += bytes * fmax(0, part_us) / b->bin_us;
	}
}

/* Of a packet, at what its path could carry when it arrived. */
static double transmission_us(const struct lab_run_bin *bin, double bytes)
{
	return bin == NULL || bin->could_bps <= 0 ? 0 : bytes * 8e6 / bin->could_bps;
}

static void add_packet(struct lab_run_bins *b, const struct lab_scenario *s, struct counts **counts,
                       const struct lab_logged_packet *p)
{
	const enum lab_whose whose = p->ours ? LAB_OURS : LAB_THEIRS;
	const double arrived_us = (double)p->arrived_us, sent_us = (double)p->sent_us;
	size_t i = 0;
	struct lab_run_bin *bin = bin_at(b, p->path, arrived_us, &i);
	const double waited_until_us =
	    arrived_us - (double)p->way_us - transmission_us(bin, (double)p->bytes);

	if (waited_until_us > sent_us) {
		for (int other = 0; other < b->n_paths; other++) {
			if (other == p->path || (!p->ours && meets(s, p->path, other))) {
				add_wait(b, other, whose, (double)p->bytes, sent_us, waited_until_us);
			}
		}
	}
	if (bin == NULL) {
		return;
	}
	bin->carried_bps[whose] += (double)p->bytes * 8e6 / b->bin_us;
	if (!p->ours) {
		return;
	}
	counts[p->path][i].arrived++;
	bin->delay_us += arrived_us - sent_us;
	bin->way_us += (double)p->way_us;
	if (p->predicted_us >= 0) {
		counts[p->path][i].predicted++;
		bin->predicted_us += (double)p->predicted_us - sent_us;
	}
}

static double could_bps(const struct lab_scenario *s, int path, double from_us, double until_us)
{
	const struct lab_span span = {(uint64_t)from_us, (uint64_t)until_us};
	const double payload_bps = lab_ceiling_bps(s, path, true);

	return payload_bps <= 0 ? 0
	                        : lab_ceiling_over_bps(s, path, true, span) * lab_capacity_bps(s, path) /
	                              payload_bps;
}

static void settle_means(struct lab_run_bin *bin, const struct counts *c)
{
	bin->delay_us = c->arrived > 0 ? bin->delay_us / c->arrived : NAN;
	bin->way_us = c->arrived > 0 ? bin->way_us / c->arrived : NAN;
	bin->predicted_us = c->predicted > 0 ? bin->predicted_us / c->predicted : NAN;
}

int lab_run_bins_read(FILE *packets, const struct lab_scenario *s, size_t n, struct lab_run_bins *out)
{
	struct counts *counts[USRSCTP_CMT_SIM_MAX_PATHS];
	struct lab_logged_packet p;
	double until_us;

	*out = (struct lab_run_bins){.n_paths = s->n_paths, .n = n};
	if (!find_span(packets, &out->from_us, &until_us)) {
		return -1;
	}
	out->bin_us = (until_us - out->from_us) / (double)n;
	for (int path = 0; path < s->n_paths; path++) {
		out->bins[path] = lab_grow(NULL, n, sizeof(*out->bins[path]));
		counts[path] = lab_grow(NULL, n, sizeof(*counts[path]));
		memset(counts[path], 0, n * sizeof(*counts[path]));
		for (size_t i = 0; i < n; i++) {
			const double from_us = out->from_us + (double)i * out->bin_us;

			out->bins[path][i] = (struct lab_run_bin){
			    .could_bps = could_bps(s, path, from_us, from_us + out->bin_us)};
		}
	}
	rewind_log(packets);
	while (lab_packet_log_read(packets, &p)) {
		if (p.path >= 0 && p.path < s->n_paths) {
			add_packet(out, s, counts, &p);
		}
	}
	for (int path = 0; path < s->n_paths; path++) {
		for (size_t i = 0; i < n; i++) {
			settle_means(&out->bins[path][i], &counts[path][i]);
		}
		free(counts[path]);
	}
	return 0;
}

void lab_run_bins_free(struct lab_run_bins *b)
{
	for (int path = 0; path < b->n_paths; path++) {
		free(b->bins[path]);
	}
	*b = (struct lab_run_bins){.n = 0};
}
