/* SPDX-License-Identifier: BSD-3-Clause */
#include "security.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "reason.h"

#define FINGERPRINTS_MAX 64

struct blk_security {
	struct usrsctp_cmt_keys *keys;
	unsigned users;
};

struct fingerprints {
	uint8_t list[FINGERPRINTS_MAX][USRSCTP_CMT_FINGERPRINT_BYTES];
	size_t n;
};

static int parse_fingerprints(struct fingerprints *out, const char *text)
{
	char one[128];

	for (;;) {
		const size_t len = strcspn(text, ",");

		if (len >= sizeof(one) || out->n == FINGERPRINTS_MAX) {
			return blk_fail(EINVAL, "peer_fingerprints: more than %d, or one that is too long",
			                FINGERPRINTS_MAX);
		}
		memcpy(one, text, len);
		one[len] = '\0';
		if (usrsctp_cmt_fingerprint_parse(one, out->list[out->n]) != 0) {
			return blk_fail(
			    EINVAL,
			    "peer_fingerprints: \"%s\" is not a fingerprint; write sha256: and 64 "
			    "hex digits",
			    one);
		}
		out->n++;
		if (text[len] == '\0') {
			return 0;
		}
		text += len + 1;
	}
}

static int check(const struct cmt_config *c, bool listens)
{
	const bool asks = c->peer_fingerprints != NULL || c->passphrase != NULL || c->ca_file != NULL;

	if (c->insecure && (asks || c->any_peer || c->cert_file != NULL || c->key_file != NULL)) {
		return blk_fail(EINVAL,
		                "insecure, and yet whom to trust or who we are: leave one of them out");
	}
	if (asks && c->any_peer) {
		return blk_fail(EINVAL, "any_peer, and yet whom to trust: leave one of them out");
	}
	if (!c->insecure && !asks && !c->any_peer && !listens) {
		return blk_fail(EINVAL,
		                "nobody is trusted: give peer_fingerprints, passphrase or ca_file; or "
		                "any_peer to be encrypted for whoever answers, or insecure");
	}
	return 0;
}

int blk_security_new(struct blk_security **out, const struct cmt_config *config, bool listens)
{
	char error[USRSCTP_CMT_REASON_BYTES] = "";
	struct fingerprints prints = {.n = 0};
	struct usrsctp_cmt_keys_config keys = {.size = sizeof(keys),
	                                       .cert_file = config->cert_file,
	                                       .key_file = config->key_file,
	                                       .ca_file = config->ca_file,
	                                       .ca_name = config->ca_name,
	                                       .passphrase = config->passphrase};
	struct blk_security *s;
	int result = check(config, listens);

	*out = NULL;
	if (result == 0 && config->peer_fingerprints != NULL) {
		result = parse_fingerprints(&prints, config->peer_fingerprints);
	}
	if (result != 0 || config->insecure) {
		return result;
	}
	if (prints.n > 0) {
		keys.fingerprints = prints.list;
		keys.n_fingerprints = prints.n;
	}
	s = calloc(1, sizeof(*s));
	if (s == NULL) {
		return blk_fail(ENOMEM, "no memory");
	}
	s->keys = usrsctp_cmt_keys_new(&keys, error, sizeof(error));
	if (s->keys == NULL) {
		result = blk_fail(errno, "%s", error);
		free(s);
		return result;
	}
	s->users = 1;
	*out = s;
	return 0;
}

struct blk_security *blk_security_retain(struct blk_security *s)
{
	if (s != NULL) {
		s->users++;
	}
	return s;
}

void blk_security_release(struct blk_security *s)
{
	if (s != NULL && --s->users == 0) {
		usrsctp_cmt_keys_free(s->keys);
		free(s);
	}
}

struct usrsctp_cmt_keys *blk_security_keys(const struct blk_security *s)
{
	return s != NULL ? s->keys : NULL;
}
