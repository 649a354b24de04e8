/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Packets between the stack and the kernel. Out: collected per socket while the stack works, then sent with
 * as few system calls as the kernel allows; neighbours of equal size for one peer go as one buffer (UDP GSO).
 * In: as many as there are with one call, several of one sender perhaps joined (UDP GRO). Both offloads are
 * switched off for good when the kernel refuses them. */
#include "event.h"

#include <errno.h>
#include <linux/errqueue.h>
#include <netinet/udp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#ifndef UDP_SEGMENT
#define UDP_SEGMENT 103
#endif
#ifndef UDP_GRO
#define UDP_GRO 104
#endif

#define BATCH_BYTES      262144
#define BATCH_PACKETS    256
#define CALL_MESSAGES    64
#define GSO_SEGMENTS     64
#define GSO_BYTES        65000
#define RECEIVE_MESSAGES 16
#define RECEIVE_BYTES    65536
#define RECEIVE_ROUNDS   4
#define CONTROL_BYTES    256
#define KERNEL_BUFFER    4194304
#define ARRIVAL_MAX_US   INT64_C(1000000) /* an older time stamp is taken for a clock that was set */
#define ECN_BITS         3

struct batch_packet {
	union evio_address to;
	uint32_t at, len;
	uint8_t tos;
};

struct evio_batch {
	uint32_t first, n;   /* packets [first, n) wait */
	uint32_t used_bytes; /* of `bytes` */
	bool blocked;        /* the kernel's buffer is full; `writable` tells when not */
	struct batch_packet packets[BATCH_PACKETS];
	uint8_t bytes[BATCH_BYTES];
};

/* --- sockets --- */

static void set_int(evutil_socket_t fd, int level, int option, int value)
{
	(void)setsockopt(fd, level, option, &value, sizeof(value));
}

static void set_buffer(evutil_socket_t fd, int force, int option)
{
	int bytes = KERNEL_BUFFER;

	if (setsockopt(fd, SOL_SOCKET, force, &bytes, sizeof(bytes)) != 0) {
		set_int(fd, SOL_SOCKET, option, bytes);
	}
}

static void configure(struct evio_local *local)
{
	struct usrsctp_cmt_event_stats *stats = &local->ev->stats;
	evutil_socket_t fd = local->fd;
	int on = 1;

	set_buffer(fd, SO_RCVBUFFORCE, SO_RCVBUF);
	set_buffer(fd, SO_SNDBUFFORCE, SO_SNDBUF);
	set_int(fd, SOL_SOCKET, SO_TIMESTAMPNS, 1);
	if (local->address.any.sa_family == AF_INET6) {
		set_int(fd, IPPROTO_IPV6, IPV6_RECVTCLASS, 1);
		set_int(fd, IPPROTO_IPV6, IPV6_RECVERR, 1);
		set_int(fd, IPPROTO_IPV6, IPV6_MTU_DISCOVER, IPV6_PMTUDISC_WANT);
	} else {
		set_int(fd, IPPROTO_IP, IP_RECVTOS, 1);
		set_int(fd, IPPROTO_IP, IP_RECVERR, 1);
		set_int(fd, IPPROTO_IP, IP_MTU_DISCOVER, IP_PMTUDISC_WANT);
	}
	if (stats->gro && setsockopt(fd, IPPROTO_UDP, UDP_GRO, &on, sizeof(on)) != 0) {
		stats->gro = false;
	}
}

static int bind_socket(struct evio_local *local, uint16_t *port)
{
	union evio_address address;
	socklen_t len = sizeof(address);

	evio_address_copy(&address, &local->address.any, *port);
	if (address.any.sa_family == AF_INET6) {
		set_int(local->fd, IPPROTO_IPV6, IPV6_V6ONLY, 1);
	}
	if (bind(local->fd, &address.any, evio_address_len(&address.any)) != 0 ||
	    getsockname(local->fd, &address.any, &len) != 0) {
		return -1;
	}
	if (local->ev->config.transport == USRSCTP_CMT_EVENT_UDP) {
		*port = evio_address_port(&address.any);
	}
	return 0;
}

static void on_readable(evutil_socket_t fd, short what, void *arg);
static void on_writable(evutil_socket_t fd, short what, void *arg);

int evio_socket_open(struct evio_local *local, uint16_t *port)
{
	bool raw = local->ev->config.transport == USRSCTP_CMT_EVENT_RAW;
	struct event_base *base = local->ev->base;
	int error;

	local->fd =
	    socket(local->address.any.sa_family, (raw ? SOCK_RAW : SOCK_DGRAM) | SOCK_CLOEXEC | SOCK_NONBLOCK,
	           raw ? IPPROTO_SCTP : 0);
	if (local->fd < 0) {
		return -1;
	}
	if (bind_socket(local, port) == 0) {
		configure(local);
		local->readable = event_new(base, local->fd, EV_READ | EV_PERSIST, on_readable, local);
		local->writable = event_new(base, local->fd, EV_WRITE, on_writable, local);
		if (local->readable != NULL && local->writable != NULL &&
		    event_add(local->readable, NULL) == 0) {
			return 0;
		}
		errno = ENOMEM;
	}
	error = errno;
	evio_socket_close(local);
	errno = error;
	return -1;
}

void evio_socket_close(struct evio_local *local)
{
	if (local->readable != NULL) {
		event_free(local->readable);
		local->readable = NULL;
	}
	if (local->writable != NULL) {
		event_free(local->writable);
		local->writable = NULL;
	}
	if (local->fd >= 0) {
		close(local->fd);
		local->fd = -1;
	}
	free(local->batch);
	local->batch = NULL;
}

/* --- errors that the network reports --- */

static void take_error(struct evio_local *local, const struct sockaddr *to, const struct sock_extended_err *e)
{
	if (e->ee_errno == EMSGSIZE) {
		evio_conns_path_mtu(local->ev, to, e->ee_info);
	} else if (e->ee_origin == SO_EE_ORIGIN_ICMP || e->ee_origin == SO_EE_ORIGIN_ICMP6) {
		evio_conns_refused(local->ev, to, (int)e->ee_errno);
	}
}

/* Whether there was one. */
static bool drain_errors(struct evio_local *local)
{
	bool any = false;

	for (;;) {
		union evio_address to;
		char control[CONTROL_BYTES];
		uint8_t head[1];
		struct iovec iov = {.iov_base = head, .iov_len = sizeof(head)};
		struct msghdr m = {.msg_name = &to,
		                   .msg_namelen = sizeof(to),
		                   .msg_iov = &iov,
		                   .msg_iovlen = 1,
		                   .msg_control = control,
		                   .msg_controllen = sizeof(control)};

		if (recvmsg(local->fd, &m, MSG_ERRQUEUE | MSG_DONTWAIT) < 0) {
			return any;
		}
		any = true;
		for (struct cmsghdr *c = CMSG_FIRSTHDR(&m); c != NULL; c = CMSG_NXTHDR(&m, c)) {
			struct sock_extended_err e;

			if ((c->cmsg_level == IPPROTO_IP && c->cmsg_type == IP_RECVERR) ||
			    (c->cmsg_level == IPPROTO_IPV6 && c->cmsg_type == IPV6_RECVERR)) {
				memcpy(&e, CMSG_DATA(c), sizeof(e));
				take_error(local, &to.any, &e);
			}
		}
	}
}

/* --- out --- */

/* Packets [i, result) leave as one buffer. They lie one behind the other. */
static uint32_t end_of_run(const struct evio_batch *b, uint32_t i, bool gso)
{
	const struct batch_packet *first = &b->packets[i];
	uint32_t bytes = first->len, end = i + 1;

	while (gso && end < b->n && end - i < GSO_SEGMENTS) {
		const struct batch_packet *p = &b->packets[end];

		if (p->len > first->len || p->tos != first->tos || bytes + p->len > GSO_BYTES ||
		    memcmp(&p->to, &first->to, sizeof(p->to)) != 0) {
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

	c->cmsg_level = level;
	c->cmsg_type = type;
	c->cmsg_len = CMSG_LEN(len);
	memcpy(CMSG_DATA(c), value, len);
	m->msg_controllen += CMSG_SPACE(len);
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

	for (call->n = 0; call->n < CALL_MESSAGES && i < b->n; call->n++) {
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

	for (; b->first < end; b->first++) {
		local->ev->stats.sent_pkts++;
		local->ev->stats.sent_bytes += b->packets[b->first].len;
	}
}

/* The first message was not taken. Whether to go on. */
static bool after_refusal(struct evio_local *local, const struct send_call *call, int error, bool *gso)
{
	struct evio_batch *b = local->batch;

	if (error == EAGAIN || error == EWOULDBLOCK || error == ENOBUFS) {
		b->blocked = true;
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
	if (drain_errors(local)) { /* it was an older packet's */
		return true;
	}
	b->first = call->end[0];
	local->ev->stats.dropped_pkts++;
	return true;
}

static void flush(struct evio_local *local)
{
	struct evio_batch *b = local->batch;
	bool gso = local->ev->stats.gso;
	struct send_call call;

	while (b->first < b->n && !b->blocked) {
		int n;

		build_call(b, gso, &call);
		n = sendmmsg(local->fd, call.messages, call.n, MSG_DONTWAIT);
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

static void on_writable(evutil_socket_t fd, short what, void *arg)
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

int evio_output(void *ctx, const struct cmt_seam_packet *packet)
{
	struct usrsctp_cmt_event *ev = ctx;
	struct evio_local *local = evio_local_by_address(ev, packet->src);
	bool udp = ev->config.transport == USRSCTP_CMT_EVENT_UDP;
	struct evio_batch *b;
	struct batch_packet *p;

	if (local == NULL || local->fd < 0 || (packet->udp_port != 0) != udp) {
		ev->stats.dropped_pkts++;
		return EADDRNOTAVAIL;
	}
	if (local->batch == NULL) {
		local->batch = calloc(1, sizeof(*local->batch));
	}
	b = local->batch;
	if (b != NULL && (b->n == BATCH_PACKETS || b->used_bytes + packet->len > BATCH_BYTES)) {
		flush(local);
	}
	if (b == NULL || b->n == BATCH_PACKETS || b->used_bytes + packet->len > BATCH_BYTES) {
		ev->stats.dropped_pkts++;
		return ENOBUFS;
	}
	p = &b->packets[b->n++];
	evio_address_copy(&p->to, packet->dst, packet->udp_port);
	p->at = b->used_bytes;
	p->len = (uint32_t)packet->len;
	p->tos = packet->tos;
	memcpy(b->bytes + p->at, packet->bytes, packet->len);
	b->used_bytes += p->len;
	evio_schedule(ev);
	return 0;
}

/* --- in --- */

struct receive {
	struct mmsghdr messages[RECEIVE_MESSAGES];
	struct iovec iov[RECEIVE_MESSAGES];
	union evio_address from[RECEIVE_MESSAGES];
	_Alignas(struct cmsghdr) char control[RECEIVE_MESSAGES][CONTROL_BYTES];
	uint8_t bytes[RECEIVE_MESSAGES][RECEIVE_BYTES];
};

/* What the kernel says about a datagram. */
struct annotation {
	uint64_t at_us;
	uint32_t segment_bytes; /* 0 = not joined */
	uint8_t ecn;
};

static int64_t realtime_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

/* The kernel stamps with the wall clock: what counts is how long ago. */
static uint64_t arrival_us(const struct timespec *stamp, int64_t wall_us, uint64_t now_us)
{
	int64_t ago_us = wall_us - ((int64_t)stamp->tv_sec * 1000000 + stamp->tv_nsec / 1000);

	return ago_us < 0 || ago_us > ARRIVAL_MAX_US ? now_us : now_us - (uint64_t)ago_us;
}

static struct annotation annotate(struct msghdr *m, int64_t wall_us, uint64_t now_us)
{
	struct annotation a = {.at_us = now_us};

	for (struct cmsghdr *c = CMSG_FIRSTHDR(m); c != NULL; c = CMSG_NXTHDR(m, c)) {
		int value = 0;
		struct timespec stamp;

		if (c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_TIMESTAMPNS) {
			memcpy(&stamp, CMSG_DATA(c), sizeof(stamp));
			a.at_us = arrival_us(&stamp, wall_us, now_us);
		} else if (c->cmsg_level == IPPROTO_UDP && c->cmsg_type == UDP_GRO) {
			memcpy(&value, CMSG_DATA(c), sizeof(value));
			a.segment_bytes = value > 0 ? (uint32_t)value : 0;
		} else if (c->cmsg_level == IPPROTO_IPV6 && c->cmsg_type == IPV6_TCLASS) {
			memcpy(&value, CMSG_DATA(c), sizeof(value));
			a.ecn = (uint8_t)(value & ECN_BITS);
		} else if (c->cmsg_level == IPPROTO_IP && c->cmsg_type == IP_TOS) {
			a.ecn = *CMSG_DATA(c) & ECN_BITS;
		}
	}
	return a;
}

/* A raw IPv4 socket delivers the IP header too. */
static size_t skip_ip_header(const struct evio_local *local, const uint8_t *bytes, size_t len)
{
	size_t header = 0;

	if (local->ev->config.transport == USRSCTP_CMT_EVENT_RAW && local->address.any.sa_family == AF_INET &&
	    len > 0) {
		header = (size_t)(bytes[0] & 0x0f) * 4;
	}
	return header < len ? header : len;
}

static void give_to_stack(struct evio_local *local, const union evio_address *from, const uint8_t *bytes,
                          size_t len, const struct annotation *a)
{
	size_t at = skip_ip_header(local, bytes, len);

	while (at < len) {
		size_t part =
		    a->segment_bytes != 0 && len - at > a->segment_bytes ? a->segment_bytes : len - at;

		local->ev->stats.received_pkts++;
		local->ev->stats.received_bytes += part;
		cmt_seam_input(&(struct cmt_seam_arrival){.src = &from->any,
		                                          .dst = &local->address.any,
		                                          .bytes = bytes + at,
		                                          .len = part,
		                                          .at_us = a->at_us,
		                                          .udp_port = local->ev->config.transport ==
		                                                              USRSCTP_CMT_EVENT_UDP
		                                                          ? evio_address_port(&from->any)
		                                                          : 0,
		                                          .ecn = a->ecn});
		at += part;
	}
}

/* One call's worth; whether there may be more. */
static bool receive_some(struct evio_local *local, struct receive *r)
{
	uint64_t now_us;
	int64_t wall_us;
	int n;

	for (unsigned i = 0; i < RECEIVE_MESSAGES; i++) {
		r->iov[i] = (struct iovec){.iov_base = r->bytes[i], .iov_len = RECEIVE_BYTES};
		r->messages[i].msg_hdr = (struct msghdr){.msg_name = &r->from[i],
		                                         .msg_namelen = sizeof(r->from[i]),
		                                         .msg_iov = &r->iov[i],
		                                         .msg_iovlen = 1,
		                                         .msg_control = r->control[i],
		                                         .msg_controllen = CONTROL_BYTES};
	}
	n = recvmmsg(local->fd, r->messages, RECEIVE_MESSAGES, MSG_DONTWAIT, NULL);
	local->ev->stats.received_calls++;
	if (n < 0) {
		return errno != EAGAIN && errno != EWOULDBLOCK && drain_errors(local);
	}
	now_us = cmt_seam_now_us();
	wall_us = realtime_us();
	for (int i = 0; i < n; i++) {
		struct annotation a = annotate(&r->messages[i].msg_hdr, wall_us, now_us);

		give_to_stack(local, &r->from[i], r->bytes[i], r->messages[i].msg_len, &a);
	}
	return n == RECEIVE_MESSAGES;
}

static void on_readable(evutil_socket_t fd, short what, void *arg)
{
	struct evio_local *local = arg;
	struct usrsctp_cmt_event *ev = local->ev;
	int rounds = 0;

	(void)fd;
	(void)what;
	if (ev->receive == NULL) {
		ev->receive = malloc(sizeof(struct receive));
		if (ev->receive == NULL) {
			return;
		}
	}
	evio_enter(ev);
	while (receive_some(local, ev->receive) && ++rounds < RECEIVE_ROUNDS) {
	}
	evio_leave(ev);
}
