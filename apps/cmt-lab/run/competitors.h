/* SPDX-License-Identifier: BSD-3-Clause
 *
 * competitors.h - the competitors of a scenario at work: associations between the same hosts, from other
 * ports, or senders with a window law, each over one path, that transfer for as long as the measured one
 * does. */
#ifndef LAB_COMPETITORS_H
#define LAB_COMPETITORS_H

#include "rivals/rival.h"
#include "run/endpoints.h"

/* One with a law. */
struct lab_law_competitor {
	struct lab_rival rival;
	const struct lab_measure *beside;
	uint64_t beside_bytes, start_us; /* of the simulation */
	bool begun;
};

struct lab_competitors {
	unsigned n;
	struct lab_run *runs; /* what each is asked to do */
	struct lab_endpoints *endpoints;
	struct lab_law_competitor *with_law; /* of those that have one; NULL = none has */
};

/* Connects each at its time. 0, or -1 with the reason in `error`. */
int lab_competitors_open(struct lab_competitors *c, struct usrsctp_cmt_sim *sim, const struct lab_run *run,
                         struct lab_measure *measure, struct lab_error *error);

/* What number `i` delivered per second from the first message of the measured association to now, or from its
 * own first message if that came later; 0 when it has not begun. */
double lab_competitor_goodput_bps(const struct lab_competitors *c, unsigned i);

/* Why number `i` did not go on to the end; NULL when it did. */
const char *lab_competitor_failure(const struct lab_competitors *c, unsigned i);

/* Aborts their associations: what they have queued would take long to drain. */
void lab_competitors_abort(struct lab_competitors *c);

/* When the simulation no longer runs. */
void lab_competitors_free(struct lab_competitors *c);

#endif
