/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Certificates made, and what is read off one. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <openssl/bn.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include "parts.h"

enum { SERIAL_BITS = 127, SECONDS_PER_DAY = 86400 };

static bool set_serial(X509 *certificate)
{
	BIGNUM *number = BN_new();
	bool done = number != NULL &&
	            BN_rand(number, SERIAL_BITS, BN_RAND_TOP_ONE, BN_RAND_BOTTOM_ANY) == 1 &&
	            BN_to_ASN1_INTEGER(number, X509_get_serialNumber(certificate)) != NULL;

	BN_free(number);
	return done;
}

static bool set_name(X509 *certificate, const char *name)
{
	X509_NAME *subject = X509_get_subject_name(certificate);

	return X509_NAME_add_entry_by_NID(subject, NID_commonName, MBSTRING_UTF8, (const unsigned char *)name,
	                                  -1, -1, 0) == 1 &&
	       X509_set_issuer_name(certificate, subject) == 1;
}

int keys_certificate_make(const char *name, unsigned days, EVP_PKEY **key, X509 **certificate)
{
	*key = NULL;
	*certificate = NULL;
	if (name == NULL || name[0] == '\0' || days == 0 || days > KEYS_DAYS_MAX) {
		errno = EINVAL;
		return -1;
	}
	*key = EVP_EC_gen("P-256");
	*certificate = X509_new();
	errno = ENOMEM;
	if (*key == NULL || *certificate == NULL)
		goto failed;
	if (!set_name(*certificate, name)) {
		errno = EINVAL;
		goto failed;
	}
	/* From a day ago on: the peer's clock may be late. */
	if (X509_set_version(*certificate, X509_VERSION_3) != 1 || !set_serial(*certificate) ||
	    X509_gmtime_adj(X509_getm_notBefore(*certificate), -SECONDS_PER_DAY) == NULL ||
	    X509_time_adj_ex(X509_getm_notAfter(*certificate), (int)days - 1, 0, NULL) == NULL ||
	    X509_set_pubkey(*certificate, *key) != 1 || X509_sign(*certificate, *key, EVP_sha256()) == 0)
		goto failed;
	return 0;
failed:
	EVP_PKEY_free(*key);
	X509_free(*certificate);
	*key = NULL;
	*certificate = NULL;
	return -1;
}

static void copy_printable(const ASN1_STRING *string, char *out, size_t bytes)
{
	unsigned char *text = NULL;
	int n = ASN1_STRING_to_UTF8(&text, string);
	size_t i;

	for (i = 0; n > 0 && i < (size_t)n && i < bytes - 1; i++)
		out[i] = text[i] >= 0x20 && text[i] < 0x7f ? (char)text[i] : '?';
	out[i] = '\0';
	OPENSSL_free(text);
}

void keys_certificate_name(const X509 *certificate, char *name, size_t bytes)
{
	const X509_NAME *subject = X509_get_subject_name(certificate);
	int at = X509_NAME_get_index_by_NID(subject, NID_commonName, -1);
	GENERAL_NAMES *others;

	name[0] = '\0';
	if (at >= 0) {
		copy_printable(X509_NAME_ENTRY_get_data(X509_NAME_get_entry(subject, at)), name, bytes);
		return;
	}
	others = X509_get_ext_d2i(certificate, NID_subject_alt_name, NULL, NULL);
	for (int i = 0; i < sk_GENERAL_NAME_num(others) && name[0] == '\0'; i++) {
		const GENERAL_NAME *other = sk_GENERAL_NAME_value(others, i);

		if (other->type == GEN_DNS)
			copy_printable(other->d.dNSName, name, bytes);
	}
	GENERAL_NAMES_free(others);
}

bool keys_certificate_fingerprint(const X509 *certificate, uint8_t out[USRSCTP_CMT_FINGERPRINT_BYTES])
{
	unsigned bytes = 0;

	return X509_digest(certificate, EVP_sha256(), out, &bytes) == 1 &&
	       bytes == USRSCTP_CMT_FINGERPRINT_BYTES;
}

void keys_date(const ASN1_TIME *time, char out[KEYS_DATE_BYTES])
{
	static const char *const months[] = {"January",   "February", "March",    "April",
	                                     "May",       "June",     "July",     "August",
	                                     "September", "October",  "November", "December"};
	struct tm tm;

	if (ASN1_TIME_to_tm(time, &tm) != 1 || tm.tm_mon < 0 || tm.tm_mon > 11)
		snprintf(out, KEYS_DATE_BYTES, "?");
	else
		snprintf(out, KEYS_DATE_BYTES, "%d %s %d", tm.tm_mday, months[tm.tm_mon], tm.tm_year + 1900);
}

int usrsctp_cmt_keys_make(const char *file, const char *name, unsigned days)
{
	EVP_PKEY *key;
	X509 *certificate;
	FILE *out = NULL;
	int fd, error = 0;

	ERR_clear_error();
	if (file == NULL) {
		errno = EINVAL;
		return -1;
	}
	if (keys_certificate_make(name, days, &key, &certificate) != 0) {
		ERR_clear_error();
		return -1;
	}
	fd = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0 || (out = fdopen(fd, "w")) == NULL)
		error = errno;
	errno = EIO;
	if (error == 0 && (PEM_write_PrivateKey(out, key, NULL, NULL, 0, NULL, NULL) != 1 ||
	                   PEM_write_X509(out, certificate) != 1))
		error = errno;
	if (out != NULL && fclose(out) != 0 && error == 0)
		error = errno;
	else if (out == NULL && fd >= 0)
		close(fd);
	if (fd >= 0 && error != 0)
		(void)unlink(file);
	EVP_PKEY_free(key);
	X509_free(certificate);
	ERR_clear_error();
	errno = error;
	return error == 0 ? 0 : -1;
}
