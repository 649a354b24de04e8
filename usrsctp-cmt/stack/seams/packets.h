/* SPDX-License-Identifier: BSD-3-Clause
 *
 * packets.h - inside the seams: back ends (include/usrsctp_cmt_packets.h).
 *
 *   packets.c    which there are; their addresses and sockets
 *   cmt_seams.c  what the stack asks of them
 *   packet_io.c  packets, between the stack's mbufs and them
 *   batches.c    packets that wait for `output`
 *   ways.c       paths that the application has named
 *   ticks.c      when timers run
 *
 * Each has a VRF of upstream's, which keeps its addresses, ports and endpoints apart from the others'. One
 * thread. */
#ifndef CMT_PACKETS_H
#define CMT_PACKETS_H

#include "cmt_seams.h"
#include "batches.h"
#include "ways.h"

struct usrsctp_cmt_packets {
	struct usrsctp_cmt_packets_config config;
	uint32_t vrf_id;
	struct cmt_ways ways;
	struct cmt_batches *batches; /* NULL without `output` */
	bool lost_address;           /* at some time: what leaves and comes in is looked at */
};

/* All that there are. packets.c writes; it is asked several times for each packet. */
struct cmt_back_ends {
	struct usrsctp_cmt_packets *at[USRSCTP_CMT_PACKETS_MAX];
	unsigned n;
	struct usrsctp_cmt_packets *alone; /* has a clock, random numbers or time stamps of its own; NULL */
	unsigned calls;                    /* of theirs that are running, with locks of the stack held */
};
extern struct cmt_back_ends cmt_back_ends;

/* The `i`-th; NULL behind the last. */
static inline struct usrsctp_cmt_packets *cmt_packets_at(unsigned i)
{
	return i < cmt_back_ends.n ? cmt_back_ends.at[i] : NULL;
}

/* That of a VRF; NULL. */
static inline struct usrsctp_cmt_packets *cmt_packets_of(uint32_t vrf_id)
{
	for (unsigned i = 0; i < cmt_back_ends.n; i++) {
		if (cmt_back_ends.at[i]->vrf_id == vrf_id)
			return cmt_back_ends.at[i];
	}
	return NULL;
}

/* The stack's interface index of one of its local addresses; 0: it has no such address. */
uint32_t cmt_packets_if_index(const struct usrsctp_cmt_packets *packets, const struct sockaddr *local);

/* The UDP port with which a local address was added, network order; 0: none, or there is no such address. */
uint16_t cmt_packets_udp_port(const struct usrsctp_cmt_packets *packets, const struct sockaddr *local);

/* Whether a packet may leave from there to there, and come in. */
bool cmt_packets_may_pass(const struct usrsctp_cmt_packets *packets, const struct sockaddr *local,
                          const struct sockaddr *remote);

/* Around callbacks that run with locks of the stack held. */
static inline void cmt_packets_call_begin(void)
{
	cmt_back_ends.calls++;
}

static inline void cmt_packets_call_end(void)
{
	cmt_back_ends.calls--;
}

/* Around what the stack does with a packet, or when a timer is due: the clock shows one moment meanwhile. */
void cmt_packets_enter(void);
void cmt_packets_leave(void);
/* Whether one of these is going on: nothing may enter the stack. */
bool cmt_packets_is_busy(void);

/* Around usrsctp_cmt_packets_run(). False: it is going on already, or must not begin. */
bool cmt_packets_run_begin(void);
void cmt_packets_run_end(void);

/* Calls `output` with what waits for it. */
void cmt_packets_give(struct usrsctp_cmt_packets *packets);

/* The clock, which runs even while it is held. */
uint64_t cmt_packets_clock_us(void);
/* While it shows one moment: that; else 0. */
uint64_t cmt_packets_held_us(void);

/* The stack's timers begin, or are over (ticks.c). */
void cmt_ticks_begin(void);
void cmt_ticks_end(void);

#endif
