/* SPDX-License-Identifier: BSD-3-Clause */
#include "raw.h"

#include <string.h>

#include "isolate.h"

enum { PARAMETER_COOKIE = 7 };

static void hear(struct usrsctp_cmt_sim *sim, const struct usrsctp_cmt_sim_packet *packet, void *arg)
{
	struct raw *r = arg;
	struct raw_packet *p = &r->heard[r->n_heard];
	struct chunk c;

	(void)sim;
	if (packet->event != USRSCTP_CMT_SIM_SENT || packet->direction != 0)
		return;
	REQUIRE(r->n_heard < RAW_HEARD_MAX && packet->packet_bytes <= sizeof(p->bytes));
	*p = (struct raw_packet){.at_us = packet->at_us, .path = packet->path, .len = packet->packet_bytes};
	memcpy(p->bytes, packet->packet, packet->packet_bytes);
	r->n_heard++;
	if (packet_find(p->bytes, p->len, CHUNK_INIT, &c) ||
	    packet_find(p->bytes, p->len, CHUNK_INIT_ACK, &c)) {
		r->stack_tag = packet_get32(c.bytes + 4);
		r->stack_tsn = packet_get32(c.bytes + 16);
		r->stack_port = packet_get16(p->bytes);
	}
}

static void on_stack(struct socket *so, void *arg, int flags)
{
	struct raw *r = arg;
	uint8_t buffer[8192];

	(void)flags;
	while ((usrsctp_get_events(so) & SCTP_EVENT_READ) != 0) {
		socklen_t info_bytes = 0;
		unsigned kind = 0;
		int msg_flags = 0;
		ssize_t n = usrsctp_recvv(so, buffer, sizeof(buffer), NULL, NULL, NULL, &info_bytes, &kind,
		                          &msg_flags);

		if (n <= 0) {
			r->ended = true;
			return;
		}
		if ((msg_flags & MSG_NOTIFICATION) == 0)
			r->received_bytes += (size_t)n;
	}
	if ((usrsctp_get_events(so) & SCTP_EVENT_ERROR) != 0)
		r->ended = true;
}

static void on_listener(struct socket *so, void *arg, int flags)
{
	struct raw *r = arg;
	struct socket *accepted;

	(void)flags;
	while ((accepted = usrsctp_accept(so, NULL, NULL)) != NULL) {
		REQUIRE(r->so == NULL);
		r->so = accepted;
		usrsctp_set_non_blocking(accepted, 1);
		usrsctp_set_upcall(accepted, on_stack, r);
	}
}

static struct socket *open_socket(struct raw *r)
{
	const struct usrsctp_cmt_sim_config config = {.size = sizeof(config), .seed = 1};
	const struct usrsctp_cmt_sim_link deaf = {.down = true}, at_once = {.down = false};
	struct socket *so;

	r->sim = usrsctp_cmt_sim_new(&config);
	REQUIRE(r->sim != NULL);
	if (r->options->sysctl_cmt)
		REQUIRE(usrsctp_sysctl_set_sctp_cmt_on_off(1) == 0);
	if (r->options->rto_ms != NULL) {
		REQUIRE(usrsctp_sysctl_set_sctp_rto_min_default(*r->options->rto_ms) == 0);
		REQUIRE(usrsctp_sysctl_set_sctp_rto_max_default(*r->options->rto_ms) == 0);
		REQUIRE(usrsctp_sysctl_set_sctp_rto_initial_default(*r->options->rto_ms) == 0);
	}
	usrsctp_cmt_sim_tap(r->sim, hear, r);
	for (int path = 0; path < r->options->n_paths || path == 0; path++)
		REQUIRE(usrsctp_cmt_sim_add_path(r->sim, &deaf, &at_once) == path);
	so = usrsctp_socket(AF_INET, r->options->one_to_many ? SOCK_SEQPACKET : SOCK_STREAM, IPPROTO_SCTP,
	                    r->options->receive, NULL, 0, NULL);
	REQUIRE(so != NULL);
	REQUIRE(usrsctp_set_non_blocking(so, 1) == 0);
	if (r->options->configure != NULL)
		r->options->configure(so);
	REQUIRE(usrsctp_cmt_sim_bind(r->sim, so, 0, RAW_STACK_PORT, -1) == 0);
	return so;
}

static void start(struct raw *r, const struct raw_options *options)
{
	memset(r, 0, sizeof(*r));
	r->options = options;
	r->stack_port = RAW_STACK_PORT;
	r->tag = RAW_TAG;
	r->tsn = RAW_TSN;
}

void raw_listen(struct raw *r, const struct raw_options *options)
{
	start(r, options);
	r->listener = open_socket(r);
	if (options->one_to_many)
		r->so = r->listener;
	usrsctp_set_upcall(r->listener, options->one_to_many ? on_stack : on_listener, r);
	REQUIRE(usrsctp_listen(r->listener, 1) == 0);
}

void raw_connect(struct raw *r, const struct raw_options *options)
{
	start(r, options);
	r->so = open_socket(r);
	usrsctp_set_upcall(r->so, on_stack, r);
	REQUIRE(usrsctp_cmt_sim_connect(r->sim, r->so, 1, RAW_PEER_PORT, 0) == 0);
	raw_run(r, 1000);
	REQUIRE(raw_count(r, 0, CHUNK_INIT) == 1);
}

static void cookie_from(struct raw *r, const struct chunk *init_ack)
{
	struct chunk cookie;

	REQUIRE(packet_find_parameter(init_ack, PARAMETER_COOKIE, &cookie));
	r->cookie_bytes = cookie.len - 4;
	REQUIRE(r->cookie_bytes <= sizeof(r->cookie));
	memcpy(r->cookie, cookie.bytes + 4, r->cookie_bytes);
}

void raw_ask_cookie(struct raw *r)
{
	struct packet_draft d;
	struct chunk c;
	unsigned since = r->n_heard;

	r->heard_before = since;
	raw_begin_tagged(r, &d, 0);
	raw_add_init(r, &d, CHUNK_INIT, NULL, 0);
	raw_send(r, r->options->set_up_path, &d);
	REQUIRE(raw_hear(r, &since, CHUNK_INIT_ACK, &c));
	cookie_from(r, &c);
}

void raw_begin_cookie_echo(const struct raw *r, struct packet_draft *d)
{
	raw_begin(r, d);
	packet_add(d, CHUNK_COOKIE_ECHO, (uint16_t)(4 + r->cookie_bytes), r->cookie, r->cookie_bytes);
}

void raw_establish(struct raw *r)
{
	struct packet_draft d;

	if (r->listener != NULL) {
		raw_ask_cookie(r);
		raw_begin_cookie_echo(r, &d);
		raw_send(r, r->options->set_up_path, &d);
		REQUIRE(raw_count(r, r->heard_before, CHUNK_COOKIE_ACK) == 1);
	} else {
		r->heard_before = r->n_heard;
		raw_begin(r, &d);
		raw_add_init(r, &d, CHUNK_INIT_ACK, "cookie!", 8);
		raw_send(r, r->options->set_up_path, &d);
		REQUIRE(raw_count(r, r->heard_before, CHUNK_COOKIE_ECHO) == 1);
		raw_begin(r, &d);
		packet_add(&d, CHUNK_COOKIE_ACK, 4, NULL, 0);
		raw_send(r, r->options->set_up_path, &d);
	}
	raw_answer_heartbeats(r, r->heard_before);
}

void raw_accepted(struct raw *r, const struct raw_options *options)
{
	raw_listen(r, options);
	raw_establish(r);
	REQUIRE(r->so != NULL);
}

void raw_begin_tagged(const struct raw *r, struct packet_draft *d, uint32_t tag)
{
	packet_begin(d, RAW_PEER_PORT, r->stack_port, tag);
}

void raw_begin(const struct raw *r, struct packet_draft *d)
{
	raw_begin_tagged(r, d, r->stack_tag);
}

void raw_add_init(const struct raw *r, struct packet_draft *d, uint8_t type, const void *cookie,
                  size_t cookie_bytes)
{
	uint8_t body[16 + 4 + 64 + RAW_PARAMETERS_MAX_BYTES] = {0};
	size_t len = 16;

	packet_put32(body, r->tag);
	packet_put32(body + 4, RAW_WINDOW_BYTES);
	packet_put16(body + 8, RAW_STREAMS);
	packet_put16(body + 10, RAW_STREAMS);
	packet_put32(body + 12, r->tsn);
	if (cookie != NULL) {
		REQUIRE(cookie_bytes <= 64 && cookie_bytes % 4 == 0);
		packet_put16(body + len, PARAMETER_COOKIE);
		packet_put16(body + len + 2, (uint16_t)(4 + cookie_bytes));
		memcpy(body + len + 4, cookie, cookie_bytes);
		len += 4 + cookie_bytes;
	}
	memcpy(body + len, r->options->parameters, r->options->parameters_bytes);
	len += r->options->parameters_bytes;
	packet_add(d, type, (uint16_t)(4 + len), body, len);
}

void raw_add_data(struct raw *r, struct packet_draft *d, uint16_t stream, uint16_t number, size_t bytes)
{
	uint8_t body[12 + 1200] = {0};
	uint8_t *at = d->bytes + d->len;

	REQUIRE(bytes <= 1200);
	packet_put32(body, r->tsn++);
	packet_put16(body + 4, stream);
	packet_put16(body + 6, number);
	memset(body + 12, 'x', bytes);
	packet_add(d, CHUNK_DATA, (uint16_t)(16 + bytes), body, 12 + bytes);
	at[1] = 3; /* first and last fragment */
}

void raw_send(struct raw *r, int path, struct packet_draft *d)
{
	packet_finish(d);
	REQUIRE(usrsctp_cmt_sim_inject(r->sim, path, 1, d->bytes, d->len) == 0);
	raw_run(r, 1000);
}

void raw_run(struct raw *r, uint64_t for_us)
{
	usrsctp_cmt_sim_run(r->sim, usrsctp_cmt_sim_now_us(r->sim) + for_us);
}

bool raw_hear(const struct raw *r, unsigned *since, uint8_t type, struct chunk *out)
{
	for (unsigned i = *since; i < r->n_heard; i++) {
		if (packet_find(r->heard[i].bytes, r->heard[i].len, type, out)) {
			*since = i + 1;
			return true;
		}
	}
	return false;
}

unsigned raw_count(const struct raw *r, unsigned since, uint8_t type)
{
	unsigned n = 0;
	struct chunk unused;

	while (raw_hear(r, &since, type, &unused))
		n++;
	return n;
}

void raw_answer_heartbeats(struct raw *r, unsigned since)
{
	struct packet_draft d;
	struct chunk c;

	while (raw_hear(r, &since, CHUNK_HEARTBEAT, &c)) {
		raw_begin(r, &d);
		packet_add(&d, CHUNK_HEARTBEAT_ACK, (uint16_t)c.len, c.bytes + 4, c.len - 4);
		raw_send(r, r->heard[since - 1].path, &d);
	}
}

void raw_sack(struct raw *r, uint32_t cum_ack, uint32_t window_bytes, const struct raw_gap *gaps,
              unsigned n_gaps)
{
	uint8_t body[12 + 4 * RAW_GAPS_MAX] = {0};
	size_t bytes = 12;
	struct packet_draft d;

	REQUIRE(n_gaps <= RAW_GAPS_MAX);
	packet_put32(body, cum_ack);
	packet_put32(body + 4, window_bytes);
	packet_put16(body + 8, (uint16_t)n_gaps);
	for (unsigned i = 0; i < n_gaps; i++, bytes += 4) {
		packet_put16(body + bytes, gaps[i].start);
		packet_put16(body + bytes + 2, gaps[i].end);
	}
	raw_begin(r, &d);
	packet_add(&d, CHUNK_SACK, (uint16_t)(4 + bytes), body, bytes);
	raw_send(r, 0, &d);
}

void raw_acknowledge_within(struct raw *r, uint32_t window_bytes)
{
	uint32_t highest = r->stack_tsn - 1;

	for (unsigned i = r->heard_before; i < r->n_heard; i++) {
		size_t offset = 0;
		struct chunk c;

		while (packet_next_chunk(r->heard[i].bytes, r->heard[i].len, &offset, &c)) {
			if (chunk_is_data(&c) && (int32_t)(chunk_tsn(&c) - highest) > 0)
				highest = chunk_tsn(&c);
		}
	}
	raw_sack(r, highest, window_bytes, NULL, 0);
}

void raw_acknowledge(struct raw *r)
{
	raw_acknowledge_within(r, RAW_WINDOW_BYTES);
}

void raw_write(struct raw *r, size_t bytes)
{
	static const uint8_t zeros[8192];
	struct sctp_sndinfo info = {.snd_assoc_id = raw_association(r)};

	REQUIRE(bytes <= sizeof(zeros));
	REQUIRE(usrsctp_sendv(r->so, zeros, bytes, NULL, 0, &info, sizeof(info), SCTP_SENDV_SNDINFO, 0) ==
	        (ssize_t)bytes);
}

sctp_assoc_t raw_association(const struct raw *r)
{
	uint32_t ids[2]; /* struct sctp_assoc_ids with room for one */
	socklen_t len = sizeof(ids);

	if (!r->options->one_to_many)
		return 0;
	REQUIRE(usrsctp_getsockopt(r->so, IPPROTO_SCTP, SCTP_GET_ASSOC_ID_LIST, ids, &len) == 0);
	REQUIRE(ids[0] == 1);
	return ids[1];
}

static void close_socket(struct socket *so)
{
	if (so == NULL)
		return;
	usrsctp_set_upcall(so, NULL, NULL);
	usrsctp_close(so);
}

void raw_close_socket(struct raw *r)
{
	close_socket(r->so);
	if (r->listener == r->so)
		r->listener = NULL;
	r->so = NULL;
}

bool raw_alive(struct raw *r)
{
	size_t before_bytes = r->received_bytes;
	unsigned since = r->n_heard;
	struct packet_draft d;
	struct chunk sack;

	if (r->ended || r->so == NULL)
		return false;
	raw_begin(r, &d);
	/* Stream 9 is that of raw_alive(); its messages are unordered, so that no number is needed. */
	raw_add_data(r, &d, RAW_STREAMS - 1, 0, 100);
	d.bytes[COMMON_HEADER_BYTES + 1] |= 4;
	raw_send(r, 0, &d);
	raw_run(r, 300000);
	while (raw_hear(r, &since, CHUNK_SACK, &sack)) {
		if (packet_get32(sack.bytes + 4) == r->tsn - 1)
			return r->received_bytes == before_bytes + 100;
	}
	return false;
}

void raw_set_path_mtu(struct raw *r, uint32_t bytes)
{
	struct sctp_paddrparams p = {.spp_pathmtu = bytes, .spp_flags = SPP_PMTUD_DISABLE};

	p.spp_address.ss_family = AF_INET; /* the wildcard: every path */
	REQUIRE(usrsctp_setsockopt(r->so, IPPROTO_SCTP, SCTP_PEER_ADDR_PARAMS, &p, sizeof(p)) == 0);
}

void raw_close(struct raw *r)
{
	const struct linger hard = {.l_onoff = 1, .l_linger = 0};

	if (r->so != NULL)
		REQUIRE(usrsctp_setsockopt(r->so, SOL_SOCKET, SO_LINGER, &hard, sizeof(hard)) == 0);
	raw_close_socket(r);
	close_socket(r->listener);
	REQUIRE(usrsctp_cmt_sim_free(r->sim) == 0);
}
