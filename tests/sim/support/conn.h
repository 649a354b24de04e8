/* SPDX-License-Identifier: BSD-3-Clause
 *
 * conn.h - messages between two AF_CONN sockets, as WebRTC libraries use the stack: the application carries
 * the packets (usrsctp_register_address(), usrsctp_conninput()), both ends connect at once, and addresses are
 * pointers. One link with a queue in each direction.
 *
 * A job runs in a child process (isolate.h). Every byte and every end of a message is checked. Times are
 * virtual. */
#ifndef SIM_CONN_H
#define SIM_CONN_H

#include <stdbool.h>
#include <stdint.h>

#include <usrsctp.h>

/* What an application of libdatachannel's kind sends and receives with. */
enum { CONN_MTU_BYTES = 1280, CONN_BUFFER_BYTES = 1 << 20, CONN_MESSAGE_MAX_BYTES = 1 << 18 };

struct conn_job {
	uint64_t seed;
	uint64_t rate_bps, delay_us; /* of each direction */
	uint32_t queue_bytes;        /* that wait at most to enter the link */
	uint32_t loss_ppm;
	uint32_t message_bytes, n_messages; /* from end 0 to end 1 */
	uint64_t limit_us;
	void (*configure)(struct socket *so, int end, const void *arg); /* each socket, before bind */
	void (*look)(struct socket *so, void *seen); /* at the sender, when all has arrived */
	const void *arg;
};

struct conn_outcome {
	uint64_t up_us, done_us; /* the sender's association; the last byte arrived. 0 = never */
	uint64_t received_bytes;
	uint32_t received_messages;
	bool intact; /* so far every byte was the one expected, and every message ended where it should */
	uint64_t sent_pkts, dropped_pkts; /* both directions */
	uint64_t seen[256];               /* for `look` */
};

struct conn_outcome conn_run(const struct conn_job *job);

/* Bits of user data a second from association up to the last byte. */
uint64_t conn_goodput_bps(const struct conn_outcome *o);

#endif
