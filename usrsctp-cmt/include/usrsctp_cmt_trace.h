/* SPDX-License-Identifier: BSD-3-Clause
 *
 * usrsctp_cmt_trace.h - what associations do, event by event: for a program's own eyes, as a qlog file, and
 * as USDT probes (provider usrsctp_cmt, for perf, bpftrace and SystemTap). docs/qlog.md explains the events.
 *
 * Off unless asked for: then an event costs one test of a word in memory, and allocates nothing. Nothing here
 * changes what is sent. Plain types only. */
#ifndef USRSCTP_CMT_TRACE_H
#define USRSCTP_CMT_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

#ifdef __cplusplus
extern "C" {
#endif

enum usrsctp_cmt_trace_type {
	USRSCTP_CMT_TRACE_ASSOC_STARTED = 0, /* before the first event of an association */
	USRSCTP_CMT_TRACE_ASSOC_ENDED,
	USRSCTP_CMT_TRACE_PATH,     /* a path's state or four-tuple is another than before */
	USRSCTP_CMT_TRACE_SENT,     /* a packet with DATA was handed to the network */
	USRSCTP_CMT_TRACE_RECEIVED, /* a packet with a CMT-TIMESTAMP came */
	USRSCTP_CMT_TRACE_ACKED,    /* of a chunk: a SACK has it for the first time */
	USRSCTP_CMT_TRACE_LOST,     /* of a chunk: taken for lost, to be sent again */
	USRSCTP_CMT_TRACE_SPURIOUS, /* of a chunk: it was not lost after all */
	USRSCTP_CMT_TRACE_METRICS,  /* of a path, after a SACK or a timeout that concerned it */
	USRSCTP_CMT_TRACE_MTU,      /* the size of a path's packets is another than before */
	USRSCTP_CMT_TRACE_TYPES
};
#define USRSCTP_CMT_TRACE_MASK(type) (UINT32_C(1) << (type))
#define USRSCTP_CMT_TRACE_ALL        (USRSCTP_CMT_TRACE_MASK(USRSCTP_CMT_TRACE_TYPES) - 1)

#define USRSCTP_CMT_TRACE_UNKNOWN_US INT64_MIN

/* The values of enum sctp_cmt_path_state, and: */
#define USRSCTP_CMT_TRACE_PATH_GONE 255 /* the peer's address was removed, or the association ends */

struct usrsctp_cmt_trace_tsns {
	uint32_t first, last; /* inclusive */
};

struct usrsctp_cmt_trace {
	size_t size; /* sizeof(struct usrsctp_cmt_trace), as the library has it */
	enum usrsctp_cmt_trace_type type;
	uint64_t at_us;                   /* the stack's monotonic clock, or virtual time */
	uint64_t assoc;                   /* counts the process' associations, from 1 */
	uint16_t local_port, remote_port; /* SCTP */
	uint16_t path_id; /* as in SCTP_CMT_PATH_STATS, 0 = none; RECEIVED: as the peer numbers its paths */
	union {
		struct {
			uint16_t state;
			const struct sockaddr *local, *remote; /* NULL = not known; ports: as there */
		} path;
		struct {
			uint32_t number; /* Path Packet Number; 0 with `numbered` false */
			bool numbered;
			bool retransmission;
			uint32_t chunks, bytes; /* DATA and I-DATA; RECEIVED: 0 */
			uint32_t ahead_tsns;    /* lower TSNs that are unsent: the scheduler sends ahead */
			const struct usrsctp_cmt_trace_tsns *tsns; /* during the call */
			size_t n_tsns;
			int64_t arrival_us; /* SENT: predicted, in the receiver's time stamps modulo 2^32, or
			                       USRSCTP_CMT_TRACE_UNKNOWN_US. RECEIVED: the same, measured */
		} packet;
		struct {
			uint32_t tsn, bytes;
			uint32_t number; /* of the packet that carried it last, or was taken for lost */
		} chunk;
		struct {
			uint32_t cwnd_bytes, ssthresh_bytes;
			uint32_t flight_bytes; /* every transmission under way, copies too */
			uint32_t srtt_us;
			uint64_t rate_bps; /* delivery rate; 0 = not measured */
			/* Newest and base forward delay, common clock offset taken off, or
			 * USRSCTP_CMT_TRACE_UNKNOWN_US. */
			int64_t fwd_delay_us, fwd_delay_base_us;
			uint32_t loss_detected; /* packets so far */
		} metrics;
		struct {
			uint32_t old_bytes, new_bytes; /* IP packets, less a UDP header */
			bool done;                     /* nothing larger is being tried */
		} mtu;
	} of;
};

/* Called with locks of the stack held: it must not call anything of usrsctp. */
typedef void usrsctp_cmt_trace_fn(const struct usrsctp_cmt_trace *event, void *arg);

/* Up to four at a time. `mask`: USRSCTP_CMT_TRACE_MASK() of the types, or USRSCTP_CMT_TRACE_ALL. Neither may
 * be called while a thread of the stack runs: begin before usrsctp_init(), end after usrsctp_finish(), or be
 * the only thread. 0, EINVAL, ENOSPC. */
int usrsctp_cmt_trace_add(usrsctp_cmt_trace_fn *fn, void *arg, uint32_t mask);
void usrsctp_cmt_trace_remove(usrsctp_cmt_trace_fn *fn, void *arg);

/* Writes all events to `file` as qlog, sequential JSON (RFC 7464), until usrsctp_cmt_qlog_close(). `title` is
 * written into its head; NULL = none. The same rule for threads. 0, or -1 with errno: EBUSY (one is open), or
 * that of opening the file. */
int usrsctp_cmt_qlog_open(const char *file, const char *title);

/* 0, also when none is open; -1 with errno when something could not be written: then the file is not
 * complete. */
int usrsctp_cmt_qlog_close(void);

#ifdef __cplusplus
}
#endif
#endif
