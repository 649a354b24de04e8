/* SPDX-License-Identifier: BSD-3-Clause */
#include "srt_url.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "text/units.h"

#define KEYS "mode, latency, passphrase, passphrase_file, pbkeylen, streamid"

enum mode { MODE_BY_ADDRESS, MODE_CALLER, MODE_LISTENER };

static bool is(const char *text, size_t len, const char *word)
{
	return strlen(word) == len && memcmp(text, word, len) == 0;
}

/* Into `out`, with %XX resolved. */
static int take_text(const char *key, const char *value, size_t len, char *out, size_t out_bytes,
                     struct app_error *error)
{
	size_t n = 0;

	for (size_t i = 0; i < len; i++) {
		char c = value[i];

		if (c == '%') {
			const char hex[3] = {i + 2 < len ? value[i + 1] : '\0',
			                     i + 2 < len ? value[i + 2] : '\0', '\0'};

			if (!isxdigit((unsigned char)hex[0]) || !isxdigit((unsigned char)hex[1])) {
				return app_error_set(error, "%s: a %% is written %%25", key);
			}
			c = (char)strtol(hex, NULL, 16);
			i += 2;
		}
		if (c == '\0' || n + 1 == out_bytes) {
			return app_error_set(error, "%s: is longer than %zu characters, or has a zero byte",
			                     key, out_bytes - 1);
		}
		out[n++] = c;
	}
	out[n] = '\0';
	return 0;
}

static int take_number(const char *key, const char *value, size_t len, int64_t max, int *out,
                       const char *form, struct app_error *error)
{
	char text[32];
	int64_t number;

	if (len >= sizeof(text)) {
		return app_error_set(error, "%s: write %s", key, form);
	}
	memcpy(text, value, len);
	text[len] = '\0';
	if (!app_parse_count(text, 0, max, &number)) {
		return app_error_set(error, "%s: \"%s\" is not %s", key, text, form);
	}
	*out = (int)number;
	return 0;
}

int srt_url_check_passphrase(const char *passphrase, struct app_error *error)
{
	const size_t len = strlen(passphrase);

	return len >= SRT_URL_PASSPHRASE_MIN && len < SRT_URL_PASSPHRASE_BYTES
	           ? 0
	           : app_error_set(error, "passphrase: has %zu characters; SRT takes 10 to 79", len);
}

static int take_mode(const char *value, size_t len, enum mode *mode, struct app_error *error)
{
	if (is(value, len, "caller") || is(value, len, "client")) {
		*mode = MODE_CALLER;
	} else if (is(value, len, "listener") || is(value, len, "server")) {
		*mode = MODE_LISTENER;
	} else {
		return app_error_set(error, "mode: \"%.*s\" is not caller or listener", (int)len, value);
	}
	return 0;
}

static int take_key_bytes(const char *value, size_t len, int *bytes, struct app_error *error)
{
	static const char form[] = "16, 24 or 32";

	if (take_number("pbkeylen", value, len, 32, bytes, form, error) != 0) {
		return -1;
	}
	return *bytes == 16 || *bytes == 24 || *bytes == 32
	           ? 0
	           : app_error_set(error, "pbkeylen: \"%d\" is not %s", *bytes, form);
}

/* KEY=VALUE of `len` characters. */
static int take_pair(const char *pair, size_t len, struct srt_url *out, enum mode *mode,
                     struct app_error *error)
{
	const char *const equals = memchr(pair, '=', len);
	const size_t key_len = equals != NULL ? (size_t)(equals - pair) : len;
	const char *const value = pair + key_len + (equals != NULL);
	const size_t value_len = len - key_len - (equals != NULL);

	if (is(pair, key_len, "mode")) {
		return take_mode(value, value_len, mode, error);
	}
	if (is(pair, key_len, "latency")) {
		return take_number("latency", value, value_len, SRT_URL_MAX_LATENCY_MS, &out->latency_ms,
		                   "a number of milliseconds, 0 to 60000 (ffmpeg and OBS write microseconds)",
		                   error);
	}
	if (is(pair, key_len, "pbkeylen")) {
		return take_key_bytes(value, value_len, &out->key_bytes, error);
	}
	if (is(pair, key_len, "streamid")) {
		return take_text("streamid", value, value_len, out->streamid, sizeof(out->streamid), error);
	}
	if (is(pair, key_len, "passphrase")) {
		return take_text("passphrase", value, value_len, out->passphrase, sizeof(out->passphrase),
		                 error) == 0
		           ? srt_url_check_passphrase(out->passphrase, error)
		           : -1;
	}
	if (is(pair, key_len, "passphrase_file")) {
		return take_text("passphrase_file", value, value_len, out->passphrase_file,
		                 sizeof(out->passphrase_file), error);
	}
	return app_error_set(error, "\"%.*s\" is not a setting; it has " KEYS, (int)key_len, pair);
}

static int take_query(const char *query, struct srt_url *out, enum mode *mode, struct app_error *error)
{
	while (query != NULL && *query != '\0') {
		const size_t len = strcspn(query, "&");

		if (take_pair(query, len, out, mode, error) != 0) {
			return -1;
		}
		query = query[len] == '&' ? query + len + 1 : NULL;
	}
	return out->passphrase[0] == '\0' || out->passphrase_file[0] == '\0'
	           ? 0
	           : app_error_set(error, "passphrase and passphrase_file: write one of the two");
}

/* The address with its port; `out->listens` by whether there is one. */
static int take_address(const char *text, size_t len, enum mode mode, struct srt_url *out,
                        struct app_error *error)
{
	bool unspecified;

	if (len + sizeof(APP_LOOPBACK) >= sizeof(out->at)) {
		return app_error_set(error, "\"%.40s...\" is too long for an address", text);
	}
	out->loopback_unasked = text[0] == ':';
	memcpy(out->at, APP_LOOPBACK, sizeof(APP_LOOPBACK) - 1);
	memcpy(out->at + (out->loopback_unasked ? sizeof(APP_LOOPBACK) - 1 : 0), text, len);
	out->at[len + (out->loopback_unasked ? sizeof(APP_LOOPBACK) - 1 : 0)] = '\0';
	if (memchr(text, ',', len) != NULL || memchr(text, '/', len) != NULL) {
		return app_error_set(error,
		                     "\"%s\" is not an address with a port; SRT has one: write "
		                     "srt://192.0.2.1:9000",
		                     out->at);
	}
	if (app_addresses_port(out->at, &out->port, error) != 0) {
		return -1;
	}
	if (out->port == 0) {
		return app_error_set(error, "has no port; write srt://127.0.0.1:9000");
	}
	unspecified = strncmp(out->at, "0.0.0.0:", 8) == 0 || strncmp(out->at, "[::]:", 5) == 0;
	out->listens =
	    mode == MODE_LISTENER || (mode == MODE_BY_ADDRESS && (out->loopback_unasked || unspecified));
	if (!out->listens && (out->loopback_unasked || unspecified)) {
		return app_error_set(error, "names no address to call; write srt://127.0.0.1:%u", out->port);
	}
	return 0;
}

int srt_url_parse(const char *text, struct srt_url *out, struct app_error *error)
{
	const size_t len = strcspn(text, "?");
	enum mode mode = MODE_BY_ADDRESS;

	*out = (struct srt_url){.latency_ms = -1};
	if (take_query(text[len] == '?' ? text + len + 1 : NULL, out, &mode, error) != 0) {
		return -1;
	}
	return take_address(text, len, mode, out, error);
}
