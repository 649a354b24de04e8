/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_asoc.h - our state of one association. Only stack/ includes this; it needs upstream's internals.
 *
 * Created when first needed, by cmt_asoc_get(); freed with the association. Guarded by the association's
 * lock. */
#ifndef CMT_ASOC_H
#define CMT_ASOC_H

#include "cmt_hooks.h"

#include <netinet/sctp_os.h>
#include <netinet/sctp_var.h>
#include <netinet/sctp_pcb.h>
#include <netinet/sctp_structs.h>
#include <netinet/sctputil.h>

#include "cmt_sched.h"
#include "delay/cmt_clock.h"
#include "delay/cmt_path_est.h"
#include "seams/cmt_seams.h"
#include "util/cmt_serial.h"
#include "util/cmt_winfilter.h"
#include "wire/cmt_wire.h"

/* A peer address as a path of ours. A slot is `slots[i]`; upstream's sctp_nets.cmt_slot is i + 1. */
struct cmt_path {
	struct sctp_nets *net; /* NULL = slot free; valid after cmt_asoc_sync_paths() */
	uint16_t wire_id;      /* on the wire, from 1, never reused within an association */
	bool usable;           /* as last told to the scheduler */
	bool delay_asked;      /* by a HEARTBEAT, since it became usable */
	struct cmt_path_est est;
	struct cmt_sent_record *records;
	struct cmt_winfilter loop; /* of now - sent - Te: forward plus return delay */
	struct cmt_winfilter
	    back; /* of now - Tr for SACKs that came on this path: return delay, offset contained */
	uint32_t highest_acked;     /* Path Packet Number */
	uint32_t peak_flight_bytes; /* most in flight since the last increase of cwnd */
	bool in_recovery; /* one window reduction per loss event: until recovery_end is acknowledged */
	uint32_t recovery_end;
	uint64_t sent_pkts, sent_bytes, acked_bytes, retransmits;
	uint64_t lost_pkts, lost_bytes, spurious_pkts, spurious_bytes;
};

/* What was heard on one of the peer's paths. */
struct cmt_heard {
	bool known;
	bool fresh; /* since the last echo */
	uint16_t path_id, packets;
	uint32_t path_packet_number, ts_us;
	uint64_t arrival_us;
	uint8_t from_slot; /* our slot of the address it came from, from 1; 0 = none */
};

struct cmt_wake;

struct cmt_asoc {
	struct sctp_tcb *stcb;
	bool peer_timestamps, peer_echo;   /* the peer listed both: negotiated */
	uint32_t stamp_offset_us;          /* random, hides the clock */
	const struct cmt_sched_ops *sched; /* NULL = upstream's own path rotation */
	void *sched_state;
	char sched_options[224]; /* as given */
	bool replan;             /* the scheduler has not seen the newest measurements */
	uint16_t next_wire_id;
	struct cmt_path paths[CMT_SCHED_MAX_PATHS];
	unsigned n_slots; /* of `paths` ever used, from the first; some may be free again */
	struct cmt_heard heard[CMT_SCHED_MAX_PATHS];
	uint16_t return_path; /* wish of the peer: its path id for SACKs; 0 = none */
	struct cmt_clock clock;
	int32_t delay_error_pct;
	/* Unsent chunks. */
	struct cmt_units units;
	void *units_memory;
	struct sctp_tmit_chunk **chunks; /* by TSN modulo capacity */
	uint32_t next_tsn;               /* first TSN not looked at yet */
	bool was_partial;                /* partially reliable chunks were about at the last look */
	uint32_t head_tsn;               /* lowest unsent TSN, and since when */
	uint64_t head_since_us;
	bool indexed; /* units and chunks describe send_queue */
	/* The packet being put together. */
	struct sctp_tmit_chunk *selected;
	bool stamp_fits; /* its first chunk leaves room for a CMT-TIMESTAMP */
	bool stamped;
	uint32_t stamp;
	struct cmt_wake *wake;
	bool closing; /* no more wake-ups */
	uint32_t saved_max_burst;
	uint64_t decisions, waits, illegal_decisions, sent_ahead_units, malformed_chunks, samples_of_no_path;
};

/* The association's state, created when missing; NULL without memory: then the association stays as
 * upstream's. */
struct cmt_asoc *cmt_asoc_get(struct sctp_tcb *stcb);

/* The state if it exists and a scheduler runs. */
static inline struct cmt_asoc *cmt_asoc_scheduled(struct sctp_tcb *stcb)
{
	struct cmt_asoc *ca = stcb->asoc.cmt;

	return ca != NULL && ca->sched != NULL ? ca : NULL;
}

static inline bool cmt_asoc_negotiated(const struct cmt_asoc *ca)
{
	return ca->peer_timestamps && ca->peer_echo;
}

/* Our stamp clock, modulo 2^32. */
uint32_t cmt_asoc_stamp(const struct cmt_asoc *ca, uint64_t now_us);

/* Gives every peer address a slot while there are any, frees the slots of addresses that are gone. */
void cmt_asoc_sync_paths(struct cmt_asoc *ca);

/* The path of an address, NULL when it has no slot. */
struct cmt_path *cmt_asoc_path(struct cmt_asoc *ca, const struct sctp_nets *net);
struct cmt_path *cmt_asoc_path_by_wire_id(struct cmt_asoc *ca, uint16_t wire_id);

static inline uint8_t cmt_path_id(const struct cmt_asoc *ca, const struct cmt_path *path)
{
	return (uint8_t)(path - ca->paths);
}

/* Takes and gives back a reference to an address. */
void cmt_hold_address(struct sctp_nets *net);
void cmt_release_address(struct sctp_nets *net);

bool cmt_path_usable(const struct cmt_asoc *ca, const struct sctp_nets *net);

/* Sets the scheduler (NULL: upstream's). 0, EINVAL (options), ENOMEM; on error nothing changed. */
int cmt_asoc_set_sched(struct cmt_asoc *ca, const struct cmt_sched_ops *sched, const char *options);

/* --- cmt_view.c --- */
/* Fills `view` and `paths` (CMT_SCHED_MAX_PATHS) from the stack's present state. */
void cmt_view_fill(struct cmt_asoc *ca, struct cmt_view *view, struct cmt_path_view *paths);

/* IP and SCTP header of a packet to this address. */
uint32_t cmt_header_bytes(const struct sctp_nets *net);

/* --- cmt_index.c --- */
/* Brings units and chunks up to date with send_queue. False: chunks that no index can describe (no memory):
 * send in order. */
bool cmt_index_sync(struct cmt_asoc *ca);
struct sctp_tmit_chunk *cmt_index_chunk(const struct cmt_asoc *ca, uint32_t tsn);
void cmt_index_reset(struct cmt_asoc *ca);

/* --- cmt_loss.c --- */
/* Upstream's notice of a newly acknowledged chunk. */
void cmt_loss_on_tsn_acked(struct sctp_nets *net, struct sctp_tmit_chunk *chk);

/* --- cmt_cc.c --- */
/* Hangs our congestion control into the association's function table, or gives upstream's back. */
void cmt_cc_attach(struct cmt_asoc *ca);
void cmt_cc_detach(struct cmt_asoc *ca);

/* --- cmt_wake.c --- */
/* Asks for output at `at_us` at the latest. */
void cmt_wake_at(struct cmt_asoc *ca, uint64_t at_us, uint64_t now_us);
void cmt_wake_cancel(struct cmt_asoc *ca);

/* --- cmt_echo.c --- */
void cmt_echo_reset(struct cmt_asoc *ca);
/* The peer's path on which SACKs return soonest, as our wish; 0 = none. */
uint16_t cmt_echo_wanted_return_path(struct cmt_asoc *ca);

#endif
