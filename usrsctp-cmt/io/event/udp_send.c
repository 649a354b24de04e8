/* SPDX-License-Identifier: BSD-3-Clause */
#include "udp.h"

#include <errno.h>
#include <netinet/udp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>

#define BATCH_BYTES   262144
#define BATCH_PACKETS 256
#define CALL_MESSAGES 64
#define GSO_SEGMENTS  64
#define GSO_BYTES     65000
#define IPV6_MTU_MIN  1280

struct batch_packet {
	union evio_address to;
	uint32_t at, len;
	uint32_t fragment_bytes; /* IP packets that it leaves in; 0 = as one */
	uint8_t tos;
	bool is_probe;
};

struct evio_batch {
	uint32_t first, n;   /* packets [first, n) wait */
	uint32_t used_bytes; /* of `bytes` */
	bool blocked;        /* the kernel's buffer is full; `writable` tells when not */
	bool refused;        /* packet `first` met a full queue (ENOBUFS) */
	struct batch_packet packets[BATCH_PACKETS];
	uint8_t bytes[BATCH_BYTES];
};

/* Packets [i, result) leave as one buffer. They lie one behind the other. */
static uint32_t end_of_run(const struct evio_batch *b, uint32_t i, bool gso)
{
	const struct batch_packet *first = &b->packets[i];
	uint32_t bytes = first->len, end = i + 1;

	while (gso && first->fragment_bytes == 0 && end < b->n && end - i < GSO_SEGMENTS) {
		const struct batch_packet *p = &b->packets[end];

		if (p->fragment_bytes != 0 || p->len > first->len || p->tos != first->tos ||
		    bytes + p->len > GSO_BYTES || memcmp(&p->to, &first->to, sizeof(p->to)) != 0) {
			break;
		}
		bytes += p->len;
		end++;
		if (p->len < first->len) { /* only the last one may be shorter */
			break;
		}
	}
	return end;
}

static void add_control(struct msghdr *m, int level, int type, const void *value, size_t len)
{
	struct cmsghdr *c = (struct cmsghdr *)(void *)((char *)m->msg_control + m->msg_controllen);

	memset(c, 0, CMSG_SPACE(len));
	c->cmsg_level = level;
	c->cmsg_type = type;
	c->cmsg_len = (socklen_t)CMSG_LEN(len); /* a size_t in some C libraries */
	memcpy(CMSG_DATA(c), value, len);
	m->msg_controllen += (socklen_t)CMSG_SPACE(len);
}

struct send_call {
	unsigned n;
	struct mmsghdr messages[CALL_MESSAGES];
	struct iovec iov[CALL_MESSAGES];
	uint32_t end[CALL_MESSAGES]; /* behind the last packet of the message */
	_Alignas(struct cmsghdr) char control[CALL_MESSAGES]
	                                     [CMSG_SPACE(sizeof(int)) + CMSG_SPACE(sizeof(uint16_t))];
};

static void build_call(struct evio_batch *b, bool gso, struct send_call *call)
{
	uint32_t i = b->first;

	/* What goes in fragments goes alone. */
	for (call->n = 0; call->n < CALL_MESSAGES && i < b->n &&
	                  (i == b->first ||
	                   (b->packets[b->first].fragment_bytes == 0 && b->packets[i].fragment_bytes == 0));
	     call->n++) {
		struct batch_packet *p = &b->packets[i];
		struct msghdr *m = &call->messages[call->n].msg_hdr;
		uint32_t end = end_of_run(b, i, gso);
		const struct batch_packet *last = &b->packets[end - 1];
		int tos = p->tos;

		call->iov[call->n] =
		    (struct iovec){.iov_base = b->bytes + p->at, .iov_len = last->at + last->len - p->at};
		*m = (struct msghdr){.msg_name = &p->to,
		                     .msg_namelen = evio_address_len(&p->to.any),
		                     .msg_iov = &call->iov[call->n],
		                     .msg_iovlen = 1,
		                     .msg_control = call->control[call->n]};
		if (tos != 0) {
			bool six = p->to.any.sa_family == AF_INET6;

			add_control(m, six ? IPPROTO_IPV6 : IPPROTO_IP, six ? IPV6_TCLASS : IP_TOS, &tos,
			            sizeof(tos));
		}
		if (end > i + 1) {
			uint16_t segment = (uint16_t)p->len;

			add_control(m, IPPROTO_UDP, UDP_SEGMENT, &segment, sizeof(segment));
		}
		if (m->msg_controllen == 0) {
			m->msg_control = NULL;
		}
		call->end[call->n] = i = end;
	}
}

static void sent_until(struct evio_local *local, uint32_t end)
{
	struct evio_batch *b = local->batch;

	b->refused = false;
	for (; b->first < end; b->first++) {
		local->ev->stats.sent_pkts++;
		local->ev->stats.sent_bytes += b->packets[b->first].len;
	}
}

/* A packet that was cut before its path was known to be narrow. How large the fragments are IPv6 lets us say;
 * of IPv4 the routers make them. */
static int send_in_fragments(const struct evio_local *local, const struct msghdr *message,
                             uint32_t fragment_bytes)
{
	bool six = local->address.any.sa_family == AF_INET6;
	int level = six ? IPPROTO_IPV6 : IPPROTO_IP, option = six ? IPV6_MTU_DISCOVER : IP_MTU_DISCOVER;
	ssize_t n;

	udp_set_int(local->fd, level, option, six ? IPV6_PMTUDISC_DONT : IP_PMTUDISC_DONT);
	if (six && fragment_bytes != 0) {
		udp_set_int(local->fd, level, IPV6_MTU,
		            fragment_bytes > IPV6_MTU_MIN ? (int)fragment_bytes : IPV6_MTU_MIN);
	}
	n = sendmsg(local->fd, message, MSG_DONTWAIT);
	if (six && fragment_bytes != 0) {
		udp_set_int(local->fd, level, IPV6_MTU, 0);
	}
	udp_set_int(local->fd, level, option, six ? IPV6_PMTUDISC_PROBE : IP_PMTUDISC_PROBE);
	return n < 0 ? -1 : 0;
}

/* The first message was not taken. Whether to go on. */
static bool after_refusal(struct evio_local *local, const struct send_call *call, int error, bool *gso)
{
	struct evio_batch *b = local->batch;
	const struct batch_packet *p = &b->packets[b->first];

	/* Twice in a row is no queue: a device may refuse what its peer does not take. */
	if (error == EAGAIN || error == EWOULDBLOCK || (error == ENOBUFS && !b->refused)) {
		b->refused = error == ENOBUFS;
		b->blocked = true;
		local->ev->stats.blocked_calls++;
		event_add(local->writable, NULL);
		return false;
	}
	if (call->end[0] > b->first + 1) {
		/* EIO: this interface cannot; EINVAL, EMSGSIZE: not with this route's MTU. */
		if (error == EIO || error == EOPNOTSUPP) {
			local->ev->stats.gso = false;
		}
		*gso = false;
		return true;
	}
	if (udp_drain_errors(local)) { /* it was an older packet's */
		return true;
	}
	if (error == EMSGSIZE) { /* the kernel has said what passes, but not of which packet */
		udp_note_too_big(local, &p->to, evio_route(local->ev, &p->to.any)->told_bytes,
		                 b->bytes + p->at, p->len);
	}
	if (error == EMSGSIZE && !p->is_probe &&
	    send_in_fragments(local, &call->messages[0].msg_hdr, 0) == 0) {
		sent_until(local, call->end[0]);
	} else {
		b->first = call->end[0];
		b->refused = false;
		local->ev->stats.dropped_pkts++;
	}
	return true;
}

static void flush(struct evio_local *local)
{
	struct evio_batch *b = local->batch;
	bool gso = local->ev->stats.gso;
	struct send_call call;

	while (b->first < b->n && !b->blocked) {
		int n;

		uint32_t fragment_bytes = b->packets[b->first].fragment_bytes;

		build_call(b, gso, &call);
		if (fragment_bytes != 0) {
			n = send_in_fragments(local, &call.messages[0].msg_hdr, fragment_bytes) == 0 ? 1 : -1;
		} else {
			n = sendmmsg(local->fd, call.messages, call.n, MSG_DONTWAIT);
		}
		local->ev->stats.sent_calls++;
		if (n > 0) {
			sent_until(local, call.end[n - 1]);
		} else if (!after_refusal(local, &call, errno, &gso)) {
			break;
		}
	}
	if (b->first == b->n) {
		b->first = b->n = b->used_bytes = 0;
	}
}

void evio_flush(struct usrsctp_cmt_event *ev)
{
	for (size_t i = 0; i < ev->n_locals; i++) {
		struct evio_local *local = &ev->locals[i];

		if (local->batch != NULL && local->batch->n > 0 && !local->batch->blocked) {
			flush(local);
		}
	}
}

void udp_on_writable(evutil_socket_t fd, short what, void *arg)
{
	struct evio_local *local = arg;

	(void)fd;
	(void)what;
	evio_enter(local->ev);
	if (local->batch != NULL) {
		local->batch->blocked = false;
	}
	evio_leave(local->ev);
}

static bool is_full(const struct evio_batch *b, size_t len)
{
	return b->n == BATCH_PACKETS || b->used_bytes + len > BATCH_BYTES;
}

/* Moves what still waits to the front. */
static void compact(struct evio_batch *b)
{
	const uint32_t gone = b->first;
	const uint32_t gone_bytes = gone < b->n ? b->packets[gone].at : b->used_bytes;

	memmove(b->packets, b->packets + gone, (b->n - gone) * sizeof(b->packets[0]));
	memmove(b->bytes, b->bytes + gone_bytes, b->used_bytes - gone_bytes);
	b->first = 0;
	b->n -= gone;
	b->used_bytes -= gone_bytes;
	for (uint32_t i = 0; i < b->n; i++) {
		b->packets[i].at -= gone_bytes;
	}
}

int evio_output(void *ctx, const struct usrsctp_cmt_packet *packet)
{
	struct usrsctp_cmt_event *ev = ctx;
	struct evio_local *local = evio_local_by_address(ev, packet->local);
	const uint16_t udp_port = evio_address_port(packet->remote);
	bool udp = ev->config.transport == USRSCTP_CMT_EVENT_UDP;
	struct evio_batch *b;
	struct batch_packet *p;

	if (local == NULL || local->fd < 0 || (udp_port != 0) != udp) {
		ev->stats.dropped_pkts++;
		return EADDRNOTAVAIL;
	}
	if (local->batch == NULL) {
		local->batch = calloc(1, sizeof(*local->batch));
	}
	b = local->batch;
	if (b != NULL && is_full(b, packet->len)) {
		flush(local);
		compact(b);
	}
	if (b == NULL || is_full(b, packet->len)) {
		ev->stats.dropped_pkts++;
		return ENOBUFS;
	}
	p = &b->packets[b->n++];
	evio_address_copy(&p->to, packet->remote, udp_port);
	p->at = b->used_bytes;
	p->len = (uint32_t)packet->len;
	p->tos = packet->tos;
	p->fragment_bytes = packet->fragment_bytes;
	p->is_probe = packet->is_probe;
	usrsctp_cmt_packet_copy(packet, b->bytes + p->at);
	b->used_bytes += p->len;
	evio_schedule(ev);
	return 0;
}
