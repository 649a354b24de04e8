/* SPDX-License-Identifier: BSD-3-Clause */
#include "tls.h"

#include <arpa/inet.h>
#include <string.h>

#include "isolate.h"

enum { FLIGHT_BYTES_MAX = 16384 + 64 };

static void set_option(struct socket *so, int option, const void *value, size_t bytes)
{
	REQUIRE(usrsctp_setsockopt(so, IPPROTO_SCTP, option, value, (socklen_t)bytes) == 0);
}

void tls_offer(struct socket *so, bool is_server)
{
	union {
		struct sctp_dtls_config config;
		uint8_t bytes[sizeof(struct sctp_dtls_config) + 1];
	} u;

	memset(&u, 0, sizeof(u));
	u.config.sdc_flags = SCTP_DTLS_REQUIRED | (is_server ? SCTP_DTLS_SERVER : SCTP_DTLS_CLIENT);
	u.config.sdc_nr_kmids = 1;
	u.bytes[sizeof(struct sctp_dtls_config)] = SCTP_DTLS_KM_TLS;
	set_option(so, SCTP_DTLS_LOCAL_CONFIG, &u, sizeof(u));
}

/* A parameter of the handshake of SCTP, as it was sent. */
static size_t get_parameter(struct socket *so, int option, uint8_t out[SCTP_DTLS_KMP_MAX])
{
	union {
		struct sctp_dtls_kmp parameter;
		uint8_t bytes[sizeof(struct sctp_dtls_kmp) + SCTP_DTLS_KMP_MAX];
	} u;
	socklen_t bytes = sizeof(u);

	memset(&u, 0, sizeof(u));
	REQUIRE(usrsctp_getsockopt(so, IPPROTO_SCTP, option, &u, &bytes) == 0);
	memcpy(out, u.bytes + sizeof(struct sctp_dtls_kmp), SCTP_DTLS_KMP_MAX);
	return u.parameter.sdk_nr_bytes;
}

static void send_flight(struct tls_end *end)
{
	struct sctp_sendv_spa spa = {.sendv_flags = SCTP_SEND_SNDINFO_VALID,
	                             .sendv_sndinfo = {.snd_ppid = htonl(SCTP_DTLS_PPID)}};
	uint8_t flight[FLIGHT_BYTES_MAX];
	const ssize_t n = usrsctp_cmt_handshake_output(end->hs, flight, sizeof(flight));

	REQUIRE(n >= 0);
	REQUIRE(n == 0 || usrsctp_sendv(end->so, flight, (size_t)n, NULL, 0, &spa, sizeof(spa),
	                                SCTP_SENDV_SPA, 0) == n);
}

static void set_keys(const struct tls_end *end, int option, bool send)
{
	union {
		struct sctp_dtls_keys keys;
		uint8_t bytes[sizeof(struct sctp_dtls_keys) + SCTP_DTLS_KEYS_MAX];
	} u;
	const ssize_t n = usrsctp_cmt_handshake_keys(end->hs, send, &u.keys, sizeof(u));

	REQUIRE(n > 0);
	set_option(end->so, option, &u, (size_t)n);
}

static void install(struct tls_end *end)
{
	if (end->has_keys)
		return;
	set_keys(end, SCTP_DTLS_ADD_RECV_KEYS, false);
	set_keys(end, end->is_server ? SCTP_CMT_DTLS_NEXT_SEND_KEYS : SCTP_DTLS_SET_SEND_KEYS, true);
	end->has_keys = true;
}

static void follow(struct tls_end *end, enum usrsctp_cmt_handshake_state state)
{
	const struct sctp_assoc_value on = {.assoc_value = 1};

	REQUIRE(state != USRSCTP_CMT_HANDSHAKE_FAILED);
	if (state != USRSCTP_CMT_HANDSHAKE_RUNNING)
		install(end);
	if (state == USRSCTP_CMT_HANDSHAKE_DONE)
		set_option(end->so, SCTP_DTLS_ENFORCE_PROTECTION, &on, sizeof(on));
	send_flight(end);
	end->is_done = state == USRSCTP_CMT_HANDSHAKE_DONE;
}

void tls_begin(struct tls_end *end)
{
	uint8_t own[SCTP_DTLS_KMP_MAX], peers[SCTP_DTLS_KMP_MAX];
	const struct usrsctp_cmt_handshake_config config = {
	    .size = sizeof(config),
	    .server = end->is_server,
	    .epoch = SCTP_DTLS_FIRST_EPOCH,
	    .local_parameter = own,
	    .local_bytes = get_parameter(end->so, SCTP_DTLS_GET_LOCAL_KM_PARAM, own),
	    .peer_parameter = peers,
	    .peer_bytes = get_parameter(end->so, SCTP_DTLS_GET_PEER_KM_PARAM, peers)};

	end->hs = usrsctp_cmt_handshake_new(end->keys, &config);
	REQUIRE(end->hs != NULL);
	follow(end, usrsctp_cmt_handshake_state(end->hs));
}

void tls_take(struct tls_end *end, const void *message, size_t bytes)
{
	REQUIRE(end->hs != NULL);
	follow(end, usrsctp_cmt_handshake_input(end->hs, message, bytes));
}

void tls_free(struct tls_end *end)
{
	usrsctp_cmt_handshake_free(end->hs);
	end->hs = NULL;
}
