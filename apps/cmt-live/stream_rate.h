/* SPDX-License-Identifier: BSD-3-Clause
 *
 * stream_rate.h - the rate of a live stream, over the last whole second in which something came. Pure. */
#ifndef LIVE_STREAM_RATE_H
#define LIVE_STREAM_RATE_H

#include <stdint.h>

/* Zeroed: nothing came yet. */
struct stream_rate {
	uint64_t began_us, bytes; /* of the second that is being measured */
	uint64_t rate_bps;        /* 0 = not known yet */
};

/* So many bytes came. `now_us` never decreases. */
void stream_rate_add(struct stream_rate *r, uint64_t bytes, uint64_t now_us);

#endif
