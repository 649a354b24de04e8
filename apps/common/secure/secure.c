/* SPDX-License-Identifier: BSD-3-Clause */
#include "secure/secure.h"

#include <errno.h>
#include <limits.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "secure/identity.h"
#include "secure/key_log.h"
#include "secure/known_peers.h"
#include "secure/secret_file.h"
#include "secure/user_folder.h"

struct app_secure {
	const char *program;
	bool quiet;
	struct usrsctp_cmt_keys *keys;
	struct app_peer_names peer;
	char known_peers[PATH_MAX];
	struct app_error forgotten; /* why there is no such file; "" = there is */
	bool has_fingerprint;
};

struct usrsctp_cmt_keys *app_secure_keys(const struct app_secure *s)
{
	return s != NULL ? s->keys : NULL;
}

/* --- trust on first use --- */

static void say_new(const struct app_secure *s, const char *fingerprint, const struct app_meeting *m)
{
	if (m->forgotten.text[0] == '\0') {
		app_complain(s->program, "new peer %s, fingerprint %s; remembered in %s", m->name,
		             fingerprint, s->known_peers);
	} else {
		app_complain(s->program, "new peer %s, fingerprint %s; cannot be remembered: %s", m->name,
		             fingerprint, m->forgotten.text);
	}
}

static bool on_verify(const struct usrsctp_cmt_peer *peer, void *arg, char *reason, size_t reason_bytes)
{
	const struct app_secure *const s = arg;
	struct app_meeting m = {.kind = APP_PEER_NEW, .name = s->peer.list[0], .forgotten = s->forgotten};
	char fingerprint[USRSCTP_CMT_FINGERPRINT_TEXT];
	struct app_error error;

	usrsctp_cmt_fingerprint_format(peer->fingerprint, fingerprint);
	if (s->forgotten.text[0] == '\0' &&
	    app_known_peers_meet(s->known_peers, &s->peer, peer->fingerprint, &m, &error) != 0) {
		(void)snprintf(reason, reason_bytes, "%s", error.text);
		return false;
	}
	switch (m.kind) {
	case APP_PEER_KNOWN: return true;
	case APP_PEER_NEW:
		if (!s->quiet) {
			say_new(s, fingerprint, &m);
		}
		return true;
	case APP_PEER_CHANGED:
		(void)snprintf(reason, reason_bytes,
		               "%s has another key than before, %s; if that is meant, delete line %u of %s",
		               m.name, fingerprint, m.line, s->known_peers);
		return false;
	}
	return false;
}

/* Without memory of the first time every time is one. */
static void find_known_peers(struct app_secure *s, const struct app_secure_options *o)
{
	if (o->known_peers != NULL) {
		(void)snprintf(s->known_peers, sizeof(s->known_peers), "%s", o->known_peers);
	} else {
		(void)app_user_file(APP_STATE_FOLDER, "known_peers", s->known_peers, &s->forgotten);
	}
}

/* --- how it begins --- */

static void say_passing(const struct app_secure *s, const struct app_identity *identity)
{
	app_complain(s->program,
	             "the own key is for this run only, and who remembers it will refuse the next one; it "
	             "cannot be kept: %s",
	             identity->forgotten.text);
}

/* Our certificate and key. `identity` must outlive `config`. */
static int choose_own(const struct app_secure *s, const struct app_secure_options *o,
                      struct app_identity *identity, struct usrsctp_cmt_keys_config *config,
                      struct app_error *error)
{
	if (o->cert != NULL) {
		config->cert_file = o->cert;
		config->key_file = o->key;
		return app_secret_file_check("--key", o->key, error);
	}
	if (app_identity_open(identity, error) != 0) {
		return -1;
	}
	if (identity->file[0] == '\0') {
		say_passing(s, identity);
	} else {
		config->cert_file = config->key_file = identity->file;
	}
	return 0;
}

static int make_keys(struct app_secure *s, const struct app_secure_config *c, struct app_error *error)
{
	const struct app_secure_options *const o = c->options;
	const bool has_passphrase = o->passphrase != NULL || o->passphrase_file != NULL;
	const bool asks = o->n_peers > 0 || o->ca != NULL || has_passphrase;
	struct usrsctp_cmt_keys_config config = {.size = sizeof(config),
	                                         .ca_file = o->ca,
	                                         .ca_name = o->ca_name,
	                                         .fingerprints = o->n_peers > 0 ? o->peers : NULL,
	                                         .n_fingerprints = o->n_peers};
	char passphrase[APP_SECRET_BYTES];
	struct app_identity identity;
	int rc;

	if (c->peer != NULL && !asks) {
		find_known_peers(s, o);
		config.verify = on_verify;
		config.verify_arg = s;
	}
	if (o->passphrase != NULL) {
		config.passphrase = o->passphrase;
		rc = 0;
	} else if (o->passphrase_file != NULL) {
		config.passphrase = passphrase;
		rc = app_secret_file_read("--passphrase-file", o->passphrase_file, passphrase, error);
	} else {
		rc = choose_own(s, o, &identity, &config, error);
	}
	s->has_fingerprint = !has_passphrase;
	if (rc == 0) {
		s->keys = usrsctp_cmt_keys_new(&config, error->text, sizeof(error->text));
	}
	explicit_bzero(passphrase, sizeof(passphrase));
	return s->keys != NULL ? 0 : -1;
}

int app_secure_new(struct app_secure **out, const struct app_secure_config *config, struct app_error *error)
{
	struct app_secure *s;

	*out = NULL;
	if (config->options->insecure) {
		app_complain(config->program, "--insecure: nothing is encrypted, and nobody knows who the "
		                              "other side is");
		return 0;
	}
	if (config->options->key_log != NULL &&
	    app_key_log_open(config->program, config->options->key_log, error) != 0) {
		return -1;
	}
	s = calloc(1, sizeof(*s));
	if (s == NULL) {
		return app_error_set(error, "no memory");
	}
	s->program = config->program;
	s->quiet = config->quiet;
	if (config->peer != NULL) {
		s->peer = *config->peer;
	}
	if (make_keys(s, config, error) != 0) {
		app_secure_free(s);
		return -1;
	}
	*out = s;
	return 0;
}

void app_secure_free(struct app_secure *s)
{
	if (s != NULL) {
		app_key_log_close();
		usrsctp_cmt_keys_free(s->keys);
		free(s);
	}
}

void app_secure_say_fingerprint(const struct app_secure *s)
{
	uint8_t fingerprint[USRSCTP_CMT_FINGERPRINT_BYTES];
	char text[USRSCTP_CMT_FINGERPRINT_TEXT];

	if (s != NULL && s->has_fingerprint) {
		usrsctp_cmt_keys_fingerprint(s->keys, fingerprint);
		usrsctp_cmt_fingerprint_format(fingerprint, text);
		app_complain(s->program, "others can make sure of this one with --peer %s", text);
	}
}

static void on_refused(struct usrsctp_cmt_listener *listener, const struct sockaddr *from, const char *reason,
                       void *arg)
{
	struct sockaddr_storage address = {.ss_family = AF_UNSPEC};
	char text[APP_ADDRESS_TEXT_BYTES];

	(void)listener;
	(void)arg;
	if (from != NULL) {
		memcpy(&address, from,
		       from->sa_family == AF_INET6 ? sizeof(struct sockaddr_in6)
		                                   : sizeof(struct sockaddr_in));
	}
	app_complain(program_invocation_short_name, "refused %s: %s",
	             app_address_text(&address, text, sizeof(text)), reason);
}

void app_secure_tell_refused(const struct app_secure *s, struct usrsctp_cmt_listener *listener)
{
	if (s != NULL && !s->quiet) {
		usrsctp_cmt_listener_setcb(listener, on_refused);
	}
}
