/* SPDX-License-Identifier: BSD-3-Clause */
#include "stream_rate.h"

#define SECOND_US UINT64_C(1000000)

void stream_rate_add(struct stream_rate *r, uint64_t bytes, uint64_t now_us)
{
	const uint64_t passed_us = now_us - r->began_us;

	if (r->began_us == 0 || passed_us >= 2 * SECOND_US) {
		*r = (struct stream_rate){.began_us = now_us, .rate_bps = r->rate_bps};
	} else if (passed_us >= SECOND_US) {
		r->rate_bps = r->bytes * 8 * SECOND_US / passed_us;
		r->began_us = now_us;
		r->bytes = 0;
	}
	r->bytes += bytes;
}
