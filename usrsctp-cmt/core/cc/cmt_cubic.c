/* SPDX-License-Identifier: BSD-3-Clause */
#include "cmt_cubic.h"

/* C of 0.4 packets / s^3 (section 5.1): a packet in 2.5 s^3. */
#define MS3_PER_PKT UINT64_C(2500000000)

/* A quarter of an hour either way: beyond any window, and its cube fits. */
enum { MOST_MS = 1000000 };

/* Rounded down, 2^21 - 1 at most. */
static uint32_t cube_root(uint64_t cube)
{
	uint64_t root = 0;

	for (uint64_t bit = UINT64_C(1) << 20; bit > 0; bit >>= 1) {
		uint64_t more = root + bit;

		if (more * more * more <= cube)
			root = more;
	}
	return (uint32_t)root;
}

static void begin(struct cmt_cubic *c, uint32_t cwnd_bytes, uint32_t mss_bytes)
{
	if (c->origin_bytes < cwnd_bytes)
		c->origin_bytes = cwnd_bytes;
	c->k_ms = cube_root((uint64_t)(c->origin_bytes - cwnd_bytes) * MS3_PER_PKT / mss_bytes);
	c->began_ms = c->now_ms != 0 ? c->now_ms : 1;
}

void cmt_cubic_on_ack(struct cmt_cubic *c, uint64_t now_us, bool limited, uint32_t cwnd_bytes,
                      uint32_t mss_bytes)
{
	uint32_t now_ms = (uint32_t)(now_us / 1000);

	if (!limited && c->began_ms != 0)
		c->began_ms += now_ms - c->now_ms;
	c->now_ms = now_ms;
	if (limited && c->began_ms == 0)
		begin(c, cwnd_bytes, mss_bytes);
}

void cmt_cubic_restart(struct cmt_cubic *c, uint32_t origin_bytes)
{
	c->origin_bytes = origin_bytes;
	c->began_ms = 0;
}

/* Above the origin, or below. */
static int64_t offset_bytes(int64_t ms, uint32_t mss_bytes)
{
	ms = ms > MOST_MS ? MOST_MS : ms < -MOST_MS ? -MOST_MS : ms;
	return ms * ms * ms / (int64_t)(MS3_PER_PKT / 1000) * mss_bytes / 1000;
}

uint32_t cmt_cubic_target_bytes(const struct cmt_cubic *c, uint32_t cwnd_bytes, uint32_t mss_bytes,
                                uint32_t rtt_us, uint32_t speed)
{
	const int64_t least = cwnd_bytes, most = least + least / 2;
	int64_t target, passed_ms;

	if (c->began_ms == 0)
		return cwnd_bytes;
	passed_ms = (int64_t)(c->now_ms - c->began_ms) + rtt_us / 1000;
	target = (int64_t)c->origin_bytes +
	         offset_bytes(passed_ms * speed / CMT_CUBIC_SPEED_ONE - c->k_ms, mss_bytes);
	target = target < least ? least : target > most ? most : target;
	return (uint32_t)(target < UINT32_MAX ? target : UINT32_MAX);
}
