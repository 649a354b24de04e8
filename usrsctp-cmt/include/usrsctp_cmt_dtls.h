/* SPDX-License-Identifier: BSD-3-Clause
 *
 * usrsctp_cmt_dtls.h - encryption: the SCTP DTLS chunk (draft-ietf-tsvwg-sctp-dtls-chunk-04).
 *
 * Every packet of a protected association is one DTLS 1.3 record: data, SACKs, our own chunks, shutdown, all
 * of it. Who negotiates and installs keys is the application: by usrsctp_cmt_event.h, which does all of this
 * for its connections; by the TLS 1.3 handshake of usrsctp_cmt_keys.h; or with keys of its own (WebRTC,
 * tests).
 *
 * In order:
 *  1. SCTP_DTLS_LOCAL_CONFIG on the socket, before connect() or listen();
 *  2. when the association is up, SCTP_DTLS_GET_CONFIG says which method and role were agreed on. The
 * method's messages have PPID SCTP_DTLS_PPID; no others are sent until protection is enforced (EAGAIN), or
 * taken in the clear;
 *  3. receive keys, then send keys, epoch 3 first. The method's server sets SCTP_CMT_DTLS_NEXT_SEND_KEYS, so
 * that neither side ever sends what the other cannot read yet;
 *  4. when the peer is known, SCTP_DTLS_ENFORCE_PROTECTION: what comes in the clear is dropped from here on.
 *
 * Options of level IPPROTO_SCTP; structures, and their names, are the draft's (section 9). Numbers are in
 * host order. They need a back end (usrsctp_cmt_event.h, _packets.h, _sim.h) and IP: not usrsctp_init(), not
 * AF_CONN.
 *
 * Errors of all: EINVAL (a length, an epoch, a suite), ENOENT (no such association), EOPNOTSUPP (it has no
 * DTLS chunk, cannot have one, or a restart is asked for), EPROTO (nothing is taken from its peer any more).
 */
#ifndef USRSCTP_CMT_DTLS_H
#define USRSCTP_CMT_DTLS_H

#include <usrsctp_cmt.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SCTP_DTLS_PPID 4242

/* Identifiers of key management methods. TLS has none assigned yet: the first of the range "first come, first
 * served". */
#define SCTP_DTLS_KM_PRESHARED 0   /* keys come from elsewhere */
#define SCTP_DTLS_KM_TLS       192 /* draft-porfiri-tsvwg-sctp-dtls-handshake: usrsctp_cmt_keys.h */
#define SCTP_DTLS_KM_MAX       8   /* identifiers that one side can list */

#define SCTP_DTLS_CLIENT   0x0001
#define SCTP_DTLS_SERVER   0x0002
#define SCTP_DTLS_RESTART  0x0004 /* EOPNOTSUPP: a restart is refused (docs/security.md) */
#define SCTP_DTLS_REQUIRED 0x0008 /* strict mode: no association without the DTLS chunk */

#define SCTP_DTLS_FIRST_EPOCH 3

/* By which packets of a protected association are larger. It keeps them small enough by itself, but for the
 * sizes that an application sets (SPP_PMTUD_DISABLE): those are without. */
#define SCTP_DTLS_OVERHEAD_BYTES 28u

#define SCTP_DTLS_LOCAL_CONFIG 0x00001220 /* struct sctp_dtls_config; set: for associations to come; get */
#define SCTP_DTLS_GET_CONFIG                                                                                 \
	0x00001221 /* struct sctp_dtls_config: what was agreed on; none: sdc_nr_kmids is 0 */
#define SCTP_DTLS_GET_LOCAL_KM_PARAM 0x00001222 /* struct sctp_dtls_kmp: sent in the handshake */
#define SCTP_DTLS_GET_PEER_KM_PARAM                                                                          \
	0x00001223 /* struct sctp_dtls_kmp: received; both go into the key derivation */
#define SCTP_DTLS_SET_SEND_KEYS                                                                              \
	0x00001224 /* struct sctp_dtls_keys: in use at once. The epoch in use, plus one */
#define SCTP_DTLS_ADD_RECV_KEYS                                                                              \
	0x00001225 /* struct sctp_dtls_keys: beside those that are there (two at most) */
#define SCTP_DTLS_DEL_RECV_KEYS 0x00001226 /* struct sctp_dtls_keys_id */
/* struct sctp_assoc_value, set and get; cannot be switched off. Set: EPROTO when something that had come in
 * the clear was not read yet or has a gap before it: somebody has put it there, abort the association. */
#define SCTP_DTLS_ENFORCE_PROTECTION 0x00001227
#define SCTP_DTLS_REPLAY_WINDOW                                                                              \
	0x00001228 /* struct sctp_assoc_value, set and get: packets, 64 .. the default 32768 */
#define SCTP_DTLS_GET_STATS 0x00001229 /* struct sctp_dtls_stats */
/* struct sctp_dtls_keys, set: as SCTP_DTLS_SET_SEND_KEYS, in use from the first packet on that the peer
 * protects with the same epoch. With the first epoch, what comes in the clear is dropped from then on;
 * messages still wait. */
#define SCTP_CMT_DTLS_NEXT_SEND_KEYS 0x0000122a

struct sctp_dtls_config {
	sctp_assoc_t sdc_assoc_id;
	uint16_t sdc_flags;
	uint16_t sdc_nr_kmids;
	uint8_t sdc_kmids[]; /* preferred first */
};

struct sctp_dtls_kmp {
	sctp_assoc_t sdk_assoc_id;
	uint32_t sdk_nr_bytes;
	uint8_t sdk_bytes[]; /* the parameter with its header, without padding */
};

#define SCTP_DTLS_KMP_MAX (9 + SCTP_DTLS_KM_MAX) /* bytes of the longest parameter that is taken */

struct sctp_dtls_keys {
	sctp_assoc_t sdk_assoc_id;
	uint8_t sdk_cipher_suite[2]; /* TLS's number: 13 01, 13 02, 13 03 */
	uint16_t sdk_restart;        /* must be 0 */
	uint64_t sdk_epoch;
	uint16_t sdk_key_len, sdk_iv_len, sdk_sn_key_len; /* what the suite has: no others are taken */
	uint16_t sdk_unused;
	uint8_t sdk_keys[]; /* key, IV, key of the sequence numbers */
};

#define SCTP_DTLS_KEYS_MAX (32 + 12 + 32)

struct sctp_dtls_keys_id {
	sctp_assoc_t sdki_assoc_id;
	uint32_t sdki_restart;
	uint64_t sdki_epoch;
};

struct sctp_dtls_stats {
	sctp_assoc_t sds_assoc_id;
	uint64_t sds_dropped_unprotected; /* packets in the clear after protection was enforced */
	uint64_t sds_aead_failures;       /* records that were forged, damaged, or of keys that are gone */
	uint64_t sds_recv_protected, sds_sent_protected;
	uint64_t sds_replayed;      /* records that had come before, or too late for the replay window */
	uint64_t sds_unknown_epoch; /* records of an epoch that has no keys */
	uint64_t sds_send_epoch, sds_recv_epoch; /* in use, newest; 0 = none */
	uint64_t sds_send_records;   /* protected with the newest send key: see SCTP_DTLS_RECORDS_MAX */
	uint64_t sds_epoch_failures; /* failures under the newest receive key */
};

/* Records that may be protected with one key (RFC 9147, section 4.5.3); then nothing more is sent. Rekey long
 * before. */
#define SCTP_DTLS_RECORDS_MAX (UINT64_C(1) << 23)

/* Cipher suites that are there, preferred first: TLS_AES_128_GCM_SHA256, TLS_AES_256_GCM_SHA384,
 * TLS_CHACHA20_POLY1305_SHA256. The second returns how many were written, -1 if `n` is too small. */
unsigned sctp_dtls_nr_cipher_suites(void);
int sctp_dtls_cipher_suites(uint8_t cipher_suites[][2], unsigned n);

/* Key log, for Wireshark (docs/wireshark.md). `fn` gets a line for every key that is installed from here on,
 * without newline: SCTP_DTLS <verification tag of the packets, 8 hex digits> <restart 0|1> <epoch, decimal>
 * <suite, 4 hex digits> <key, hex> <IV, hex> <sequence number key, hex> Who has it can read everything. NULL,
 * the default: none. */
void usrsctp_cmt_dtls_keylog(void (*fn)(const char *line, void *arg), void *arg);

#ifdef __cplusplus
}
#endif
#endif
