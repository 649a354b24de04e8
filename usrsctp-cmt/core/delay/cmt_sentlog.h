/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_sentlog.h - what was sent on one path, by Path Packet Number: the only key that tells two packets of
 * one microsecond apart.
 *
 * Pure: the caller gives the memory. A ring of the newest `capacity` packets; older ones are forgotten, an
 * echo of one is rejected. */
#ifndef CMT_SENTLOG_H
#define CMT_SENTLOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cmt_sent_record {
	uint64_t sent_us;   /* handed to the network, sender's clock */
	uint64_t end_bytes; /* wire bytes sent on the path up to and with this packet */
	int64_t
	    predicted_us; /* arrival as schedulers went by when it was sent, receiver time; CMT_UNKNOWN_US */
	int64_t eager_us; /* the same if the rate is as high as it may turn out to be */
	int64_t expected_us; /* as predicted, by the measured rate alone and without jitter; CMT_UNKNOWN_US */
	uint32_t stamp;      /* Ts as on the wire */
	uint32_t bytes;      /* of this packet on the wire */
	uint32_t own_us;     /* how long it waits for what we sent before, at the rate */
	bool limited : 1;    /* it filled the congestion window */
	bool queued : 1;     /* the path was predicted to be busy when this packet reaches it */
	bool alone : 1;      /* nothing of ours is in its way, whatever the base delay */
	bool paused : 1;     /* all before it had been heard of, and the window was not what held it */
	bool asked : 1;      /* the path rested for that */
	bool echoed : 1;
};

struct cmt_sentlog {
	struct cmt_sent_record *records; /* by packet number modulo capacity */
	uint32_t capacity;               /* power of two */
	uint32_t next;                   /* Path Packet Number of the next packet; the first is 1 */
	uint64_t sent_bytes;             /* wire bytes so far */
};

/* `capacity`: power of two; `records`: that many elements, which stay the caller's; cleared. */
void cmt_sentlog_init(struct cmt_sentlog *log, struct cmt_sent_record *records, uint32_t capacity);

/* Moves to larger memory, for a path that has more under way than the ring holds. `capacity` must be larger
 * than before. */
void cmt_sentlog_grow(struct cmt_sentlog *log, struct cmt_sent_record *records, uint32_t capacity);

/* Records the next packet and returns its number. `bytes`: size of its IP packet; `record`: all but
 * bytes, end_bytes and echoed. */
uint32_t cmt_sentlog_add(struct cmt_sentlog *log, const struct cmt_sent_record *record, uint32_t bytes);

/* Something else was sent on the path, that nobody echoes: it takes the path's time as well. */
void cmt_sentlog_add_other(struct cmt_sentlog *log, uint32_t bytes);

/* Notes that packet `number`, which is there, was echoed. */
void cmt_sentlog_note_echo(struct cmt_sentlog *log, uint32_t number);

/* The record of packet `number`, NULL when it was never sent or is forgotten. Valid until the next add or
 * grow. */
const struct cmt_sent_record *cmt_sentlog_find(const struct cmt_sentlog *log, uint32_t number);

#endif
