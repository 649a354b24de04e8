/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Configurations, files of keys, fingerprints as text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include <openssl/pem.h>

#include "keys/ends.h"

static void refused(struct usrsctp_cmt_keys_config config, int error, const char *words)
{
	char text[USRSCTP_CMT_REASON_BYTES] = "";

	if (config.size == 0)
		config.size = sizeof(config);
	errno = 0;
	assert_null(usrsctp_cmt_keys_new(&config, text, sizeof(text)));
	print_message("%s\n", text);
	assert_int_equal(error, errno);
	assert_non_null(strstr(text, words));
	/* Nobody needs to ask for the sentence. */
	assert_null(usrsctp_cmt_keys_new(&config, NULL, 0));
}

#define REFUSED(error, words, ...) refused((struct usrsctp_cmt_keys_config){__VA_ARGS__}, error, words)

static void a_configuration_that_makes_no_sense_is_refused_with_a_sentence(void **state)
{
	static const uint8_t prints[1][USRSCTP_CMT_FINGERPRINT_BYTES];

	(void)state;
	REFUSED(EINVAL, "size is not that of this version", .size = 7);
	REFUSED(EINVAL, "key_file is missing", .cert_file = "x");
	REFUSED(EINVAL, "cert_file is missing", .key_file = "x");
	REFUSED(EINVAL, "ca_name: \"x\" says nothing without ca_file", .ca_name = "x");
	REFUSED(EINVAL, "fingerprints: NULL", .n_fingerprints = 1);
	REFUSED(EINVAL, "passphrase: it is empty", .passphrase = "");
	REFUSED(EINVAL, "passphrase: there are no certificates then", .passphrase = "x", .ca_file = "y");
	REFUSED(EINVAL, "passphrase: there are no certificates then", .passphrase = "x",
	        .fingerprints = prints, .n_fingerprints = 1);
	REFUSED(EINVAL, "suites: \"TLS_AES_128_CCM_SHA256\" is none of TLS_AES_128_GCM_SHA256,",
	        .suites = "TLS_AES_128_GCM_SHA256:TLS_AES_128_CCM_SHA256");
	REFUSED(EINVAL, "suites: \"\" is none of", .suites = "TLS_AES_128_GCM_SHA256:");
	REFUSED(EINVAL, "suites: \"\" is none of", .suites = "");
}

static const char *written(const char *name, const char *text)
{
	const char *path = made_file(name);
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	fputs(text, file);
	fclose(file);
	return path;
}

static void a_file_that_is_not_what_it_should_be_is_named(void **state)
{
	struct made alice = made_new(&(struct made_config){.name = "alice", .from_days = -1, .to_days = 9});
	struct made bob[4];
	const char *good = made_write("alice.pem", &alice, 1, true), *none = made_file("none.pem");
	const char *garbage = written("garbage.pem", "-----BEGIN CERTIFICATE-----\nxyz\n"), *locked, *large,
	           *other;
	FILE *file;

	(void)state;
	for (int i = 0; i < 4; i++)
		bob[i] = made_new(
		    &(struct made_config){.name = "bob", .from_days = -1, .to_days = 9, .pad_bytes = 3500});
	REFUSED(EIO, "cert_file: cannot read", .cert_file = none, .key_file = good);
	REFUSED(EIO, "none.pem: No such file or directory", .cert_file = good, .key_file = none);
	REFUSED(EIO, "ca_file: cannot read", .ca_file = none);
	REFUSED(EINVAL, "garbage.pem has no certificate in PEM", .cert_file = garbage, .key_file = good);
	REFUSED(EINVAL, "garbage.pem has no private key in PEM", .cert_file = good, .key_file = garbage);
	REFUSED(EINVAL, "ca_file: ", .ca_file = garbage);
	other = made_write("bob.pem", bob, 1, true);
	REFUSED(EINVAL, "bob.pem is not that of the certificate in ", .cert_file = good, .key_file = other);
	large = made_write("large.pem", bob, 4, true);
	REFUSED(EINVAL, "bytes; 12288 at most", .cert_file = large, .key_file = large);
	locked = made_file("locked.pem");
	file = fopen(locked, "w");
	assert_int_equal(
	    1, PEM_write_PrivateKey(file, alice.key, EVP_aes_128_cbc(), NULL, 0, NULL, (void *)"secret"));
	fclose(file);
	REFUSED(EINVAL, "locked.pem has no private key in PEM without a password", .cert_file = good,
	        .key_file = locked);
	for (int i = 0; i < 4; i++)
		made_free(&bob[i]);
	made_free(&alice);
}

static void a_file_that_was_made_is_private_and_serves_both_ends(void **state)
{
	const char *path = made_file("made.pem");
	uint8_t print[1][USRSCTP_CMT_FINGERPRINT_BYTES];
	struct usrsctp_cmt_peer peer = {.size = sizeof(peer)};
	struct usrsctp_cmt_keys *server, *client;
	struct stat st;
	struct ends e;

	(void)state;
	assert_int_equal(0, usrsctp_cmt_keys_make(path, "backup.test", 30));
	assert_int_equal(0, stat(path, &st));
	assert_int_equal(0600, st.st_mode & 07777);
	errno = 0;
	assert_int_equal(-1, usrsctp_cmt_keys_make(path, "backup.test", 30));
	assert_int_equal(EEXIST, errno);
	server = keys_of((struct usrsctp_cmt_keys_config){.cert_file = path, .key_file = path});
	usrsctp_cmt_keys_fingerprint(server, print[0]);
	client = keys_of((struct usrsctp_cmt_keys_config){
	    .ca_file = path, .ca_name = "backup.test", .fingerprints = print, .n_fingerprints = 1});
	ends_begin(&e, client, server);
	ends_run(&e);
	assert_agreed(&e);
	assert_int_equal(0, usrsctp_cmt_handshake_peer(e.hs[CLIENT], &peer));
	assert_string_equal("backup.test", peer.name);
	assert_true(peer.chain);
	ends_free(&e);
	usrsctp_cmt_keys_free(client);
	usrsctp_cmt_keys_free(server);
}

static void what_cannot_be_made_leaves_no_file(void **state)
{
	static const char long_name[] =
	    "0123456789012345678901234567890123456789012345678901234567890123456789";
	const char *path = made_file("not-made.pem");
	struct stat st;

	(void)state;
	assert_int_equal(-1, usrsctp_cmt_keys_make(path, long_name, 30));
	assert_int_equal(EINVAL, errno);
	assert_int_equal(-1, usrsctp_cmt_keys_make(path, "", 30));
	assert_int_equal(EINVAL, errno);
	assert_int_equal(-1, usrsctp_cmt_keys_make(path, "x", 0));
	assert_int_equal(EINVAL, errno);
	assert_int_equal(-1, usrsctp_cmt_keys_make(path, "x", 100000));
	assert_int_equal(EINVAL, errno);
	assert_int_equal(-1, stat(path, &st));
	assert_int_equal(-1, usrsctp_cmt_keys_make(made_file("no/such/folder"), "x", 1));
	assert_int_equal(ENOENT, errno);
	assert_int_equal(-1, usrsctp_cmt_keys_make("/dev/full/x", "x", 1));
	assert_int_equal(ENOTDIR, errno);
}

static void serials_and_keys_are_never_the_same(void **state)
{
	const char *path[2] = {made_file("a.pem"), made_file("b.pem")};
	X509 *certificate[2];

	(void)state;
	for (int i = 0; i < 2; i++) {
		FILE *file;

		assert_int_equal(0, usrsctp_cmt_keys_make(path[i], "x", 1));
		file = fopen(path[i], "r");
		certificate[i] = PEM_read_X509(file, NULL, NULL, NULL);
		assert_non_null(certificate[i]);
		fclose(file);
		/* A day ago, until a day after that. */
		assert_int_equal(-1, X509_cmp_current_time(X509_get0_notBefore(certificate[i])));
	}
	assert_int_not_equal(0, ASN1_INTEGER_cmp(X509_get0_serialNumber(certificate[0]),
	                                         X509_get0_serialNumber(certificate[1])));
	assert_int_not_equal(1,
	                     EVP_PKEY_eq(X509_get0_pubkey(certificate[0]), X509_get0_pubkey(certificate[1])));
	X509_free(certificate[0]);
	X509_free(certificate[1]);
}

static void fingerprints_go_to_text_and_back(void **state)
{
	static const char *const bad[] = {
	    "",
	    "sha256:",
	    "sha1:00",
	    "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff",
	    "sha256:00112233445566778899aabbccddeeff00112233445566778899aabbccddeef",
	    "sha256:00112233445566778899aabbccddeeff00112233445566778899aabbccddeefff",
	    "sha256:00112233445566778899aabbccddeeff00112233445566778899aabbccddeefg",
	    "sha256:0:0112233445566778899aabbccddeeff00112233445566778899aabbccddeeff",
	    "sha256::00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff",
	    "sha256:00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff:",
	};
	uint8_t print[USRSCTP_CMT_FINGERPRINT_BYTES], again[USRSCTP_CMT_FINGERPRINT_BYTES];
	char text[USRSCTP_CMT_FINGERPRINT_TEXT];

	(void)state;
	for (unsigned i = 0; i < sizeof(print); i++)
		print[i] = (uint8_t)(i * 37);
	usrsctp_cmt_fingerprint_format(print, text);
	assert_int_equal(USRSCTP_CMT_FINGERPRINT_TEXT - 1, strlen(text));
	assert_int_equal(0, usrsctp_cmt_fingerprint_parse(text, again));
	assert_memory_equal(print, again, sizeof(print));
	assert_int_equal(0, usrsctp_cmt_fingerprint_parse(
	                        "SHA256:00:25:4A:6f:94:b9:de:03284d7297bce1062b50759abfe4092e53789dc"
	                        "2e70c31567b",
	                        again));
	assert_memory_equal(print, again, sizeof(print));
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		errno = 0;
		assert_int_equal(-1, usrsctp_cmt_fingerprint_parse(bad[i], again));
		assert_int_equal(EINVAL, errno);
	}
	assert_int_equal(-1, usrsctp_cmt_fingerprint_parse(NULL, again));
	assert_memory_equal(print, again, sizeof(print));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_configuration_that_makes_no_sense_is_refused_with_a_sentence),
	    cmocka_unit_test(a_file_that_is_not_what_it_should_be_is_named),
	    cmocka_unit_test(a_file_that_was_made_is_private_and_serves_both_ends),
	    cmocka_unit_test(what_cannot_be_made_leaves_no_file),
	    cmocka_unit_test(serials_and_keys_are_never_the_same),
	    cmocka_unit_test(fingerprints_go_to_text_and_back),
	};
	return cmocka_run_group_tests(tests, made_begin, made_end);
}
