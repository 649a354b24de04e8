/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_detect.h - the ways to find out that what was taken for lost had arrived, and the sets of them that
 * applications choose by name. Pure. */
#ifndef CMT_DETECT_H
#define CMT_DETECT_H

#include <stdbool.h>
#include <stddef.h>

enum cmt_detector {
	CMT_DETECT_DSACK, /* the peer reports a duplicate of what was retransmitted once (RFC 3708) */
	CMT_DETECT_EIFEL, /* it acknowledged the original: the retransmission had not arrived (RFC 3522) */
	CMT_DETECT_FRTO,  /* after T3, it acknowledges what was not retransmitted (RFC 5682) */
	CMT_DETECTORS
};

struct cmt_recovery_policy {
	const char *name;    /* "none", "dsack", "eifel", "frto", "all" */
	const char *summary; /* one line for lists */
	unsigned detectors;  /* 1 << enum cmt_detector */
};

static inline bool cmt_detects(const struct cmt_recovery_policy *p, enum cmt_detector detector)
{
	return (p->detectors & (1u << detector)) != 0;
}

/* Number `i` in the order of lists, the default first; NULL behind the last. */
const struct cmt_recovery_policy *cmt_recovery_policy(size_t i);
/* By name; NULL when there is none. */
const struct cmt_recovery_policy *cmt_recovery_policy_find(const char *name);

#endif
