/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Options of encryption: what is no value, what does not fit together. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "options/transport_options.h"

#define HEX_A "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define HEX_B "0102030405060708091011121314151617181920212223242526272829303132"

static const struct option long_options[] = {
    APP_TRANSPORT_LONG_OPTIONS, APP_KNOWN_PEERS_LONG_OPTIONS, {NULL, 0, NULL, 0}};

static int code_of(const char *name)
{
	for (size_t i = 0; long_options[i].name != NULL; i++) {
		if (strcmp(long_options[i].name, name) == 0) {
			return long_options[i].val;
		}
	}
	fail_msg("no option %s", name);
	return 0;
}

/* "--name value --name", as on a command line. */
static int take_all(struct app_transport *t, const char *line, bool listens, struct app_error *error)
{
	static char words[1000];
	char *rest = NULL;

	app_transport_init(t);
	(void)snprintf(words, sizeof(words), "%s", line);
	for (char *word = strtok_r(words, " ", &rest); word != NULL; word = strtok_r(NULL, " ", &rest)) {
		const int code = code_of(word + 2);
		const char *const value = code == APP_OPT_INSECURE ? NULL : strtok_r(NULL, " ", &rest);

		if (app_transport_take(t, code, word + 2, value, error) != 0) {
			return -1;
		}
	}
	return app_transport_complete(t, listens, error);
}

static void options_fill_what_they_are_for(void **state)
{
	struct app_transport t;
	struct app_error error;

	(void)state;
	assert_int_equal(take_all(&t, "", false, &error), 0);
	assert_false(t.secure.insecure);
	assert_int_equal(take_all(&t, "--insecure", true, &error), 0);
	assert_true(t.secure.insecure);
	assert_int_equal(take_all(&t, "--passphrase-file p --keylog l", true, &error), 0);
	assert_string_equal(t.secure.passphrase_file, "p");
	assert_string_equal(t.secure.key_log, "l");
	assert_int_equal(take_all(&t, "--cert c --key k --known-peers n", false, &error), 0);
	assert_string_equal(t.secure.cert, "c");
	assert_string_equal(t.secure.key, "k");
	assert_string_equal(t.secure.known_peers, "n");
	assert_int_equal(take_all(&t, "--ca a --ca-name h --peer sha256:" HEX_A, false, &error), 0);
	assert_string_equal(t.secure.ca, "a");
	assert_string_equal(t.secure.ca_name, "h");
}

static void fingerprints_come_again_and_in_lists(void **state)
{
	struct app_transport t;
	struct app_error error;

	(void)state;
	assert_int_equal(
	    take_all(&t,
	             "--peer sha256:" HEX_A ",SHA256:" HEX_B
	             " --peer sha256:01:02:03:04:05:06:07:08:09:10:11:12:13:14:15:16:17:18:19:20:"
	             "21:22:23:24:25:26:27:28:29:30:31:32",
	             true, &error),
	    0);
	assert_int_equal(t.secure.n_peers, 3);
	assert_int_equal(t.secure.peers[0][31], 0xaa);
	assert_int_equal(t.secure.peers[1][0], 0x01);
	assert_memory_equal(t.secure.peers[1], t.secure.peers[2], sizeof(t.secure.peers[1]));
}

static void what_is_no_fingerprint_is_named(void **state)
{
	static const char *const wrong[] = {"",
	                                    "sha256:",
	                                    HEX_A,
	                                    "md5:" HEX_A,
	                                    "sha256:" HEX_A "a",
	                                    "sha256:0102",
	                                    "sha256:g1" HEX_A,
	                                    "sha256:" HEX_A HEX_A HEX_A};

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct app_transport t;
		struct app_error error;
		char message[400];

		app_transport_init(&t);
		(void)snprintf(
		    message, sizeof(message),
		    "--peer: \"%s\" is not a fingerprint; write sha256: and the 64 digits that the "
		    "peer prints",
		    wrong[i]);
		assert_int_equal(app_transport_take(&t, APP_OPT_PEER, "peer", wrong[i], &error), -1);
		assert_string_equal(error.text, message);
		assert_int_equal(t.secure.n_peers, 0);
	}
}

static void more_fingerprints_than_fit_are_refused(void **state)
{
	struct app_transport t;
	struct app_error error;

	(void)state;
	app_transport_init(&t);
	for (int i = 0; i < APP_MAX_FINGERPRINTS; i++) {
		assert_int_equal(app_transport_take(&t, APP_OPT_PEER, "peer", "sha256:" HEX_A, &error), 0);
	}
	assert_int_equal(app_transport_take(&t, APP_OPT_PEER, "peer", "sha256:" HEX_A, &error), -1);
	assert_string_equal(error.text, "--peer: \"sha256:" HEX_A
	                                "\": one fingerprint too many; at most 64, or use --ca");
}

static void what_does_not_fit_together_is_named(void **state)
{
	static const struct {
		const char *line;
		bool listens;
		const char *message;
	} wrong[] = {
	    {"--insecure --peer sha256:" HEX_A, true,
	     "--insecure: nothing is encrypted or checked, so --peer has no meaning; leave one of them out"},
	    {"--passphrase-file p --insecure", false,
	     "--insecure: nothing is encrypted or checked, so --passphrase-file has no meaning; leave one of "
	     "them "
	     "out"},
	    {"--insecure --keylog l", true,
	     "--insecure: nothing is encrypted or checked, so --keylog has no meaning; leave one of them "
	     "out"},
	    {"--passphrase-file p --ca a", true,
	     "--passphrase-file p: takes the place of certificates, so --ca has no meaning; leave one of "
	     "them out"},
	    {"--passphrase-file p --known-peers f", false,
	     "--passphrase-file p: takes the place of certificates, so --known-peers has no meaning; leave "
	     "one of "
	     "them out"},
	    {"--cert c", true, "--cert c: needs its private key; add --key FILE"},
	    {"--key k", false, "--key k: needs its certificate; add --cert FILE"},
	    {"--ca-name h", false,
	     "--ca-name h: only says something of a certificate that was signed by a --ca; add --ca FILE"},
	    {"--known-peers f --ca a", false,
	     "--known-peers f: is not looked at with --ca; leave one of them out"},
	    {"--known-peers f --peer sha256:" HEX_A, false,
	     "--known-peers f: is not looked at with --peer; leave one of them out"},
	    {"--known-peers f", true, "--known-peers f: is for who connects; a server takes --peer or --ca"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct app_transport t;
		struct app_error error;

		assert_int_equal(take_all(&t, wrong[i].line, wrong[i].listens, &error), -1);
		assert_string_equal(error.text, wrong[i].message);
	}
}

static void an_empty_name_is_refused(void **state)
{
	struct app_transport t;
	struct app_error error;

	(void)state;
	app_transport_init(&t);
	assert_int_equal(app_transport_take(&t, APP_OPT_CERT, "cert", "", &error), -1);
	assert_string_equal(error.text, "--cert: the name is empty; write one or leave --cert out");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(options_fill_what_they_are_for),
	    cmocka_unit_test(fingerprints_come_again_and_in_lists),
	    cmocka_unit_test(what_is_no_fingerprint_is_named),
	    cmocka_unit_test(more_fingerprints_than_fit_are_refused),
	    cmocka_unit_test(what_does_not_fit_together_is_named),
	    cmocka_unit_test(an_empty_name_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
