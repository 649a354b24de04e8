/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What is told of a connection's encryption: in reports, in messages, when none came about. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "net/connect_error.h"
#include "secure/encryption.h"

#define HEX "sha256:0707070707070707070707070707070707070707070707070707070707070707"

static struct app_encryption encryption(bool passphrase, const char *name)
{
	struct app_encryption e = {.encrypted = true,
	                           .peer = {.passphrase = passphrase, .suite = "TLS_AES_128_GCM_SHA256"}};

	memset(e.peer.fingerprint, 7, sizeof(e.peer.fingerprint));
	(void)strcpy(e.peer.name, name);
	return e;
}

static void reports_have_an_object_or_null(void **state)
{
	static const struct {
		bool encrypted, passphrase;
		const char *name, *json;
	} cases[] = {
	    {false, false, "", "null"},
	    {true, false, "far",
	     "{\"suite\":\"TLS_AES_128_GCM_SHA256\",\"passphrase\":false,\"chain\":false,\"fingerprint\":"
	     "\"" HEX "\",\"name\":\"far\"}"},
	    {true, true, "",
	     "{\"suite\":\"TLS_AES_128_GCM_SHA256\",\"passphrase\":true,\"chain\":false,\"fingerprint\":null,"
	     "\"name\":null}"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct app_encryption e = encryption(cases[i].passphrase, cases[i].name);
		json_t *json;
		char *text;

		e.encrypted = cases[i].encrypted;
		json = app_encryption_json(&e);
		assert_non_null(json);
		text = json_dumps(json, JSON_COMPACT | JSON_ENCODE_ANY);
		assert_string_equal(text, cases[i].json);
		free(text);
		json_decref(json);
	}
}

static void messages_name_the_peer(void **state)
{
	const struct app_encryption clear = {.encrypted = false}, far = encryption(false, "far"),
	                            nameless = encryption(false, ""), told = encryption(true, "");
	char text[APP_ENCRYPTION_TEXT_BYTES];

	(void)state;
	assert_string_equal(app_encryption_text(&clear, text), "in the clear");
	assert_string_equal(app_encryption_text(&far, text), HEX " (far), TLS_AES_128_GCM_SHA256");
	assert_string_equal(app_encryption_text(&nameless, text), HEX ", TLS_AES_128_GCM_SHA256");
	assert_string_equal(app_encryption_text(&told, text), "passphrase, TLS_AES_128_GCM_SHA256");
}

static void a_reason_takes_the_place_of_the_error_and_its_likely_cause(void **state)
{
	struct app_addresses peer = {.n = 0};
	struct app_connect_attempt attempt = {.peer = &peer, .udp_port = 9899, .server = "cmt-recv"};
	struct app_error error;

	(void)state;
	assert_int_equal(app_addresses_add(&peer, "10.1.0.1", 5001, false, &error), 0);
	assert_int_equal(app_connect_error(&attempt, ENETUNREACH, &error), -1);
	assert_string_equal(error.text,
	                    "cannot connect to 10.1.0.1, UDP port 9899: Network is unreachable; no "
	                    "local address can reach it (--bind)");
	attempt.reason = "the passphrases differ";
	assert_int_equal(app_connect_error(&attempt, ECONNREFUSED, &error), -1);
	assert_string_equal(error.text, "cannot connect to 10.1.0.1, UDP port 9899: the passphrases differ");
	attempt.reason = "no";
	attempt.in_the_clear = true;
	assert_int_equal(app_connect_error(&attempt, ECONNREFUSED, &error), -1);
	assert_string_equal(error.text,
	                    "cannot connect to 10.1.0.1, UDP port 9899: no; leave --insecure out");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(reports_have_an_object_or_null),
	    cmocka_unit_test(messages_name_the_peer),
	    cmocka_unit_test(a_reason_takes_the_place_of_the_error_and_its_likely_cause),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
