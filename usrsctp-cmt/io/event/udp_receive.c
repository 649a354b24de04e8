/* SPDX-License-Identifier: BSD-3-Clause */
#include "udp.h"

#include <netinet/udp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <time.h>

#define RECEIVE_MESSAGES 16
#define RECEIVE_BYTES    65536
#define RECEIVE_ROUNDS   4
#define ARRIVAL_MAX_US   INT64_C(1000000) /* an older time stamp is taken for a clock that was set */
#define ECN_BITS         3

struct receive {
	struct mmsghdr messages[RECEIVE_MESSAGES];
	struct iovec iov[RECEIVE_MESSAGES];
	union evio_address from[RECEIVE_MESSAGES];
	_Alignas(struct cmsghdr) char control[RECEIVE_MESSAGES][UDP_CONTROL_BYTES];
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

	for (struct cmsghdr *c = CMSG_FIRSTHDR(m); c != NULL; c = udp_next_control(m, c)) {
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

/* `more`: others wait behind it. */
static void give_to_stack(struct evio_local *local, union evio_address *from, const uint8_t *bytes,
                          size_t len, const struct annotation *a, bool more)
{
	size_t at = skip_ip_header(local, bytes, len);

	if (local->ev->config.transport == USRSCTP_CMT_EVENT_RAW) {
		const union evio_address with_port = *from;

		evio_address_copy(from, &with_port.any, 0);
	}

	while (at < len) {
		size_t part =
		    a->segment_bytes != 0 && len - at > a->segment_bytes ? a->segment_bytes : len - at;

		local->ev->stats.received_pkts++;
		local->ev->stats.received_bytes += part;
		(void)usrsctp_cmt_packets_input(
		    local->ev->packets,
		    &(struct usrsctp_cmt_arrival){.size = sizeof(struct usrsctp_cmt_arrival),
		                                  .local = &local->address.any,
		                                  .remote = &from->any,
		                                  .bytes = bytes + at,
		                                  .len = part,
		                                  .at_us = a->at_us,
		                                  .ecn = a->ecn,
		                                  .more = more || at + part < len});
		at += part;
	}
}

/* One call's worth; whether there may be more. */
static bool receive_some(struct evio_local *local, struct receive *r)
{
	int n;

	for (unsigned i = 0; i < RECEIVE_MESSAGES; i++) {
		r->iov[i] = (struct iovec){.iov_base = r->bytes[i], .iov_len = RECEIVE_BYTES};
		r->messages[i].msg_hdr = (struct msghdr){.msg_name = &r->from[i],
		                                         .msg_namelen = sizeof(r->from[i]),
		                                         .msg_iov = &r->iov[i],
		                                         .msg_iovlen = 1,
		                                         .msg_control = r->control[i],
		                                         .msg_controllen = UDP_CONTROL_BYTES};
	}
	n = recvmmsg(local->fd, r->messages, RECEIVE_MESSAGES, MSG_DONTWAIT, NULL);
	local->ev->stats.received_calls++;
	if (n < 0) {
		/* Woken for nothing but errors: they wait in a queue of their own. */
		return udp_drain_errors(local);
	}
	for (int i = 0; i < n; i++) {
		struct annotation a;

		evio_refresh_time(local->ev);
		a = annotate(&r->messages[i].msg_hdr, realtime_us(), usrsctp_cmt_packets_now_us());

		give_to_stack(local, &r->from[i], r->bytes[i], r->messages[i].msg_len, &a, i + 1 < n);
	}
	return n == RECEIVE_MESSAGES;
}

void udp_on_readable(evutil_socket_t fd, short what, void *arg)
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
