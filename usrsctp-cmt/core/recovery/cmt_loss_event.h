/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_loss_event.h - was everything that a path lost in its last loss event spurious?
 *
 * Pure. A loss event starts with the loss for which congestion control reduces the window, and contains the
 * losses after it until the next reduction. When each of them turned out to have been delivered, the
 * reduction was for nothing and is undone (RFC 4015, section 3; RFC 3708, section 2). */
#ifndef CMT_LOSS_EVENT_H
#define CMT_LOSS_EVENT_H

#include <stdbool.h>
#include <stdint.h>

#include "../util/cmt_serial.h"

struct cmt_loss_event {
	bool open;
	uint32_t oldest; /* Path Packet Number of the oldest packet lost */
	uint32_t lost, disproved;
	bool undo_blocked; /* the detector is not trusted with taking the reduction back */
};

static inline void cmt_loss_event_start(struct cmt_loss_event *e)
{
	*e = (struct cmt_loss_event){.open = true};
}

/* `chunks` more were declared lost, of packet `oldest` and later ones. */
static inline void cmt_loss_event_add(struct cmt_loss_event *e, uint32_t oldest, uint32_t chunks)
{
	if (!e->open)
		return;
	if (e->lost == 0 || cmt_serial_gt(e->oldest, oldest))
		e->oldest = oldest;
	e->lost += chunks;
}

static inline bool cmt_loss_event_contains(const struct cmt_loss_event *e, uint32_t number)
{
	return e->open && e->lost > 0 && cmt_serial_ge(number, e->oldest);
}

/* Of what the event began with something was disproved, and nothing is left. */
static inline bool cmt_loss_event_ends(struct cmt_loss_event *e)
{
	if (e->disproved == 0 || e->disproved < e->lost)
		return false;
	e->open = false;
	return true;
}

/* A chunk of packet `number` arrived after all. True when nothing of the event remains. */
static inline bool cmt_loss_event_disprove(struct cmt_loss_event *e, uint32_t number)
{
	if (!cmt_loss_event_contains(e, number))
		return false;
	e->disproved++;
	return cmt_loss_event_ends(e);
}

/* A chunk of packet `number` was not sent again, so duplicates will not tell of it: it is no part of what has
 * to be disproved (RFC 3708: all retransmissions). True as above. */
static inline bool cmt_loss_event_withdraw(struct cmt_loss_event *e, uint32_t number)
{
	if (!cmt_loss_event_contains(e, number) || e->lost == e->disproved)
		return false;
	e->lost--;
	return cmt_loss_event_ends(e);
}

#endif
