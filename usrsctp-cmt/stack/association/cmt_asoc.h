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
#include "recovery/cmt_late.h"
#include "recovery/cmt_loss_event.h"
#include "recovery/cmt_rack.h"
#include "recovery/cmt_resent.h"
#include "recovery/cmt_sack_order.h"
#include "recovery/cmt_sack_share.h"
#include "recovery/cmt_unreported.h"
#include "seams/cmt_seams.h"
#include "util/cmt_serial.h"
#include "util/cmt_winfilter.h"
#include "wire/cmt_wire.h"

/* A peer address as a path of ours. A slot is `slots[i]`; upstream's sctp_nets.cmt_slot is i + 1. */
struct cmt_path {
	struct sctp_nets *net; /* NULL = slot free */
	uint16_t wire_id;      /* on the wire, from 1, never reused within an association */
	uint16_t traced_state; /* as told last, plus 1; 0 = never (cmt_trace.h) */
	bool fit;              /* as last seen: reachable and not failed */
	bool usable;           /* as last told to the scheduler */
	bool resorted_to;      /* carried data although it had failed */
	bool inactive;         /* upstream gave it up, since it failed */
	bool backup;           /* carries data while no other path can */
	uint32_t cost;
	struct cmt_flap flap;
	uint64_t ask_at_us;     /* next HEARTBEAT while failed or of unknown delay */
	uint32_t failed_number; /* newest packet when it failed */
	uint32_t source_number; /* the first packet from `source.now` */
	uint64_t failures;
	struct cmt_path_est est;
	struct cmt_sent_record *records;
	struct cmt_winfilter loop;    /* of now - sent - Te: forward plus return delay */
	struct cmt_return_delay back; /* of now - Tr for SACKs that came on this path */
	struct cmt_return_bar back_bar;
	uint32_t peak_flight_bytes;  /* most in flight since the last increase of cwnd */
	bool paced;                  /* pacing alone held something back since then */
	uint64_t cc_samples;         /* est.samples when congestion control looked last */
	uint32_t heard_number;       /* newest packet heard of, the echo behind the SACK under way included */
	bool progress;               /* the SACK that is being taken in acknowledges something of this path */
	bool probed;                 /* and nothing was acknowledged since: one tail loss probe is enough */
	uint64_t probe_at_us;        /* without acknowledgement until then: probe; CMT_NEVER_US = do not */
	uint64_t copied_at_us;       /* first copy of what is out on it, without progress since; 0 = none */
	struct cmt_copies copies;    /* under way on it */
	uint32_t copy_from_tsn;      /* it has carried, or will not carry, what is below */
	uint32_t copies_acked_bytes; /* delivered, and congestion control does not know yet */
	struct cmt_rack rack;
	struct cmt_loss_event loss_event;
	struct cmt_timeout {
		bool judging;    /* F-RTO: T3 expired, and nothing was heard since */
		uint32_t newest; /* packet when it did */
	} timeout;
	struct cmt_pace pace;
	struct cmt_plpmtu plpmtu; /* sizes as net->mtu counts: IP packets, less a UDP header */
	uint64_t plpmtu_nonce;
	bool asked_size;                   /* a probe was sent */
	uint32_t probe_number, probe_size; /* of the packet with data that was a probe; 0 = none was */
	uint32_t opened_mtu;               /* net->mtu before anything of ours */
	/* Of retransmissions that were assigned to it since output began or one of them left. */
	uint32_t waiting_bytes;
	struct cmt_source {
		union sctp_sockstore now;    /* of the newest packet with DATA; family 0 = none */
		union sctp_sockstore proven; /* of the newest that arrived, or the only one that did */
	} source;
	uint64_t sent_pkts, sent_bytes, acked_bytes, retransmits;
	uint64_t lost_chunks, lost_bytes, spurious_chunks, spurious_bytes;
	uint64_t spurious_by[CMT_DETECTORS], undone, probes, timeouts;
};

/* A retransmitted chunk that a SACK acknowledges: which of its transmissions arrived? */
struct cmt_claim {
	struct cmt_resent_chunk lost; /* the transmission taken for lost */
	uint8_t slot;                 /* of the newest transmission */
	uint32_t number;
	uint64_t sent_us; /* of that */
};
#define CMT_CLAIMS_MAX   32
#define CMT_REPORTED_MAX 64

struct cmt_wake;

struct cmt_asoc {
	struct sctp_tcb *stcb;
	bool peer_timestamps, peer_echo;    /* both sides listed both: negotiated */
	uint32_t stamp_offset_us;           /* random, hides the clock */
	const struct cmt_sched_ops *chosen; /* by the application; NULL = none */
	const struct cmt_sched_ops *sched;  /* in force; NULL = upstream's own path rotation */
	void *sched_state;                  /* of the chosen one */
	char sched_options[224];            /* as given */
	bool replan;                        /* the scheduler has not seen the newest measurements */
	uint16_t next_wire_id;
	struct cmt_path paths[CMT_SCHED_MAX_PATHS];
	unsigned n_slots; /* of `paths` ever used, from the first; some may be free again */
	struct cmt_heard heard;
	struct cmt_sack_order sack_order;
	uint32_t sack_bytes;         /* of the newest SACK that we sent */
	bool sack_held;              /* one waits for more packets */
	uint16_t wanted_return_path; /* for SACKs in general: a wire_id of ours; 0 = none */
	struct cmt_clock clock;
	int32_t delay_error_pct;
	/* Unsent chunks. */
	struct cmt_units units;
	void *units_memory;
	struct sctp_tmit_chunk **chunks; /* by TSN modulo capacity */
	uint32_t next_tsn;               /* first TSN not looked at yet */
	uint32_t head_tsn;               /* lowest unsent TSN, and since when */
	uint64_t head_since_us;
	bool indexed; /* units and chunks describe send_queue */
	/* The packet being put together. */
	struct sctp_tmit_chunk *selected;
	bool stamp_fits; /* its first chunk leaves room for a CMT-TIMESTAMP */
	bool stamped;
	uint32_t stamp;
	uint32_t ahead_tsns;  /* unsent ones before its first */
	bool large_control;   /* a packet without data was as large as is sent without asking */
	uint32_t probe_bytes; /* of HEARTBEAT and PAD, when it is a probe for the packet size; else 0 */
	/* Loss and recovery. */
	struct cmt_cc cc;     /* by slot; without control (ops NULL) upstream's module runs */
	char cc_options[224]; /* as given */
	const struct cmt_recovery_policy *recovery;
	bool sack_open; /* a SACK is being taken in */
	struct cmt_unreported unreported;
	uint32_t n_presumed;       /* chunks */
	uint32_t a_rwnd_bytes;     /* told by the newest SACK; UINT32_MAX before the first */
	uint32_t highest_tsn;      /* highest TSN acknowledged so far */
	uint32_t forward_tsn;      /* of the newest FORWARD-TSN */
	uint64_t forward_again_us; /* when it is sent again, if it is out */
	bool suspects;             /* some chunk was overtaken on its path and is not judged yet */
	struct cmt_resent *resent; /* NULL until something is sent again */
	struct cmt_claim claims[CMT_CLAIMS_MAX]; /* of the SACK being taken in */
	unsigned n_claims;
	uint32_t reported[CMT_REPORTED_MAX]; /* TSNs of retransmissions that the same SACK calls duplicates */
	unsigned n_reported;
	struct cmt_wake *wake;
	bool closing; /* no more wake-ups */
	uint32_t saved_max_burst, saved_min_rto_ms;
	uint64_t trace_id;               /* 0 = nothing was told of it yet (cmt_trace.h) */
	uint64_t copies;                 /* chunks sent on another path as well */
	uint64_t planned_copies;         /* of those, by the scheduler's copy slot */
	cmt_send_packet_fn *send_packet; /* NULL before the first output */
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

/* The peer has a scheduler and waits for echoes: behind every SACK from then on, since the newest of several
 * SACKs is told by them (core/recovery/cmt_sack_order.h). */
static inline bool cmt_asoc_is_stamped(const struct cmt_asoc *ca)
{
	return ca->heard.pkts > 0;
}

/* Whether the chunk is under way, as far as we know. */
static inline bool cmt_is_out(const struct sctp_tmit_chunk *chk)
{
	return chk->sent != SCTP_DATAGRAM_UNSENT && chk->sent < SCTP_DATAGRAM_RESEND;
}

/* Our stamp clock, modulo 2^32. */
uint32_t cmt_asoc_stamp(const struct cmt_asoc *ca, uint64_t now_us);

/* Gives every peer address a slot while there are any. */
void cmt_asoc_sync_paths(struct cmt_asoc *ca);
/* Frees the slot of an address that goes; its structure may be freed afterwards. */
void cmt_asoc_forget_path(struct cmt_asoc *ca, const struct sctp_nets *net);

/* The path of an address, NULL when it has no slot. */
struct cmt_path *cmt_asoc_path(struct cmt_asoc *ca, const struct sctp_nets *net);
struct cmt_path *cmt_asoc_path_of_slot(struct cmt_asoc *ca, uint8_t slot); /* from 1; 0 = none */
struct cmt_path *cmt_asoc_path_by_wire_id(struct cmt_asoc *ca, uint16_t wire_id);

static inline uint8_t cmt_path_id(const struct cmt_asoc *ca, const struct cmt_path *path)
{
	return (uint8_t)(path - ca->paths);
}

/* `*to` becomes `net`: takes a reference to that, and gives back the one to what it was, unless NULL. */
void cmt_refer(struct sctp_nets **to, struct sctp_nets *net);

/* What is to be sent again is looked through from the lowest TSN on. */
void cmt_retransmit_begin(struct cmt_asoc *ca);

/* Chooses the scheduler (NULL: upstream's). 0, EINVAL (options), ENOMEM; on error nothing changed. */
int cmt_asoc_set_sched(struct cmt_asoc *ca, const struct cmt_sched_ops *sched, const char *options);

/* The scheduler comes into force, once there is something to schedule or measure. To the only address of a
 * peer without the extension upstream sends, as RFC 9260 says and as without a scheduler. */
void cmt_asoc_engage(struct cmt_asoc *ca);

/* --- cmt_send.c --- */
/* Counts and numbers a packet, about to leave or just gone, and tells whoever listens (cmt_trace.h); its Path
 * Packet Number. */
struct cmt_trace_packet;
uint32_t cmt_number_packet(struct cmt_asoc *ca, struct cmt_path *path, const struct cmt_trace_packet *packet);
/* Puts a CMT-TIMESTAMP behind the mbufs from *chain to *end (NULL: there are none); ca->stamped tells whether
 * there was memory. `return_path`: a wire_id of ours, where SACKs are wanted. */
void cmt_stamp_packet(struct cmt_asoc *ca, struct cmt_path *path, uint16_t return_path, struct mbuf **chain,
                      struct mbuf **end);
/* Something waits for the path: when pacing alone stands in the way, asks to be woken then. */
void cmt_wait_for_pacing(struct cmt_asoc *ca, const struct cmt_path_view *p, uint64_t now_us);

/* --- cmt_view.c --- */
/* Fills `view` and `paths` (CMT_SCHED_MAX_PATHS) from the stack's present state. */
void cmt_view_fill(struct cmt_asoc *ca, struct cmt_view *view, struct cmt_path_view *paths);

/* Highest TSN that may be sent: the peer tracks no more, and drops what lies beyond. */
uint32_t cmt_limit_tsn(const struct cmt_asoc *ca);

/* The rate that the application allows on the path, by cap or weight; 0 = any. */
uint64_t cmt_limit_bps(const struct cmt_path *path);

/* Smoothed round trip; 0 = not measured. */
uint32_t cmt_srtt_us(const struct sctp_nets *net);

/* What stands in front of the chunks of a packet to this address and counts in its path's MTU: IP header, if
 * the stack writes one, and common header. */
uint32_t cmt_header_bytes(const struct sctp_nets *net);

/* --- cmt_gap.c --- */
/* Payload of a packet that fills unsent gaps at the peer, from the lowest outstanding TSN on. */
uint32_t cmt_gap_bytes(const struct cmt_asoc *ca, uint32_t max_bytes);

/* --- cmt_index.c --- */
/* Brings units and chunks up to date with send_queue. False: chunks that no index can describe (no memory):
 * send in order. */
bool cmt_index_sync(struct cmt_asoc *ca);
struct sctp_tmit_chunk *cmt_index_chunk(const struct cmt_asoc *ca, uint32_t tsn);
void cmt_index_reset(struct cmt_asoc *ca);

/* --- cmt_recovery.c --- */
/* When the chunk was sent last. */
uint64_t cmt_sent_us(const struct sctp_tmit_chunk *chk);
/* A chunk that is out counts in the flight of its address from now on, for which T3 runs (RFC 9260, section
 * 6.3.2, R1). */
void cmt_put_in_flight(struct sctp_tcb *stcb, struct sctp_tmit_chunk *chk);
/* A chunk that is out leaves flight and waits to be sent again. */
void cmt_mark_for_resend(struct sctp_tcb *stcb, struct sctp_tmit_chunk *chk);
/* Round trips of the path as core/recovery wants them. */
struct cmt_rack_path cmt_recovery_timing(const struct cmt_path *path);
/* What T3 of the address waits; before the first measurement upstream has no value. */
uint64_t cmt_recovery_t3_us(const struct cmt_asoc *ca, const struct sctp_nets *net);
/* Upstream's notice of a newly acknowledged chunk. */
void cmt_recovery_on_acked(struct sctp_nets *net, struct sctp_tmit_chunk *chk);
/* The chunks of a SACK were all noticed: finds losses. */
void cmt_recovery_on_sack_end(struct cmt_asoc *ca);
/* T3 of the path expired, and upstream has marked what it retransmits. */
void cmt_recovery_on_timeout(struct cmt_asoc *ca, struct cmt_path *path);
/* Whatever is out on the path is lost and moves to the others. */
void cmt_recovery_give_up_path(struct cmt_asoc *ca, struct cmt_path *path);
/* Whether its limit of retransmissions allows one more (RFC 7496). */
bool cmt_recovery_may_send_again(const struct cmt_asoc *ca, const struct sctp_tmit_chunk *chk);
/* Takes a chunk out of flight to be sent again. False: it was abandoned instead (RFC 3758). */
bool cmt_recovery_send_again(struct cmt_asoc *ca, struct sctp_tmit_chunk *chk);
/* A probe did what it repaired: the chunk was lost. */
void cmt_recovery_on_probe_delivered(struct cmt_asoc *ca, const struct cmt_resent_chunk *lost);
/* A packet left on the path: when to probe if nothing comes back. */
void cmt_recovery_on_sent(struct cmt_asoc *ca, struct cmt_path *path);

/* Makes T3 of the path outlast the way back that SACKs are asked to take; and what runs already, when that
 * became longer. */
void cmt_recovery_leave_time(struct cmt_asoc *ca, struct cmt_path *path);
void cmt_recovery_on_longer_return(struct cmt_asoc *ca);
/* A time that this asked cmt_wake_at() for has come. True: there may be something to send. */
bool cmt_recovery_on_timer(struct cmt_asoc *ca);

/* Copies of one path that are lost at one time, at least one. */
struct cmt_lost_copies {
	uint32_t chunks, pkts, bytes;
	uint32_t oldest, newest; /* Path Packet Numbers */
};
void cmt_recovery_on_copies_lost(struct cmt_asoc *ca, struct cmt_path *path,
                                 const struct cmt_lost_copies *lost);

/* --- cmt_unreported.c --- */
/* A SACK comes in; its gap blocks start at `offset` of `m`. */
void cmt_unreported_on_sack(struct cmt_asoc *ca, struct mbuf *m, uint32_t cum_ack, int n_blocks, int offset);
void cmt_unreported_on_sack_end(struct cmt_asoc *ca);
/* Whether the newest SACK could not say that the chunk has arrived. */
bool cmt_unreported(const struct cmt_asoc *ca, const struct sctp_tmit_chunk *chk);
/* Takes the path's chunks of that kind, those that wait to be sent again too, for arrived. */
void cmt_unreported_presume_path(struct cmt_asoc *ca, const struct cmt_path *path);

/* --- cmt_spurious.c --- */
/* A transmission of a chunk was taken for lost, and another one is under way: the same, for duplicates. */
void cmt_spurious_on_copied(struct cmt_asoc *ca, const struct cmt_resent_chunk *lost);
/* `chk` leaves again. */
void cmt_spurious_on_resent(struct cmt_asoc *ca, struct sctp_tmit_chunk *chk);
/* `chk`, which was sent again, is acknowledged. */
void cmt_spurious_claim(struct cmt_asoc *ca, const struct sctp_tmit_chunk *chk);
/* What the SACK acknowledged and the echo behind it tell together. `built_us`: when the SACK was built,
 * receiver time; CMT_UNKNOWN_US: no echo says so. */
void cmt_spurious_judge(struct cmt_asoc *ca, int64_t built_us);

/* --- cmt_cc.c --- */
/* Hangs our congestion control into the association's function table, or gives upstream's back. */
void cmt_cc_attach(struct cmt_asoc *ca);
void cmt_cc_detach(struct cmt_asoc *ca);
/* `name`: a control of cmt_cc_find(), or "stock" for upstream's own module. 0, EINVAL; on error nothing
 * changed. */
int cmt_asoc_set_cc(struct cmt_asoc *ca, const char *name, const char *options);
/* Losses of one path, declared at one time. True when its window was reduced for them. */
bool cmt_cc_lost(struct cmt_asoc *ca, struct cmt_path *path, const struct cmt_cc_loss *loss);
/* Copies were delivered (path->copies_acked_bytes). */
void cmt_cc_copies_acked(struct cmt_asoc *ca, struct cmt_path *path);
void cmt_cc_timed_out(struct cmt_asoc *ca, struct cmt_path *path, const struct cmt_cc_loss *loss);
void cmt_cc_undone(struct cmt_asoc *ca, struct cmt_path *path);

/* --- cmt_reinject.c --- */
/* Asks to be woken when what holds up the rest has become late. */
void cmt_reinject_watch(struct cmt_asoc *ca, uint64_t now_us);
/* True when copies are to be sent. */
bool cmt_reinject_on_timer(struct cmt_asoc *ca, uint64_t now_us);

/* --- cmt_copy.c --- */
/* Bytes under way on the path, copies included. */
static inline uint32_t cmt_flight_bytes(const struct cmt_path *path)
{
	return path->net->flight_size + path->copies.bytes;
}
/* Of cmt_chunk_tag.copied. */
static inline uint8_t cmt_copy_bit(const struct cmt_asoc *ca, const struct cmt_path *path)
{
	return (uint8_t)(1u << cmt_path_id(ca, path));
}
/* Room for so many more copies on the path; false without memory. */
bool cmt_copy_reserve(struct cmt_path *path, uint32_t n);
/* A SACK comes in, before upstream looks at it. `echo`: what stands behind it, NULL = nothing. Of chunks with
 * several transmissions the one that arrived becomes the chunk's own. `duplicates`: `n` TSNs that the peer
 * reports; those that no copy explains stay, and are counted in what is returned. */
unsigned cmt_copy_on_sack(struct cmt_asoc *ca, const struct cmt_echo *echo, uint32_t *duplicates, unsigned n);
/* The chunk's own transmission is lost. True when a copy that is still under way takes its place. */
bool cmt_copy_take_over(struct cmt_asoc *ca, struct sctp_tmit_chunk *chk);
/* SACK and echo are taken in, or time has passed: what arrived and what was lost. */
void cmt_copy_settle(struct cmt_asoc *ca, uint64_t now_us);

/* --- cmt_copy_send.c --- */
/* Whether there may be copies, and copies on this path. */
bool cmt_copy_possible(const struct cmt_asoc *ca);
bool cmt_copy_may_go(const struct cmt_asoc *ca, const struct cmt_path *path);
/* What the path may carry a copy of: fills has_copy and copy_tsn. */
void cmt_copy_fill_view(const struct cmt_asoc *ca, const struct cmt_path *path, struct cmt_path_view *p);
/* Sends the copies that the scheduler wants now. */
void cmt_copy_output(struct cmt_asoc *ca);

/* --- cmt_partial.c --- */
/* Output begins, perhaps with a FORWARD-TSN: when it goes again if the cumulative ack does not reach it. */
void cmt_partial_watch(struct cmt_asoc *ca);
/* Tells the peer of what was given up since the last SACK, or again of what was lost. True when FORWARD-TSN
 * is to be sent. */
bool cmt_partial_on_timer(struct cmt_asoc *ca, uint64_t now_us);

/* --- cmt_source.c --- */

/* A packet with DATA has left. */
void cmt_source_on_sent(struct cmt_path *path, uint32_t number);
/* Looks what has arrived; while the path is fit. */
void cmt_source_watch(struct cmt_path *path);
/* The local address of a path; of one that is not fit, that where it last worked. NULL = none was chosen yet.
 */
const union sctp_sockstore *cmt_source_of(const struct cmt_path *path);

/* --- cmt_failover.c --- */
/* Whether it is confirmed, reachable and not failed. */
bool cmt_path_fit(const struct sctp_nets *net);
/* Whether the path may carry data: it is fit, or the best of all while none is. */
bool cmt_path_usable(struct cmt_asoc *ca, const struct sctp_nets *net);
/* The path delivers nothing: as if its T3 had expired. */
void cmt_failover_fail(struct cmt_asoc *ca, struct cmt_path *path);
/* Looks for paths that failed or came back: moves data, asks, tells scheduler and application. */
void cmt_failover_watch(struct cmt_asoc *ca);
/* Whether a path that failed was heard of since cmt_failover_watch(). */
bool cmt_failover_has_news(const struct cmt_asoc *ca);
/* Asks failed paths, and those of unknown delay, whose turn it is. True when a HEARTBEAT is to be sent. */
bool cmt_failover_on_timer(struct cmt_asoc *ca, uint64_t now_us);

/* --- cmt_pmtud.c --- */
/* Largest SCTP packet that is sent without having asked whether it passes (RFC 8899, section 5.1.2). */
#define CMT_PMTUD_BASE_SCTP_BYTES 1200u
/* Largest packet that an interface here takes. */
uint32_t cmt_pmtud_interface_bytes(const struct cmt_asoc *ca);
/* Output begins: what the interfaces and the application say on sizes. */
void cmt_pmtud_on_output_begin(struct cmt_asoc *ca);
/* Output ends: sends the probes that are due. */
void cmt_pmtud_on_output_end(struct cmt_asoc *ca);
/* True when a probe is to be sent. */
bool cmt_pmtud_on_timer(struct cmt_asoc *ca, uint64_t now_us);
/* A packet without data of that size was put together: larger ones may be of use. */
void cmt_pmtud_on_control(struct cmt_asoc *ca, uint32_t bytes);
/* The newest packet that the peer heard on the path, of so many. */
void cmt_pmtud_on_echo(struct cmt_asoc *ca, struct cmt_path *path, uint32_t number, uint16_t packets);
/* What became of packet `number` of the path, which carried data; all that was out on it timed out. */
void cmt_pmtud_on_arrived(struct cmt_asoc *ca, struct cmt_path *path, uint32_t number);
void cmt_pmtud_on_lost(struct cmt_asoc *ca, struct cmt_path *path, uint32_t number);
void cmt_pmtud_on_timeout(struct cmt_asoc *ca, struct cmt_path *path);

/* --- cmt_wake.c --- */
enum cmt_wake_kind {
	CMT_WAKE_OUTPUT,    /* asks for output */
	CMT_WAKE_RECOVERY,  /* calls cmt_recovery_on_timer() */
	CMT_WAKE_HEARTBEAT, /* calls cmt_failover_on_timer() */
	CMT_WAKE_SACK,      /* calls cmt_sack_release() */
	CMT_WAKE_KINDS
};
/* Wakes at `at_us` at the latest; CMT_NEVER_US asks for nothing. */
void cmt_wake_at(struct cmt_asoc *ca, enum cmt_wake_kind kind, uint64_t at_us, uint64_t now_us);
/* When it does; CMT_NEVER_US: nothing was asked for. */
uint64_t cmt_wakes_at_us(const struct cmt_asoc *ca, enum cmt_wake_kind kind);
void cmt_wake_cancel(struct cmt_asoc *ca);

/* --- cmt_sack_hold.c --- */
/* Sends the SACK that waits; false: none does. */
bool cmt_sack_release(struct cmt_asoc *ca);

/* --- cmt_echo.c --- */
/* Where a packet of the path asks for its SACK: a wire_id of ours; 0 = no wish. */
uint16_t cmt_echo_return_path(struct cmt_asoc *ca, struct cmt_path *path);
/* And one whose answer measures its path, before others wait for it. */
uint16_t cmt_echo_soonest_return_path(struct cmt_asoc *ca);

/* Round trip of the idle path with SACKs on the way back that they are asked to take in general, which may be
 * another one than what the newest took; CMT_UNKNOWN_US. */
int64_t cmt_echo_loop_us(struct cmt_asoc *ca, const struct cmt_path *path);

#endif
