/* SPDX-License-Identifier: BSD-3-Clause
 *
 * carrier.h - hosts on packets of a test's own (usrsctp_cmt_packets.h). Hosts come in pairs, client and
 * server, each with the addresses 10.(path + 1).0.1 and .2: every pair the same ones. Wires carry the packets
 * of a pair, in order, with the delay of their path.
 *
 * By the kernel's clock each host is a back end; in virtual time a pair is one. One per process: use it in a
 * scenario (isolate.h). */
#ifndef SIM_CARRIER_H
#define SIM_CARRIER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <netinet/in.h>
#include <usrsctp_cmt.h>
#include <usrsctp_cmt_packets.h>

enum {
	CARRIER_PATHS = 24,
	CARRIER_HOSTS = 6,
	CARRIER_SCTP_PORT = 5001, /* of servers; of clients the next one */
	CARRIER_UDP_PORT = 9000,  /* of host 0; the next ones have the next ones */
	CARRIER_MESSAGE_BYTES = 1000
};

struct carrier_host {
	struct usrsctp_cmt_packets *packets;
	struct socket *listener, *so;
	size_t to_send, sent, received; /* by the application */
	bool intact;                    /* so far every byte was the one expected */
	bool over;                      /* the association has ended */
	size_t batches, calls_sooner;   /* calls of `output`, of `sooner` */
	size_t out_pkts[CARRIER_PATHS]; /* from there */
	size_t nowhere_pkts;            /* to where no host is */
	size_t room;                    /* `output` takes so many at a time; 0 = all */
};

/* A packet on the wire. `bytes` may be changed. */
struct carrier_packet {
	struct carrier_packet *next;
	struct carrier_host *to;
	unsigned path;
	uint64_t at_us;
	struct sockaddr_in local, remote; /* as it arrives */
	size_t len;
	uint8_t bytes[];
};

struct carrier {
	bool in_virtual_time;
	bool at_once;      /* `output_now` in place of `output` */
	bool bound_to_any; /* sockets, in place of one address after the other */
	unsigned n_paths;  /* 0 = 1 */
	uint64_t delay_us; /* one way */
	bool says_more;    /* of what arrives together */
	uint64_t tick_us;  /* not 0: looks at least so often */
	/* Whether a packet gets there; NULL: all do. */
	bool (*passes)(struct carrier *c, const struct carrier_packet *packet);
	void (*configure)(struct socket *so, const struct carrier_host *host); /* before it is bound */

	uint64_t now_us, random; /* virtual */
	unsigned n_hosts;
	size_t runs; /* steps that ran timers */
	struct carrier_host hosts[CARRIER_HOSTS];
	struct carrier_packet *flying;
};

/* A pair of hosts, its addresses, and the client's paths; its number of the client. */
unsigned carrier_open(struct carrier *c);
/* The server listens, the client connects and sends `bytes`. */
void carrier_connect(struct carrier *c, unsigned client, size_t bytes);
/* As carrier_open() does it for one host. */
void carrier_add_address(struct carrier *c, unsigned host, unsigned path);
void carrier_add_path(struct carrier *c, unsigned host, unsigned path);

/* The address of a host, without a port. */
struct sockaddr_in carrier_address(unsigned host, unsigned path);

/* A round of the loop: what is due, then sockets; waits for `most_us` at most. */
void carrier_step(struct carrier *c, uint64_t most_us);
/* Rounds until the server of this client has `bytes`, for `limit_us` at most; whether it has. */
bool carrier_run(struct carrier *c, unsigned client, size_t bytes, uint64_t limit_us);
uint64_t carrier_now_us(const struct carrier *c);

/* Statistics of a host's paths; how many. */
size_t carrier_paths(const struct carrier_host *host, struct sctp_cmt_path_stats paths[SCTP_CMT_MAX_PATHS]);
/* Of the one from its address on `path`; false: there is none. */
bool carrier_path(const struct carrier *c, unsigned host, unsigned path, struct sctp_cmt_path_stats *out);

/* Closes sockets, ends back ends, that of the first client last. */
void carrier_close(struct carrier *c);

#endif
