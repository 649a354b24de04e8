/* SPDX-License-Identifier: BSD-3-Clause */
#include "srt_socket.h"

#include <netinet/in.h>
#include <string.h>

#define BACKLOG      4
#define PEER_IDLE_MS 3000 /* silent for so long: gone */

int srt_socket_begin(struct app_error *error)
{
	if (srt_startup() < 0) {
		return app_error_set(error, "SRT cannot start: %s", srt_getlasterror_str());
	}
	/* What matters is told by us. */
	srt_setloglevel(LOG_CRIT);
	return 0;
}

void srt_socket_end(void)
{
	(void)srt_cleanup();
}

static socklen_t length_of(const struct sockaddr_storage *address)
{
	return address->ss_family == AF_INET6 ? sizeof(struct sockaddr_in6) : sizeof(struct sockaddr_in);
}

static int set(SRTSOCKET s, SRT_SOCKOPT option, int value)
{
	return srt_setsockflag(s, option, &value, sizeof(value));
}

static int set_bool(SRTSOCKET s, SRT_SOCKOPT option, bool value)
{
	return srt_setsockflag(s, option, &value, sizeof(value));
}

static int set_text(SRTSOCKET s, SRT_SOCKOPT option, const char *text)
{
	return text[0] != '\0' ? srt_setsockflag(s, option, text, (int)strlen(text)) : 0;
}

/* `streamid` is what the one that calls says; the one that listens compares. */
static int configure(SRTSOCKET s, const struct srt_url *url, const struct sockaddr_storage *address)
{
	return set_bool(s, SRTO_RCVSYN, false) != 0 || set_bool(s, SRTO_SNDSYN, false) != 0 ||
	               set(s, SRTO_PAYLOADSIZE, SRT_SOCKET_MAX_BYTES) != 0 ||
	               set(s, SRTO_PEERIDLETIMEO, PEER_IDLE_MS) != 0 ||
	               (url->latency_ms >= 0 && set(s, SRTO_LATENCY, url->latency_ms) != 0) ||
	               (url->key_bytes > 0 && set(s, SRTO_PBKEYLEN, url->key_bytes) != 0) ||
	               (address->ss_family == AF_INET6 && set(s, SRTO_IPV6ONLY, 0) != 0) ||
	               set_text(s, SRTO_PASSPHRASE, url->passphrase) != 0 ||
	               (!url->listens && set_text(s, SRTO_STREAMID, url->streamid) != 0)
	           ? -1
	           : 0;
}

static SRTSOCKET new_socket(const struct srt_url *url, const struct sockaddr_storage *address,
                            struct app_error *error)
{
	const SRTSOCKET s = srt_create_socket();

	if (s != SRT_INVALID_SOCK && configure(s, url, address) == 0) {
		return s;
	}
	app_error_set(error, "%s", srt_getlasterror_str());
	if (s != SRT_INVALID_SOCK) {
		(void)srt_close(s);
	}
	return SRT_INVALID_SOCK;
}

SRTSOCKET srt_socket_listen(const struct srt_url *url, const struct sockaddr_storage *address,
                            srt_listen_callback_fn *admit, void *arg, struct app_error *error)
{
	const SRTSOCKET s = new_socket(url, address, error);

	if (s == SRT_INVALID_SOCK) {
		return s;
	}
	if (srt_bind(s, (const struct sockaddr *)address, (int)length_of(address)) == 0 &&
	    srt_listen(s, BACKLOG) == 0 && srt_listen_callback(s, admit, arg) == 0) {
		return s;
	}
	app_error_set(error, "cannot listen there: %s", srt_getlasterror_str());
	(void)srt_close(s);
	return SRT_INVALID_SOCK;
}

SRTSOCKET srt_socket_call(const struct srt_url *url, const struct sockaddr_storage *address,
                          struct app_error *error)
{
	const SRTSOCKET s = new_socket(url, address, error);

	if (s == SRT_INVALID_SOCK) {
		return s;
	}
	if (srt_connect(s, (const struct sockaddr *)address, (int)length_of(address)) != SRT_ERROR) {
		return s;
	}
	app_error_set(error, "cannot call: %s", srt_getlasterror_str());
	(void)srt_close(s);
	return SRT_INVALID_SOCK;
}
