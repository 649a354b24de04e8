/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_path_est.h - what the sender knows about one path: base delay, queue, delivery rate, and when the next
 * packet arrives.
 *
 * Pure: no clock, no allocation; the caller passes `now_us` from one monotonic clock, never decreasing, and
 * holds the association's lock. "Receiver time" is the peer's clock, unwrapped by cmt_clock.h; it is compared
 * between paths and never taken as absolute.
 *
 * The path is modelled as one queue with a constant delay behind it (LCM section II-C for the delay; arrival
 * prediction of docs/architecture.md). A packet leaves the queue when those before it have left and when it
 * has arrived there itself:
 *
 *     start = max( arrival of the newest echoed packet + bytes sent after it / rate,  now + base delay )
 *
 * What the path may carry is more than what was measured: in start-up the congestion window, which doubles
 * every round trip, is still the limit. For the bound on its queue the rate is taken as three times the
 * measured one, or a quarter higher when an even train has shown it (cmt_rate.h), until the rate has stopped
 * growing for three round trips (BBR), and not while delays show a queue longer than the min RTT without one:
 * twice what fills the path is under way then. Start-up is over
 * when the rate has stopped growing or when echoes show a queue (in the manner of HyStart++, RFC 9406), which
 * may be jitter. Later, while delays stay at their quietest although a queue is predicted, the link is faster
 * than believed: the rate is taken a quarter higher, to find out.
 *
 * An idle period that the newest echo does not reflect yet starts a second candidate: the packet that found
 * the path idle, or, of peers that do not echo, the one behind the newest that was acknowledged or lost. */
#ifndef CMT_PATH_EST_H
#define CMT_PATH_EST_H

#include "cmt_jitter.h"
#include "cmt_rate.h"
#include "cmt_route.h"
#include "cmt_sentlog.h"
#include "../util/cmt_tuned.h"
#include "../util/cmt_winfilter.h"

/* A packet as an anchor of the prediction: the queue's bytes behind it leave from `at_us` on. */
struct cmt_anchor {
	bool known;
	uint32_t number;
	int64_t at_us;      /* echoed: arrival, receiver time. idle: sent_us, our clock */
	uint64_t end_bytes; /* echoed: sent with this packet. idle: sent before it */
};

struct cmt_path_est {
	struct cmt_sentlog log;
	struct cmt_rate rate;
	struct cmt_winfilter base;   /* of arrival - sent */
	struct cmt_route route;      /* whether that still holds */
	struct cmt_anchor confirmed; /* newest packet whose delay confirmed it */
	uint64_t confirmed_bps;      /* the rate then; doubts may lower it, since less is sent */
	struct cmt_anchor echoed;    /* newest packet heard of */
	uint32_t base_bytes;         /* size of the packet behind the smallest sample of `base` */
	uint16_t heard_pkts;         /* the peer's count with `echoed` */
	struct cmt_anchor idle;      /* newest packet that found the path idle, or none of what is gone */
	uint64_t idle_bps;           /* by this rate */
	struct cmt_recent_echoes {
		int64_t at_us[CMT_GROUP_PKTS];      /* arrival, receiver time */
		uint32_t end_bytes[CMT_GROUP_PKTS]; /* modulo 2^32 */
		uint32_t n;                     /* so far; the newest is at (n - 1) modulo CMT_GROUP_PKTS */
		struct cmt_anchor queue_anchor; /* when the newest of them would have arrived without what
		                               jitter added since a few times the jitter */
	} recent;
	uint64_t rate_hint_bps; /* stands in while the rate is not measured; 0 = none */
	int64_t
	    delay_hint_us; /* the same for the base delay, receiver time minus ours; CMT_UNKNOWN_US = none */
	int64_t newest_sample_us; /* arrival - sent of `echoed`; CMT_UNKNOWN_US = none */
	struct cmt_group_mean {   /* of arrival - sent, in groups of packets */
		int64_t sum_us;
		uint32_t n;
		int64_t newest_us;          /* mean of the newest group; CMT_UNKNOWN_US = none */
		int64_t span_us, before_us; /* smallest mean in the span under way, and in the one before */
		int64_t since_us;           /* when that began */
		struct cmt_winfilter least; /* smallest mean */
	} group_mean;
	struct cmt_jitter jitter;
	struct cmt_startup {
		bool over;
		uint32_t queued_samples; /* echoes in a row that showed a queue */
		int64_t queued_since_us; /* arrival of the first of them, or the newest when there is none */
		uint32_t quiet_groups;   /* of packets in a row without a sign of the predicted queue */
		uint32_t flat_rounds;    /* round trips since more was delivered */
		uint32_t round_end;      /* Path Packet Number whose echo ends the round trip under way */
		uint64_t round_start_bytes; /* sent on the path up to where that round trip began */
		uint64_t best_bytes;        /* most that one round trip delivered */
		int64_t min_rtt_us;         /* from sending to the echo; 0 = none yet */
	} startup;
	uint64_t samples, rejected;
};

/* Starts anew (also after a restart); keeps nothing. Memory as for cmt_sentlog_init(). */
void cmt_path_est_init(struct cmt_path_est *e, struct cmt_sent_record *records, uint32_t capacity);

/* Forgets what is in receiver time: the peer's clock was set. */
void cmt_path_est_clock_step(struct cmt_path_est *e);

/* The skew of the peer's clock is known better by `ppb`: adjusts the base delay. */
void cmt_path_est_tilt(struct cmt_path_est *e, uint64_t now_us, int64_t ppb);

/* A packet that goes out. */
struct cmt_path_packet {
	uint64_t now_us;
	uint32_t stamp;      /* Ts */
	uint32_t wire_bytes; /* size of its IP packet */
	bool limited;        /* it fills the congestion window */
};

/* Records it and returns its Path Packet Number. */
uint32_t cmt_path_est_on_sent(struct cmt_path_est *e, const struct cmt_path_packet *packet);

/* Of a peer that does not echo: packet `number` was acknowledged, or is lost. It and what was sent before it
 * wait in no queue, whatever rate stands in for the one that such a peer lets nobody measure. `rtt_us`: the
 * usual one. */
void cmt_path_est_on_gone(struct cmt_path_est *e, uint32_t number, uint64_t now_us, uint32_t rtt_us);

/* An echo entry that passed cmt_path_est_accepts(). `arrival_us`: receiver time; `heard_pkts`: the peer's
 * count of packets of the path, modulo 2^16. Returns by how much the route is longer than believed before: so
 * are all minima of round trips; 0 = not known to be. */
int64_t cmt_path_est_on_echo(struct cmt_path_est *e, uint64_t now_us, uint32_t number, int64_t arrival_us,
                             uint16_t heard_pkts);

/* Newest packet heard of; 0 = none, numbers start at 1. */
static inline uint32_t cmt_path_est_heard_number(const struct cmt_path_est *e)
{
	return e->echoed.known ? e->echoed.number : 0;
}

/* Of an echo that cmt_path_est_on_echo() has not had yet: packets heard since the one before; whether some
 * just before its packet had not arrived with it. */
uint32_t cmt_path_est_newly_heard(const struct cmt_path_est *e, uint16_t heard_pkts);
bool cmt_path_est_is_behind_loss(const struct cmt_path_est *e, uint32_t number, uint16_t heard_pkts);

/* Whether an echo is plausible: really sent with that stamp, not echoed before, and `elapsed_us` (Te) not
 * longer than the packet is out by our stamp clock (`now_stamp`), with 1/1024 allowed for skew. Counts a
 * rejection. One that a newer packet's overtook is neither taken nor counted. */
bool cmt_path_est_accepts(struct cmt_path_est *e, uint32_t number, uint32_t stamp, uint32_t elapsed_us,
                          uint32_t now_stamp);

/* Receiver time at which a packet handed over now would start to leave the queue. CMT_UNKNOWN_US while
 * neither samples nor hints exist. */
int64_t cmt_path_est_start_us(const struct cmt_path_est *e, uint64_t now_us);

/* How long it would wait there if the rate is as high as it may turn out to be; 0 while nothing is known.
 * Bounds on the queue go by this. */
int64_t cmt_path_est_queue_us(const struct cmt_path_est *e, uint64_t now_us);

/* How long no packet should leave, so that the next one shows what the base delay is now; 0 = no need. */
int64_t cmt_path_est_hold_us(const struct cmt_path_est *e, uint64_t now_us);

/* How much of the base delay may be a queue of others (cmt_route.h). */
int64_t cmt_path_est_others_us(const struct cmt_path_est *e, uint64_t now_us);

/* Queue that stands: the least that delays have shown for as long as jitter may hold up packets together,
 * with what jitter may be taken off (Arun and Balakrishnan, "Copa", NSDI 2018, section 2.2: standing RTT). */
int64_t cmt_path_est_standing_queue_us(const struct cmt_path_est *e);

/* Jitter floor: how far the mean delay of a group of packets, when the path is at its quietest, is above the
 * smallest delay: jitter too, which looks like a queue to everything that starts from the base delay. */
int64_t cmt_path_est_jitter_floor_us(const struct cmt_path_est *e);

/* By how much a delay may be above the base without a queue. */
int64_t cmt_path_est_slack_us(const struct cmt_path_est *e);

/* Delivery rate: measured, else the hint; 0 = unknown. */
uint64_t cmt_path_est_rate_bps(const struct cmt_path_est *e);

/* What the path holds without a queue in a round trip of `rtt_us`, if it delivers what it did when its base
 * delay was last confirmed; 0 = unknown. */
uint64_t cmt_path_est_held_bytes(const struct cmt_path_est *e, int64_t rtt_us);

/* Whether its round trips deliver more and more, also where a queue or jitter has ended start-up. */
bool cmt_path_est_is_growing(const struct cmt_path_est *e);

/* Whether it is known what the path can carry: start-up is over, and full spans have measured the rate. */
bool cmt_path_est_is_settled(const struct cmt_path_est *e);

/* When the acknowledgement of a packet is due, our clock; 0 = unknown. `min_rtt_us`: from sending to the SACK
 * on the idle path; CMT_UNKNOWN_US. Of packet `number`, which was just sent, behind the queue that it met; of
 * the oldest packet that was not heard of, if it met none. */
uint64_t cmt_path_est_ack_due_us(const struct cmt_path_est *e, uint32_t number, int64_t min_rtt_us);
uint64_t cmt_path_est_next_ack_us(const struct cmt_path_est *e, uint32_t min_rtt_us);

/* When an acknowledgement of the path is due whatever a few losses do, forth or back: that of the fourth
 * packet behind the newest that was heard of. 0 = unknown, also when that one left before `since_us`. */
uint64_t cmt_path_est_any_ack_due_us(const struct cmt_path_est *e, uint64_t since_us, int64_t min_rtt_us);

/* Jitter: how far arrivals scatter about what the queue explains, half the range, smoothed; 0 in start-up,
 * when the queue is not understood yet. */
int64_t cmt_path_est_jitter_us(const struct cmt_path_est *e);

/* Base forward delay of an empty packet, receiver time minus ours; CMT_UNKNOWN_US without samples and hint.
 */
int64_t cmt_path_est_base_us(const struct cmt_path_est *e);

#endif
