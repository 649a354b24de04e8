/* SPDX-License-Identifier: BSD-3-Clause
 *
 * state.h - associations, their directions and paths, and the packets seen on them.
 *
 * All of it belongs to the capture file (wmem_file_scope) and is built on the first pass, in the order of the
 * capture; later passes only read. One state at a time, as Wireshark has one file. A half is one direction of
 * an association: the packets with one verification tag and one pair of ports. It knows its peer from
 * INIT-ACK, or, when the capture starts later, from mirrored addresses. A path of a half is a
 * four-tuple (ends.h); both directions number their paths alike.
 *
 * A capture may hold two views of the network: of the sending host, and of the receiving one, as cmt-lab
 * writes them. The second appearance of a packet is a copy. */
#ifndef CMT_WS_STATE_H
#define CMT_WS_STATE_H

#include "compat.h"

#include "chunks.h"
#include "ends.h"
#include "order.h"
#include "protected.h"
#include "sparse.h"
#include "wire/cmt_wire.h"

/* Bounds of what a capture can make us keep and search through; more share the last one. */
#define CMT_WS_MAX_PATHS 64u

struct cmt_assoc {
	uint32_t number;     /* from 1, in order of appearance */
	wmem_array_t *paths; /* of struct cmt_ends, in one of both directions, by path number - 1 */
};

/* What the sender's numbers say about one of its paths. */
struct cmt_lane {
	uint16_t id;
	struct cmt_path *path;     /* where its packets were seen last */
	uint64_t highest;          /* Path Packet Number, unwrapped */
	uint32_t n_packets;        /* seen, copies left out */
	struct cmt_sparse packets; /* by Path Packet Number: the struct cmt_packet that carried it */
	bool echoed;               /* the following is known */
	uint64_t echo_highest;     /* newest number echoed, unwrapped */
	uint16_t missing;          /* up to that one, modulo 2^16 */
	int32_t last_delay_us;
	uint32_t jitter_us_x16;
	bool measured; /* last_delay_us is known */
};

struct cmt_path {
	uint32_t number; /* from 1, of the association */
	uint16_t id;     /* the sender's Path ID, 0 = not known */
	struct cmt_ends ends;
};

struct cmt_half {
	struct cmt_assoc *assoc;
	struct cmt_half *peer; /* the other direction; NULL = not known */
	uint32_t tag;
	uint16_t source_port, destination_port;
	wmem_array_t *paths;      /* of struct cmt_path * */
	wmem_array_t *lanes;      /* of struct cmt_lane * */
	struct cmt_sparse tsns;   /* by TSN: struct cmt_tsn */
	wmem_map_t *unseen_twice; /* by checksum: packets without time stamp that may come again */
	uint32_t largest_rwnd_bytes;
	bool knows_next;   /* next_tsn is known */
	uint32_t next_tsn; /* lowest TSN that was not sent yet */
	bool knows_delay;  /* least_delay_us is known */
	int32_t least_delay_us;
	uint32_t swept_tsn;        /* up to here, TSNs that did not appear are known to be lost */
	struct cmt_order order[2]; /* as sent, or seen once; as seen the second time */
	bool from_start;           /* the capture has its INIT or INIT-ACK */
};

/* One TSN and its transmissions. */
struct cmt_tsn {
	struct cmt_tx *first, *last;
	uint32_t n_transmissions; /* after the first */
	uint32_t arrivals;        /* seen the second time */
};

/* One DATA chunk in one packet. */
struct cmt_tx {
	struct cmt_tx *next; /* the TSN's next transmission */
	struct cmt_packet *packet;
	struct cmt_tx *first; /* the TSN's first transmission, or, in a copy, arrival; may be this one */
	struct cmt_packet *spurious_by; /* what shows that this retransmission was spurious; NULL = nothing */
	uint32_t tsn, payload_bytes;
	uint32_t sent_ahead;           /* TSNs between the lowest that was not sent yet and this one */
	struct cmt_order_result order; /* of a TSN's first transmission, or arrival */
	bool arrived;                  /* its packet was seen a second time */
};

/* One entry of a CMT-ECHO. */
struct cmt_sample {
	struct cmt_path *path;     /* of the packet it answers; NULL = not known */
	struct cmt_packet *packet; /* that packet; NULL = not in the capture */
	int32_t delay_us;          /* Tr - Te - Ts, modulo 2^32 */
	uint32_t above_us;         /* over the least of the association so far, all paths */
	uint32_t jitter_us;        /* RFC 3550, section 6.4.1 */
	int16_t unreported;        /* packets of this path that were not heard, since the last echo */
	bool valid;                /* a measurement: of a packet in the capture, and neither of these */
	bool impossible;           /* another Ts than that packet's, or Te longer than it took */
	bool stale;                /* not newer than the last one echoed */
};

/* A chunk as it stands in the packet: one of the extension or of encryption, INIT, INIT-ACK, ABORT. Later
 * passes may have no bytes. */
struct cmt_raw {
	uint32_t at, len; /* offset in the packet, length field */
	uint8_t type, flags;
	bool decrypted;              /* stands in what a DTLS chunk protected */
	bool cut;                    /* by the capture */
	bool bad;                    /* neither cut nor well formed */
	bool capable;                /* INIT, INIT-ACK */
	struct cmt_timestamp *stamp; /* CMT-TIMESTAMP; NULL if bad or cut */
	struct cmt_echo *echo;       /* CMT-ECHO; the same */
	union {
		struct sctp_dtls *dtls;   /* DTLS; the same */
		struct sctp_offer *offer; /* INIT, INIT-ACK; NULL = none */
		struct sctp_cause *cause; /* ABORT; NULL = none of encryption */
	};
};

enum cmt_verdict {
	CMT_STATE,   /* part of the state */
	CMT_QUOTED,  /* within an ICMP error or a PKTDROP chunk */
	CMT_DAMAGED, /* wrong checksum */
	CMT_FOREIGN  /* of no association that is known */
};

struct cmt_packet {
	struct cmt_packet *next; /* in the same frame */
	uint32_t frame, offset;  /* of its header in its data source */
	int64_t at_us;
	enum cmt_verdict verdict;
	struct cmt_half *half; /* NULL unless part of the state */
	struct cmt_path *path; /* the same */
	uint32_t bytes;        /* SCTP header included */
	uint32_t checksum;
	uint16_t ip_id;
	uint8_t ttl;

	struct cmt_raw *raws;
	uint32_t n_raws;
	struct cmt_protected *protected; /* NULL = it is in the clear */

	struct cmt_packet *copy_of; /* NULL = seen for the first time */
	bool seen_twice;

	/* Several packets in one datagram (joined.h). */
	struct cmt_packet *joined_to; /* the first of them; NULL = it is alone */
	uint32_t n_joined;            /* of the first: how many; else 0 */

	bool has_timestamp;
	struct cmt_timestamp stamp; /* the last one */
	uint64_t number;            /* Path Packet Number, unwrapped */
	uint32_t ordinal;           /* from 1, of its path's packets in the capture */
	uint32_t path_gap;          /* numbers left out just before this one */
	uint32_t path_late;         /* by how much a higher number came before */

	struct cmt_packet *echoed_by; /* the first echo; NULL = none */
	int32_t delay_us;
	uint32_t above_us;

	struct cmt_tx *txs;
	uint32_t n_txs;
	struct cmt_sample *samples;
	uint32_t n_samples;
	bool has_rwnd;
	uint32_t rwnd_used_bytes; /* largest window advertised so far minus this one */
	struct cmt_tx **spurious; /* retransmissions that this packet shows to be spurious */
	uint32_t n_spurious;
};

/* Whether it is encrypted and was not opened. */
static inline bool cmt_is_sealed(const struct cmt_packet *p)
{
	return p->protected != NULL && p->protected->opening != CMT_OPENED;
}

/* Begins anew, with a file. */
void cmt_state_reset(void);

/* The half of this tag and these ports; NULL when there is none and not `make`. */
struct cmt_half *cmt_state_half(const struct sctp_header *header, const struct cmt_ends *ends, bool make);

/* An INIT or INIT-ACK: the half it belongs to, with what it announces. */
struct cmt_half *cmt_state_init(const struct sctp_header *header, const struct sctp_init *init, bool is_ack,
                                const struct cmt_ends *ends);

struct cmt_path *cmt_state_path(struct cmt_half *half, const struct cmt_ends *ends);

/* NULL when the sender uses more than CMT_WS_MAX_PATHS. */
struct cmt_lane *cmt_state_lane(struct cmt_half *half, uint16_t id, bool make);

#endif
