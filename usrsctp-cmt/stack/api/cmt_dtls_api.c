/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The options of usrsctp_cmt_dtls.h in the structures of that header. */
#include <usrsctp_cmt_dtls.h>

#include <errno.h>
#include <string.h>

#include "api/cmt_dtls_sockopt.h"
#include "crypto/cmt_aead.h"

_Static_assert(SCTP_DTLS_KM_MAX == CMT_KM_METHODS_MAX && SCTP_DTLS_KMP_MAX == CMT_KM_MAX_BYTES,
               "applications have room for as many");
_Static_assert(SCTP_DTLS_CLIENT == CMT_KM_CLIENT && SCTP_DTLS_SERVER == CMT_KM_SERVER &&
                   SCTP_DTLS_RESTART == CMT_KM_RESTART,
               "flags are those on the wire");

enum { ROLES = SCTP_DTLS_CLIENT | SCTP_DTLS_SERVER };

unsigned sctp_dtls_nr_cipher_suites(void)
{
	unsigned n = 0;

	while (cmt_aead_at(n) != NULL)
		n++;
	return n;
}

int sctp_dtls_cipher_suites(uint8_t cipher_suites[][2], unsigned n)
{
	const unsigned there = sctp_dtls_nr_cipher_suites();

	if (n < there)
		return -1;
	for (unsigned i = 0; i < there; i++) {
		cipher_suites[i][0] = (uint8_t)(cmt_aead_at(i)->suite >> 8);
		cipher_suites[i][1] = (uint8_t)cmt_aead_at(i)->suite;
	}
	return (int)there;
}

/* --- set --- */

static int set_config(struct socket *so, const void *value, size_t len)
{
	struct cmt_dtls_config config = {.required = false};
	struct sctp_dtls_config c;

	if (len < sizeof(c))
		return EINVAL;
	memcpy(&c, value, sizeof(c));
	if ((c.sdc_flags & SCTP_DTLS_RESTART) != 0)
		return EOPNOTSUPP;
	if ((c.sdc_flags & ~(ROLES | SCTP_DTLS_REQUIRED)) != 0 || c.sdc_nr_kmids > SCTP_DTLS_KM_MAX ||
	    len < sizeof(c) + c.sdc_nr_kmids || (c.sdc_nr_kmids > 0) != ((c.sdc_flags & ROLES) != 0) ||
	    (c.sdc_nr_kmids == 0 && c.sdc_flags != 0))
		return EINVAL;
	config.roles = (uint8_t)(c.sdc_flags & ROLES);
	config.required = (c.sdc_flags & SCTP_DTLS_REQUIRED) != 0;
	config.n_methods = (uint8_t)c.sdc_nr_kmids;
	memcpy(config.methods, (const uint8_t *)value + sizeof(c), c.sdc_nr_kmids);
	return cmt_dtls_set_config(so, &config);
}

static int set_keys(struct socket *so, enum cmt_dtls_direction direction, const void *value, size_t len)
{
	struct sctp_dtls_keys k;

	if (len < sizeof(k))
		return EINVAL;
	memcpy(&k, value, sizeof(k));
	if (len < sizeof(k) + k.sdk_key_len + k.sdk_iv_len + k.sdk_sn_key_len)
		return EINVAL;
	if (k.sdk_restart != 0)
		return EOPNOTSUPP;
	return cmt_dtls_add_keys(
	    so, k.sdk_assoc_id,
	    &(struct cmt_dtls_keys){.direction = direction,
	                            .suite = (uint16_t)(k.sdk_cipher_suite[0] << 8 | k.sdk_cipher_suite[1]),
	                            .epoch = k.sdk_epoch,
	                            .key_bytes = k.sdk_key_len,
	                            .iv_bytes = k.sdk_iv_len,
	                            .sn_key_bytes = k.sdk_sn_key_len,
	                            .data = (const uint8_t *)value + sizeof(k)});
}

static int delete_keys(struct socket *so, const void *value, size_t len)
{
	struct sctp_dtls_keys_id id;

	if (len < sizeof(id))
		return EINVAL;
	memcpy(&id, value, sizeof(id));
	return id.sdki_restart != 0 ? EOPNOTSUPP : cmt_dtls_delete_keys(so, id.sdki_assoc_id, id.sdki_epoch);
}

static int set_value(struct socket *so, int option, const void *value, size_t len)
{
	struct sctp_assoc_value v;

	if (len < sizeof(v))
		return EINVAL;
	memcpy(&v, value, sizeof(v));
	if (option == SCTP_DTLS_REPLAY_WINDOW)
		return cmt_dtls_set_window(so, v.assoc_id, v.assoc_value);
	return v.assoc_value != 0 ? cmt_dtls_enforce(so, v.assoc_id) : EINVAL;
}

bool cmt_dtls_setsockopt(struct socket *so, int option, const void *value, size_t len, int *error)
{
	switch (option) {
	case SCTP_DTLS_LOCAL_CONFIG: *error = set_config(so, value, len); return true;
	case SCTP_DTLS_SET_SEND_KEYS: *error = set_keys(so, CMT_DTLS_SEND, value, len); return true;
	case SCTP_CMT_DTLS_NEXT_SEND_KEYS: *error = set_keys(so, CMT_DTLS_NEXT_SEND, value, len); return true;
	case SCTP_DTLS_ADD_RECV_KEYS: *error = set_keys(so, CMT_DTLS_RECEIVE, value, len); return true;
	case SCTP_DTLS_DEL_RECV_KEYS: *error = delete_keys(so, value, len); return true;
	case SCTP_DTLS_ENFORCE_PROTECTION:
	case SCTP_DTLS_REPLAY_WINDOW: *error = set_value(so, option, value, len); return true;
	default: return false;
	}
}

/* --- get --- */

static int get_config(struct socket *so, bool agreed, void *value, size_t *len)
{
	struct cmt_dtls_config found = {.required = false};
	struct sctp_dtls_config c;
	int error;

	if (*len < sizeof(c))
		return EINVAL;
	memcpy(&c, value, sizeof(c));
	error = agreed ? cmt_dtls_get_agreed(so, c.sdc_assoc_id, &found) : cmt_dtls_get_config(so, &found);
	if (error != 0)
		return error;
	if (*len < sizeof(c) + found.n_methods)
		return EINVAL;
	c.sdc_flags = (uint16_t)(found.roles | (found.required ? SCTP_DTLS_REQUIRED : 0));
	c.sdc_nr_kmids = found.n_methods;
	memcpy(value, &c, sizeof(c));
	memcpy((uint8_t *)value + sizeof(c), found.methods, found.n_methods);
	*len = sizeof(c) + found.n_methods;
	return 0;
}

static int get_parameter(struct socket *so, bool peers, void *value, size_t *len)
{
	struct cmt_dtls_parameter found;
	struct sctp_dtls_kmp k;
	int error;

	if (*len < sizeof(k))
		return EINVAL;
	memcpy(&k, value, sizeof(k));
	error = cmt_dtls_get_parameter(so, k.sdk_assoc_id, peers, &found);
	if (error != 0)
		return error;
	if (*len < sizeof(k) + found.bytes)
		return EINVAL;
	k.sdk_nr_bytes = (uint32_t)found.bytes;
	memcpy(value, &k, sizeof(k));
	memcpy((uint8_t *)value + sizeof(k), found.data, found.bytes);
	*len = sizeof(k) + found.bytes;
	return 0;
}

static int get_value(struct socket *so, int option, void *value, size_t *len)
{
	struct sctp_assoc_value v;
	int error;

	if (*len < sizeof(v))
		return EINVAL;
	memcpy(&v, value, sizeof(v));
	error = option == SCTP_DTLS_REPLAY_WINDOW ? cmt_dtls_get_window(so, v.assoc_id, &v.assoc_value)
	                                          : cmt_dtls_is_enforced(so, v.assoc_id, &v.assoc_value);
	memcpy(value, &v, sizeof(v));
	*len = sizeof(v);
	return error;
}

static int get_stats(struct socket *so, void *value, size_t *len)
{
	struct cmt_dtls_stats found;
	struct sctp_dtls_stats s;
	int error;

	if (*len < sizeof(s))
		return EINVAL;
	memcpy(&s, value, sizeof(s));
	error = cmt_dtls_get_stats(so, s.sds_assoc_id, &found);
	if (error != 0)
		return error;
	s.sds_dropped_unprotected = found.dropped_clear;
	s.sds_aead_failures = found.failures;
	s.sds_recv_protected = found.opened;
	s.sds_sent_protected = found.sealed;
	s.sds_replayed = found.replayed;
	s.sds_unknown_epoch = found.unknown_epoch;
	s.sds_send_epoch = found.send_epoch;
	s.sds_recv_epoch = found.receive_epoch;
	s.sds_send_records = found.send_records;
	s.sds_epoch_failures = found.epoch_failures;
	memcpy(value, &s, sizeof(s));
	*len = sizeof(s);
	return 0;
}

bool cmt_dtls_getsockopt(struct socket *so, int option, void *value, size_t *len, int *error)
{
	switch (option) {
	case SCTP_DTLS_LOCAL_CONFIG: *error = get_config(so, false, value, len); return true;
	case SCTP_DTLS_GET_CONFIG: *error = get_config(so, true, value, len); return true;
	case SCTP_DTLS_GET_LOCAL_KM_PARAM: *error = get_parameter(so, false, value, len); return true;
	case SCTP_DTLS_GET_PEER_KM_PARAM: *error = get_parameter(so, true, value, len); return true;
	case SCTP_DTLS_ENFORCE_PROTECTION:
	case SCTP_DTLS_REPLAY_WINDOW: *error = get_value(so, option, value, len); return true;
	case SCTP_DTLS_GET_STATS: *error = get_stats(so, value, len); return true;
	default: return false;
	}
}
