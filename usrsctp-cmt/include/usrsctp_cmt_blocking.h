/* SPDX-License-Identifier: BSD-3-Clause
 *
 * usrsctp_cmt_blocking.h - connections over all paths for programs without an event loop: cmt_connect(),
 * cmt_send(), cmt_recv(), cmt_close(). docs/blocking.md shows them at work.
 *
 * One hidden thread runs the stack and all connections of the process, on usrsctp_cmt_event.h. It starts with
 * the first connection or listener and ends, with all memory, when the last one is closed; signals are not
 * delivered to it. Nothing else of the process may use the stack meanwhile (EBUSY).
 *
 * Every function may be called by any thread; several may send, receive and wait on one connection at once.
 * cmt_close() wakes those who wait there (ECANCELED), and the pointer is invalid behind it. After fork() the
 * child has no hidden thread: every call there on what was open fails with EOWNERDEAD, and so does opening;
 * fork before the first connection, or exec.
 *
 * `timeout_ms` is the longest a call blocks: 0 = not at all (EAGAIN), negative = for ever; else it ends with
 * ETIMEDOUT. Functions return 0 or a number when they succeed, a negative errno otherwise; cmt_reason() then
 * has a sentence. Structures start with their size; everything else may be 0 for the default. */
#ifndef USRSCTP_CMT_BLOCKING_H
#define USRSCTP_CMT_BLOCKING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <usrsctp_cmt.h>
#include <usrsctp_cmt_event.h>
#include <usrsctp_cmt_keys.h>

#ifdef __cplusplus
extern "C" {
#endif

struct cmt_connection;
struct cmt_listener;

/* Why the last call of this thread that failed did. Valid until this thread's next call. */
const char *cmt_reason(void);

/* --- to connect and to listen --- */

/* Strings are read during the call only. */
struct cmt_config {
	size_t size; /* sizeof(struct cmt_config) */
	/* Addresses of the one peer, "10.1.0.1,10.2.0.1": IPv4, IPv6 or names, each of which stands for all
	 * its addresses. Every one that this host reaches is a path. To connect only. */
	const char *peer;
	/* Addresses of this host to use, as above; "any": all of the interfaces that are up, those that come
	 * later too. NULL: to connect "any", to listen 127.0.0.1. */
	const char *local;
	uint16_t port;     /* SCTP port of the listener; not 0 */
	uint16_t udp_port; /* of this end, under which SCTP travels (RFC 6951); 0: to connect a free one, to
	                      listen USRSCTP_CMT_EVENT_UDP_PORT */
	bool any_udp_port; /* to listen: a free one, see cmt_listener_udp_port() */
	uint16_t peer_udp_port; /* to connect; 0 = USRSCTP_CMT_EVENT_UDP_PORT */
	/* Whom to trust (docs/blocking.md). Connections are encrypted unless `insecure` says otherwise. Who
	 * connects has to say whom to expect: peer_fingerprints, passphrase, ca_file or any_peer. A listener
	 * that asks for nothing takes whoever has keys. */
	const char *peer_fingerprints; /* "sha256:..,sha256:..": a peer that has one of these */
	const char *passphrase;        /* a peer that knows it; no certificates then */
	const char *ca_file;           /* PEM: a peer whose certificate one of these has signed, */
	const char *ca_name;           /* for this host or address, where it is given */
	bool any_peer;                 /* whoever answers: nobody reads along, but the peer may be anybody */
	const char *cert_file, *key_file; /* PEM, who we are; NULL: made anew, lasts as long as this
	                                     connection, or listener */
	bool insecure;                    /* in the clear; both ends have to say so */
	/* As in struct usrsctp_cmt_conn_config. */
	const char *scheduler, *scheduler_options;
	const char *cc, *cc_options;
	uint32_t sndbuf_bytes, rcvbuf_bytes;
	uint16_t streams_out, streams_in_max;
	uint32_t path_max_retrans;
	uint32_t
	    message_max_bytes; /* a longer one that comes in ends the connection (EMSGSIZE); 0 = 16 MiB */
};

/* Returns when the connection is up and the peer is known. timeout_ms not positive: 30 s. -EINVAL (config),
 * -ECONNREFUSED (nobody listens), -ETIMEDOUT, -ENETUNREACH, -EACCES (keys: who refuses whom, and why, says
 * cmt_reason()), -EADDRINUSE, -EADDRNOTAVAIL (`local`), -ENOENT (no such name), -EIO (a file), -EBUSY,
 * -ENOMEM. */
int cmt_connect(struct cmt_connection **out, const struct cmt_config *config, int timeout_ms);

/* -E.. as above. Several listeners may share addresses and UDP port. */
int cmt_listen(struct cmt_listener **out, const struct cmt_config *config);

/* The next peer, up and known. 128 wait at most, further ones are aborted. */
int cmt_accept(struct cmt_connection **out, struct cmt_listener *listener, int timeout_ms);

/* Those who are not accepted yet are aborted; accepted ones go on. NULL: nothing happens. */
void cmt_listener_close(struct cmt_listener *listener);

/* The UDP port in use, in host order. */
int cmt_listener_udp_port(const struct cmt_listener *listener);

/* What peers give as peer_fingerprints, with its NUL. -ENOENT: there is none (passphrase, or in the clear).
 */
int cmt_listener_fingerprint(const struct cmt_listener *listener, char out[USRSCTP_CMT_FINGERPRINT_TEXT]);

/* A peer that was not taken for its keys, or has not taken ours and has said so before it left. */
struct cmt_refused {
	size_t size;                     /* sizeof(struct cmt_refused) */
	struct sockaddr_storage address; /* AF_UNSPEC: gone already */
	char reason[USRSCTP_CMT_REASON_BYTES];
};

/* The next one since then, of the last 16. -EAGAIN: there is none. Does not block. */
int cmt_next_refused(struct cmt_listener *listener, struct cmt_refused *out);

/* --- messages --- */

/* Sends one message, whole: copies it, blocks while 512 KiB or more wait before it besides what is in the
 * send buffer. `message` NULL: stream 0, ordered, reliable; its flags: USRSCTP_CMT_MESSAGE_UNORDERED.
 * -EMSGSIZE (larger than the send buffer), -EINVAL (empty, or no such stream), -EPIPE (the peer has closed),
 * -ECANCELED, or what the connection was lost with: -ECONNRESET, -ETIMEDOUT, -EACCES. */
int cmt_send(struct cmt_connection *connection, const void *data, size_t len,
             const struct usrsctp_cmt_message *message, int timeout_ms);

/* Receives one message, whole, and returns its bytes; 0: the peer has closed, and all was received.
 * -EMSGSIZE: it is larger than `size` and stays. `buffer` NULL: returns the bytes of the next message, which
 * stays. `message`, if not NULL, says how it came. What came before the connection was lost is received
 * before the error. What is not received fills queue and receive buffer, and the peer's sending blocks. */
ssize_t cmt_recv(struct cmt_connection *connection, void *buffer, size_t size,
                 struct usrsctp_cmt_message *message, int timeout_ms);

/* Sends what is queued, ends the association and frees the connection, whatever the result. 0: the peer has
 * everything. -ETIMEDOUT: it was aborted, and the end of what was sent may be missing; with timeout_ms 0 that
 * is done at once, and is 0. -E..: the connection was lost. NULL: nothing happens. */
int cmt_close(struct cmt_connection *connection, int timeout_ms);

/* --- waiting for several things --- */

enum cmt_ready {
	CMT_READY_RECV = 0, /* cmt_recv() would not block */
	CMT_READY_SEND,     /* cmt_send() would not block */
	CMT_READY_EVENT     /* cmt_next_event() would not block */
};

/* A descriptor for poll(2), epoll(7) or a loop, which is readable while that holds. The connection's: neither
 * read nor close it, and forget it before cmt_close(). -EMFILE. */
int cmt_fd(struct cmt_connection *connection, enum cmt_ready what);

/* Readable while cmt_accept() would not block. */
int cmt_listener_fd(struct cmt_listener *listener);

/* --- what is known of a connection --- */

/* The next event: PATH_*, PEER_CLOSED, LOST. The newest 64 are kept. -ENOTCONN: no more will come. */
int cmt_next_event(struct cmt_connection *connection, struct usrsctp_cmt_conn_event *out, int timeout_ms);

/* Whom it is encrypted for; set out->size. -ENOENT: it is in the clear. */
int cmt_peer(const struct cmt_connection *connection, struct usrsctp_cmt_peer *out);

/* Statistics of all paths, at most `max`; returns how many. -ENOTCONN: the association is over. */
int cmt_paths(struct cmt_connection *connection, struct sctp_cmt_path_stats *paths, size_t max);

/* Every socket option of usrsctp.h and usrsctp_cmt.h, such as SCTP_CMT_STATS; level IPPROTO_SCTP or
 * SOL_SOCKET. Errors are those of usrsctp_getsockopt() and usrsctp_setsockopt(). */
int cmt_getsockopt(struct cmt_connection *connection, int level, int option, void *value, socklen_t *len);
int cmt_setsockopt(struct cmt_connection *connection, int level, int option, const void *value,
                   socklen_t len);

#ifdef __cplusplus
}
#endif
#endif
