/* SPDX-License-Identifier: BSD-3-Clause
 *
 * exchange_parts.h - what client and server of an exchange share. */
#ifndef NET_EXCHANGE_PARTS_H
#define NET_EXCHANGE_PARTS_H

#include <pthread.h>
#include <stdatomic.h>

#include <usrsctp_cmt.h>

#include "exchange.h"
#include "host.h"
#include "isolate.h"

enum { EXCHANGE_PORT = 5001, EXCHANGE_MESSAGE_MAX_BYTES = 65536, EXCHANGE_ANSWER_EVERY_BYTES = 32768 };

/* What the server answers. */
struct exchange_answer {
	uint64_t confirmed_bytes;
};

/* The content of every association begins with its number. */
void exchange_content(unsigned number, uint32_t at, uint8_t *out, size_t len);

/* A one-to-one socket with the exchange's scheduler, bound to the host's addresses. */
struct socket *exchange_socket(const struct exchange *job, const struct host *host, uint16_t port,
                               int (*receive)(struct socket *, union sctp_sockstore, void *, size_t,
                                              struct sctp_rcvinfo, int, void *),
                               void *arg);

void exchange_pause_us(unsigned us);

/* Its associations go to that UDP port. */
void exchange_set_peer_port(struct socket *so, uint16_t udp_port);

/* Until every association is gone and usrsctp_finish() agrees. */
void exchange_finish(void);

/* `ready_fd`: gets a byte when connections are accepted. */
void exchange_serve(const struct exchange *job, const struct host *host, int ready_fd,
                    struct exchange_outcome *outcome);
void exchange_drive(const struct exchange *job, const struct host *host, struct exchange_outcome *outcome);

#endif
