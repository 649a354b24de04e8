/* SPDX-License-Identifier: BSD-3-Clause */
#include "udp.h"

#include <errno.h>
#include <linux/errqueue.h>
#include <netinet/udp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#define KERNEL_BUFFER 4194304

/* musl's macro mixes signs. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wsign-compare"
struct cmsghdr *udp_next_control(struct msghdr *m, struct cmsghdr *c)
{
	return CMSG_NXTHDR(m, c);
}
#pragma GCC diagnostic pop

/* --- sockets --- */

void udp_set_int(evutil_socket_t fd, int level, int option, int value)
{
	(void)setsockopt(fd, level, option, &value, sizeof(value));
}

static void set_buffer(evutil_socket_t fd, int force, int option)
{
	int bytes = KERNEL_BUFFER;

	if (setsockopt(fd, SOL_SOCKET, force, &bytes, sizeof(bytes)) != 0) {
		udp_set_int(fd, SOL_SOCKET, option, bytes);
	}
}

static void configure(struct evio_local *local)
{
	struct usrsctp_cmt_event_stats *stats = &local->ev->stats;
	evutil_socket_t fd = local->fd;
	int on = 1;

	set_buffer(fd, SO_RCVBUFFORCE, SO_RCVBUF);
	set_buffer(fd, SO_SNDBUFFORCE, SO_SNDBUF);
	udp_set_int(fd, SOL_SOCKET, SO_TIMESTAMPNS, 1);
	if (local->address.any.sa_family == AF_INET6) {
		udp_set_int(fd, IPPROTO_IPV6, IPV6_RECVTCLASS, 1);
		udp_set_int(fd, IPPROTO_IPV6, IPV6_RECVERR, 1);
		udp_set_int(fd, IPPROTO_IPV6, IPV6_MTU_DISCOVER, IPV6_PMTUDISC_PROBE);
	} else {
		udp_set_int(fd, IPPROTO_IP, IP_RECVTOS, 1);
		udp_set_int(fd, IPPROTO_IP, IP_RECVERR, 1);
		udp_set_int(fd, IPPROTO_IP, IP_MTU_DISCOVER, IP_PMTUDISC_PROBE);
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
		udp_set_int(local->fd, IPPROTO_IPV6, IPV6_V6ONLY, 1);
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
	local->kept_to_device = false;
	if (bind_socket(local, port) == 0) {
		configure(local);
		local->readable = event_new(base, local->fd, EV_READ | EV_PERSIST, udp_on_readable, local);
		local->writable = event_new(base, local->fd, EV_WRITE, udp_on_writable, local);
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

/* For who does not probe. */
static void narrow_route(struct usrsctp_cmt_event *ev, const union evio_address *to, uint32_t mtu_bytes)
{
	struct evio_route *route = evio_route(ev, &to->any);

	if (mtu_bytes >= EVIO_MTU_MIN_BYTES && mtu_bytes < route->told_bytes) {
		route->told_bytes = mtu_bytes;
		ev->refresh_due = true;
		evio_schedule(ev);
	}
}

void udp_note_too_big(struct evio_local *local, const union evio_address *to, uint32_t mtu_bytes,
                      const uint8_t *quote, size_t len)
{
	struct usrsctp_cmt_event *ev = local->ev;

	if (len >= USRSCTP_CMT_QUOTE_BYTES && ev->n_too_big < EVIO_TOO_BIG) {
		struct evio_too_big *t = &ev->too_big[ev->n_too_big++];

		*t = (struct evio_too_big){.local = local, .to = *to, .mtu_bytes = mtu_bytes};
		memcpy(t->quote, quote, sizeof(t->quote));
		evio_schedule(ev);
	}
}

bool udp_drain_errors(struct evio_local *local)
{
	bool any = false;

	for (;;) {
		union evio_address to;
		char control[UDP_CONTROL_BYTES];
		uint8_t head[USRSCTP_CMT_QUOTE_BYTES];
		ssize_t len;
		struct iovec iov = {.iov_base = head, .iov_len = sizeof(head)};
		struct msghdr m = {.msg_name = &to,
		                   .msg_namelen = sizeof(to),
		                   .msg_iov = &iov,
		                   .msg_iovlen = 1,
		                   .msg_control = control,
		                   .msg_controllen = sizeof(control)};

		len = recvmsg(local->fd, &m, MSG_ERRQUEUE | MSG_DONTWAIT);
		if (len < 0) {
			return any;
		}
		for (struct cmsghdr *c = CMSG_FIRSTHDR(&m); c != NULL; c = udp_next_control(&m, c)) {
			struct sock_extended_err e;

			if ((c->cmsg_level == IPPROTO_IP && c->cmsg_type == IP_RECVERR) ||
			    (c->cmsg_level == IPPROTO_IPV6 && c->cmsg_type == IPV6_RECVERR)) {
				memcpy(&e, CMSG_DATA(c), sizeof(e));
				any = any || e.ee_origin != SO_EE_ORIGIN_LOCAL;
				if (e.ee_errno == EMSGSIZE) {
					narrow_route(local->ev, &to, e.ee_info);
					udp_note_too_big(local, &to, e.ee_info, head, (size_t)len);
				} else if (e.ee_origin == SO_EE_ORIGIN_ICMP ||
				           e.ee_origin == SO_EE_ORIGIN_ICMP6) {
					evio_conns_refused(local->ev, &to.any, (int)e.ee_errno);
				}
			}
		}
	}
}
