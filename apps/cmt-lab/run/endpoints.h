/* SPDX-License-Identifier: BSD-3-Clause
 *
 * endpoints.h - the two applications of a transfer: a sender on host 0 and a receiver on host 1.
 *
 * Single threaded and never blocking: the stack's upcalls only ask the simulation to call back at the same
 * virtual moment, so no call enters the stack from inside it. */
#ifndef LAB_ENDPOINTS_H
#define LAB_ENDPOINTS_H

#include <stdbool.h>
#include <stdint.h>

#include "measure/hints.h"
#include "measure/measure.h"
#include "run/content.h"
#include "run/encoder.h"
#include "run/run.h"

struct lab_endpoints {
	struct usrsctp_cmt_sim *sim;
	const struct lab_run *run;
	struct lab_measure *measure;      /* NULL: a competitor */
	const struct lab_measure *beside; /* of a competitor: what it competes with */
	uint64_t beside_bytes;            /* read since that one began */
	uint16_t port_shift;              /* added to both ports */
	lab_progress *progress;
	struct lab_content content;
	struct socket *listener, *receiver, *sender;

	bool send_asked, receive_asked, due_asked; /* callbacks under way */
	bool connected;
	bool all_sent; /* nothing more will be handed to the stack */
	bool finished; /* every byte that was sent has been read */
	bool corrupt;  /* a byte was wrong, or too much came */
	bool aborted;
	uint64_t start_us;
	uint64_t n_sent, sent_bytes, read_bytes;
	unsigned wave;   /* of a page: the last one that was asked for */
	bool wave_asked; /* the next request is on its way */
	struct lab_encoder encoder;
	struct lab_hints hints; /* that it got */
	uint64_t plays;         /* how often the player has begun, as far as the sender will be told */
	uint64_t total_bytes;   /* 0 = until the duration has passed */
	uint8_t *message;
	struct lab_error failure; /* "" = none */
};

/* Sockets, options, listen, connect. 0, or -1 with `failure` set. */
int lab_endpoints_open(struct lab_endpoints *e);

/* A host's address on a path has come, or goes (usrsctp_cmt_sim_on_address()): the sockets follow. `arg` is
 * the struct lab_endpoints. */
void lab_endpoints_on_address(struct usrsctp_cmt_sim *sim, int host, int path, bool present, void *arg);

/* Orderly end: shutdown, some virtual time for it, close, free. */
void lab_endpoints_close(struct lab_endpoints *e);

/* At once, with an ABORT; lets no time pass. Events that are still to come do nothing; `e` outlives them. */
void lab_endpoints_abort(struct lab_endpoints *e);

/* What an aborted one still holds, when the simulation no longer runs. */
void lab_endpoints_free(struct lab_endpoints *e);

#endif
