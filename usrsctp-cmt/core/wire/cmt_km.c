/* SPDX-License-Identifier: BSD-3-Clause */
#include "wire/cmt_km.h"

#include <errno.h>
#include <string.h>

enum { BOTH_ROLES = CMT_KM_CLIENT | CMT_KM_SERVER };

static void put_32(uint8_t *out, uint32_t value)
{
	for (int i = 0; i < 4; i++)
		out[i] = (uint8_t)(value >> (24 - 8 * i));
}

size_t cmt_km_encode(const struct cmt_km *km, uint8_t *out)
{
	const size_t len = CMT_KM_FIXED_BYTES + km->n_methods;

	put_32(out, (uint32_t)CMT_KM_TYPE << 16 | (uint32_t)len);
	put_32(out + 4, km->tie_breaker);
	out[8] = km->flags;
	memcpy(out + CMT_KM_FIXED_BYTES, km->methods, km->n_methods);
	return len;
}

int cmt_km_decode(const uint8_t *parameter, size_t len, struct cmt_km *out)
{
	size_t own_len, n;

	if (len < CMT_KM_FIXED_BYTES || (parameter[0] << 8 | parameter[1]) != (int)CMT_KM_TYPE)
		return -EINVAL;
	own_len = (size_t)(parameter[2] << 8 | parameter[3]);
	if (own_len <= CMT_KM_FIXED_BYTES || own_len > CMT_KM_MAX_BYTES || own_len > len)
		return -EINVAL;
	n = own_len - CMT_KM_FIXED_BYTES;
	out->tie_breaker = (uint32_t)parameter[4] << 24 | (uint32_t)parameter[5] << 16 |
	                   (uint32_t)parameter[6] << 8 | parameter[7];
	out->flags = parameter[8] & (BOTH_ROLES | CMT_KM_RESTART);
	out->n_methods = (uint8_t)n;
	memcpy(out->methods, parameter + CMT_KM_FIXED_BYTES, n);
	return (int)own_len;
}

/* The first of the server's that the client has too. */
static bool find_method(const struct cmt_km *server, const struct cmt_km *client, uint8_t *method)
{
	for (unsigned i = 0; i < server->n_methods; i++) {
		if (memchr(client->methods, server->methods[i], client->n_methods) == NULL)
			continue;
		*method = server->methods[i];
		return true;
	}
	return false;
}

int cmt_km_agree(const struct cmt_km *own, const struct cmt_km *peer, struct cmt_km_agreement *out)
{
	const unsigned mine = own->flags & BOTH_ROLES, theirs = peer->flags & BOTH_ROLES;
	const bool may_serve = (mine & CMT_KM_SERVER) != 0 && (theirs & CMT_KM_CLIENT) != 0;
	const bool may_call = (mine & CMT_KM_CLIENT) != 0 && (theirs & CMT_KM_SERVER) != 0;
	bool is_server = may_serve;
	uint8_t method;

	if (!find_method(own, peer, &method))
		return CMT_KM_CAUSE_NO_COMMON_METHOD;
	if (!may_serve && !may_call)
		return CMT_KM_CAUSE_ROLES;
	if (may_serve && may_call) {
		if (own->tie_breaker == peer->tie_breaker)
			return CMT_KM_CAUSE_TIE;
		is_server = own->tie_breaker > peer->tie_breaker;
	}
	(void)find_method(is_server ? own : peer, is_server ? peer : own, &method);
	*out = (struct cmt_km_agreement){.method = method, .is_server = is_server};
	return 0;
}
