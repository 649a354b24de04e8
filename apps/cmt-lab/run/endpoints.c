/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/endpoints.h"

#include <errno.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/samples.h"
#include "run/page.h"
#include "run/socket_options.h"

#define READ_BYTES    262144
#define CLOSE_WAIT_US 5000000u
#define SENDER_HOST   0
#define RECEIVER_HOST 1

static void fail(struct lab_endpoints *e, const char *what)
{
	if (e->failure.text[0] == '\0') {
		snprintf(e->failure.text, sizeof(e->failure.text), "%s: %s", what, strerror(errno));
	}
	if (e->measure != NULL) {
		usrsctp_cmt_sim_stop(e->sim);
	}
}

static void serve_sender(struct usrsctp_cmt_sim *sim, void *arg);
static void send_messages(struct lab_endpoints *e);

static void ask_to_serve_sender(struct lab_endpoints *e)
{
	if (!e->send_asked) {
		e->send_asked = true;
		usrsctp_cmt_sim_at(e->sim, usrsctp_cmt_sim_now_us(e->sim), serve_sender, e);
	}
}

/* When message `n_sent` wants to leave; a bulk source's always now. */
static uint64_t due_us(const struct lab_endpoints *e, uint64_t now)
{
	const struct lab_scenario *s = &e->run->scenario;

	if (s->source.kind == LAB_SOURCE_ENCODER) {
		return e->start_us + lab_encoder_due_us(&e->encoder, s->msg_bytes);
	}
	if (s->source.kind != LAB_SOURCE_CBR) {
		return now;
	}
	return e->start_us +
	       (uint64_t)((double)e->n_sent * (double)s->msg_bytes * 8e6 / (double)s->source.cbr_bps);
}

/* The next message's length; 0 = the source is at its end. */
static uint64_t next_length(const struct lab_endpoints *e, uint64_t due)
{
	const struct lab_scenario *s = &e->run->scenario;

	if (s->duration_us != 0 && due >= e->start_us + s->duration_us) {
		return 0;
	}
	if (e->total_bytes != 0 && e->total_bytes - e->sent_bytes < s->msg_bytes) {
		return e->total_bytes - e->sent_bytes;
	}
	return s->msg_bytes;
}

static void send_when_due(struct usrsctp_cmt_sim *sim, void *arg)
{
	struct lab_endpoints *e = arg;

	(void)sim;
	if (e->aborted) {
		return;
	}
	e->due_asked = false;
	send_messages(e);
}

static void wait_until(struct lab_endpoints *e, uint64_t at_us)
{
	if (!e->due_asked) {
		e->due_asked = true;
		usrsctp_cmt_sim_at(e->sim, at_us, send_when_due, e);
	}
}

static void check_finished(struct lab_endpoints *e)
{
	if (e->all_sent && e->read_bytes >= e->sent_bytes) {
		e->finished = true;
		usrsctp_cmt_sim_stop(e->sim);
	}
}

/* How much the receiver has asked for. */
static uint64_t asked_bytes(const struct lab_endpoints *e)
{
	const struct lab_scenario *s = &e->run->scenario;

	return s->source.kind != LAB_SOURCE_PAGE
	           ? UINT64_MAX
	           : lab_page_asked_bytes(e->total_bytes, s->source.waves, s->msg_bytes, e->wave);
}

static void take_request(struct usrsctp_cmt_sim *sim, void *arg)
{
	struct lab_endpoints *e = arg;

	(void)sim;
	if (!e->aborted) {
		e->wave_asked = false;
		e->wave++;
		send_messages(e);
	}
}

/* What a request needs to the sender: it is small, meets no queue, and is sent on every path. */
static uint64_t request_us(const struct lab_endpoints *e)
{
	const struct lab_scenario *s = &e->run->scenario;
	struct usrsctp_cmt_sim_link link, shared = {.delay_us = 0};
	uint64_t least_us = UINT64_MAX;

	for (int p = 0; p < s->n_paths; p++) {
		if ((e->run->only_path < 0 || e->run->only_path == p) &&
		    usrsctp_cmt_sim_get_link(e->sim, p, 1, &link) == 0 && !link.down &&
		    (s->via[p] == 0 || usrsctp_cmt_sim_get_link(e->sim, s->via[p], 1, &shared) == 0)) {
			uint64_t us = link.delay_us + (s->via[p] == 0 ? 0 : shared.delay_us);

			least_us = us < least_us ? us : least_us;
		}
	}
	return least_us == UINT64_MAX ? 0 : least_us;
}

/* When a wave has been read the receiver knows what to ask for next. */
static void ask_for_more(struct lab_endpoints *e)
{
	if (e->run->scenario.source.kind == LAB_SOURCE_PAGE && !e->wave_asked &&
	    e->read_bytes >= asked_bytes(e) && e->read_bytes < e->total_bytes) {
		e->wave_asked = true;
		usrsctp_cmt_sim_at(e->sim, usrsctp_cmt_sim_now_us(e->sim) + request_us(e), take_request, e);
	}
}

/* Tells the sender's stack that the player needs byte 0 at `from_us`; in the past, where it has begun. */
static void tell_needed(struct lab_endpoints *e, double from_us)
{
	const struct lab_scenario *s = &e->run->scenario;
	const double at_us = from_us + (double)e->sent_bytes * 8e6 / (double)s->play_bps;
	const double now_us = (double)usrsctp_cmt_sim_now_us(e->sim);
	const struct sctp_cmt_needed needed = {.size = sizeof(needed),
	                                       .assoc_id = SCTP_CURRENT_ASSOC,
	                                       .rate_bps = s->play_bps,
	                                       .in_us = at_us > now_us ? (uint32_t)(at_us - now_us) : 0};

	if (usrsctp_setsockopt(e->sender, IPPROTO_SCTP, SCTP_CMT_NEEDED, &needed, sizeof(needed)) != 0) {
		fail(e, "SCTP_CMT_NEEDED");
	}
}

/* What comes into being as it is played: a buffer of it is there when it is so old. What is there from the
 * beginning is wanted at the rate at which it will be played. */
static bool is_live(const struct lab_scenario *s)
{
	return s->source.kind == LAB_SOURCE_CBR || s->source.kind == LAB_SOURCE_ENCODER;
}

/* It plays what it read so far, and what follows, as from then on. */
static void hear_of_player(struct usrsctp_cmt_sim *sim, void *arg)
{
	struct lab_endpoints *e = arg;

	(void)sim;
	if (!e->aborted && !e->finished) {
		tell_needed(e, lab_player_origin_us(&e->measure->player) + (double)e->measure->first_send_us);
	}
}

/* The player has begun, or goes on: the receiver tells the sender. */
static void tell_of_player(struct lab_endpoints *e)
{
	const struct lab_player *p = &e->measure->player;
	const uint64_t plays = p->stalls + (p->playing ? 1 : 0);

	if (e->run->scenario.play_told && plays > e->plays) {
		e->plays = plays;
		usrsctp_cmt_sim_at(e->sim, usrsctp_cmt_sim_now_us(e->sim) + request_us(e), hear_of_player, e);
	}
}

/* Makes the frames that are due while there is no whole message to hand over. */
static void encode(struct lab_endpoints *e, uint64_t now)
{
	const struct lab_scenario *s = &e->run->scenario;
	struct sctp_cmt_capacity capacity = {.size = sizeof(capacity)};
	socklen_t len = sizeof(capacity);

	while (s->source.kind == LAB_SOURCE_ENCODER && lab_encoder_wants_frame(&e->encoder, s->msg_bytes) &&
	       due_us(e, now) <= now) {
		if (usrsctp_getsockopt(e->sender, IPPROTO_SCTP, SCTP_CMT_CAPACITY, &capacity, &len) != 0) {
			fail(e, "SCTP_CMT_CAPACITY");
			return;
		}
		lab_hints_add(&e->hints, now, capacity.target_bps);
		lab_encoder_make_frame(&e->encoder, &s->source, capacity.target_bps);
	}
}

static void send_messages(struct lab_endpoints *e)
{
	const struct lab_scenario *s = &e->run->scenario;
	uint64_t now = usrsctp_cmt_sim_now_us(e->sim);

	while (e->connected && !e->all_sent &&
	       (e->sent_bytes < asked_bytes(e) || e->sent_bytes == e->total_bytes)) {
		uint64_t due, len;

		encode(e, now);
		due = due_us(e, now);
		len = next_length(e, due);
		if (len == 0) {
			e->all_sent = true;
			check_finished(e);
			return;
		}
		if (due > now) {
			wait_until(e, due);
			return;
		}
		lab_content_fill(&e->content, e->message, e->sent_bytes, (size_t)len);
		if (usrsctp_sendv(e->sender, e->message, (size_t)len, NULL, 0, NULL, 0, SCTP_SENDV_NOINFO,
		                  0) < 0) {
			if (errno != EWOULDBLOCK && errno != EAGAIN && errno != ENOBUFS) {
				fail(e, "send");
			}
			return;
		}
		if (e->measure != NULL) {
			lab_measure_handed(e->measure, due, len);
		}
		e->sent_bytes += len;
		e->n_sent++;
		lab_encoder_handed(&e->encoder, s->msg_bytes);
	}
}

static void end_of_duration(struct usrsctp_cmt_sim *sim, void *arg)
{
	struct lab_endpoints *e = arg;

	(void)sim;
	ask_to_serve_sender(e);
}

/* Both ends are up: the receiver's was first. Keys are there at once; a handshake that makes them would take
 * two round trips more. */
static int set_keys(struct lab_endpoints *e)
{
	if (!e->run->scenario.encrypted) {
		return 0;
	}
	if (e->receiver == NULL) {
		errno = ENOTCONN;
		return -1;
	}
	return usrsctp_cmt_sim_install_keys(e->sim, e->sender, e->receiver);
}

static void on_association(struct lab_endpoints *e, const struct sctp_assoc_change *change)
{
	if (change->sac_state == SCTP_COMM_UP && !e->connected) {
		const struct lab_scenario *s = &e->run->scenario;

		if (set_keys(e) != 0) {
			fail(e, "keys");
			return;
		}
		e->connected = true;
		if (lab_set_delay_error(e->sender, e->run, &e->failure) != 0 ||
		    lab_set_path_uses(e->sender, e->sim, e->run, &e->failure) != 0) {
			usrsctp_cmt_sim_stop(e->sim);
			return;
		}
		e->start_us = usrsctp_cmt_sim_now_us(e->sim);
		if (e->measure != NULL && s->play_told) {
			tell_needed(e, (double)(e->start_us + (is_live(s) ? s->play_buffer_us : 0)));
		}
		if (s->duration_us != 0) {
			usrsctp_cmt_sim_at(e->sim, e->start_us + s->duration_us, end_of_duration, e);
		}
	} else if (change->sac_state == SCTP_COMM_LOST || change->sac_state == SCTP_CANT_STR_ASSOC) {
		errno = ECONNABORTED;
		fail(e, e->connected ? "association lost" : "cannot connect");
	}
}

/* usrsctp_recvv() writes to all of these whether they are wanted or not. */
static ssize_t read_socket(struct socket *so, void *out, size_t out_bytes, int *flags)
{
	struct sockaddr_storage from;
	socklen_t from_len = sizeof(from), info_len;
	struct sctp_recvv_rn info;
	unsigned int info_type = 0;

	info_len = sizeof(info);
	return usrsctp_recvv(so, out, out_bytes, (struct sockaddr *)&from, &from_len, &info, &info_len,
	                     &info_type, flags);
}

/* The sender reads notifications only. */
static void serve_sender(struct usrsctp_cmt_sim *sim, void *arg)
{
	struct lab_endpoints *e = arg;
	union sctp_notification note;

	(void)sim;
	if (e->aborted) {
		return;
	}
	e->send_asked = false;
	for (;;) {
		int flags = 0;
		ssize_t n = read_socket(e->sender, &note, sizeof(note), &flags);

		if (n <= 0) {
			break;
		}
		if ((flags & MSG_NOTIFICATION) != 0 && note.sn_header.sn_type == SCTP_ASSOC_CHANGE) {
			on_association(e, &note.sn_assoc_change);
		}
	}
	send_messages(e);
}

static void on_sender(struct socket *so, void *arg, int flags)
{
	struct lab_endpoints *e = arg;

	(void)so;
	(void)flags;
	ask_to_serve_sender(e);
}

static void take_bytes(struct lab_endpoints *e, const uint8_t *bytes, size_t n)
{
	if (e->corrupt) {
		return;
	}
	if (e->read_bytes + n > e->sent_bytes ||
	    lab_content_match(&e->content, bytes, e->read_bytes, n) != n) {
		e->corrupt = true;
		usrsctp_cmt_sim_stop(e->sim);
		return;
	}
	if (e->measure != NULL) {
		lab_measure_read(e->measure, n);
		tell_of_player(e);
	} else if (e->beside->first_send_us != 0 &&
	           lab_measure_is_in_time(e->beside, usrsctp_cmt_sim_now_us(e->sim))) {
		e->beside_bytes += n;
	}
	e->read_bytes += n;
	if (e->progress != NULL && e->total_bytes != 0) {
		*e->progress = (uint32_t)((double)e->read_bytes / (double)e->total_bytes * 1000.0);
	}
}

static void on_receiver(struct socket *so, void *arg, int flags);

static void receive_messages(struct usrsctp_cmt_sim *sim, void *arg)
{
	static uint8_t bytes[READ_BYTES];
	struct lab_endpoints *e = arg;

	(void)sim;
	if (e->aborted) {
		return;
	}
	e->receive_asked = false;
	if (e->receiver == NULL) {
		e->receiver = usrsctp_accept(e->listener, NULL, NULL);
		if (e->receiver == NULL) {
			return;
		}
		usrsctp_set_non_blocking(e->receiver, 1);
		usrsctp_set_upcall(e->receiver, on_receiver, e);
	}
	for (;;) {
		int flags = 0;
		ssize_t n = read_socket(e->receiver, bytes, sizeof(bytes), &flags);

		if (n <= 0) {
			break;
		}
		if ((flags & MSG_NOTIFICATION) == 0) {
			take_bytes(e, bytes, (size_t)n);
		}
	}
	ask_for_more(e);
	check_finished(e);
}

static void on_receiver(struct socket *so, void *arg, int flags)
{
	struct lab_endpoints *e = arg;

	(void)so;
	(void)flags;
	if (!e->receive_asked) {
		e->receive_asked = true;
		usrsctp_cmt_sim_at(e->sim, usrsctp_cmt_sim_now_us(e->sim), receive_messages, e);
	}
}

void lab_endpoints_on_address(struct usrsctp_cmt_sim *sim, int host, int path, bool present, void *arg)
{
	struct lab_endpoints *e = arg;
	struct socket *of_host[2][2] = {{e->sender, NULL}, {e->listener, e->receiver}};

	if (e->run->only_path >= 0 && e->run->only_path != path) {
		return;
	}
	for (int i = 0; i < 2; i++) {
		if (of_host[host][i] != NULL) {
			(void)usrsctp_cmt_sim_rebind(sim, of_host[host][i], host, path, present);
		}
	}
}

/* What stands behind a NAT: who listens answers as it is spoken to, and who calls names no addresses that the
 * other side cannot reach, as programs do. */
static int put_in_udp(struct lab_endpoints *e, struct socket *so, int host)
{
	const struct sctp_assoc_value none = {.assoc_value = SCTP_CMT_INIT_ADDRESSES_NONE};
	const int path = e->run->only_path >= 0 ? e->run->only_path : 0;

	if (!lab_is_in_udp(&e->run->scenario)) {
		return 0;
	}
	if (usrsctp_setsockopt(so, IPPROTO_SCTP, SCTP_CMT_INIT_ADDRESSES, &none, sizeof(none)) != 0) {
		return -1;
	}
	return usrsctp_cmt_sim_encapsulate(e->sim, so, RECEIVER_HOST, host == SENDER_HOST ? path : -1);
}

static struct socket *open_socket(struct lab_endpoints *e, int host, uint16_t port,
                                  void (*upcall)(struct socket *, void *, int))
{
	struct socket *so =
	    usrsctp_socket(e->run->scenario.family, SOCK_STREAM, IPPROTO_SCTP, NULL, NULL, 0, NULL);

	if (so == NULL) {
		fail(e, "socket");
		return NULL;
	}
	usrsctp_set_non_blocking(so, 1);
	if (lab_set_socket_options(so, e->run, host == SENDER_HOST, &e->failure) != 0) {
		usrsctp_close(so);
		return NULL;
	}
	if (lab_set_encryption(so, e->sim, e->run, host, &e->failure) != 0) {
		usrsctp_close(so);
		return NULL;
	}
	if (put_in_udp(e, so, host) != 0) {
		fail(e, "encapsulation in UDP");
		usrsctp_close(so);
		return NULL;
	}
	if (usrsctp_cmt_sim_bind(e->sim, so, host, (uint16_t)(port + e->port_shift), e->run->only_path) !=
	    0) {
		fail(e, "bind");
		usrsctp_close(so);
		return NULL;
	}
	usrsctp_set_upcall(so, upcall, e);
	return so;
}

int lab_endpoints_open(struct lab_endpoints *e)
{
	const struct lab_scenario *s = &e->run->scenario;

	if (lab_content_open(&e->content, &s->source, &e->failure) != 0) {
		return -1;
	}
	e->total_bytes = e->content.file != NULL ? e->content.file_bytes : s->bytes;
	e->message = lab_grow(NULL, s->msg_bytes, 1);
	e->listener = open_socket(e, RECEIVER_HOST, LAB_RECEIVER_PORT, on_receiver);
	if (e->listener == NULL) {
		return -1;
	}
	if (usrsctp_listen(e->listener, 1) != 0) {
		fail(e, "listen");
		return -1;
	}
	e->sender = open_socket(e, SENDER_HOST, LAB_SENDER_PORT, on_sender);
	if (e->sender == NULL) {
		return -1;
	}
	if (usrsctp_cmt_sim_connect(e->sim, e->sender, RECEIVER_HOST,
	                            (uint16_t)(LAB_RECEIVER_PORT + e->port_shift), e->run->only_path) != 0) {
		fail(e, "connect");
		return -1;
	}
	return 0;
}

static void close_socket(struct socket **so)
{
	if (*so != NULL) {
		usrsctp_set_upcall(*so, NULL, NULL);
		usrsctp_close(*so);
		*so = NULL;
	}
}

void lab_endpoints_free(struct lab_endpoints *e)
{
	lab_content_close(&e->content);
	free(e->message);
	e->message = NULL;
	lab_hints_free(&e->hints);
}

void lab_endpoints_abort(struct lab_endpoints *e)
{
	const struct linger at_once = {.l_onoff = 1};
	struct socket **all[] = {&e->sender, &e->receiver, &e->listener};

	e->aborted = true;
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		if (*all[i] != NULL) {
			usrsctp_setsockopt(*all[i], SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once));
			close_socket(all[i]);
		}
	}
}

void lab_endpoints_close(struct lab_endpoints *e)
{
	close_socket(&e->sender);
	usrsctp_cmt_sim_run(e->sim, usrsctp_cmt_sim_now_us(e->sim) + CLOSE_WAIT_US);
	close_socket(&e->receiver);
	close_socket(&e->listener);
	usrsctp_cmt_sim_run(e->sim, usrsctp_cmt_sim_now_us(e->sim) + CLOSE_WAIT_US);
	lab_endpoints_free(e);
}
