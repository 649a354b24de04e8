/* SPDX-License-Identifier: BSD-3-Clause */
#include "secure/secure_options.h"

#include <stdio.h>
#include <string.h>

static int take_peer(struct app_secure_options *o, const char *value, size_t len, struct app_error *error)
{
	char text[128];

	if (len < sizeof(text)) {
		(void)snprintf(text, sizeof(text), "%.*s", (int)len, value);
	}
	if (o->n_peers == APP_MAX_FINGERPRINTS) {
		return app_error_set(error,
		                     "--peer: \"%.*s\": one fingerprint too many; at most %d, or use --ca",
		                     (int)len, value, APP_MAX_FINGERPRINTS);
	}
	if (len >= sizeof(text) || usrsctp_cmt_fingerprint_parse(text, o->peers[o->n_peers]) != 0) {
		return app_error_set(error,
		                     "--peer: \"%.*s\" is not a fingerprint; write sha256: and the 64 digits "
		                     "that the peer prints",
		                     (int)len, value);
	}
	o->n_peers++;
	return 0;
}

static int take_peers(struct app_secure_options *o, const char *value, struct app_error *error)
{
	for (;;) {
		const size_t len = strcspn(value, ",");

		if (take_peer(o, value, len, error) != 0) {
			return -1;
		}
		if (value[len] == '\0') {
			return 0;
		}
		value += len + 1;
	}
}

static int take_text(const char **out, const char *name, const char *value, struct app_error *error)
{
	if (*value == '\0') {
		return app_error_set(error, "--%s: the name is empty; write one or leave --%s out", name,
		                     name);
	}
	*out = value;
	return 0;
}

int app_secure_take(struct app_secure_options *o, int code, const char *name, const char *value,
                    struct app_error *error)
{
	switch (code) {
	case APP_OPT_INSECURE: o->insecure = true; return 0;
	case APP_OPT_PEER: return take_peers(o, value, error);
	case APP_OPT_PASSPHRASE_FILE: return take_text(&o->passphrase_file, name, value, error);
	case APP_OPT_CERT: return take_text(&o->cert, name, value, error);
	case APP_OPT_KEY: return take_text(&o->key, name, value, error);
	case APP_OPT_CA: return take_text(&o->ca, name, value, error);
	case APP_OPT_CA_NAME: return take_text(&o->ca_name, name, value, error);
	case APP_OPT_KNOWN_PEERS: return take_text(&o->known_peers, name, value, error);
	case APP_OPT_KEYLOG: return take_text(&o->key_log, name, value, error);
	default: return app_error_set(error, "--%s: no such option", name);
	}
}

/* The first of those that say who somebody is; NULL = none is given. */
static const char *first_of_certificates(const struct app_secure_options *o)
{
	return o->n_peers > 0           ? "--peer"
	       : o->cert != NULL        ? "--cert"
	       : o->key != NULL         ? "--key"
	       : o->ca != NULL          ? "--ca"
	       : o->ca_name != NULL     ? "--ca-name"
	       : o->known_peers != NULL ? "--known-peers"
	                                : NULL;
}

/* The first of all but --insecure. */
static const char *first_of_all(const struct app_secure_options *o)
{
	const char *const certificates = first_of_certificates(o);

	return o->passphrase_file != NULL ? "--passphrase-file"
	       : certificates != NULL     ? certificates
	       : o->key_log != NULL       ? "--keylog"
	                                  : NULL;
}

/* --known-peers: where it is never looked at. */
static int check_known_peers(const struct app_secure_options *o, bool listens, struct app_error *error)
{
	if (o->known_peers == NULL) {
		return 0;
	}
	if (listens) {
		return app_error_set(error,
		                     "--known-peers %.200s: is for who connects; a server takes --peer "
		                     "or --ca",
		                     o->known_peers);
	}
	return o->n_peers == 0 && o->ca == NULL
	           ? 0
	           : app_error_set(error,
	                           "--known-peers %.200s: is not looked at with %s; leave one of them out",
	                           o->known_peers, o->n_peers > 0 ? "--peer" : "--ca");
}

int app_secure_check(const struct app_secure_options *o, bool listens, struct app_error *error)
{
	const char *const certificates = first_of_certificates(o), *const any = first_of_all(o);

	if (o->insecure && any != NULL) {
		return app_error_set(
		    error,
		    "--insecure: nothing is encrypted or checked, so %s has no meaning; leave "
		    "one of them out",
		    any);
	}
	if (o->passphrase_file != NULL && certificates != NULL) {
		return app_error_set(
		    error,
		    "--passphrase-file %.200s: takes the place of certificates, so %s has no "
		    "meaning; leave one of them out",
		    o->passphrase_file, certificates);
	}
	if (o->cert != NULL && o->key == NULL) {
		return app_error_set(error, "--cert %.200s: needs its private key; add --key FILE", o->cert);
	}
	if (o->key != NULL && o->cert == NULL) {
		return app_error_set(error, "--key %.200s: needs its certificate; add --cert FILE", o->key);
	}
	if (o->ca_name != NULL && o->ca == NULL) {
		return app_error_set(error,
		                     "--ca-name %.200s: only says something of a certificate that was signed "
		                     "by a --ca; add --ca FILE",
		                     o->ca_name);
	}
	return check_known_peers(o, listens, error);
}
