/* SPDX-License-Identifier: BSD-3-Clause
 *
 * usrsctp_cmt_event.h - the stack on the application's libevent loop, and connections in libevent's manner.
 *
 * usrsctp_cmt_event_new() takes the place of usrsctp_init(). Single threaded: no thread is started,
 * everything runs in event_base_loop() of the base that was given, and every function here is called from
 * that thread. A process may have several back ends, on one base or on several, all in one thread; what they
 * share says usrsctp_cmt_packets.h, on which this stands. Each local address has a socket of its own, so that
 * a packet leaves from the address that the stack chose for its path.
 *
 * Callbacks are called from the loop only, never from within a function of this header. They may call every
 * function here except usrsctp_cmt_event_free(); a connection may be freed in its own callbacks.
 *
 * Functions return 0 or a pointer when they succeed, -1 or NULL with errno otherwise. Public structures start
 * with their own size, as in usrsctp_cmt.h; everything else may be 0 for the default. */
#ifndef USRSCTP_CMT_EVENT_H
#define USRSCTP_CMT_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <usrsctp_cmt.h>
#include <usrsctp_cmt_keys.h>

#ifdef __cplusplus
extern "C" {
#endif

struct event_base;
struct bufferevent;

/* --- the back end --- */

#define USRSCTP_CMT_EVENT_UDP_PORT      9899 /* RFC 6951 */
#define USRSCTP_CMT_EVENT_MTU_MAX_BYTES 9000

struct usrsctp_cmt_event;

enum usrsctp_cmt_event_transport {
	USRSCTP_CMT_EVENT_UDP = 0, /* SCTP in UDP (RFC 6951): no privilege, passes NATs */
	USRSCTP_CMT_EVENT_RAW /* SCTP in IP: needs CAP_NET_RAW, and a kernel whose own SCTP is not loaded */
};

struct usrsctp_cmt_event_config {
	size_t size; /* sizeof(struct usrsctp_cmt_event_config) */
	/* Local addresses, ports ignored. n_addresses 0: all of the interfaces that are up; link-local ones
	 * only of IPv6, and only for listeners and for peers that have such an address, with its
	 * sin6_scope_id; addresses that appear and disappear later are followed. With a list only those of
	 * the list are. */
	const struct sockaddr_storage *addresses;
	size_t n_addresses;
	enum usrsctp_cmt_event_transport transport;
	uint16_t udp_port;      /* of all local addresses; 0 = one that is free on all of them */
	uint32_t mtu_max_bytes; /* no path is taken to carry larger IP packets than this, whatever its
	                           interface says; 0 = USRSCTP_CMT_EVENT_MTU_MAX_BYTES */
	bool no_offload;        /* true: neither UDP GSO nor GRO, for measurements */
	void (*debug_printf)(const char *format, ...); /* upstream's messages; NULL = silent */
	/* The first release ends here. */
	const char
	    *except_interface; /* n_addresses 0: its addresses are left out, as those of a tunnel that the
	                          connections carry; it need not exist yet. Must outlive the back end */
};

/* `base` must outlive the back end. On failure `error`, if it is not NULL, gets a sentence that names the
 * address or port and the reason. errno: EBUSY (the stack runs in another thread, on
 * usrsctp_init() or in virtual time), ENOSPC (more than USRSCTP_CMT_PACKETS_MAX), EINVAL, ENOMEM, EADDRINUSE,
 * EADDRNOTAVAIL, EPERM (raw sockets). */
struct usrsctp_cmt_event *usrsctp_cmt_event_new(struct event_base *base,
                                                const struct usrsctp_cmt_event_config *config, char *error,
                                                size_t error_bytes);

/* Ends everything. Connections and listeners that the application still holds are freed with it, and
 * associations that are still shutting down are aborted: to be sure that the peer got everything, wait for
 * USRSCTP_CMT_CONN_CLOSED. NULL: nothing happens. */
void usrsctp_cmt_event_free(struct usrsctp_cmt_event *ev);

/* The UDP port in use, in host order; 0 with raw SCTP. */
uint16_t usrsctp_cmt_event_udp_port(const struct usrsctp_cmt_event *ev);

/* Writes up to `max` of the local addresses in use (ports 0). Returns how many there are. */
size_t usrsctp_cmt_event_addresses(const struct usrsctp_cmt_event *ev, struct sockaddr_storage *out,
                                   size_t max);

struct usrsctp_cmt_event_stats {
	size_t size;                                /* sizeof(struct usrsctp_cmt_event_stats) */
	uint64_t sent_pkts, sent_bytes, sent_calls; /* SCTP packets, their bytes, system calls for them */
	uint64_t received_pkts, received_bytes, received_calls;
	uint64_t dropped_pkts;    /* given up because the kernel did not take them */
	uint64_t blocked_calls;   /* the kernel's buffer was full: packets waited */
	uint64_t address_changes; /* local addresses that appeared or disappeared */
	bool gso, gro;            /* in use */
};

/* Counted since usrsctp_cmt_event_new(). EINVAL: `size` is 0. */
int usrsctp_cmt_event_get_stats(const struct usrsctp_cmt_event *ev, struct usrsctp_cmt_event_stats *out);

/* --- connections: one association each --- */

struct usrsctp_cmt_conn;
struct usrsctp_cmt_listener;

/* Of a connection to open, or of all that a listener accepts. */
struct usrsctp_cmt_conn_config {
	size_t size;           /* sizeof(struct usrsctp_cmt_conn_config) */
	const char *scheduler; /* NULL = "auto"; "stock" = upstream's CMT, "single" = no CMT at all: the
	                          other addresses are backup */
	const char *scheduler_options;        /* "key=value,.."; NULL = none */
	uint32_t sndbuf_bytes, rcvbuf_bytes;  /* 0 = 1 MiB each */
	uint16_t streams_out, streams_in_max; /* 0 = 16 each */
	uint16_t local_port;    /* SCTP port of a connection to open; 0 = that of the UDP port if the kernel
	                           chose    it and no other connection has it, else any */
	uint16_t peer_udp_port; /* 0 = USRSCTP_CMT_EVENT_UDP_PORT; listeners ignore it: they learn it */
	uint32_t connect_timeout_ms; /* 0 = 30 s */
	uint32_t
	    path_max_retrans; /* consecutive timeouts after which a path counts as down; 0 = upstream's */
	const char *cc, *cc_options;   /* congestion control and its "key=value,.."; NULL = the library's */
	struct usrsctp_cmt_keys *keys; /* encrypt by the DTLS chunk; NULL: in the clear. Must outlive the
	                                  connection, or the listener and all that it has accepted */
	bool keys_optional;            /* a peer without is taken too, in the clear (loose mode) */
	uint32_t rekey_s; /* new keys after that time; 0 = an hour. They come after 2^22 packets anyway */
};

enum usrsctp_cmt_conn_event_type {
	USRSCTP_CMT_CONN_UP = 1, /* the association is established, and encrypted if `keys` are there: reads
	                            and writes work from here on, usrsctp_cmt_conn_peer() says who it is */
	USRSCTP_CMT_CONN_PEER_CLOSED, /* the peer sends no more, and all that it sent was read */
	USRSCTP_CMT_CONN_CLOSED,      /* usrsctp_cmt_conn_shutdown() is complete: the peer has everything */
	USRSCTP_CMT_CONN_FAILED,      /* could not be established; `error` says why. The last event */
	USRSCTP_CMT_CONN_LOST, /* aborted by the peer, or the peer is gone or has restarted. The last event */
	USRSCTP_CMT_CONN_PATH_UP,   /* the peer's `address` answers (again) */
	USRSCTP_CMT_CONN_PATH_DOWN, /* it does not: potentially failed at once, and once more when given up */
	USRSCTP_CMT_CONN_PATH_ADDED, /* the peer has announced it (RFC 5061) */
	USRSCTP_CMT_CONN_PATH_REMOVED
};

struct usrsctp_cmt_conn_event {
	size_t size;
	enum usrsctp_cmt_conn_event_type type;
	int error;                       /* FAILED, LOST: an errno; 0 otherwise */
	struct sockaddr_storage address; /* PATH_*; AF_UNSPEC otherwise */
};

typedef void usrsctp_cmt_conn_data_cb(struct usrsctp_cmt_conn *conn, void *arg);
typedef void usrsctp_cmt_conn_event_cb(struct usrsctp_cmt_conn *conn,
                                       const struct usrsctp_cmt_conn_event *event, void *arg);
typedef void usrsctp_cmt_accept_cb(struct usrsctp_cmt_listener *listener, struct usrsctp_cmt_conn *conn,
                                   void *arg);

/* Starts to connect to one peer that has these addresses (at least one; SCTP port in each, the same). UP or
 * FAILED follows. errno: EINVAL (config, no address, mixed ports, unknown scheduler, congestion control or
 * option), ENOMEM, EADDRINUSE (local_port), ENETUNREACH. */
struct usrsctp_cmt_conn *usrsctp_cmt_conn_connect(struct usrsctp_cmt_event *ev,
                                                  const struct sockaddr_storage *peer, size_t n_peer,
                                                  const struct usrsctp_cmt_conn_config *config);

/* Accepts connections on SCTP port `port` (host order) of all local addresses. `fn` gets each, up as
 * USRSCTP_CMT_CONN_UP says, and owns it; it must set callbacks before it returns. errno as above. */
struct usrsctp_cmt_listener *usrsctp_cmt_listen(struct usrsctp_cmt_event *ev, uint16_t port,
                                                const struct usrsctp_cmt_conn_config *config,
                                                usrsctp_cmt_accept_cb *fn, void *arg);
void usrsctp_cmt_listener_free(struct usrsctp_cmt_listener *listener);

/* A peer that was not taken for its keys, at `from` (NULL = gone already), and a sentence that says why.
 * `arg` is usrsctp_cmt_listen()'s. */
typedef void usrsctp_cmt_refused_cb(struct usrsctp_cmt_listener *listener, const struct sockaddr *from,
                                    const char *reason, void *arg);
void usrsctp_cmt_listener_setcb(struct usrsctp_cmt_listener *listener, usrsctp_cmt_refused_cb *refused);

/* Any callback may be NULL. `read_cb` is called again and again while data can be read, `write_cb` once after
 * room has become free that a write wanted in vain, and once when the connection is up. */
void usrsctp_cmt_conn_setcb(struct usrsctp_cmt_conn *conn, usrsctp_cmt_conn_data_cb *read_cb,
                            usrsctp_cmt_conn_data_cb *write_cb, usrsctp_cmt_conn_event_cb *event_cb,
                            void *arg);

/* Back pressure. EV_READ, EV_WRITE of event.h; both are enabled at first. With EV_READ disabled nothing is
 * read, the peer's window closes and it stops sending. Events keep their place among the data, so those
 * behind unread data wait too. */
void usrsctp_cmt_conn_enable(struct usrsctp_cmt_conn *conn, short events);
void usrsctp_cmt_conn_disable(struct usrsctp_cmt_conn *conn, short events);

struct usrsctp_cmt_watermarks {
	size_t size;
	size_t read_low;   /* `read_cb` waits until this much can be read; 0 = anything. The high mark is the
	                      receive buffer */
	size_t write_low;  /* `write_cb` waits until no more than this is queued; 0 = half of write_high */
	size_t write_high; /* a write is refused while more than this is queued; 0 = the send buffer */
};

/* All three at once. EINVAL: `size` is not that of this header. */
int usrsctp_cmt_conn_setwatermarks(struct usrsctp_cmt_conn *conn, const struct usrsctp_cmt_watermarks *marks);

#define USRSCTP_CMT_MESSAGE_UNORDERED 0x0001 /* read when it comes; goes before ordered ones that wait */
#define USRSCTP_CMT_MESSAGE_PART      0x0002 /* read: more of this message follows */

struct usrsctp_cmt_message {
	uint16_t stream_id;
	uint16_t flags;       /* USRSCTP_CMT_MESSAGE_* */
	uint32_t ppid;        /* payload protocol identifier, host order */
	uint32_t lifetime_ms; /* write: given up when not sent by then (RFC 3758); 0 = never */
};

/* Writes one message, whole or not at all. `message` NULL: stream 0, ordered, reliable. errno: EAGAIN (no
 * room; `write_cb` will tell), EMSGSIZE (larger than the send buffer), ENOTCONN, EPIPE (shut down), EINVAL
 * (no such stream). */
int usrsctp_cmt_conn_write(struct usrsctp_cmt_conn *conn, const void *data, size_t len,
                           const struct usrsctp_cmt_message *message);

/* Reads a message, or as much of it as fits. Returns its bytes; -1 with EAGAIN when there is nothing to read
 * now, ENOTCONN when there never will be. */
ssize_t usrsctp_cmt_conn_read(struct usrsctp_cmt_conn *conn, void *buffer, size_t size,
                              struct usrsctp_cmt_message *message);

/* Bytes written that the peer has not acknowledged, and bytes that can be read. */
size_t usrsctp_cmt_conn_queued(const struct usrsctp_cmt_conn *conn);
size_t usrsctp_cmt_conn_readable(const struct usrsctp_cmt_conn *conn);

/* Sends what is queued, then ends the association: CLOSED or LOST follows. Reading goes on until then. */
int usrsctp_cmt_conn_shutdown(struct usrsctp_cmt_conn *conn);

/* Forgets the connection. What is queued is still sent and the association shut down in the background, for
 * at most 30 s; usrsctp_cmt_conn_abort() drops both. No callback comes afterwards. NULL: nothing happens. */
void usrsctp_cmt_conn_free(struct usrsctp_cmt_conn *conn);
void usrsctp_cmt_conn_abort(struct usrsctp_cmt_conn *conn);

/* Whom the connection is encrypted for; set out->size. -1 with EINVAL (out->size is 0), ENOTCONN (it is not
 * up yet), ENOENT (it is in the clear). */
int usrsctp_cmt_conn_peer(const struct usrsctp_cmt_conn *conn, struct usrsctp_cmt_peer *out);

/* After FAILED or LOST: a sentence that says what the errno cannot (which certificate was refused, and why);
 * NULL = the errno says it all. The event's errno is EACCES where there are no keys. Valid until the
 * connection is freed. */
const char *usrsctp_cmt_conn_reason(const struct usrsctp_cmt_conn *conn);

/* New keys now, in the background; nothing waits for them. errno: ENOTCONN (not up, or in the clear),
 * EALREADY (some are under way), ENOMEM. */
int usrsctp_cmt_conn_rekey(struct usrsctp_cmt_conn *conn);

/* What the paths carry within a latency budget has changed, by a twentieth at least, or how sure that is. */
struct usrsctp_cmt_capacity_change {
	size_t size;                       /* sizeof(struct usrsctp_cmt_capacity_change) */
	int direction;                     /* of target_bps: 1 up, -1 down, 0 as before */
	struct sctp_cmt_capacity capacity; /* as SCTP_CMT_CAPACITY has it now */
};
typedef void usrsctp_cmt_capacity_cb(struct usrsctp_cmt_conn *conn,
                                     const struct usrsctp_cmt_capacity_change *change, void *arg);

/* For sources that choose their bit rate: calls `fn` with what is known first, and with every change, no more
 * than 20 times a second, until the connection is over or `fn` is NULL. `latency_ms`: how much later than on
 * the fastest path data may arrive; 0 = 300. One at a time; another takes its place. errno: ENOTCONN (not
 * up), ENOMEM. */
int usrsctp_cmt_conn_watch_capacity(struct usrsctp_cmt_conn *conn, uint32_t latency_ms,
                                    usrsctp_cmt_capacity_cb *fn, void *arg);

/* For every socket option of usrsctp.h and usrsctp_cmt.h, SCTP_CMT_PATH_STATS and SCTP_CMT_STATS among them.
 * Owned by the connection; do not close it or set its upcall. */
struct socket *usrsctp_cmt_conn_socket(const struct usrsctp_cmt_conn *conn);

/* The connection as a byte stream on `stream_id`, for code that is written for bufferevents: one end of a
 * bufferevent pair. It takes the connection's callbacks over. Data written to it leave as messages of up to
 * 16 KiB; its watermarks work, and what it does not read closes the peer's window. BEV_EVENT_CONNECTED,
 * BEV_EVENT_EOF and BEV_EVENT_ERROR are told to its event callback; ENOMEM: there was no room for what came,
 * which stays unread. bufferevent_flush(bev, EV_WRITE, BEV_FINISHED) is usrsctp_cmt_conn_shutdown(). The
 * application frees both, the connection first; libevent frees bufferevents in the loop, so let that run once
 * more (EVLOOP_NONBLOCK) before event_base_free(). */
struct bufferevent *usrsctp_cmt_conn_bufferevent(struct usrsctp_cmt_conn *conn, uint16_t stream_id);

#ifdef __cplusplus
}
#endif
#endif
