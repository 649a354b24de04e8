/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_km.h - the DTLS Key Management parameter of INIT and INIT-ACK, and what two of them agree on
 * (draft-ietf-tsvwg-sctp-dtls-chunk-04, sections 4.1 and 5.1).
 *
 * Pure: no clock, no allocation, no stack type; re-entrant. Shared with the Wireshark plugin. Big endian on
 * the wire. */
#ifndef CMT_KM_H
#define CMT_KM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CMT_KM_TYPE        0x8006u
#define CMT_KM_FIXED_BYTES 9u
#define CMT_KM_METHODS_MAX 8u
#define CMT_KM_MAX_BYTES   (CMT_KM_FIXED_BYTES + CMT_KM_METHODS_MAX)

/* As on the wire: what the sender can be in the method's handshake; whether it survives its peer's restart.
 */
enum { CMT_KM_CLIENT = 1, CMT_KM_SERVER = 2, CMT_KM_RESTART = 4 };

struct cmt_km {
	uint32_t tie_breaker;
	uint8_t flags;
	uint8_t n_methods;                   /* 1 .. CMT_KM_METHODS_MAX */
	uint8_t methods[CMT_KM_METHODS_MAX]; /* preferred first */
};

/* Error causes of an ABORT. */
enum {
	CMT_KM_CAUSE_MISSING = 100, /* strict mode, and the peer sent no parameter */
	CMT_KM_CAUSE_NO_COMMON_METHOD = 101,
	CMT_KM_CAUSE_TIE = 102,
	CMT_KM_CAUSE_ROLES = 103
};

struct cmt_km_agreement {
	uint8_t method;
	bool is_server; /* we are */
};

/* Writes the parameter without padding, at most CMT_KM_MAX_BYTES, and returns its bytes. */
size_t cmt_km_encode(const struct cmt_km *km, uint8_t *out);

/* Reads a parameter from its type on; `len` is the number of readable bytes. The parameter's bytes; -EINVAL:
 * another type, no method, more than CMT_KM_METHODS_MAX, or its length is beyond `len`; then `out` is
 * untouched. */
int cmt_km_decode(const uint8_t *parameter, size_t len, struct cmt_km *out);

/* 0, or the error cause that says why there is no agreement; then `out` is untouched. */
int cmt_km_agree(const struct cmt_km *own, const struct cmt_km *peer, struct cmt_km_agreement *out);

#endif
