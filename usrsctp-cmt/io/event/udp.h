/* SPDX-License-Identifier: BSD-3-Clause
 *
 * udp.h - packets between the stack and the kernel: what udp.c, udp_send.c and udp_receive.c share.
 *
 * Out: collected per socket while the stack works, then sent with as few system calls as the kernel allows;
 * neighbours of equal size for one peer go as one buffer (UDP GSO). In: as many as there are with one call,
 * several of one sender perhaps joined (UDP GRO). An offload that the kernel refuses is not tried again. */
#ifndef CMT_EVENT_UDP_H
#define CMT_EVENT_UDP_H

#include "event.h"

#define UDP_CONTROL_BYTES 256

/* Linux has them since 4.18 and 5.0, headers not always. */
#ifndef UDP_SEGMENT
#define UDP_SEGMENT 103
#endif
#ifndef UDP_GRO
#define UDP_GRO 104
#endif

/* The control message behind `c`; NULL behind the last. */
struct cmsghdr *udp_next_control(struct msghdr *m, struct cmsghdr *c);

void udp_set_int(evutil_socket_t fd, int level, int option, int value);

/* A packet for there was larger than a router, or this host, lets pass; its first `len` bytes. The stack is told,
 * but not at once: it may be waiting for that packet to be sent. */
void udp_note_too_big(struct evio_local *local, const union evio_address *to, uint32_t mtu_bytes,
                      const uint8_t *quote, size_t len);

/* Takes what was reported off the socket's error queue. Whether anything came from the network. */
bool udp_drain_errors(struct evio_local *local);

void udp_on_readable(evutil_socket_t fd, short what, void *arg);
void udp_on_writable(evutil_socket_t fd, short what, void *arg);

#endif
