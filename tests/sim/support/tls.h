/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tls.h - keys for the DTLS chunk by TLS 1.3 between two sockets of a simulation: usrsctp_cmt_keys.h driven
 * as connections of the event back end drive it.
 *
 * Runs in a child process (isolate.h). Whoever reads the socket hands over what has PPID SCTP_DTLS_PPID. */
#ifndef SIM_TLS_H
#define SIM_TLS_H

#include <usrsctp.h>
#include <usrsctp_cmt_keys.h>

struct tls_end {
	struct socket *so;
	struct usrsctp_cmt_keys *keys; /* the caller's, and outlive the end */
	bool is_server;
	struct usrsctp_cmt_handshake *hs;
	bool has_keys; /* they are installed */
	bool is_done;  /* the peer is known: messages may go */
};

/* Before the socket is bound: there is no association without the DTLS chunk. */
void tls_offer(struct socket *so, bool is_server);

/* The association is up. `so`, `keys` and `is_server` are there, all else is zero. */
void tls_begin(struct tls_end *end);

/* A whole message of the peer's end. */
void tls_take(struct tls_end *end, const void *message, size_t bytes);

void tls_free(struct tls_end *end);

#endif
