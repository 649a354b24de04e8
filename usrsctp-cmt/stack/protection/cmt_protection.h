/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_protection.h - an association whose packets are records of the SCTP DTLS chunk (docs/encryption.md;
 * draft-ietf-tsvwg-sctp-dtls-chunk-04): its state, and who does what with it.
 *
 *   cmt_protection.c   begins and ends
 *   cmt_km_exchange.c  the parameters of INIT and INIT-ACK: whether there is protection at all
 *   cmt_key_store.c    keys come and go
 *   cmt_seal.c         packets that leave
 *   cmt_unseal.c       packets that come in, and what may still come in the clear
 *   cmt_last_word.c    what is said once more when the association is no more
 *
 * The state exists from the moment on when both sides have agreed on a method: then packets are kept small
 * enough for the DTLS chunk. Guarded by the association's lock. */
#ifndef CMT_PROTECTION_H
#define CMT_PROTECTION_H

#include "cmt_hooks.h"

#include <netinet/sctp_os.h>
#include <netinet/sctp_var.h>
#include <netinet/sctp_pcb.h>
#include <netinet/sctp_structs.h>

#include "crypto/cmt_record.h"
#include "wire/cmt_km.h"

#define CMT_FIRST_EPOCH 3    /* draft, section 3.1 */
#define CMT_KEYS_PPID   4242 /* section 9.6: messages of the keys' handshake */

/* Header and pre-padding in front of the record, and padding behind: chunks inside are a multiple of 4 bytes.
 */
#define CMT_DTLS_HEAD_BYTES     5u
#define CMT_DTLS_OVERHEAD_BYTES 28u
_Static_assert((CMT_DTLS_HEAD_BYTES + CMT_RECORD_OVERHEAD_BYTES + 3) / 4 * 4 == CMT_DTLS_OVERHEAD_BYTES,
               "a packet grows by that");

struct cmt_protection {
	/* cmt_km_exchange.c */
	struct cmt_km_agreement agreed;
	uint8_t peer_parameter[CMT_KM_MAX_BYTES];
	size_t peer_bytes;

	/* cmt_key_store.c. NULL: none. `next_send` is used when the peer's first record of its epoch comes.
	 * The receive keys: newest first. */
	struct cmt_record_tx *send, *next_send;
	struct cmt_record_rx *receive[2];
	uint32_t window_records;
	bool enforced; /* what comes in the clear is dropped */
	bool released; /* the application wanted that: it knows its peer, and may send */
	bool tampered; /* and something that did is still there: nothing comes in any more */

	/* For the statistics; whoever sees it happen counts it. `gone`: of receive keys that were deleted. */
	struct cmt_protection_counts {
		uint64_t dropped_clear, unknown_epoch, sealed;
		struct {
			uint64_t opened, forged, replayed;
		} gone;
	} counts;
};

/* --- cmt_protection.c --- */

/* Hangs it into the association; NULL: out of memory, and the association takes nothing any more. */
struct cmt_protection *cmt_protection_new(struct sctp_tcb *stcb);
void cmt_protection_free(struct sctp_tcb *stcb);
bool cmt_any_protected(void);
bool cmt_is_enforced(const struct sctp_tcb *stcb);
/* By which the DTLS chunk makes each packet of the association larger, once it has keys; 0: it is not
 * protected. */
uint32_t cmt_protection_overhead(const struct sctp_tcb *stcb);

/* --- cmt_km_exchange.c --- */

/* The parameter that this association's INIT or INIT-ACK carries: its tie breaker is our initiate tag, a
 * random number of 32 bits that both know. */
struct cmt_km cmt_km_own(const struct sctp_inpcb *inp, uint32_t initiate_tag);
/* In the parameters of a chunk, `offset` to `limit` of a packet; its bytes, 0: there is none that can be
 * read. */
int cmt_km_find(struct mbuf *m, int offset, int limit, uint8_t parameter[CMT_KM_MAX_BYTES],
                struct cmt_km *out);

/* --- cmt_key_store.c --- */

/* Keys of a suite in the order of struct sctp_dtls_keys: key, IV, sequence number key. */
struct cmt_key_material {
	uint16_t suite;
	uint64_t epoch;
	const uint8_t *key, *iv, *sn_key;
	size_t key_bytes, iv_bytes, sn_key_bytes;
};

/* 0, EINVAL (suite, lengths, epoch), ENOMEM, EOVERFLOW (two receive keys are there), EPROTO (nothing is taken
 * any more). */
int cmt_keys_set_send(struct sctp_tcb *stcb, const struct cmt_key_material *keys, bool when_peer_does);
int cmt_keys_add_receive(struct sctp_tcb *stcb, const struct cmt_key_material *keys);
/* ENOENT: no such epoch; EBUSY: it is the only one. */
int cmt_keys_delete_receive(struct cmt_protection *protection, uint64_t epoch);
/* The keys with these low bits of an epoch; NULL. */
struct cmt_record_rx *cmt_keys_receive(const struct cmt_protection *protection, unsigned epoch_bits);
/* A record under these keys was authentic: the peer has them, so ours of the same epoch are used from now on.
 */
void cmt_keys_on_opened(struct sctp_tcb *stcb, const struct cmt_record_rx *receive);
/* For the application: nothing in the clear any more, and its messages may go. EPROTO: what came so was not
 * read yet, or has a gap before it. */
int cmt_keys_release(struct sctp_tcb *stcb);
void cmt_keys_set_window(struct cmt_protection *protection, uint32_t records);
void cmt_keys_free(struct cmt_protection *protection);

/* --- cmt_seal.c --- */

/* The association is no more, or is not protected any more: cmt_seal_answers() with it ends. */
void cmt_seal_forget(const struct sctp_tcb *stcb);

#endif
