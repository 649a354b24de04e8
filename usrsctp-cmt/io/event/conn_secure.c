/* SPDX-License-Identifier: BSD-3-Clause */
#include "conn_secure.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MESSAGE_BYTES_MAX (16384 + 64) /* a flight of ours */
#define TAKEN_BYTES_MAX   65536        /* as much as a handshake takes */
#define TICK_S            10u
#define REKEY_S           3600u /* draft-porfiri: "at least every hour" */
#define DRAIN_S           60u   /* the old keys stay so long; the draft: two minutes at most */
#define REKEY_RECORDS     (SCTP_DTLS_RECORDS_MAX / 2)

#define NOT_OFFERED   "the peer offers no encryption; if that is meant, allow it on both sides"
#define NOT_INSTALLED "the keys that were agreed on could not be installed"

struct conn_secure {
	struct usrsctp_cmt_keys *keys;
	bool optional;
	bool is_client;  /* in the newest handshake that began */
	bool was_client; /* in the one whose keys are in use */
	bool secured;
	uint64_t epoch; /* of the newest keys; 0 = none */
	struct usrsctp_cmt_handshake *hs;
	bool installed; /* its keys, or the receiving half of them */
	struct usrsctp_cmt_peer peer;
	uint32_t rekey_s, age_s; /* age of the newest keys */
	bool has_old_keys;
	struct event *timer;
	uint8_t *taken; /* of a message that comes in pieces */
	size_t taken_bytes;
	uint8_t *waiting; /* a message that the socket had no room for */
	size_t waiting_bytes;
};

/* --- what is offered --- */

int conn_secure_offer(struct socket *so, const struct usrsctp_cmt_conn_config *config, bool server)
{
	union {
		struct sctp_dtls_config config;
		uint8_t bytes[sizeof(struct sctp_dtls_config) + 1];
	} u;

	if (config->keys == NULL) {
		return 0;
	}
	memset(&u, 0, sizeof(u));
	u.config.sdc_flags = (uint16_t)((server ? SCTP_DTLS_SERVER : SCTP_DTLS_CLIENT) |
	                                (config->keys_optional ? 0 : SCTP_DTLS_REQUIRED));
	u.config.sdc_nr_kmids = 1;
	u.bytes[sizeof(struct sctp_dtls_config)] = SCTP_DTLS_KM_TLS;
	return conn_set_option(so, IPPROTO_SCTP, SCTP_DTLS_LOCAL_CONFIG, &u, sizeof(u));
}

struct conn_secure *conn_secure_new(const struct usrsctp_cmt_conn_config *config)
{
	struct conn_secure *s = calloc(1, sizeof(*s));

	if (s != NULL) {
		s->keys = config->keys;
		s->optional = config->keys_optional;
		s->rekey_s = config->rekey_s != 0 ? config->rekey_s : REKEY_S;
		s->peer.size = sizeof(s->peer);
	}
	return s;
}

void conn_secure_free(struct conn_secure *s)
{
	if (s == NULL) {
		return;
	}
	if (s->timer != NULL) {
		event_free(s->timer);
	}
	usrsctp_cmt_handshake_free(s->hs);
	free(s->taken);
	free(s->waiting);
	free(s);
}

static enum conn_secure_state refuse(struct usrsctp_cmt_conn *conn, const char *reason)
{
	snprintf(conn->reason, sizeof(conn->reason), "%s", reason);
	return CONN_SECURE_NOT;
}

/* --- one handshake --- */

static ssize_t get_parameter(const struct usrsctp_cmt_conn *conn, int option,
                             uint8_t out[sizeof(struct sctp_dtls_kmp) + SCTP_DTLS_KMP_MAX])
{
	struct sctp_dtls_kmp kmp;
	socklen_t len = sizeof(struct sctp_dtls_kmp) + SCTP_DTLS_KMP_MAX;

	memset(out, 0, len);
	if (usrsctp_getsockopt(conn->so, IPPROTO_SCTP, option, out, &len) != 0) {
		return -1;
	}
	memcpy(&kmp, out, sizeof(kmp));
	return (ssize_t)kmp.sdk_nr_bytes;
}

static uint64_t next_epoch(const struct conn_secure *s)
{
	return s->epoch != 0 ? s->epoch + 1 : SCTP_DTLS_FIRST_EPOCH;
}

/* A client keeps its handshake for a while when it is done. */
static bool is_running(const struct conn_secure *s)
{
	return s->hs != NULL && usrsctp_cmt_handshake_state(s->hs) != USRSCTP_CMT_HANDSHAKE_DONE;
}

/* For the keys of the next epoch. */
static bool start(const struct usrsctp_cmt_conn *conn, bool is_client)
{
	struct conn_secure *s = conn->secure;
	uint8_t own[sizeof(struct sctp_dtls_kmp) + SCTP_DTLS_KMP_MAX];
	uint8_t peers[sizeof(struct sctp_dtls_kmp) + SCTP_DTLS_KMP_MAX];
	const ssize_t own_bytes = get_parameter(conn, SCTP_DTLS_GET_LOCAL_KM_PARAM, own);
	const ssize_t peers_bytes = get_parameter(conn, SCTP_DTLS_GET_PEER_KM_PARAM, peers);
	const struct usrsctp_cmt_handshake_config config = {
	    .size = sizeof(config),
	    .server = !is_client,
	    .epoch = next_epoch(s),
	    .local_parameter = own + sizeof(struct sctp_dtls_kmp),
	    .local_bytes = (size_t)own_bytes,
	    .peer_parameter = peers + sizeof(struct sctp_dtls_kmp),
	    .peer_bytes = (size_t)peers_bytes};

	usrsctp_cmt_handshake_free(s->hs);
	s->hs = own_bytes > 0 && peers_bytes > 0 ? usrsctp_cmt_handshake_new(s->keys, &config) : NULL;
	s->is_client = is_client;
	s->installed = false;
	return s->hs != NULL;
}

static bool send_message(struct usrsctp_cmt_conn *conn, const void *bytes, size_t n)
{
	struct sctp_sendv_spa spa = {.sendv_flags = SCTP_SEND_SNDINFO_VALID,
	                             .sendv_sndinfo = {.snd_ppid = htonl(SCTP_DTLS_PPID)}};

	return usrsctp_sendv(conn->so, bytes, n, NULL, 0, &spa, sizeof(spa), SCTP_SENDV_SPA, 0) >= 0;
}

/* A handshake has one message under way at a time. */
static void send_flight(struct usrsctp_cmt_conn *conn)
{
	struct conn_secure *s = conn->secure;
	uint8_t message[MESSAGE_BYTES_MAX];
	const ssize_t n = usrsctp_cmt_handshake_output(s->hs, message, sizeof(message));

	if (n <= 0 || send_message(conn, message, (size_t)n)) {
		return;
	}
	free(s->waiting);
	s->waiting = malloc((size_t)n);
	s->waiting_bytes = s->waiting != NULL ? (size_t)n : 0;
	if (s->waiting != NULL) {
		memcpy(s->waiting, message, (size_t)n);
	}
}

void conn_secure_on_room(struct usrsctp_cmt_conn *conn)
{
	struct conn_secure *s = conn->secure;

	if (s->waiting != NULL && send_message(conn, s->waiting, s->waiting_bytes)) {
		free(s->waiting);
		s->waiting = NULL;
	}
}

static bool set_keys(const struct usrsctp_cmt_conn *conn, int option, bool send)
{
	union {
		struct sctp_dtls_keys keys;
		uint8_t bytes[sizeof(struct sctp_dtls_keys) + SCTP_DTLS_KEYS_MAX];
	} u;
	const ssize_t n = usrsctp_cmt_handshake_keys(conn->secure->hs, send, &u.keys, sizeof(u));
	const bool set = n > 0 && conn_set_option(conn->so, IPPROTO_SCTP, option, &u, (size_t)n) == 0;

	explicit_bzero(&u, sizeof(u));
	return set;
}

static void delete_old_keys(const struct usrsctp_cmt_conn *conn)
{
	struct conn_secure *s = conn->secure;
	const struct sctp_dtls_keys_id old = {.sdki_epoch = s->epoch - 1};

	if (s->has_old_keys) {
		(void)conn_set_option(conn->so, IPPROTO_SCTP, SCTP_DTLS_DEL_RECV_KEYS, &old, sizeof(old));
	}
	s->has_old_keys = false;
}

/* Whoever serves sends with them when the client does: then the client has them, too. */
static bool install(const struct usrsctp_cmt_conn *conn)
{
	struct conn_secure *s = conn->secure;

	delete_old_keys(conn);
	s->installed =
	    set_keys(conn, SCTP_DTLS_ADD_RECV_KEYS, false) &&
	    set_keys(conn, s->is_client ? SCTP_DTLS_SET_SEND_KEYS : SCTP_CMT_DTLS_NEXT_SEND_KEYS, true);
	if (s->installed) {
		s->has_old_keys = s->epoch != 0;
		s->epoch = next_epoch(s);
		s->age_s = 0;
	}
	return s->installed;
}

static bool enforce(const struct usrsctp_cmt_conn *conn)
{
	const struct sctp_assoc_value on = {.assoc_value = 1};

	return conn_set_option(conn->so, IPPROTO_SCTP, SCTP_DTLS_ENFORCE_PROTECTION, &on, sizeof(on)) == 0;
}

/* draft-porfiri, section 6.2: who the peer is does not change. */
static bool is_same_peer(const struct conn_secure *s, const struct usrsctp_cmt_peer *peer)
{
	return !s->secured ||
	       (s->peer.passphrase == peer->passphrase &&
	        memcmp(s->peer.fingerprint, peer->fingerprint, sizeof(peer->fingerprint)) == 0);
}

/* A server has heard all of it; to a client an alert may still come, of a server that refuses it. */
static void end_handshake(struct conn_secure *s)
{
	usrsctp_cmt_handshake_free(s->hs);
	s->hs = NULL;
}

static enum conn_secure_state finish(struct usrsctp_cmt_conn *conn)
{
	struct conn_secure *s = conn->secure;
	struct usrsctp_cmt_peer peer = {.size = sizeof(peer)};

	if (usrsctp_cmt_handshake_peer(s->hs, &peer) != 0 || !is_same_peer(s, &peer)) {
		return refuse(
		    conn,
		    "the peer has become somebody else: its certificate has changed within the connection");
	}
	if (!s->installed && !install(conn)) {
		return refuse(conn, NOT_INSTALLED);
	}
	if (!enforce(conn)) {
		return refuse(conn, "somebody on the way has put data of his own into the handshake; try "
		                    "again, or on another network");
	}
	s->peer = peer;
	s->secured = true;
	s->was_client = s->is_client;
	send_flight(conn);
	if (!s->is_client) {
		end_handshake(s);
	}
	return CONN_SECURE_YES;
}

static enum conn_secure_state follow(struct usrsctp_cmt_conn *conn, enum usrsctp_cmt_handshake_state state)
{
	struct conn_secure *s = conn->secure;

	switch (state) {
	case USRSCTP_CMT_HANDSHAKE_KEYS:
		if (!s->installed && !install(conn)) {
			return refuse(conn, NOT_INSTALLED);
		}
		send_flight(conn);
		return CONN_SECURE_WAITING;
	case USRSCTP_CMT_HANDSHAKE_RUNNING: send_flight(conn); return CONN_SECURE_WAITING;
	case USRSCTP_CMT_HANDSHAKE_DONE: return finish(conn);
	case USRSCTP_CMT_HANDSHAKE_FAILED: send_flight(conn); break;
	}
	return refuse(conn, usrsctp_cmt_handshake_reason(s->hs));
}

/* --- messages --- */

/* A ClientHello, as opposed to what goes on with a handshake: the first record's first message is of type 1.
 */
static bool begins(const uint8_t *message, size_t n)
{
	enum { EPOCH_BYTES = 1, RECORD_HEADER_BYTES = 5, HANDSHAKE = 22, CLIENT_HELLO = 1 };

	return n > EPOCH_BYTES + RECORD_HEADER_BYTES && message[EPOCH_BYTES] == HANDSHAKE &&
	       message[EPOCH_BYTES + RECORD_HEADER_BYTES] == CLIENT_HELLO;
}

static enum conn_secure_state on_message(struct usrsctp_cmt_conn *conn, const uint8_t *message, size_t n)
{
	struct conn_secure *s = conn->secure;

	if (s->secured && begins(message, n)) {
		/* Both have begun: that of the client of the handshake before goes on (draft-porfiri, 5.3.1).
		 */
		if (is_running(s) && s->is_client && s->was_client) {
			return CONN_SECURE_YES;
		}
		if (!start(conn, false)) {
			return refuse(conn, "no memory for new keys");
		}
	}
	if (s->hs == NULL) {
		return refuse(conn,
		              "the peer has sent a message of key management that nothing has asked for");
	}
	return follow(conn, usrsctp_cmt_handshake_input(s->hs, message, n));
}

enum conn_secure_state conn_secure_take(struct usrsctp_cmt_conn *conn, const void *bytes, size_t n,
                                        bool whole)
{
	struct conn_secure *s = conn->secure;
	enum conn_secure_state state;
	uint8_t *taken;

	if (s->taken_bytes + n > TAKEN_BYTES_MAX) {
		return refuse(conn, "the peer has sent a message of key management of more than 64 KiB");
	}
	taken = realloc(s->taken, s->taken_bytes + n);
	if (taken == NULL) {
		return refuse(conn, "no memory for a message of key management");
	}
	memcpy(taken + s->taken_bytes, bytes, n);
	s->taken = taken;
	s->taken_bytes += n;
	if (!whole) {
		return s->secured ? CONN_SECURE_YES : CONN_SECURE_WAITING;
	}
	state = on_message(conn, s->taken, s->taken_bytes);
	free(s->taken);
	s->taken = NULL;
	s->taken_bytes = 0;
	return state == CONN_SECURE_WAITING && s->secured ? CONN_SECURE_YES : state;
}

/* --- the first keys, and new ones --- */

static bool are_worn(const struct usrsctp_cmt_conn *conn)
{
	struct sctp_dtls_stats stats = {.sds_assoc_id = 0};
	socklen_t len = sizeof(stats);

	return conn->secure->age_s >= conn->secure->rekey_s ||
	       (usrsctp_getsockopt(conn->so, IPPROTO_SCTP, SCTP_DTLS_GET_STATS, &stats, &len) == 0 &&
	        stats.sds_send_records >= REKEY_RECORDS);
}

int usrsctp_cmt_conn_rekey(struct usrsctp_cmt_conn *conn)
{
	struct conn_secure *s = conn->secure;

	if (s == NULL || !s->secured || conn->shutting_down ||
	    (conn->state != CONN_UP && conn->state != CONN_PEER_CLOSED)) {
		errno = ENOTCONN;
		return -1;
	}
	if (is_running(s)) {
		errno = EALREADY;
		return -1;
	}
	if (!start(conn, true)) {
		errno = ENOMEM;
		return -1;
	}
	send_flight(conn);
	evio_schedule(conn->ev);
	return 0;
}

static void tick(evutil_socket_t fd, short what, void *arg)
{
	struct usrsctp_cmt_conn *conn = arg;
	struct conn_secure *s = conn->secure;
	const uint32_t step_s = s->rekey_s < TICK_S ? s->rekey_s : TICK_S;

	(void)fd;
	(void)what;
	evio_enter(conn->ev);
	s->age_s += step_s;
	if (!is_running(s)) {
		end_handshake(s);
	}
	if (s->age_s >= DRAIN_S) {
		delete_old_keys(conn);
	}
	if (are_worn(conn)) {
		(void)usrsctp_cmt_conn_rekey(conn);
	}
	evio_leave(conn->ev);
}

static bool start_timer(struct usrsctp_cmt_conn *conn)
{
	struct conn_secure *s = conn->secure;
	const struct timeval step = {.tv_sec = (time_t)(s->rekey_s < TICK_S ? s->rekey_s : TICK_S)};

	s->timer = event_new(conn->ev->base, -1, EV_PERSIST, tick, conn);
	return s->timer != NULL && event_add(s->timer, &step) == 0;
}

enum conn_secure_state conn_secure_begin(struct usrsctp_cmt_conn *conn)
{
	struct conn_secure *s = conn->secure;
	union {
		struct sctp_dtls_config config;
		uint8_t bytes[sizeof(struct sctp_dtls_config) + SCTP_DTLS_KM_MAX];
	} u;
	socklen_t len = sizeof(u);

	memset(&u, 0, sizeof(u));
	if (usrsctp_getsockopt(conn->so, IPPROTO_SCTP, SCTP_DTLS_GET_CONFIG, &u, &len) != 0) {
		return refuse(conn, "the association has ended before there were keys");
	}
	if (u.config.sdc_nr_kmids == 0) {
		return s->optional ? CONN_SECURE_YES : refuse(conn, NOT_OFFERED);
	}
	if (!start(conn, (u.config.sdc_flags & SCTP_DTLS_CLIENT) != 0) || !start_timer(conn)) {
		return refuse(conn, "no memory for keys");
	}
	return follow(conn, usrsctp_cmt_handshake_state(s->hs));
}

/* --- what applications ask --- */

int usrsctp_cmt_conn_peer(const struct usrsctp_cmt_conn *conn, struct usrsctp_cmt_peer *out)
{
	const struct conn_secure *s = conn->secure;
	size_t size;

	if (out->size == 0) {
		errno = EINVAL;
		return -1;
	}
	if (s == NULL || !s->secured) {
		errno = conn->state == CONN_CONNECTING ? ENOTCONN : ENOENT;
		return -1;
	}
	size = out->size < sizeof(s->peer) ? out->size : sizeof(s->peer);
	memcpy(out, &s->peer, size);
	out->size = size;
	return 0;
}

/* Error causes of draft-ietf-tsvwg-sctp-dtls-chunk, section 4.3. */
void conn_secure_note_cause(struct usrsctp_cmt_conn *conn, uint16_t cause)
{
	static const char *const causes[] = {NOT_OFFERED,
	                                     "the peer knows another way to agree on keys than we do",
	                                     "both sides have drawn the same tie breaker; try again",
	                                     "both sides want the same role in the handshake for keys"};
	enum { FIRST_CAUSE = 100, N_CAUSES = sizeof(causes) / sizeof(causes[0]) };
	const char *text;

	if (cause < FIRST_CAUSE || cause >= FIRST_CAUSE + N_CAUSES || conn->reason[0] != '\0') {
		return;
	}
	text = conn->secure != NULL || cause != FIRST_CAUSE ? causes[cause - FIRST_CAUSE]
	                                                    : "the peer takes encrypted connections only";
	snprintf(conn->reason, sizeof(conn->reason), "%s", text);
}

void conn_secure_note_timeout(struct usrsctp_cmt_conn *conn)
{
	if (conn->secure != NULL && conn->secure->hs != NULL) {
		snprintf(conn->reason, sizeof(conn->reason),
		         "the peer is there, but does not go on with the handshake for keys");
	}
}

const char *usrsctp_cmt_conn_reason(const struct usrsctp_cmt_conn *conn)
{
	return conn->reason[0] != '\0' ? conn->reason : NULL;
}
