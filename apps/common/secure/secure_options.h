/* SPDX-License-Identifier: BSD-3-Clause
 *
 * secure_options.h - what programs take on the command line about encryption: who we are, whom we trust. They
 * are among the options of transport_options.h. Pure: no file is looked at. */
#ifndef APP_SECURE_OPTIONS_H
#define APP_SECURE_OPTIONS_H

#include <getopt.h>
#include <stdbool.h>

#include <usrsctp_cmt_keys.h>

#include "text/message.h"

#define APP_MAX_FINGERPRINTS 64

enum app_secure_code {
	APP_SECURE_FIRST = 1200,
	APP_OPT_INSECURE = APP_SECURE_FIRST,
	APP_OPT_PEER,
	APP_OPT_PASSPHRASE_FILE,
	APP_OPT_CERT,
	APP_OPT_KEY,
	APP_OPT_CA,
	APP_OPT_CA_NAME,
	APP_OPT_KNOWN_PEERS,
	APP_OPT_KEYLOG,
	APP_SECURE_END
};

#define APP_SECURE_LONG_OPTIONS                                                                              \
	{"insecure", no_argument, NULL, APP_OPT_INSECURE}, {"peer", required_argument, NULL, APP_OPT_PEER},  \
	    {"passphrase-file", required_argument, NULL, APP_OPT_PASSPHRASE_FILE},                           \
	    {"cert", required_argument, NULL, APP_OPT_CERT}, {"key", required_argument, NULL, APP_OPT_KEY},  \
	    {"ca", required_argument, NULL, APP_OPT_CA},                                                     \
	    {"ca-name", required_argument, NULL, APP_OPT_CA_NAME},                                           \
	{                                                                                                    \
		"keylog", required_argument, NULL, APP_OPT_KEYLOG                                            \
	}

/* Of programs that connect. */
#define APP_KNOWN_PEERS_LONG_OPTIONS                                                                         \
	{                                                                                                    \
		"known-peers", required_argument, NULL, APP_OPT_KNOWN_PEERS                                  \
	}

#define APP_SECURE_HELP                                                                                      \
	"  --peer FINGERPRINT[,..]  only a peer with one of these: sha256:..., which a server prints at\n"   \
	"                          its start; repeatable\n"                                                  \
	"  --passphrase-file FILE  only a peer that knows the passphrase in the first line of FILE, which\n" \
	"                          others must not be able to read; takes the place of certificates\n"       \
	"  --cert FILE, --key FILE  own certificate, with its chain, and private key (PEM); default:\n"      \
	"                          made once and kept in ~/.config/usrsctp-cmt/identity.pem\n"               \
	"  --ca FILE               only a peer whose certificate one of these has signed (PEM)\n"            \
	"  --ca-name HOST          with --ca: only if the certificate is for this host\n"                    \
	"  --keylog FILE           append the keys, for Wireshark: whoever has FILE can read everything\n"   \
	"  --insecure              neither encrypt nor check who the peer is; both sides need it\n"
#define APP_KNOWN_PEERS_HELP                                                                                 \
	"  --known-peers FILE      where fingerprints of peers are remembered and looked up when none of\n"  \
	"                          --peer, --passphrase-file and --ca is given; default\n"                   \
	"                          ~/.local/state/usrsctp-cmt/known_peers\n"

struct app_secure_options {
	bool insecure;
	uint8_t peers[APP_MAX_FINGERPRINTS][USRSCTP_CMT_FINGERPRINT_BYTES];
	size_t n_peers;
	/* As written; NULL = not given. */
	const char *passphrase; /* of programs that get it in another way than by option */
	const char *passphrase_file, *cert, *key, *ca, *ca_name, *known_peers, *key_log;
};

/* One option, as app_transport_take(). */
int app_secure_take(struct app_secure_options *o, int code, const char *name, const char *value,
                    struct app_error *error);

/* Whether they fit together, when all are read, in a program that `listens` or connects. 0, or -1 with the
 * reason. */
int app_secure_check(const struct app_secure_options *o, bool listens, struct app_error *error);

#endif
