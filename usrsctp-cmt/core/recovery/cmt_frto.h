/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_frto.h - was a retransmission timeout of a path spurious, by the order of acknowledgements?
 *
 * Pure. F-RTO with SACKs (RFC 5682, section 3.1): T3 sends the first chunk again. When that is acknowledged,
 * new data go and no more retransmissions, so that the next acknowledgement is unambiguous: of what was sent
 * before T3 expired and not again, it is an original that was late; of the new data, the rest is lost. */
#ifndef CMT_FRTO_H
#define CMT_FRTO_H

#include <stdbool.h>

enum cmt_frto_step {
	CMT_FRTO_IDLE,  /* no timeout is in question */
	CMT_FRTO_AGAIN, /* T3 expired: what is sent again is not acknowledged yet */
	CMT_FRTO_NEW    /* it was: new data go; their acknowledgement or that of originals decides */
};

struct cmt_frto {
	enum cmt_frto_step step;
	/* The SACK that is being taken in acknowledges what was sent again; what was sent before T3 expired
	 * and not again; what was sent after it for the first time. */
	bool again, original, newer;
};

/* `in_recovery`: what an earlier timeout was of is not acknowledged yet, and something was since: then what
 * arrives late may be of either (section 3.1, step 1). */
static inline void cmt_frto_on_timeout(struct cmt_frto *f, bool in_recovery)
{
	*f = (struct cmt_frto){.step = in_recovery ? CMT_FRTO_IDLE : CMT_FRTO_AGAIN};
}

/* A SACK was taken in. `new_data`: some may go. True when the timeout was spurious. */
static inline bool cmt_frto_on_sack_end(struct cmt_frto *f, bool new_data)
{
	const struct cmt_frto told = *f;

	*f = (struct cmt_frto){.step = told.newer ? CMT_FRTO_IDLE : told.step};
	if (told.newer)
		return false;
	if (told.step == CMT_FRTO_AGAIN && told.again)
		f->step = new_data ? CMT_FRTO_NEW : CMT_FRTO_IDLE;
	if (told.step != CMT_FRTO_NEW || !told.original)
		return false;
	f->step = CMT_FRTO_IDLE;
	return true;
}

#endif
