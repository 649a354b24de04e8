/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_hooks.h - what the hooks in upstream's sources call. Included in front of every upstream source, so it
 * names no type of the stack by its definition. Without SCTP_CMT every hook expands to nothing.
 *
 * All functions run with the association locked. None may free the association or a path. A hook that may
 * leave the place where it stands says so in its name: _OR_GOTO, _OR_BREAK, _OR_CONTINUE, _AND_RETURN and so
 * on (OR: when there is nothing to do there). */
#ifndef CMT_HOOKS_H
#define CMT_HOOKS_H

#ifdef SCTP_CMT_FIXES
#include "fixes/cmt_fixes.h"
#endif

#ifdef SCTP_CMT

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "paths/cmt_flow.h"

struct mbuf;
struct sctp_association;
struct sctp_auth_chunk;
struct sctp_auth_chunklist;
struct sctp_chunkhdr;
struct sctp_heartbeat_chunk;
struct sctp_inpcb;
struct sctp_nets;
struct sctp_tcb;
struct sctp_tmit_chunk;
struct sockaddr;
struct sockaddr_storage;
union sctp_sockstore;
struct cmt_asoc;
struct cmt_protection;
struct cmt_recovery_policy;
struct cmt_sched_ops;

/* In struct sctp_tmit_chunk: its newest transmission, and the one that was taken for lost last. Paths count
 * from 1; 0 = there is none. */
struct cmt_chunk_tag {
	uint32_t path_packet_number, lost_number;
	uint8_t slot, lost_slot;
	uint8_t again;      /* enum cmt_again */
	uint8_t listed;     /* losses/cmt_outstanding.c: the slot that it is on the list of; 0 = of none */
	uint8_t copied;     /* bit i: a copy of it left on slot i + 1 */
	bool assumed_acked; /* to have arrived, though no SACK says so (losses/cmt_assumed_acked.c) */
	uint64_t due_us; /* when its acknowledgement was expected, before anything went wrong; 0 = unknown */
	struct sctp_tmit_chunk *older, *newer; /* on that list */
};

/* Why a chunk was or is to be sent again. */
enum cmt_again {
	CMT_AGAIN_LOST,      /* lost, or not sent again at all */
	CMT_AGAIN_PROBE_DUE, /* to hear from its path (RFC 8985, section 7): about to go there */
	CMT_AGAIN_PROBED,    /* did */
	CMT_AGAIN_COPY       /* it holds up the rest; on another path as well */
};

/* Whether an endpoint lists our chunk types in its INIT and INIT-ACK, and so uses them. */
enum cmt_extension {
	CMT_EXTENSION_AUTO, /* INIT: when it has a scheduler; INIT-ACK: when the INIT listed them */
	CMT_EXTENSION_NEVER,
	CMT_EXTENSION_ALWAYS
};

/* Which local addresses an INIT names. */
enum cmt_init_addresses {
	CMT_INIT_ADDRESSES_AUTO, /* those that were bound by name */
	CMT_INIT_ADDRESSES_NONE,
	CMT_INIT_ADDRESSES_ALL
};

/* In struct sctp_inpcb: what new associations start with. */
struct cmt_endpoint {
	struct cmt_offer {
		uint8_t roles;     /* CMT_KM_CLIENT, CMT_KM_SERVER */
		uint8_t n_methods; /* 0 = no DTLS chunk */
		uint8_t methods[8];
		bool required; /* strict mode: no association without */
	} protection;
	const struct cmt_sched_ops *sched; /* NULL = upstream's own path rotation */
	char options[224];
	char cc[32], cc_options[224];               /* "" = default */
	const struct cmt_recovery_policy *recovery; /* NULL = default */
	enum cmt_extension extension;
	enum cmt_init_addresses init_addresses;
};

/* In struct sctp_nets: what the application wants of this address. Zeroed: it said nothing. */
struct cmt_use {
	uint64_t cap_bps;    /* 0 = none */
	uint32_t weight_pct; /* of what the path could carry; 0 = 100 = all */
	uint32_t cost;
	bool backup; /* carries data while no other path can */
};

/* In struct sctp_nets: the four-tuple behind the address, together with the net's UDP port. Upstream knows a
 * path by the peer's address alone; a further four-tuple of the same address has an alias there
 * (paths/cmt_tuple.h). */
struct cmt_tuple {
	uint8_t family; /* AF_INET, AF_INET6; 0: none, the address is the peer's, whichever local one it is
	                   reached from */
	bool alias;
	bool opened_by_peer : 1;       /* for a packet of its, and not settled yet */
	bool moved : 1;                /* by NAT, it seems: what came first was no probe */
	bool told : 1;                 /* the peer what we see of it: a HEARTBEAT was sent */
	uint8_t nat : 2;               /* enum cmt_nat: between the peer and us */
	uint8_t asked;                 /* how often since */
	uint8_t local[16], remote[16]; /* addresses as on the wire */
	/* When it was opened, and asked last; when a packet came on it last, whether a four-tuple is known
	 * or not; 0 = never. */
	uint32_t opened_ms, asked_ms, heard_ms;
	uint32_t opened_at, heard_at; /* by the association's count of packets; 0 = never */
	struct cmt_flow flow;         /* data of the peer's (paths/cmt_silent.c) */
};

/* Fields. `cmt` is NULL until first needed; `cmt_protection`: unless NULL, both sides agreed on the DTLS
 * chunk; `cmt_listed`: our INIT or INIT-ACK lists our chunk types; `cmt_unnamed`: our INIT named none of our
 * addresses, and the peer knows no other yet; `cmt_racing`: it is being sent to one address after the other;
 * `cmt_chunk_limit`: of its queues (sacks/cmt_tracked.c), 0 = as upstream has it; a path's slot 0 = none yet.
 * What came from a peer address counts also where nothing else of ours is in use. */
#define SCTP_CMT_ASSOC_FIELD                                                                                 \
	struct cmt_asoc *cmt;                                                                                \
	struct cmt_protection *cmt_protection;                                                               \
	bool cmt_listed, cmt_unnamed, cmt_racing;                                                            \
	_Atomic uint32_t cmt_chunk_limit;
#define SCTP_CMT_NET_FIELD                                                                                   \
	struct cmt_use cmt_use;                                                                              \
	uint64_t cmt_received_bytes;                                                                         \
	uint8_t cmt_slot;                                                                                    \
	struct cmt_tuple cmt_tuple;
#define SCTP_CMT_CHUNK_FIELD struct cmt_chunk_tag cmt;
#define SCTP_CMT_EP_FIELD    struct cmt_endpoint cmt;

/* Association: it gets an endpoint of its own; restart by the peer; before upstream looks whether others
 * still refer to it; end. */
#define SCTP_CMT_INHERIT(to, from) ((to)->cmt = (from)->cmt, (to)->def_vrf_id = (from)->def_vrf_id)
#define SCTP_CMT_RESTART(stcb)     cmt_on_restart(stcb)
#define SCTP_CMT_CLOSING(stcb)     cmt_on_closing(stcb)
#define SCTP_CMT_FREE(stcb)        cmt_free(stcb)
void cmt_on_restart(struct sctp_tcb *stcb);
void cmt_on_closing(struct sctp_tcb *stcb);
void cmt_free(struct sctp_tcb *stcb);

/* Supported Extensions: append our chunk types to the list being written, in an INIT or in the answer to one,
 * which lies in a packet; what the peer offers begins; note a type that it lists. An INIT's addresses follow;
 * upstream names them when it counts more than one, from `n_addresses`: no host has so many that it comes
 * there from below. */
#define SCTP_CMT_EXT_TX(stcb, net, types, n, n_addresses, so_locked)                                         \
	do {                                                                                                 \
		(n) += cmt_list_extensions(stcb, (types) + (n));                                             \
		if (!cmt_names_addresses(stcb))                                                              \
			(n_addresses) = -SCTP_ADDRESS_LIMIT;                                                 \
		(net) = cmt_race_init(stcb, net, so_locked);                                                 \
	} while (0)
#define SCTP_CMT_EXT_TX_ACK(inp, stcb, m, offset, init, types, n)                                            \
	((n) +=                                                                                              \
	 cmt_answer_extensions(inp, stcb, m, (offset) + (int)sizeof(*(init)),                                \
	                       (int)ntohs((init)->ch.chunk_length) - (int)sizeof(*(init)), (types) + (n)))
#define SCTP_CMT_EXT_RX_BEGIN(stcb, remote, m, offset, limit)                                                \
	do {                                                                                                 \
		cmt_on_extensions_begin(stcb);                                                               \
		cmt_km_on_peer(stcb, m, offset, limit);                                                      \
		cmt_race_on_answer(stcb, remote);                                                            \
	} while (0)
#define SCTP_CMT_EXT_RX(stcb, type) cmt_on_extension(stcb, type)
int cmt_list_extensions(struct sctp_tcb *stcb, uint8_t *types);
bool cmt_names_addresses(struct sctp_tcb *stcb);
/* Sends the same INIT to all addresses but the last, to which the one that is being built goes
 * (paths/cmt_race.c). */
struct sctp_nets *cmt_race_init(struct sctp_tcb *stcb, struct sctp_nets *first, int so_locked);
/* The INIT's parameters are `len` bytes at `offset`; `stcb` is NULL where no association exists yet. */
int cmt_answer_extensions(struct sctp_inpcb *inp, struct sctp_tcb *stcb, struct mbuf *init, int offset,
                          int len, uint8_t *types);
void cmt_on_extensions_begin(struct sctp_tcb *stcb);
void cmt_km_on_peer(struct sctp_tcb *stcb, struct mbuf *m, int offset, int limit);
/* An INIT-ACK or COOKIE-ECHO from there is taken in: who answered an INIT first is primary
 * (paths/cmt_race.c). */
void cmt_race_on_answer(struct sctp_tcb *stcb, struct sockaddr *remote);
void cmt_on_extension(struct sctp_tcb *stcb, uint8_t type);

/* The DTLS chunk (protection/cmt_protection.h): its parameter goes behind the others of an INIT or INIT-ACK
 * that lie in `m` so far, `len` bytes and `padding`; an INIT, or INIT-ACK, is refused with the error cause
 * that takes the place of `error`; SCTP-AUTH gives way to it; a message of the application waits until the
 * application has said that it is protected; no cookie acts on an association that is. */
#define SCTP_CMT_KM_TX(stcb, m, len, padding)                                                                \
	((len) = cmt_km_append((stcb)->sctp_ep, (stcb)->asoc.my_vtag, (m)->m_data, len, &(padding)))
#define SCTP_CMT_KM_TX_ACK(inp, init, offset, chunk, tag, m, len, padding)                                   \
	((len) = cmt_km_append_answer(inp, init, (offset) + (int)sizeof(*(chunk)),                           \
	                              (offset) + (int)ntohs((chunk)->ch.chunk_length), ntohl(tag),           \
	                              (m)->m_data, len, &(padding)))
#define SCTP_CMT_KM_INIT_OR_GOTO(inp, m, offset, chunk, error)                                               \
	if (cmt_km_refuses_init(inp, m, (offset) + (int)sizeof(*(chunk)),                                    \
	                        (offset) + (int)ntohs((chunk)->ch.chunk_length), &(error)))                  \
	goto do_a_abort
#define SCTP_CMT_KM_INIT_ACK(stcb, m, offset, chunk, error, refused)                                         \
	do {                                                                                                 \
		if (cmt_km_refuses_init_ack(stcb, m, (offset) + (int)sizeof(struct sctp_init_chunk),         \
		                            (offset) + (int)ntohs((chunk)->ch.chunk_length), &(error)))      \
			(refused) = 1;                                                                       \
	} while (0)
#define SCTP_CMT_KM_AUTH(stcb, peer_has_auth, saw_asconf, saw_asconf_ack, got_random, got_hmacs)             \
	cmt_km_instead_of_auth(stcb, &(peer_has_auth), &(saw_asconf), &(saw_asconf_ack), &(got_random),      \
	                       &(got_hmacs))
#define SCTP_CMT_SEND_OR_GOTO(stcb, ppid, error)                                                             \
	if (cmt_must_wait_for_keys(stcb, ppid) && (((error) = EWOULDBLOCK), true))                           \
	goto out_unlocked
#define SCTP_CMT_COOKIE_OR_RETURN(stcb)                                                                      \
	if (cmt_is_enforced(stcb))                                                                           \
	return (NULL)
/* These return the bytes of the chunk without padding, and write that. */
uint16_t cmt_km_append(const struct sctp_inpcb *inp, uint32_t initiate_tag, void *chunk, uint16_t len,
                       uint16_t *padding);
uint16_t cmt_km_append_answer(const struct sctp_inpcb *inp, struct mbuf *init, int offset, int limit,
                              uint32_t initiate_tag, void *chunk, uint16_t len, uint16_t *padding);
bool cmt_km_refuses_init(const struct sctp_inpcb *inp, struct mbuf *m, int offset, int limit,
                         struct mbuf **error);
bool cmt_km_refuses_init_ack(const struct sctp_tcb *stcb, struct mbuf *m, int offset, int limit,
                             struct mbuf **error);
void cmt_km_instead_of_auth(struct sctp_tcb *stcb, uint8_t *peer_has_auth, uint8_t *saw_asconf,
                            uint8_t *saw_asconf_ack, int *got_random, int *got_hmacs);
/* `ppid` in network order. */
bool cmt_must_wait_for_keys(const struct sctp_tcb *stcb, uint32_t ppid);
bool cmt_is_enforced(const struct sctp_tcb *stcb);
/* Whether it is protected in both directions, unless it is not going to be. */
bool cmt_protection_is_complete(const struct sctp_tcb *stcb);

/* For stack/seams: how large packets may be before the DTLS chunk makes them larger, of a way that carries
 * `mtu_bytes`; whether packets leave in one; the association whose packet this is though upstream answers to
 * a packet only: that of cmt_seal_answers(), which has just been opened, NULL: none that is sealed; the
 * packet of `len` bytes at `offset` of a chain, protected, as `*bytes`, which holds until the next: its
 * length, 0: it must not leave. And what comes in: when it was in a DTLS chunk, cmt_seal_answers(NULL) is
 * called behind it. */
uint32_t cmt_protected_mtu(const struct sctp_tcb *stcb, uint32_t mtu_bytes);
bool cmt_is_sealed(const struct sctp_tcb *stcb);
void cmt_seal_answers(const struct sctp_tcb *stcb);
const struct sctp_tcb *cmt_seal_of_answer(const struct mbuf *chain, size_t offset);
size_t cmt_seal(const struct sctp_tcb *stcb, struct mbuf *chain, size_t offset, size_t len,
                const void **bytes);
enum cmt_seal_state {
	CMT_SEAL_NONE,   /* a packet in the clear that may come in */
	CMT_SEAL_OPENED, /* `*inner` is what was in it, until the next */
	CMT_SEAL_ANSWER, /* `*inner` is to be sent there in answer, and the packet dropped */
	CMT_SEAL_DROP
};
struct cmt_seam_arrival;
enum cmt_seal_state cmt_unseal(const struct cmt_seam_arrival *arrival, struct sockaddr_storage *from,
                               struct sockaddr_storage *to, struct cmt_seam_arrival *inner);

/* Room for CMT-TIMESTAMP in every packet with DATA. */
#define SCTP_CMT_FRAG(stcb, size)  ((size) -= cmt_data_packet_overhead(stcb))
#define SCTP_CMT_PIECE(stcb, size) ((size) -= (uint32_t)cmt_data_packet_overhead(stcb))
int cmt_data_packet_overhead(struct sctp_tcb *stcb);

/* Sending new data: pull user data into send_queue beyond what the paths take at once; choose the chunk that
 * this path carries now or decline; go straight to it; stamp the packet; number it. */
#define SCTP_CMT_FILL(stcb, no_data, frag_point, eeor, quit_now, so_locked)                                  \
	while (!(no_data) && cmt_wants_look_ahead(stcb)) {                                                   \
		uint32_t cmt_seq = (stcb)->asoc.sending_seq;                                                 \
		sctp_fill_outqueue(stcb, TAILQ_FIRST(&(stcb)->asoc.nets), frag_point, eeor, &(quit_now),     \
		                   so_locked);                                                               \
		if ((quit_now) || cmt_seq == (stcb)->asoc.sending_seq)                                       \
			break;                                                                               \
	}
/* A message was queued: whether it is worth to look for something to send. */
#define SCTP_CMT_QUEUE_ONLY(stcb, queue_only)                                                                \
	do {                                                                                                 \
		if (cmt_cannot_send(stcb))                                                                   \
			(queue_only) = 1;                                                                    \
	} while (0)
#define SCTP_CMT_SELECT_OR_GOTO(stcb, net, mtu, window, no_data)                                             \
	if (!(no_data) && !cmt_select(stcb, net, &(mtu), &(window)))                                         \
	goto no_data_fill
#define SCTP_CMT_SKIP(stcb, chk, nchk) cmt_skip_to_selected(stcb, &(chk), &(nchk))
#define SCTP_CMT_PRE_DATA(stcb, net, bundled, chain, end)                                                    \
	if ((bundled) == 0)                                                                                  \
	cmt_prepend_timestamp(stcb, net, &(chain), &(end))
#define SCTP_CMT_SENT(stcb, net, chunks, n) cmt_on_sent(stcb, net, chunks, n)
/* Each goes into the queue of what was sent, in TSN order: from `at`, the last one there, back. */
#define SCTP_CMT_PLACE(stcb, chk, at) ((at) = cmt_place_sent(stcb, chk, at))
bool cmt_cannot_send(struct sctp_tcb *stcb);
bool cmt_wants_look_ahead(struct sctp_tcb *stcb);
bool cmt_select(struct sctp_tcb *stcb, struct sctp_nets *net, unsigned int *mtu, unsigned int *window);
void cmt_skip_to_selected(struct sctp_tcb *stcb, struct sctp_tmit_chunk **chk, struct sctp_tmit_chunk **next);
void cmt_prepend_timestamp(struct sctp_tcb *stcb, struct sctp_nets *net, struct mbuf **chain,
                           struct mbuf **end);
void cmt_on_sent(struct sctp_tcb *stcb, struct sctp_nets *net, struct sctp_tmit_chunk **chunks, int n);
struct sctp_tmit_chunk *cmt_place_sent(struct sctp_tcb *stcb, struct sctp_tmit_chunk *chk,
                                       struct sctp_tmit_chunk *last);

/* A packet was taken in: whether that makes output worth while though upstream sees no reason. */
#define SCTP_CMT_READY(stcb, n_ready)                                                                        \
	do {                                                                                                 \
		if (cmt_is_ready(stcb))                                                                      \
			(n_ready)++;                                                                         \
	} while (0)
bool cmt_is_ready(struct sctp_tcb *stcb);

/* The peer is full of what waits for something that was never sent (send/cmt_fill_gap.c): that goes before
 * retransmissions, and despite the window. */
#define SCTP_CMT_RTX_OR_BREAK(stcb)                                                                          \
	if (cmt_gap_first(stcb))                                                                             \
	break
#define SCTP_CMT_GAP_DATA(stcb, control_only, no_data)                                                       \
	do {                                                                                                 \
		if (!(control_only) && (no_data) && cmt_gap_first(stcb))                                     \
			(no_data) = 0;                                                                       \
	} while (0)
bool cmt_gap_first(struct sctp_tcb *stcb);

/* Output begins, with so many bytes of user data unsent, and ends: copies of what is under way go when new
 * data have gone (losses/cmt_copy.c). `send` is upstream's function for one packet. */
#define SCTP_CMT_OUTPUT_BEGIN(stcb, un_sent, send) cmt_on_output_begin(stcb, un_sent, send)
#define SCTP_CMT_OUTPUT_END(stcb)                  cmt_on_output_end(stcb)
typedef int cmt_send_packet_fn(struct sctp_inpcb *inp, struct sctp_tcb *stcb, struct sctp_nets *net,
                               struct sockaddr *to, struct mbuf *m, uint32_t auth_offset,
                               struct sctp_auth_chunk *auth, uint16_t auth_keyid, int no_fragment, int ecn,
                               int out_of_asoc_ok, uint16_t src_port, uint16_t dest_port, uint32_t v_tag,
                               uint16_t port, union sctp_sockstore *over, int so_locked);
void cmt_on_output_begin(struct sctp_tcb *stcb, int un_sent, cmt_send_packet_fn *send);
void cmt_on_output_end(struct sctp_tcb *stcb);

/* A packet with so many DATA chunks is complete but for its common header: it may ask whether larger ones
 * pass. */
#define SCTP_CMT_PACKET(stcb, net, n_chunks, chain) cmt_pmtud_on_packet(stcb, net, n_chunks, &(chain))
void cmt_pmtud_on_packet(struct sctp_tcb *stcb, const struct sctp_nets *net, int n_chunks,
                         struct mbuf **chain);

/* For stack/seams, addresses: a packet came in, at least a common and a chunk header: writes the address
 * under which upstream knows its four-tuple to `from`, which has that of the packet. A packet leaves: writes
 * the real addresses over those that upstream sees; false: there are none. */
enum cmt_entry {
	CMT_DROP, /* it may not enter from there, or not yet */
	CMT_TAKE,
	CMT_TAKE_AND_SETTLE, /* and cmt_settle() afterwards: it may have confirmed its path */
	CMT_TAKE_APART       /* cmt_take_apart() instead: only what it begins with may enter now */
};
struct cmt_seam_arrival;
enum cmt_entry cmt_enter(struct sockaddr_storage *from, struct sockaddr_storage *to,
                         const struct cmt_seam_arrival *arrival);
void cmt_settle(const struct cmt_seam_arrival *arrival);
/* For CMT_TAKE_APART: calls cmt_seam_input() for each part, unless the checksum is wrong. */
void cmt_take_apart(const struct cmt_seam_arrival *arrival);
bool cmt_tuple_out(const struct sctp_tcb *stcb, struct sockaddr *src, struct sockaddr *dst);

/* For stack/seams: a local address is about to go, or, unless NULL, the way from there to an address of peers
 * is gone. No lock is held. */
void cmt_on_paths_lost(uint32_t vrf_id, const struct sockaddr *local, const struct sockaddr *remote);

/* For stack/seams, sizes of IP packets: what of that size is larger than what is known to pass on the path
 * with this route, and is to leave in fragments of IP of the size returned; 0: as it is. Whether the packet
 * being sent is a probe of its size. And: a router says that it forwards no larger ones to this address. */
uint32_t cmt_fragment_bytes(const struct sctp_tcb *stcb, const void *route, size_t ip_bytes);
bool cmt_is_size_probe(const struct sctp_tcb *stcb);
void cmt_on_too_big(struct sctp_tcb *stcb, struct sctp_nets *net, uint32_t ip_bytes);

/* Retransmission: on the path that arrives first, stamped and numbered like new data. A chunk for which no
 * address is confirmed waits (RFC 9260, 5.4): false. */
#define SCTP_CMT_RTX_PATH_OR_CONTINUE(stcb, chk)                                                             \
	if (!cmt_choose_retransmission_path(stcb, chk))                                                      \
	continue
#define SCTP_CMT_PRE_RTX(stcb, net, chain, end) cmt_prepend_timestamp(stcb, net, &(chain), &(end))
#define SCTP_CMT_RTX_ROOM(stcb, net, chk, mtu)  cmt_reserve_stamp(stcb, net, chk, &(mtu))
#define SCTP_CMT_RESENT(stcb, net, chunks, n)   cmt_on_resent(stcb, net, chunks, n)
void cmt_reserve_stamp(struct sctp_tcb *stcb, struct sctp_nets *net, const struct sctp_tmit_chunk *first,
                       unsigned int *mtu);
bool cmt_choose_retransmission_path(struct sctp_tcb *stcb, struct sctp_tmit_chunk *chk);
void cmt_on_resent(struct sctp_tcb *stcb, struct sctp_nets *net, struct sctp_tmit_chunk **chunks, int n);

/* TSN order is no evidence of loss: scheduled associations have their own (losses/cmt_recovery.c). The hook
 * stands in front of an if-else chain that takes `continue` for chunks without evidence; what stands before
 * it ends partially reliable messages. */
#define SCTP_CMT_STRIKE_OR_CONTINUE_OR_BREAK(stcb)                                                           \
	if (cmt_numbers_packets(stcb)) {                                                                     \
		if ((stcb)->asoc.pr_sctp_cnt == 0)                                                           \
			break;                                                                               \
		continue;                                                                                    \
	}
bool cmt_numbers_packets(struct sctp_tcb *stcb);

/* A SACK comes in, with so many gap blocks, and behind them the TSNs that it reports as duplicates. When a
 * newer one came first, the case of upstream's switch ends here. */
#define SCTP_CMT_SACK_OR_BREAK(stcb, m, cum_ack, a_rwnd, n_blocks, offset, n)                                \
	if (cmt_on_sack(stcb, m, cum_ack, a_rwnd, n_blocks, offset, n))                                      \
	break
/* The i-th gap block is about to be read, the next is at `offset`: cut to what the SACK before did not say,
 * from a chunk nearby, or on to the next that says something. And: what the SACK takes back is about to be
 * looked for. */
struct cmt_gap_place {
	uint32_t cum_ack;
	int *i, *offset;
};
#define SCTP_CMT_NEW_IN_GAP_BLOCK_OR_CONTINUE(stcb, cum_ack, i, offset, start, end, from)                    \
	if (!cmt_new_in_gap_block(stcb, &(const struct cmt_gap_place){cum_ack, &(i), offset}, &(start),      \
	                          &(end), &(from)))                                                          \
	continue
#define SCTP_CMT_REVOKED_OR_RETURN(stcb)                                                                     \
	if (cmt_nothing_revoked(stcb))                                                                       \
	return
bool cmt_new_in_gap_block(struct sctp_tcb *stcb, const struct cmt_gap_place *place, uint16_t *start,
                          uint16_t *end, struct sctp_tmit_chunk **from);
bool cmt_nothing_revoked(struct sctp_tcb *stcb);
/* A SACK acknowledges a chunk that waits to be retransmitted. */
#define SCTP_CMT_ACKED_UNSENT(stcb, chk) cmt_on_acked_before_resent(stcb, chk)
bool cmt_on_sack(struct sctp_tcb *stcb, struct mbuf *m, uint32_t cum_ack, uint32_t a_rwnd, int n_blocks,
                 int duplicates_offset, int n_duplicates);
void cmt_on_acked_before_resent(struct sctp_tcb *stcb, struct sctp_tmit_chunk *chk);

/* A cumulative ack is about to be taken in. One that covers a TSN which is reserved and not sent yet is as
 * wrong as one beyond all sent TSNs. */
#define SCTP_CMT_CUM_ACK_LIMIT(stcb, cum_ack, send_s) ((send_s) = cmt_cum_ack_limit(stcb, cum_ack, send_s))
#define SCTP_CMT_CHECK_CUM_ACK_OR_GOTO(stcb, cum_ack, send_s)                                                \
	if (SCTP_TSN_GE(cum_ack, cmt_cum_ack_limit(stcb, cum_ack, send_s)))                                  \
	goto hopeless_peer
uint32_t cmt_cum_ack_limit(struct sctp_tcb *stcb, uint32_t cum_ack, uint32_t send_s);

/* A message is being given up (RFC 3758): on to its next fragment, sent or not (which it is then), in place
 * of what follows in sent_queue; NULL when that is not cut yet. Then nothing of it is left in send_queue. */
#define SCTP_CMT_NEXT_FRAGMENT_AND_CONTINUE(stcb, chk, was_sent)                                             \
	if (((chk) = cmt_next_fragment(stcb, chk, was_sent)), true)                                          \
	continue
#define SCTP_CMT_FRAGMENTS_DONE_AND_BREAK(stcb)                                                              \
	if ((stcb) != NULL)                                                                                  \
	break
struct sctp_tmit_chunk *cmt_next_fragment(struct sctp_tcb *stcb, struct sctp_tmit_chunk *chk,
                                          int message_was_sent);

/* FORWARD-TSN must not pass TSNs that are still unsent. */
#define SCTP_CMT_ADVANCE_OR_BREAK(asoc, chk)                                                                 \
	if (SCTP_TSN_GT((chk)->rec.data.tsn, (asoc)->advanced_peer_ack_point + 1))                           \
	break

/* Receiving: a DATA or I-DATA chunk that is new, from an address of the peer's that is known; our chunks; the
 * echo behind a SACK that was just built, and the path that it takes; whether a SACK waits. */
#define SCTP_CMT_DATA_IN(net, len)                                                                           \
	if ((net) != NULL)                                                                                   \
	(net)->cmt_received_bytes += (len)
#define SCTP_CMT_CHUNK_IN(stcb, netp, ch, m, offset, len)  cmt_on_chunk(stcb, netp, ch, m, offset, len)
#define SCTP_CMT_SACK_SPACE(stcb, space)                   (space) -= cmt_echo_room(stcb)
#define SCTP_CMT_SACK_BUILT(stcb, chk)                     cmt_on_sack_built(stcb, chk)
#define SCTP_CMT_HEARTBEAT_ACK(stcb, netp, m, offset, len) cmt_on_heartbeat_ack(stcb, netp, m, offset, len)
#define SCTP_CMT_HEARTBEAT_SENT(net, hb)                   cmt_tuple_hide(net, hb)
#define SCTP_CMT_HEARTBEAT_ANSWERED(stcb, hb)              cmt_tuple_show(stcb, hb)
#define SCTP_CMT_IF_ROUND_TRIP(stcb, net, sent)            if (cmt_failover_is_round_trip(stcb, net, sent))
#define SCTP_CMT_TELL_ADDRESS(stcb, address)               cmt_tuple_tell(stcb, (struct sockaddr *)(address))
#define SCTP_CMT_HOLD_SACK_AND_RETURN(stcb, gap)                                                             \
	if (cmt_sack_hold(stcb, gap))                                                                        \
	return
void cmt_on_chunk(struct sctp_tcb *stcb, struct sctp_nets **netp, struct sctp_chunkhdr *ch, struct mbuf *m,
                  int offset, unsigned int len);
void cmt_on_heartbeat_ack(struct sctp_tcb *stcb, struct sctp_nets **netp, struct mbuf *m, int offset,
                          unsigned int len);
/* The address in a HEARTBEAT: what it is on the wire, and what it is to upstream. */
void cmt_tuple_hide(struct sctp_nets *net, struct sctp_heartbeat_chunk *hb);
void cmt_tuple_show(const struct sctp_tcb *stcb, struct sctp_heartbeat_chunk *hb);
/* Whether the answer to the HEARTBEAT that was sent then measures a round trip. Of those sent while the path
 * was gone the first does, for RTO. */
bool cmt_failover_is_round_trip(struct sctp_tcb *stcb, const struct sctp_nets *net,
                                const struct timeval *sent);
/* Who is told of a path hears the peer's address. */
void cmt_tuple_tell(const struct sctp_tcb *stcb, struct sockaddr *address);
unsigned int cmt_echo_room(const struct sctp_tcb *stcb);
void cmt_on_sack_built(struct sctp_tcb *stcb, struct sctp_tmit_chunk *sack);
bool cmt_sack_hold(struct sctp_tcb *stcb, int gap);

#else /* !SCTP_CMT */

#define SCTP_CMT_ASSOC_FIELD
#define SCTP_CMT_NET_FIELD
#define SCTP_CMT_CHUNK_FIELD
#define SCTP_CMT_EP_FIELD
#define SCTP_CMT_INHERIT(to, from)
#define SCTP_CMT_RESTART(stcb)
#define SCTP_CMT_CLOSING(stcb)
#define SCTP_CMT_FREE(stcb)
#define SCTP_CMT_EXT_TX(stcb, net, types, n, n_addresses, so_locked)
#define SCTP_CMT_EXT_TX_ACK(inp, stcb, m, offset, init, types, n)
#define SCTP_CMT_EXT_RX_BEGIN(stcb, remote, m, offset, limit)
#define SCTP_CMT_EXT_RX(stcb, type)
#define SCTP_CMT_KM_TX(stcb, m, len, padding)
#define SCTP_CMT_KM_TX_ACK(inp, init, offset, chunk, tag, m, len, padding)
#define SCTP_CMT_KM_INIT_OR_GOTO(inp, m, offset, chunk, error)
#define SCTP_CMT_KM_INIT_ACK(stcb, m, offset, chunk, error, refused)
#define SCTP_CMT_KM_AUTH(stcb, peer_has_auth, saw_asconf, saw_asconf_ack, got_random, got_hmacs)
#define SCTP_CMT_SEND_OR_GOTO(stcb, ppid, error)
#define SCTP_CMT_COOKIE_OR_RETURN(stcb)
#define SCTP_CMT_FRAG(stcb, size)
#define SCTP_CMT_PIECE(stcb, size)
#define SCTP_CMT_FILL(stcb, no_data, frag_point, eeor, quit_now, so_locked)
#define SCTP_CMT_QUEUE_ONLY(stcb, queue_only)
#define SCTP_CMT_SELECT_OR_GOTO(stcb, net, mtu, window, no_data)
#define SCTP_CMT_SKIP(stcb, chk, nchk)
#define SCTP_CMT_PRE_DATA(stcb, net, bundled, chain, end)
#define SCTP_CMT_SENT(stcb, net, chunks, n)
#define SCTP_CMT_PLACE(stcb, chk, at)
#define SCTP_CMT_PACKET(stcb, net, n_chunks, chain)
#define SCTP_CMT_READY(stcb, n_ready)
#define SCTP_CMT_RTX_OR_BREAK(stcb)
#define SCTP_CMT_GAP_DATA(stcb, control_only, no_data)
#define SCTP_CMT_OUTPUT_BEGIN(stcb, un_sent, send)
#define SCTP_CMT_OUTPUT_END(stcb)
#define SCTP_CMT_RTX_PATH_OR_CONTINUE(stcb, chk)
#define SCTP_CMT_PRE_RTX(stcb, net, chain, end)
#define SCTP_CMT_RTX_ROOM(stcb, net, chk, mtu)
#define SCTP_CMT_RESENT(stcb, net, chunks, n)
#define SCTP_CMT_STRIKE_OR_CONTINUE_OR_BREAK(stcb)
#define SCTP_CMT_NEW_IN_GAP_BLOCK_OR_CONTINUE(stcb, cum_ack, i, offset, start, end, from)
#define SCTP_CMT_REVOKED_OR_RETURN(stcb)
#define SCTP_CMT_SACK_OR_BREAK(stcb, m, cum_ack, a_rwnd, n_blocks, offset, n)
#define SCTP_CMT_ACKED_UNSENT(stcb, chk)
#define SCTP_CMT_CUM_ACK_LIMIT(stcb, cum_ack, send_s)
#define SCTP_CMT_CHECK_CUM_ACK_OR_GOTO(stcb, cum_ack, send_s)
#define SCTP_CMT_NEXT_FRAGMENT_AND_CONTINUE(stcb, chk, was_sent)
#define SCTP_CMT_FRAGMENTS_DONE_AND_BREAK(stcb)
#define SCTP_CMT_ADVANCE_OR_BREAK(asoc, chk)
#define SCTP_CMT_DATA_IN(net, len)
#define SCTP_CMT_CHUNK_IN(stcb, netp, ch, m, offset, len)
#define SCTP_CMT_SACK_SPACE(stcb, space)
#define SCTP_CMT_SACK_BUILT(stcb, chk)
#define SCTP_CMT_HEARTBEAT_ACK(stcb, netp, m, offset, len)
#define SCTP_CMT_HEARTBEAT_SENT(net, hb)
#define SCTP_CMT_HEARTBEAT_ANSWERED(stcb, hb)
#define SCTP_CMT_IF_ROUND_TRIP(stcb, net, sent)
#define SCTP_CMT_TELL_ADDRESS(stcb, address)
#define SCTP_CMT_HOLD_SACK_AND_RETURN(stcb, gap)

#endif
#endif
