/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/pause.h"

#include <float.h>
#include <stdlib.h>

#include "base/samples.h"

void lab_pause_path(struct lab_pause *p, double rate_bps)
{
	p->paths[p->n_paths++] = (struct lab_pause_path){.rate_bps = rate_bps};
}

void lab_pause_sent(struct lab_pause *p, int path, uint64_t wire_bytes, uint64_t payload_bytes,
                    uint64_t now_us)
{
	struct lab_pause_path *link = &p->paths[path];
	double begin_us = (double)now_us > link->free_us ? (double)now_us : link->free_us;

	link->free_us = begin_us + (double)wire_bytes * 8e6 / link->rate_bps;
	if (payload_bytes == 0) {
		return;
	}
	if (link->n == link->room) {
		link->room = link->room == 0 ? 1024 : 2 * link->room;
		link->packets = lab_grow(link->packets, link->room, sizeof(*link->packets));
	}
	link->packets[link->n++] = (struct lab_pause_packet){begin_us, link->free_us, payload_bytes};
}

/* What all links take per microsecond from at_us on, and until when that does not change. */
static double taken_per_us(struct lab_pause *p, double *until_us)
{
	double sum = 0;

	*until_us = DBL_MAX;
	for (int i = 0; i < p->n_paths; i++) {
		struct lab_pause_path *link = &p->paths[i];
		const struct lab_pause_packet *packet;
		double change_us;

		while (link->next < link->n && link->packets[link->next].end_us <= p->at_us) {
			link->next++;
		}
		if (link->next == link->n) {
			continue;
		}
		packet = &link->packets[link->next];
		change_us = packet->begin_us;
		if (packet->begin_us <= p->at_us) {
			sum += (double)packet->bytes / (packet->end_us - packet->begin_us);
			change_us = packet->end_us;
		}
		*until_us = change_us < *until_us ? change_us : *until_us;
	}
	return sum;
}

/* Goes on to when the links had taken `bytes`, or all that was sent. */
static void go_to(struct lab_pause *p, double bytes)
{
	double until_us, per_us = taken_per_us(p, &until_us);

	while (p->taken_bytes < bytes && until_us < DBL_MAX) {
		double all = p->taken_bytes + per_us * (until_us - p->at_us);

		if (all >= bytes) {
			p->at_us += (bytes - p->taken_bytes) / per_us;
			p->taken_bytes = bytes;
			return;
		}
		p->at_us = until_us;
		p->taken_bytes = all;
		per_us = taken_per_us(p, &until_us);
	}
}

void lab_pause_delivered(struct lab_pause *p, uint64_t bytes, uint64_t now_us, uint64_t from_us)
{
	go_to(p, (double)p->delivered_bytes);
	p->delivered_bytes = bytes;
	if (p->at_us >= (double)from_us && (double)now_us - p->at_us > (double)p->most_us) {
		p->most_us = (uint64_t)((double)now_us - p->at_us);
	}
}

void lab_pause_free(struct lab_pause *p)
{
	for (int i = 0; i < p->n_paths; i++) {
		free(p->paths[i].packets);
	}
	*p = (struct lab_pause){.n_paths = 0};
}
