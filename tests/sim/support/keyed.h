/* SPDX-License-Identifier: BSD-3-Clause
 *
 * keyed.h - two ends that negotiate the DTLS chunk and get keys step by step, as a key management gives them, while
 * somebody on the path changes packets. Host 0 connects, host 1 listens; or both connect.
 *
 * One per process: use it in a scenario (isolate.h). Times are virtual. */
#ifndef SIM_KEYED_H
#define SIM_KEYED_H

#include <usrsctp_cmt_dtls.h>
#include <usrsctp_cmt_sim.h>

#include "packet.h"

enum { KEYED_CLIENT_PORT = 5000, KEYED_SERVER_PORT = 5001, KEYED_MESSAGE_MAX = 2000 };

struct keyed;

/* What one end offers; no methods: it does not know the DTLS chunk. */
struct keyed_offer {
	uint16_t flags;
	uint8_t n_methods, methods[SCTP_DTLS_KM_MAX];
};

struct keyed_options {
	uint64_t seed;
	int n_paths; /* 0 = 1 */
	struct keyed_offer offers[2];
	bool both_connect;
	bool from_one_address; /* the client has that of the first path alone */
	/* A packet in the clear leaves: writes what takes its place and returns its bytes, without checksum; 0: it stays as it
	 * is. SIZE_MAX: it is lost. */
	size_t (*forge)(struct keyed *k, const struct usrsctp_cmt_sim_packet *packet, uint8_t *out);
	/* A message was read. */
	void (*receive)(struct keyed *k, int host, uint32_t ppid, const uint8_t *bytes, size_t n);
	void (*look)(struct keyed *k, const struct usrsctp_cmt_sim_packet *packet);
	void *arg;
};

struct keyed {
	const struct keyed_options *options;
	struct usrsctp_cmt_sim *sim;
	struct socket *listener, *so[2];
	bool up[2], lost[2], restarted[2];
	uint16_t abort_cause; /* of the last ABORT in the clear */
	uint32_t n_aborts, n_clear, n_records;
	uint32_t tags[2]; /* that packets to a host carry */
	uint32_t tsns[2]; /* newest in the clear, by sender */
	bool injecting;
};

void keyed_open(struct keyed *k, const struct keyed_options *options);
void keyed_run(struct keyed *k, uint64_t for_us);
void keyed_close(struct keyed *k);

/* All of these: 0 or errno. */
int keyed_send(struct keyed *k, int host, uint32_t ppid, const void *bytes, size_t n);
/* `direction`: of the packets, by the host that sends them. */
int keyed_keys(struct keyed *k, int host, int option, uint64_t epoch, int direction);
int keyed_value(struct keyed *k, int host, int option, uint32_t value);
int keyed_enforce(struct keyed *k, int host);
int keyed_agreed(struct keyed *k, int host, uint16_t *flags, uint8_t *method, unsigned *n_methods);
int keyed_parameter(struct keyed *k, int host, int option, uint8_t out[SCTP_DTLS_KMP_MAX], size_t *bytes);

/* All keys of the first epoch in order, both ends enforce; the first error. */
int keyed_protect(struct keyed *k);

/* In the name of the other host, with checksum. */
void keyed_inject(struct keyed *k, int to, uint8_t *packet, size_t bytes);

#endif
