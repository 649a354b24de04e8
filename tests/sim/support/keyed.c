/* SPDX-License-Identifier: BSD-3-Clause */
#include "keyed.h"

#include <arpa/inet.h>
#include <errno.h>
#include <string.h>

#include "isolate.h"

enum { STEP_US = 1000, KEY_BYTES = 16, IV_BYTES = 12, ALL_BYTES = 2 * KEY_BYTES + IV_BYTES };
enum { MAX_BYTES = 9000, INIT_TSN_AT = 16 };

static void set_down(struct keyed *k, const struct usrsctp_cmt_sim_packet *p, bool down)
{
	struct usrsctp_cmt_sim_link link;

	REQUIRE(usrsctp_cmt_sim_get_link(k->sim, p->path, p->direction, &link) == 0);
	link.down = down;
	REQUIRE(usrsctp_cmt_sim_set_link(k->sim, p->path, p->direction, &link) == 0);
}

static void meet(struct keyed *k, const struct usrsctp_cmt_sim_packet *p)
{
	uint8_t bytes[MAX_BYTES];
	size_t len;

	set_down(k, p, false);
	len = k->options->forge(k, p, bytes);
	if (len > 0 && len != SIZE_MAX) {
		packet_put_checksum(bytes, len);
		k->injecting = true;
		REQUIRE(usrsctp_cmt_sim_inject(k->sim, p->path, p->direction, bytes, len) == 0);
		k->injecting = false;
	}
	set_down(k, p, len > 0);
}

static void hear(struct keyed *k, int from, const struct chunk *c)
{
	if (c->type == CHUNK_INIT || c->type == CHUNK_INIT_ACK) {
		k->tags[from] = packet_get32(c->bytes + 4);
		k->tsns[from] = packet_get32(c->bytes + INIT_TSN_AT) - 1;
	}
	if (chunk_is_data(c) && (int32_t)(chunk_tsn(c) - k->tsns[from]) > 0)
		k->tsns[from] = chunk_tsn(c);
	if (c->type == CHUNK_ABORT) {
		k->n_aborts++;
		k->abort_cause = c->len >= 6 ? packet_get16(c->bytes + 4) : 0;
	}
}

static void watch(struct usrsctp_cmt_sim *sim, const struct usrsctp_cmt_sim_packet *p, void *arg)
{
	struct keyed *k = arg;
	const bool record = p->packet_bytes > COMMON_HEADER_BYTES && p->packet[COMMON_HEADER_BYTES] == CHUNK_DTLS;
	size_t offset = 0;
	struct chunk c;

	(void)sim;
	if (k->options->look != NULL)
		k->options->look(k, p);
	if (p->event != USRSCTP_CMT_SIM_SENT || k->injecting)
		return;
	k->n_records += record;
	k->n_clear += !record;
	while (!record && packet_next_chunk(p->packet, p->packet_bytes, &offset, &c))
		hear(k, p->direction, &c);
	if (k->options->forge != NULL)
		meet(k, p);
}

static void offer(struct socket *so, const struct keyed_offer *o)
{
	union {
		struct sctp_dtls_config config;
		uint8_t bytes[sizeof(struct sctp_dtls_config) + SCTP_DTLS_KM_MAX];
	} u;

	if (o->n_methods == 0)
		return;
	memset(&u, 0, sizeof(u));
	u.config.sdc_flags = o->flags;
	u.config.sdc_nr_kmids = o->n_methods;
	memcpy(u.bytes + sizeof(u.config), o->methods, o->n_methods);
	REQUIRE(usrsctp_setsockopt(so, IPPROTO_SCTP, SCTP_DTLS_LOCAL_CONFIG, &u,
	                           (socklen_t)(sizeof(u.config) + o->n_methods)) == 0);
}

static struct socket *open_socket(struct keyed *k, int host)
{
	const struct sctp_event changes = {.se_assoc_id = SCTP_FUTURE_ASSOC, .se_type = SCTP_ASSOC_CHANGE, .se_on = 1};
	struct socket *so = usrsctp_socket(AF_INET, SOCK_STREAM, IPPROTO_SCTP, NULL, NULL, 0, NULL);
	const int on = 1;

	REQUIRE(so != NULL && usrsctp_set_non_blocking(so, 1) == 0);
	REQUIRE(usrsctp_setsockopt(so, IPPROTO_SCTP, SCTP_EVENT, &changes, sizeof(changes)) == 0);
	REQUIRE(usrsctp_setsockopt(so, IPPROTO_SCTP, SCTP_RECVRCVINFO, &on, sizeof(on)) == 0);
	REQUIRE(usrsctp_setsockopt(so, IPPROTO_SCTP, SCTP_NODELAY, &on, sizeof(on)) == 0);
	offer(so, &k->options->offers[host]);
	REQUIRE(usrsctp_cmt_sim_bind(k->sim, so, host, host == 0 ? KEYED_CLIENT_PORT : KEYED_SERVER_PORT,
	                             host == 0 && k->options->from_one_address ? 0 : -1) == 0);
	return so;
}

void keyed_open(struct keyed *k, const struct keyed_options *o)
{
	const struct usrsctp_cmt_sim_config config = {.size = sizeof(config), .seed = o->seed};
	const struct usrsctp_cmt_sim_link link = {.rate_bps = 10000000, .delay_us = 10000, .queue_pkts = 100};

	*k = (struct keyed){.options = o, .sim = usrsctp_cmt_sim_new(&config)};
	REQUIRE(k->sim != NULL);
	for (int path = 0; path < (o->n_paths > 0 ? o->n_paths : 1); path++)
		REQUIRE(usrsctp_cmt_sim_add_path(k->sim, &link, &link) == path);
	usrsctp_cmt_sim_tap(k->sim, watch, k);
	k->so[0] = open_socket(k, 0);
	if (o->both_connect) {
		k->so[1] = open_socket(k, 1);
	} else {
		k->listener = open_socket(k, 1);
		REQUIRE(usrsctp_listen(k->listener, 1) == 0);
	}
	REQUIRE(usrsctp_cmt_sim_connect(k->sim, k->so[0], 1, KEYED_SERVER_PORT, o->from_one_address ? 0 : -1) == 0);
	if (o->both_connect)
		REQUIRE(usrsctp_cmt_sim_connect(k->sim, k->so[1], 0, KEYED_CLIENT_PORT, -1) == 0);
}

static void note_change(struct keyed *k, int host, uint16_t state)
{
	k->up[host] |= state == SCTP_COMM_UP;
	k->restarted[host] |= state == SCTP_RESTART;
	k->lost[host] |= state == SCTP_COMM_LOST || state == SCTP_CANT_STR_ASSOC || state == SCTP_SHUTDOWN_COMP;
}

static void read_all(struct keyed *k, int host)
{
	static union {
		union sctp_notification note;
		uint8_t bytes[MAX_BYTES];
	} buffer;

	while (k->so[host] != NULL && (usrsctp_get_events(k->so[host]) & SCTP_EVENT_READ) != 0) {
		struct sctp_rcvinfo info = {.rcv_sid = 0};
		socklen_t info_len = sizeof(info);
		unsigned kind = 0;
		int flags = 0;
		const ssize_t n = usrsctp_recvv(k->so[host], &buffer, sizeof(buffer), NULL, NULL, &info, &info_len, &kind, &flags);

		if (n <= 0) {
			k->lost[host] |= n == 0 || (errno != EWOULDBLOCK && errno != ENOTCONN);
			return;
		}
		if ((flags & MSG_NOTIFICATION) != 0)
			note_change(k, host, buffer.note.sn_assoc_change.sac_state);
		else if (k->options->receive != NULL)
			k->options->receive(k, host, ntohl(info.rcv_ppid), buffer.bytes, (size_t)n);
	}
}

void keyed_run(struct keyed *k, uint64_t for_us)
{
	const uint64_t until_us = usrsctp_cmt_sim_now_us(k->sim) + for_us;

	while (usrsctp_cmt_sim_now_us(k->sim) < until_us) {
		const uint64_t now_us = usrsctp_cmt_sim_now_us(k->sim);

		if (usrsctp_cmt_sim_run(k->sim, now_us + STEP_US) == now_us)
			break;
		if (k->so[1] == NULL && (k->so[1] = usrsctp_accept(k->listener, NULL, NULL)) != NULL) {
			REQUIRE(usrsctp_set_non_blocking(k->so[1], 1) == 0);
			k->up[1] = true;
		}
		read_all(k, 0);
		read_all(k, 1);
	}
}

void keyed_close(struct keyed *k)
{
	struct socket *const sockets[3] = {k->so[0], k->so[1], k->listener};

	usrsctp_cmt_sim_tap(k->sim, NULL, NULL);
	for (unsigned i = 0; i < 3; i++) {
		if (sockets[i] != NULL)
			usrsctp_close(sockets[i]);
	}
	REQUIRE(usrsctp_cmt_sim_free(k->sim) == 0);
}

int keyed_send(struct keyed *k, int host, uint32_t ppid, const void *bytes, size_t n)
{
	struct sctp_sndinfo info = {.snd_ppid = htonl(ppid)};

	return usrsctp_sendv(k->so[host], bytes, n, NULL, 0, &info, sizeof(info), SCTP_SENDV_SNDINFO, 0) > 0 ? 0 : errno;
}

int keyed_keys(struct keyed *k, int host, int option, uint64_t epoch, int direction)
{
	union {
		struct sctp_dtls_keys keys;
		uint8_t bytes[sizeof(struct sctp_dtls_keys) + ALL_BYTES];
	} u;

	memset(&u, 1 + direction + 2 * (int)epoch, sizeof(u));
	u.keys = (struct sctp_dtls_keys){.sdk_cipher_suite = {0x13, 0x01},
	                                 .sdk_epoch = epoch,
	                                 .sdk_key_len = KEY_BYTES,
	                                 .sdk_iv_len = IV_BYTES,
	                                 .sdk_sn_key_len = KEY_BYTES};
	return usrsctp_setsockopt(k->so[host], IPPROTO_SCTP, option, &u, sizeof(u)) == 0 ? 0 : errno;
}

int keyed_value(struct keyed *k, int host, int option, uint32_t value)
{
	const struct sctp_assoc_value v = {.assoc_value = value};

	return usrsctp_setsockopt(k->so[host], IPPROTO_SCTP, option, &v, sizeof(v)) == 0 ? 0 : errno;
}

int keyed_enforce(struct keyed *k, int host)
{
	return keyed_value(k, host, SCTP_DTLS_ENFORCE_PROTECTION, 1);
}

int keyed_agreed(struct keyed *k, int host, uint16_t *flags, uint8_t *method, unsigned *n_methods)
{
	union {
		struct sctp_dtls_config config;
		uint8_t bytes[sizeof(struct sctp_dtls_config) + SCTP_DTLS_KM_MAX];
	} u;
	socklen_t len = sizeof(u);

	memset(&u, 0, sizeof(u));
	if (usrsctp_getsockopt(k->so[host], IPPROTO_SCTP, SCTP_DTLS_GET_CONFIG, &u, &len) != 0)
		return errno;
	*flags = u.config.sdc_flags;
	*n_methods = u.config.sdc_nr_kmids;
	*method = u.bytes[sizeof(u.config)];
	return 0;
}

int keyed_parameter(struct keyed *k, int host, int option, uint8_t out[SCTP_DTLS_KMP_MAX], size_t *bytes)
{
	union {
		struct sctp_dtls_kmp parameter;
		uint8_t bytes[sizeof(struct sctp_dtls_kmp) + SCTP_DTLS_KMP_MAX];
	} u;
	socklen_t len = sizeof(u);

	memset(&u, 0, sizeof(u));
	if (usrsctp_getsockopt(k->so[host], IPPROTO_SCTP, option, &u, &len) != 0)
		return errno;
	*bytes = u.parameter.sdk_nr_bytes;
	memcpy(out, u.bytes + sizeof(u.parameter), *bytes);
	return 0;
}

int keyed_protect(struct keyed *k)
{
	const struct {
		int host, option, direction;
	} steps[] = {{1, SCTP_DTLS_ADD_RECV_KEYS, 0},
	             {1, SCTP_CMT_DTLS_NEXT_SEND_KEYS, 1},
	             {0, SCTP_DTLS_ADD_RECV_KEYS, 1},
	             {0, SCTP_DTLS_SET_SEND_KEYS, 0}};
	int error = 0;

	for (unsigned i = 0; i < sizeof(steps) / sizeof(steps[0]) && error == 0; i++)
		error = keyed_keys(k, steps[i].host, steps[i].option, SCTP_DTLS_FIRST_EPOCH, steps[i].direction);
	if (error == 0)
		error = keyed_enforce(k, 1);
	return error != 0 ? error : keyed_enforce(k, 0);
}

void keyed_inject(struct keyed *k, int to, uint8_t *packet, size_t bytes)
{
	packet_put_checksum(packet, bytes);
	k->injecting = true;
	REQUIRE(usrsctp_cmt_sim_inject(k->sim, 0, 1 - to, packet, bytes) == 0);
	k->injecting = false;
}
