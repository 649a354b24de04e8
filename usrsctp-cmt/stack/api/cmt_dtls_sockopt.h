/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_dtls_sockopt.h - the options of usrsctp_cmt_dtls.h, between cmt_dtls_api.c, which knows the
 * application's structures, and cmt_dtls_sockopt.c, which knows the stack's (as in cmt_sockopt.h).
 *
 * 0 or a positive errno; ENOENT = no such association, EOPNOTSUPP = it has no DTLS chunk. They take the locks
 * they need. */
#ifndef CMT_DTLS_SOCKOPT_H
#define CMT_DTLS_SOCKOPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wire/cmt_km.h"

struct socket;

struct cmt_dtls_config {
	uint8_t roles; /* CMT_KM_CLIENT, CMT_KM_SERVER */
	bool required;
	uint8_t n_methods;
	uint8_t methods[CMT_KM_METHODS_MAX];
};

struct cmt_dtls_parameter {
	size_t bytes;
	uint8_t data[CMT_KM_MAX_BYTES];
};

enum cmt_dtls_direction { CMT_DTLS_SEND, CMT_DTLS_NEXT_SEND, CMT_DTLS_RECEIVE };

struct cmt_dtls_keys {
	enum cmt_dtls_direction direction;
	uint16_t suite;
	uint64_t epoch;
	size_t key_bytes, iv_bytes, sn_key_bytes;
	const uint8_t *data; /* key, IV, sequence number key */
};

struct cmt_dtls_stats {
	uint64_t dropped_clear, failures, opened, sealed, replayed, unknown_epoch;
	uint64_t send_epoch, receive_epoch, send_records, epoch_failures;
};

int cmt_dtls_set_config(struct socket *so, const struct cmt_dtls_config *config);
int cmt_dtls_get_config(struct socket *so, struct cmt_dtls_config *out);
/* What was agreed on: one role, one method; none where there is no DTLS chunk. */
int cmt_dtls_get_agreed(struct socket *so, uint32_t assoc_id, struct cmt_dtls_config *out);
int cmt_dtls_get_parameter(struct socket *so, uint32_t assoc_id, bool peers, struct cmt_dtls_parameter *out);
int cmt_dtls_add_keys(struct socket *so, uint32_t assoc_id, const struct cmt_dtls_keys *keys);
int cmt_dtls_delete_keys(struct socket *so, uint32_t assoc_id, uint64_t epoch);
int cmt_dtls_enforce(struct socket *so, uint32_t assoc_id);
int cmt_dtls_is_enforced(struct socket *so, uint32_t assoc_id, uint32_t *enforced);
int cmt_dtls_set_window(struct socket *so, uint32_t assoc_id, uint32_t records);
int cmt_dtls_get_window(struct socket *so, uint32_t assoc_id, uint32_t *records);
int cmt_dtls_get_stats(struct socket *so, uint32_t assoc_id, struct cmt_dtls_stats *out);

/* Of cmt_dtls_api.c, for cmt_sockopt_api.c: whether the option is one of usrsctp_cmt_dtls.h; then `*error` is
 * what became of it. */
bool cmt_dtls_setsockopt(struct socket *so, int option, const void *value, size_t len, int *error);
bool cmt_dtls_getsockopt(struct socket *so, int option, void *value, size_t *len, int *error);

#endif
