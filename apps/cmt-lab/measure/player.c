/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/player.h"

static double us_of(const struct lab_player *p, double bytes)
{
	return bytes * 8e6 / p->rate_bps;
}

void lab_player_start(struct lab_player *p, double rate_bps, uint64_t buffer_us)
{
	*p = (struct lab_player){.rate_bps = rate_bps,
	                         .buffer_bytes = (uint64_t)(rate_bps * (double)buffer_us / 8e6)};
}

static void play(struct lab_player *p, uint64_t now_us)
{
	p->playing = true;
	if (!p->started) {
		p->started = true;
		p->startup_us = now_us;
	} else {
		p->stalled_us += now_us - p->since_us;
	}
	p->since_us = now_us;
}

static void advance(struct lab_player *p, uint64_t now_us)
{
	double dry_us = us_of(p, (double)p->read_bytes - p->played_bytes);
	double passed_us = (double)(now_us - p->since_us);

	if (!p->playing) {
		return;
	}
	if (passed_us <= dry_us) {
		p->played_bytes += passed_us * p->rate_bps / 8e6;
		p->since_us = now_us;
		return;
	}
	p->playing = false;
	p->stalls++;
	p->played_bytes = (double)p->read_bytes;
	p->since_us += (uint64_t)dry_us;
}

void lab_player_read(struct lab_player *p, uint64_t len_bytes, uint64_t now_us)
{
	double late_us = (double)now_us - us_of(p, (double)p->read_bytes);

	if (late_us > (double)p->wait_us) {
		p->wait_us = (uint64_t)late_us;
	}
	advance(p, now_us);
	p->read_bytes += len_bytes;
	if (!p->playing && (double)p->read_bytes - p->played_bytes >= (double)p->buffer_bytes) {
		play(p, now_us);
	}
	p->last_us = now_us;
}

double lab_player_origin_us(const struct lab_player *p)
{
	return (double)p->since_us - us_of(p, p->played_bytes);
}

void lab_player_end(struct lab_player *p)
{
	if (!p->playing && p->read_bytes > 0) {
		play(p, p->last_us);
	}
}
