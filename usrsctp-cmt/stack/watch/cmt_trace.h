/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_trace.h - the places where an association tells what it does (include/usrsctp_cmt_trace.h).
 *
 * Each is one line, CMT_TRACE(type, call): unless somebody listens, by callback or USDT, that is a test of
 * two words that stay in the cache, and the call's arguments are not evaluated. */
#ifndef CMT_TRACE_H
#define CMT_TRACE_H

#include <stdbool.h>
#include <stdint.h>

#include "usrsctp_cmt_trace.h"

struct cmt_asoc;
struct cmt_path;
struct sctp_tmit_chunk;

extern uint32_t cmt_trace_mask; /* of all callbacks */

#ifdef CMT_USDT
/* One for each probe: whoever attaches to it counts it up. */
#define CMT_TRACE_SEMAPHORE(name) usrsctp_cmt_##name##_semaphore
#define CMT_TRACE_DECLARE(name)                                                                              \
	extern volatile unsigned short CMT_TRACE_SEMAPHORE(name) __attribute__((visibility("hidden")));
CMT_TRACE_DECLARE(association_started)
CMT_TRACE_DECLARE(association_ended)
CMT_TRACE_DECLARE(path_state)
CMT_TRACE_DECLARE(packet_sent)
CMT_TRACE_DECLARE(packet_received)
CMT_TRACE_DECLARE(chunk_acked)
CMT_TRACE_DECLARE(chunk_lost)
CMT_TRACE_DECLARE(chunk_spurious)
CMT_TRACE_DECLARE(metrics)
CMT_TRACE_DECLARE(mtu)
#else
#define CMT_TRACE_SEMAPHORE(name) 0u
#endif

#define CMT_TRACE_PROBE_PATH     CMT_TRACE_SEMAPHORE(path_state)
#define CMT_TRACE_PROBE_SENT     CMT_TRACE_SEMAPHORE(packet_sent)
#define CMT_TRACE_PROBE_RECEIVED CMT_TRACE_SEMAPHORE(packet_received)
#define CMT_TRACE_PROBE_ACKED    CMT_TRACE_SEMAPHORE(chunk_acked)
#define CMT_TRACE_PROBE_LOST     CMT_TRACE_SEMAPHORE(chunk_lost)
#define CMT_TRACE_PROBE_SPURIOUS CMT_TRACE_SEMAPHORE(chunk_spurious)
#define CMT_TRACE_PROBE_METRICS  CMT_TRACE_SEMAPHORE(metrics)
#define CMT_TRACE_PROBE_MTU      CMT_TRACE_SEMAPHORE(mtu)

#define CMT_TRACE(type, call)                                                                                \
	do {                                                                                                 \
		if (__builtin_expect((cmt_trace_mask & USRSCTP_CMT_TRACE_MASK(USRSCTP_CMT_TRACE_##type)) |   \
		                         CMT_TRACE_PROBE_##type,                                             \
		                     0))                                                                     \
			call;                                                                                \
	} while (0)

#define CMT_COLD __attribute__((cold, noinline))

/* A packet with DATA. */
struct cmt_trace_packet {
	struct sctp_tmit_chunk *const *chunks;
	uint32_t n, bytes;   /* of chunks */
	uint32_t ahead_tsns; /* unsent ones before its first */
	bool retransmission;
	bool numbered; /* false: neither number nor arrival_us */
	uint32_t number;
	int64_t arrival_us; /* predicted; CMT_UNKNOWN_US */
};
CMT_COLD void cmt_trace_sent(struct cmt_asoc *ca, const struct cmt_path *path,
                             const struct cmt_trace_packet *packet);
CMT_COLD void cmt_trace_received(struct cmt_asoc *ca, uint16_t path_id, uint32_t number, uint32_t arrival_us);
CMT_COLD void cmt_trace_chunk(struct cmt_asoc *ca, enum usrsctp_cmt_trace_type type,
                              const struct cmt_path *path, uint32_t tsn, uint32_t bytes, uint32_t number);
CMT_COLD void cmt_trace_metrics(struct cmt_asoc *ca, const struct cmt_path *path);
CMT_COLD void cmt_trace_mtu(struct cmt_asoc *ca, const struct cmt_path *path, uint32_t old_bytes);
/* If its state is another than was told last; `gone`: whatever it was. */
CMT_COLD void cmt_trace_path(struct cmt_asoc *ca, struct cmt_path *path, bool gone);
/* The four-tuple of this path is another one. */
CMT_COLD void cmt_trace_path_moved(struct cmt_asoc *ca, const struct sctp_nets *net);
/* If anything was told of it. */
CMT_COLD void cmt_trace_ended(struct cmt_asoc *ca);

#endif
