/* SPDX-License-Identifier: BSD-3-Clause
 *
 * event.h - inside the event back end: what its files share.
 *
 *   event.c       life cycle, timers, what waits for the loop
 *   address.c     addresses as such
 *   addresses.c   the local ones, followed through netlink
 *   route.c       which of them leads to a peer's address
 *   udp*.c        one socket per local address: batches of packets out and in
 *   conn.c        connections: opening, events, the end
 *   conn_io.c     reading and writing them
 *   conn_socket.c their sockets
 *   conn_paths.c  their paths, and this host's interfaces
 *   conn_secure.c their keys
 *   conn_bufferevent.c
 *   listener.c    accepting them
 *
 * Single threaded, the loop's thread, which other back ends of the process may share. What the stack calls
 * (output, route, reaches, mtu, sooner) it calls with its locks held: that queues, and the stack is entered
 * from the loop only. */
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
#include <usrsctp_cmt_packets.h>

#define EVIO_ADDRESSES_MAX     32
#define EVIO_ADDRESS_TEXT_SIZE 64
#define EVIO_FALLBACK_MTU      1500

union evio_address {
	struct sockaddr any;
	struct sockaddr_in in;
	struct sockaddr_in6 in6;
};

struct evio_batch; /* udp_send.c */

/* One local address with its socket. */
struct evio_local {
	union evio_address address; /* port 0 */
	int device;                 /* the kernel's interface index; 0 = unknown */
	uint32_t mtu_bytes;         /* of that interface */
	bool present;               /* on this host now, and known to the stack */
	bool carrier;               /* that interface has one */
	evutil_socket_t fd;
	bool kept_to_device; /* what leaves by the socket does so through `device`, whatever the routes say */
	struct event *readable, *writable;
	struct evio_batch *batch; /* packets to send; NULL until there was one */
	struct usrsctp_cmt_event *ev;
};

/* Which local address leads to a peer's address, as found out before, and how large packets may be. */
struct evio_route {
	union evio_address to;
	const struct evio_local *local; /* NULL = none */
	uint32_t mtu_bytes;             /* of IP packets, as the route and its interface say */
	uint32_t told_bytes;            /* the same, less where a router said so: for who does not probe */
};

/* A router's word, until the stack can be told. */
struct evio_too_big {
	const struct evio_local *local;
	union evio_address to;
	uint8_t quote[USRSCTP_CMT_QUOTE_BYTES]; /* of the packet */
	uint32_t mtu_bytes;
};
#define EVIO_TOO_BIG       16 /* more are as good as lost: there will be others */
#define EVIO_ROUTES        64
#define EVIO_MTU_MIN_BYTES 576 /* less is not believed of a router: anybody can send ICMP */

TAILQ_HEAD(evio_conns, usrsctp_cmt_conn);
TAILQ_HEAD(evio_listeners, usrsctp_cmt_listener);

struct usrsctp_cmt_event {
	struct usrsctp_cmt_packets *packets; /* of the stack */
	struct event_base *base;
	struct usrsctp_cmt_event_config config; /* without the list of addresses */
	union evio_address wanted[EVIO_ADDRESSES_MAX];
	size_t n_wanted; /* 0 = all */
	bool link_local; /* with all: link-local IPv6 addresses too */

	struct evio_local locals[EVIO_ADDRESSES_MAX];
	size_t n_locals;
	uint16_t udp_port;
	struct evio_route routes[EVIO_ROUTES];
	unsigned n_routes, next_route;
	evutil_socket_t netlink_fd;
	struct event *netlink;

	struct event *timer; /* of the stack */
	struct event *work;  /* packets wait to be sent, or connections to be served */
	bool work_due;       /* it has been started for that */
	unsigned depth;      /* > 0: what is queued is looked at before the loop goes on */
	bool refresh_due;    /* evio_conns_refresh() is to be called from the loop */
	struct evio_too_big too_big[EVIO_TOO_BIG];
	unsigned n_too_big;
	bool probe_all; /* then, also the paths that are in use: local addresses or carriers have changed */

	struct evio_conns conns; /* all */
	struct evio_conns ready; /* to be served */
	struct evio_listeners listeners;
	unsigned n_ready;
	struct usrsctp_cmt_event_stats stats;
	void *receive; /* udp_receive.c */
};

/* --- event.c --- */

/* While the stack is entered from the loop its clock stands still between two calls of this. */
void evio_refresh_time(const struct usrsctp_cmt_event *ev);

/* Around everything that may enter the stack from the loop: timers first, and what came of it afterwards. */
void evio_enter(struct usrsctp_cmt_event *ev);
void evio_leave(struct usrsctp_cmt_event *ev);

/* Have evio_leave() called soon. May be called with locks of the stack held. */
void evio_schedule(struct usrsctp_cmt_event *ev);

/* --- address.c --- */

/* The same address; of link-local ones also the same interface, where both name it: packets do not. */
bool evio_address_equal(const struct sockaddr *a, const struct sockaddr *b);

/* The interface of a link-local IPv6 address, if it is named; 0 with others. */
uint32_t evio_address_scope(const struct sockaddr *address);
socklen_t evio_address_len(const struct sockaddr *address);
void evio_address_copy(union evio_address *to, const struct sockaddr *from, uint16_t port);
uint16_t evio_address_port(const struct sockaddr *address);

/* The address alone, and its size. */
const uint8_t *evio_address_bytes(const struct sockaddr *address, unsigned *n);

/* The number of leading bits in which they agree; families must be the same. */
unsigned evio_common_prefix_bits(const struct sockaddr *a, const struct sockaddr *b);

const char *evio_address_text(const struct sockaddr *address, char text[EVIO_ADDRESS_TEXT_SIZE]);
bool evio_address_is_loopback(const struct sockaddr *address);
bool evio_address_is_link_local(const struct sockaddr *address);

/* --- addresses.c --- */

/* Finds the addresses and opens their sockets; watches them. 0, or -1 with errno and a sentence. */
int evio_addresses_open(struct usrsctp_cmt_event *ev, char *error, size_t error_bytes);
void evio_addresses_close(struct usrsctp_cmt_event *ev);

/* Where all addresses are used: link-local IPv6 ones too from now on, for listeners and for peers that have
 * such an address. Without that they are left alone: to no other peer they are of use. */
void evio_use_link_local(struct usrsctp_cmt_event *ev);

/* The one that a packet from `address` leaves by; NULL when there is none. */
struct evio_local *evio_local_by_address(struct usrsctp_cmt_event *ev, const struct sockaddr *address);

/* All present addresses, packed as usrsctp_bindx() wants them; returns how many. */
int evio_pack_addresses(const struct usrsctp_cmt_event *ev, uint16_t sctp_port,
                        uint8_t out[EVIO_ADDRESSES_MAX * sizeof(struct sockaddr_in6)]);

/* The kernel's interface index of an address of this host, in use by us or not; 0 = unknown. */
int evio_device_of(struct usrsctp_cmt_event *ev, const struct sockaddr *address);

/* --- route.c --- */

/* Of a peer's address; found out when it is not known yet. Valid until the next call. */
struct evio_route *evio_route(struct usrsctp_cmt_event *ev, const struct sockaddr *to);
bool evio_find_route(void *ctx, const struct sockaddr *dst, struct sockaddr_storage *src);
bool evio_reaches(void *ctx, const struct sockaddr *src, const struct sockaddr *dst);
uint32_t evio_mtu(void *ctx, const struct sockaddr *src, const struct sockaddr *dst);

/* --- udp.c --- */

/* Opens the socket of `local` on UDP port `*port`; 0 chooses one and stores it. 0, or -1 with errno. */
int evio_socket_open(struct evio_local *local, uint16_t *port);
void evio_socket_close(struct evio_local *local);

int evio_output(void *ctx, const struct usrsctp_cmt_packet *packet);
void evio_flush(struct usrsctp_cmt_event *ev);

/* --- conn.c, listener.c --- */
void evio_serve_ready(struct usrsctp_cmt_event *ev);
void evio_serve_listeners(struct usrsctp_cmt_event *ev);

/* Binds endpoints to an address that has appeared, or takes it from them. */
void evio_conns_rebind(struct usrsctp_cmt_event *ev, const struct evio_local *local, bool add);
void evio_listeners_rebind(struct usrsctp_cmt_event *ev, const struct evio_local *local, bool add);

/* The kernel says that nothing answers at `to` (an ICMP error with this errno). */
void evio_conns_refused(struct usrsctp_cmt_event *ev, const struct sockaddr *to, int error);

/* Interfaces or routes have changed: packet sizes are set anew, and paths that were given up are probed. */
void evio_conns_refresh(struct usrsctp_cmt_event *ev);

void evio_conns_free_all(struct usrsctp_cmt_event *ev);
void evio_listeners_free_all(struct usrsctp_cmt_event *ev);

#endif
