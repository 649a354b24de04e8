/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_asoc.h - our state of one association, and of its paths: nothing but the state. Each group names the
 * file that writes it; others read. Only stack/ includes this; it needs upstream's internals.
 *
 * Created, begun anew when the peer restarts, and freed by association/cmt_life.c. Guarded by the
 * association's lock. Times are of cmt_seam_now_us(). */
#ifndef CMT_ASOC_H
#define CMT_ASOC_H

#include "cmt_hooks.h"

#include <netinet/sctp_os.h>
#include <netinet/sctp_var.h>
#include <netinet/sctp_pcb.h>
#include <netinet/sctp_structs.h>
#include <netinet/sctputil.h>

#include "cc/cmt_cc.h"
#include "cc/cmt_pace.h"
#include "cmt_sched.h"
#include "delay/cmt_clock.h"
#include "delay/cmt_heard.h"
#include "delay/cmt_path_est.h"
#include "delay/cmt_return_path.h"
#include "pmtud/cmt_plpmtu.h"
#include "recovery/cmt_copies.h"
#include "recovery/cmt_detect.h"
#include "recovery/cmt_flap.h"
#include "recovery/cmt_frto.h"
#include "recovery/cmt_loss_event.h"
#include "recovery/cmt_rack.h"
#include "recovery/cmt_resent.h"
#include "recovery/cmt_sack_order.h"
#include "recovery/cmt_sack_share.h"
#include "recovery/cmt_truncated_sack.h"
#include "sched/cmt_unordered.h"
#include "util/cmt_winfilter.h"

/* A peer address as a path of ours. A slot is `slots[i]`; upstream's sctp_nets.cmt_slot is i + 1. */
struct cmt_path {
	/* paths/cmt_paths.c */
	struct sctp_nets *net; /* NULL = slot free */
	uint16_t wire_id;      /* on the wire, from 1, never reused within an association */

	/* watch/cmt_trace.c: state as told last, plus 1; 0 = never */
	uint16_t traced_state;

	/* paths/cmt_failover.c */
	struct cmt_fitness {
		struct cmt_flap flap;
		uint64_t ask_at_us;     /* next HEARTBEAT while failed or of unknown delay */
		uint32_t failed_number; /* newest packet when it failed */
		bool fit;               /* as last seen: reachable and not failed */
		bool usable;            /* as last told to the scheduler */
		bool resorted_to;       /* carried data although it had failed */
		bool inactive;          /* upstream gave it up, since it failed */
	} fitness;

	/* paths/cmt_source.c */
	struct cmt_source {
		union sctp_sockstore now;    /* of the newest packet with DATA; family 0 = none */
		union sctp_sockstore proven; /* of the newest that arrived, or the only one that did */
		uint32_t number;             /* the first packet from `now` */
	} source;

	/* Measurements. send/cmt_number.c notes packets, sacks/cmt_echo.c what is echoed of them,
	 * send/cmt_view.c what to reckon with before. */
	struct cmt_path_est est;
	struct cmt_sent_record *records;
	struct cmt_winfilter min_rtt;   /* of now - sent - Te: forward plus return delay */
	struct cmt_return_delay back;   /* of now - Tr for SACKs that came on this path */
	struct cmt_return_bar back_bar; /* sacks/cmt_sack_path.c */
	/* sacks/cmt_sack.c: newest packet heard of, the echo behind the SACK under way included */
	uint32_t heard_number;

	/* losses/cmt_retransmit.c: bytes of retransmissions that were assigned to it since output began or
	 * one of them left */
	uint32_t waiting_bytes;

	/* When packets may leave: send/cmt_number.c, send/cmt_view.c */
	struct cmt_pace pace;
	/* send/cmt_send.c: sent before the newest packet that asked for a SACK at once */
	uint64_t asked_bytes;

	/* paths/cmt_control.c, but for the reasons not to grow: send/cmt_number.c, send/cmt_send.c */
	struct cmt_path_control {
		uint64_t samples;           /* est.samples when congestion control looked last */
		uint32_t peak_flight_bytes; /* most in flight since the last increase of cwnd */
		bool paced;                 /* pacing alone held something back since then */
		bool initial_window;        /* nothing was acknowledged or lost there yet */
	} control;

	/* losses/cmt_recovery.c, losses/cmt_spurious.c */
	struct cmt_path_recovery {
		struct cmt_rack rack;
		struct cmt_loss_event loss_event;
		uint64_t probe_at_us; /* without acknowledgement until then: probe; CMT_NEVER_US = do not */
		struct cmt_timeout {
			/* When T3 expired, the first time in a row: packet sent, packet delivered */
			uint32_t newest;
			struct cmt_rack_newest delivered;
			bool unacked; /* T3 expired, and nothing was acknowledged since */
			bool unheard; /* T3 expired, and nothing was echoed since: Eifel judges it */
			struct cmt_frto frto;
		} timeout;
		bool progress; /* the SACK that is being taken in acknowledges something of this path */
		bool probed;   /* and nothing was acknowledged since: one tail loss probe is enough */
	} recovery;
	/* losses/cmt_reinject.c: first copy of what is out on it, without progress since; 0 = none */
	uint64_t copied_at_us;

	/* losses/cmt_copy.c, send/cmt_copy_send.c */
	struct cmt_path_copy {
		struct cmt_copies out; /* under way on it */
		uint32_t from_tsn;     /* it has carried, or will not carry, what is below */
		uint32_t acked_bytes;  /* delivered, and congestion control does not know yet */
	} copy;

	/* paths/cmt_pmtud.c. Sizes as net->mtu counts: IP packets, less a UDP header */
	struct cmt_path_pmtud {
		struct cmt_plpmtu plpmtu;
		uint64_t nonce;
		uint32_t probe_number, probe_bytes; /* of the packet with data that was a probe; 0 = none */
		uint32_t opened_mtu;                /* net->mtu before anything of ours */
		bool asked;                         /* a probe was sent */
		uint64_t
		    alone_at_us; /* the first one waits until then for data to join; 0 = it does not yet */
	} pmtud;

	/* watch/cmt_hint.c; NULL = nobody asked for it */
	struct cmt_capacity *capacity;

	/* For the statistics; whoever sees it happen counts it. */
	struct cmt_path_counts {
		uint64_t sent_pkts, sent_bytes, acked_bytes, retransmits;
		uint64_t user_bytes; /* of sent_bytes: without the headers of the chunks */
		uint64_t lost_chunks, lost_bytes, spurious_chunks, spurious_bytes;
		uint64_t spurious_by[CMT_DETECTORS], undone, probes, timeouts, failures;
	} counts;
};

/* A retransmitted chunk that a SACK acknowledges: which of its transmissions arrived? */
struct cmt_pending_loss {
	struct cmt_resent_chunk lost; /* the transmission taken for lost */
	uint8_t slot;                 /* of the newest transmission */
	uint32_t number;
	uint64_t sent_us; /* of that */
};
#define CMT_PENDING_LOSSES_MAX 32
#define CMT_REPORTED_MAX       64

struct cmt_bottlenecks;
struct cmt_held;
struct cmt_wake;

struct cmt_asoc {
	struct sctp_tcb *stcb;

	/* --- What a restart of the peer leaves as it is. --- */

	/* association/cmt_life.c, paths/cmt_control.c, api/: what the application chose. For one path: struct
	 * cmt_use (cmt_hooks.h) */
	struct cmt_config {
		const struct cmt_sched_ops *sched; /* NULL = upstream's own path rotation */
		char sched_options[224];           /* as given */
		const struct cmt_cc_ops *cc;       /* NULL = upstream's own module */
		char cc_options[224];              /* as given */
		const struct cmt_recovery_policy *recovery;
		int32_t delay_error_pct;
	} config;
	/* For the statistics; whoever sees it happen counts it. */
	struct cmt_counts {
		uint64_t copies;         /* chunks sent on another path as well */
		uint64_t planned_copies; /* of those, by the scheduler's copy slot */
		uint64_t decisions, waits, illegal_decisions, sent_ahead_units, malformed_chunks;
		uint64_t samples_of_no_path;
	} counts;
	uint64_t trace_id; /* watch/cmt_trace.c; 0 = nothing was told of it yet */

	/* --- What begins anew with it. --- */

	/* association/cmt_negotiate.c: both sides listed both: negotiated */
	bool peer_timestamps, peer_echo;
	uint32_t stamp_offset_us; /* random, hides the clock */

	/* association/cmt_life.c */
	const struct cmt_sched_ops *sched; /* in force; NULL = upstream's own path rotation */
	void *sched_state;                 /* of the chosen one; its memory stays */
	struct {                           /* upstream's, while a scheduler is in force */
		uint32_t max_burst, min_rto_ms;
	} saved;
	bool acked_before; /* something was acknowledged when it came into force */
	bool replan;       /* the scheduler has not seen the newest measurements; whoever learns something */
	bool closing;      /* no more wake-ups */
	struct cmt_wake *wake; /* association/cmt_wake.c */

	/* paths/cmt_announce.c: the peer hears of our addresses by packets from there alone */
	bool nameless;
	/* paths/cmt_join.c: local addresses as of that many changes have been looked at */
	uint32_t addresses_seen;
	uint16_t last_alias; /* paths/cmt_tuple.c */
	uint32_t
	    n_entered;   /* packets that came: their order, where a millisecond has several (cmt_enter.c) */
	bool kept_alive; /* paths/cmt_keep_alive.c: the timer was set */
	/* paths/cmt_enter.c: what came on four-tuples that are not confirmed */
	struct cmt_held *held;
	/* paths/cmt_paths.c */
	uint16_t next_wire_id;
	unsigned n_slots; /* of `paths` ever used, from the first; some may be free again */
	struct cmt_path paths[CMT_SCHED_MAX_PATHS];

	/* sacks/cmt_echo.c: how many TSNs we said that we track, and the peer (core/wire/cmt_wire.h) */
	uint32_t own_tsn_scale, peer_tsn_scale;
	/* sacks/cmt_echo.c: time stamps of the peer, and both clocks */
	struct cmt_heard heard;
	struct cmt_clock clock;
	/* sacks/cmt_echo.c, sacks/cmt_sack_hold.c, sacks/cmt_sack_path.c: the SACKs that we send */
	struct {
		uint32_t bytes; /* of the newest */
		bool held;      /* one waits for more packets */
		struct cmt_sack_pace arrivals;
		uint16_t wanted_path;     /* for the peer's in general: a wire_id of ours; 0 = none */
		uint64_t wanted_since_us; /* what left before asked elsewhere */
		uint64_t excused_us;      /* when the silence began that T3 was told of */
		struct sctp_nets *on;     /* the path that the one being built is to take; NULL */
	} own_sack;
	/* sacks/cmt_sack.c, losses/cmt_recovery.c: the peer's SACKs */
	struct {
		struct cmt_sack_order order;
		uint32_t a_rwnd_bytes;           /* told by the newest; UINT32_MAX before the first */
		uint32_t highest_tsn;            /* highest TSN acknowledged so far */
		bool open;                       /* one is being taken in */
		struct cmt_sack_pace departures; /* send/cmt_number.c: of what they are for */
	} sack;

	/* send/cmt_index.c: unsent chunks */
	struct {
		struct cmt_units units;
		void *memory;                    /* of `units` */
		struct sctp_tmit_chunk **chunks; /* by TSN modulo capacity */
		uint32_t next_tsn;               /* first TSN not looked at yet */
		struct cmt_unordered unordered;
		bool valid; /* units and chunks describe send_queue */
	} index;
	/* send/cmt_needed.c: by when the peer's application needs what */
	struct {
		uint64_t bps;            /* 0 = not told */
		uint64_t at_us;          /* when it needs the byte behind so many: */
		uint64_t position_bytes; /* user data, counted as taken_bytes */
		uint64_t taken_bytes;    /* left, or given up unsent */
	} needed;
	/* send/cmt_send.c: what the scheduler wants, until cmt_asoc_reconsider() */
	struct {
		struct cmt_decision next;
		bool known;
		bool stalls;         /* `next` has no way out */
		bool has_look_ahead; /* as many unsent chunks as it can use */
		bool has_view;       /* send/cmt_view.c: and this is what it saw */
		bool has_estimates;  /* since output began, with the same paths, by the estimators */
		bool watched;        /* paths/cmt_failover.c: since output began or a packet left */
	} decided;
	/* send/cmt_send.c, but for `probe_bytes`: the packet being put together */
	struct {
		struct sctp_tmit_chunk *selected;
		uint32_t stamp;
		uint32_t ahead_tsns; /* unsent ones before its first */
		uint32_t
		    probe_bytes; /* paths/cmt_pmtud.c: of HEARTBEAT and PAD, when it is a probe; else 0 */
		bool stamp_fits; /* its first chunk leaves room for a CMT-TIMESTAMP */
		bool stamped;
	} packet;
	cmt_send_packet_fn *send_packet; /* send/cmt_output.c; NULL before the first output */
	/* send/cmt_partial.c */
	struct {
		uint64_t again_us; /* when FORWARD-TSN is sent again, if it is out */
		uint32_t tsn;      /* of the newest */
	} forward;

	/* paths/cmt_control.c. By slot; without control (ops NULL) upstream's module runs */
	struct cmt_cc cc;
	struct cmt_bottlenecks *bottlenecks; /* NULL: no second path was heard of */
	/* paths/cmt_pmtud.c: a packet without data was as large as is sent without asking */
	bool large_control;
	uint64_t host_asked_us; /* what it knows of packet sizes; again in another tick */

	/* losses/cmt_outstanding.c; NULL: nothing was sent */
	struct cmt_outstanding *outstanding;
	/* losses/cmt_gaps.c; NULL: no SACK had gap blocks */
	struct cmt_gap_history *gaps;
	/* losses/cmt_recovery.c: some chunk was overtaken on its path and is not judged yet */
	bool suspects;
	/* losses/cmt_assumed_acked.c */
	bool any_assumed_acked;
	struct cmt_truncated_sack truncated_sack, truncated_before; /* the newest, the one before */
	/* losses/cmt_spurious.c, of the SACK being taken in; sacks/cmt_sack.c adds the reported */
	struct {
		/* One allocation, which begins with `resent`; NULL until something is sent again. */
		struct cmt_resent *resent;
		struct cmt_pending_loss *pending; /* CMT_PENDING_LOSSES_MAX */
		uint32_t *reported; /* CMT_REPORTED_MAX: retransmissions that it calls duplicates */
		unsigned n_pending;
		unsigned n_reported;
	} spurious;
};

/* Whether associations that this endpoint begins are to have a scheduler. */
static inline bool cmt_endpoint_is_scheduled(const struct sctp_inpcb *inp)
{
	return inp->cmt.sched != NULL && inp->sctp_cmt_on_off > 0;
}

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

/* Whether that is so, and it is established, and protected if it is going to be: its paths may come and go.
 */
static inline bool cmt_asoc_is_open(const struct cmt_asoc *ca)
{
	return cmt_asoc_negotiated(ca) && SCTP_GET_STATE(ca->stcb) == SCTP_STATE_OPEN &&
	       cmt_protection_is_complete(ca->stcb);
}

/* Output begins, a packet has left, paths or unsent chunks are others: the scheduler may want something else.
 */
static inline void cmt_asoc_reconsider(struct cmt_asoc *ca)
{
	ca->decided.known = false;
	ca->decided.has_look_ahead = false;
	ca->decided.has_view = false;
}

/* Output begins, or paths are others: nothing that was looked at holds. */
static inline void cmt_asoc_look_anew(struct cmt_asoc *ca)
{
	ca->decided.has_estimates = false;
	ca->decided.watched = false;
}

/* The peer has a scheduler and waits for echoes: behind every SACK from then on, since the newest of several
 * SACKs is told by them (core/recovery/cmt_sack_order.h). */
static inline bool cmt_asoc_is_stamped(const struct cmt_asoc *ca)
{
	return ca->heard.pkts > 0;
}

#endif
