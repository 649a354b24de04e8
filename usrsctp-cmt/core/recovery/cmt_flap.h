/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_flap.h - how often is a failed path asked whether it is back, and when does one that is back carry data
 * again?
 *
 * Pure: the caller passes `now_us` from one monotonic clock, never decreasing. RFC 7829 leaves the time
 * between HEARTBEATs to a failed path to the timer of T3, which doubles; here it grows with the time that the
 * path is gone, so that a short outage ends soon and a long one costs little. A path that fails again soon
 * after it came back is held back, longer each time, until it has been well for a while or it turns out that
 * it had not failed. */
#ifndef CMT_FLAP_H
#define CMT_FLAP_H

#include <stdbool.h>
#include <stdint.h>

struct cmt_flap {
	bool failed;
	uint64_t since_us;      /* when that began */
	uint64_t hold_us;       /* next time; 0 = it did not flap */
	uint64_t hold_until_us; /* carries no data until then, while another path does */
};

void cmt_flap_on_failed(struct cmt_flap *f, uint64_t now_us);
void cmt_flap_on_back(struct cmt_flap *f, uint64_t now_us);
/* What it failed by had arrived, or its acknowledgement was late: it did not flap. */
void cmt_flap_on_spurious(struct cmt_flap *f);

/* When a path that failed and was asked at `now_us` is asked again: after `rto_us`, that of the path when it
 * was well, at the soonest (RFC 7829, section 4.2). */
uint64_t cmt_flap_ask_again_us(const struct cmt_flap *f, uint64_t rto_us, uint64_t now_us);

#endif
