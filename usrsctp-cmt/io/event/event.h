/* SPDX-License-Identifier: BSD-3-Clause
 *
 * event.h - inside the event back end: what its files share.
 *
 *   event.c      life cycle, timers, what waits for the loop
 *   addresses.c  the local addresses, followed through netlink; which of them leads to a peer's address
 *   udp.c        one socket per local address: batches of packets out and in
 *   conn.c       connections: opening, events, the end
 *   conn_io.c    reading and writing them
 *   listener.c   accepting them
 *   conn_bufferevent.c
 *
 * Single threaded, the loop's thread. The slots of the seams (output, if_index, mtu, late_ms, timer_sooner)
 * are called with locks of the stack held: they queue, and the stack is entered from the loop only. */
#ifndef CMT_EVENT_H
#define CMT_EVENT_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/queue.h>
#include <sys/socket.h>

#include <event2/event.h>
#include <event2/util.h>

#include <usrsctp_cmt_event.h>

#include "cmt_seams.h"

#define EVIO_ADDRESSES_MAX 32

union evio_address {
	struct sockaddr any;
	struct sockaddr_in in;
	struct sockaddr_in6 in6;
};

struct evio_batch; /* udp.c */

/* One local address with its socket. */
struct evio_local {
	union evio_address address; /* port 0 */
	uint32_t index; /* the stack's interface index: one of its own for each address, never used twice */
	int device;     /* the kernel's interface index; 0 = unknown */
	uint32_t mtu_bytes; /* of that interface */
	bool present;       /* on this host now, and known to the stack */
	evutil_socket_t fd;
	struct event *readable, *writable;
	struct evio_batch *batch; /* packets to send; NULL until there was one */
	struct usrsctp_cmt_event *ev;
};

/* Which local address leads to a peer's address, as found out before. */
struct evio_route {
	union evio_address to;
	uint32_t index;
};
#define EVIO_ROUTES 64

TAILQ_HEAD(evio_conns, usrsctp_cmt_conn);
TAILQ_HEAD(evio_listeners, usrsctp_cmt_listener);

struct usrsctp_cmt_event {
	struct event_base *base;
	struct usrsctp_cmt_event_config config; /* without the list of addresses */
	union evio_address wanted[EVIO_ADDRESSES_MAX];
	size_t n_wanted; /* 0 = all */

	struct evio_local locals[EVIO_ADDRESSES_MAX];
	size_t n_locals;
	uint32_t last_index;
	uint16_t udp_port;
	struct evio_route routes[EVIO_ROUTES];
	unsigned n_routes, next_route;
	evutil_socket_t netlink_fd;
	struct event *netlink;

	struct event *timer; /* of the stack */
	struct event *work;  /* packets wait to be sent, or connections to be served */
	uint64_t ticked_us;  /* what usrsctp_handle_timers() has been told */
	unsigned depth;      /* > 0: what is queued is looked at before the loop goes on */

	struct evio_conns conns; /* all */
	struct evio_conns ready; /* to be served */
	struct evio_listeners listeners;
	unsigned n_ready;
	struct usrsctp_cmt_event_stats stats;
	void *receive; /* udp.c */
};

/* --- event.c --- */

/* Around everything that may enter the stack from the loop: timers first, and what came of it afterwards. */
void evio_enter(struct usrsctp_cmt_event *ev);
void evio_leave(struct usrsctp_cmt_event *ev);

/* Have evio_leave() called soon. May be called with locks of the stack held. */
void evio_schedule(struct usrsctp_cmt_event *ev);

/* --- addresses.c --- */

/* Finds the addresses and opens their sockets; watches them. 0, or -1 with errno and a sentence. */
int evio_addresses_open(struct usrsctp_cmt_event *ev, char *error, size_t error_bytes);
void evio_addresses_close(struct usrsctp_cmt_event *ev);

/* The one that a packet from `address` leaves by; NULL when there is none. */
struct evio_local *evio_local_by_address(struct usrsctp_cmt_event *ev, const struct sockaddr *address);

uint32_t evio_if_index(void *ctx, const struct sockaddr *dst);
uint32_t evio_mtu(void *ctx, const struct sockaddr *src);

bool evio_address_equal(const struct sockaddr *a, const struct sockaddr *b);
socklen_t evio_address_len(const struct sockaddr *address);
void evio_address_copy(union evio_address *to, const struct sockaddr *from, uint16_t port);
uint16_t evio_address_port(const struct sockaddr *address);

/* All present addresses, packed as usrsctp_bindx() wants them; returns how many. */
int evio_pack_addresses(const struct usrsctp_cmt_event *ev, uint16_t sctp_port,
                        uint8_t out[EVIO_ADDRESSES_MAX * sizeof(struct sockaddr_in6)]);

/* --- udp.c --- */

/* Opens the socket of `local` on UDP port `*port`; 0 chooses one and stores it. 0, or -1 with errno. */
int evio_socket_open(struct evio_local *local, uint16_t *port);
void evio_socket_close(struct evio_local *local);

int evio_output(void *ctx, const struct cmt_seam_packet *packet);
void evio_flush(struct usrsctp_cmt_event *ev);

/* --- conn.c, listener.c --- */
void evio_serve_ready(struct usrsctp_cmt_event *ev);
void evio_serve_listeners(struct usrsctp_cmt_event *ev);

/* Binds endpoints to an address that has appeared, or takes it from them. */
void evio_conns_rebind(struct usrsctp_cmt_event *ev, const struct evio_local *local, bool add);
void evio_listeners_rebind(struct usrsctp_cmt_event *ev, const struct evio_local *local, bool add);

/* The kernel says that nothing answers at `to` (an ICMP error with this errno). */
void evio_conns_refused(struct usrsctp_cmt_event *ev, const struct sockaddr *to, int error);

/* The path to `to` carries IP packets of at most this. */
void evio_conns_path_mtu(struct usrsctp_cmt_event *ev, const struct sockaddr *to, uint32_t mtu_bytes);

void evio_conns_free_all(struct usrsctp_cmt_event *ev);
void evio_listeners_free_all(struct usrsctp_cmt_event *ev);

#endif
