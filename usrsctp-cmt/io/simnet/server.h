/* SPDX-License-Identifier: BSD-3-Clause
 *
 * server.h - a transmitter that asks a queue discipline for the next packet whenever it is free: for links
 * whose queue is managed, and for those that send in bursts.
 *
 * As link.h, of which it is a part: no clock and no events. Whatever is due at a time happens when the link
 * is looked at; while packets of the caller wait in it, simnet_link_wakes_us() says when that must be. */
#ifndef SIMNET_SERVER_H
#define SIMNET_SERVER_H

#include "qdisc.h"
#include "rates.h"

struct simnet_link;
struct simnet_offer;
struct simnet_verdict;

struct simnet_server {
	struct simnet_qdisc qdisc;
	struct simnet_queued *held; /* did not fit into the last burst */
	uint64_t next_us;    /* the transmitter takes the next packet then; SIMNET_NEVER_US: none waits */
	uint64_t granted_us; /* the intervals before that have been filled */
	size_t ours;         /* of what waits is not cross traffic */
	struct simnet_fifo decided; /* until the caller takes them */
	uint64_t event_us;          /* the caller's: when it is going to look; SIMNET_NEVER_US */
};

size_t simnet_server_waiting_pkts(const struct simnet_server *server);

/* Whether a link of that description needs one. */
bool simnet_server_is_for(const struct usrsctp_cmt_sim_link *config);

/* 0 or -ENOMEM. */
int simnet_server_new(struct simnet_link *link);
void simnet_server_free(struct simnet_link *link);

/* The link has got other limits or another rate. */
void simnet_server_configure(struct simnet_link *link);

/* Puts a packet into the queue; of cross traffic `offer` has no flight. 0 or -ENOMEM. */
int simnet_server_enqueue(struct simnet_link *link, const struct simnet_offer *offer);

/* Does what is due at next_us, which has come. */
void simnet_server_serve(struct simnet_link *link);

#endif
