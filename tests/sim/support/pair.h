/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pair.h - two one-to-one sockets over a simulated network, and a transfer of a known pattern from the client
 * (host 0) to the server (host 1).
 *
 * Runs in a child process (isolate.h): whatever cannot fail in a sound stack is REQUIREd. One pair at a time.
 * Times are virtual. */
#ifndef SIM_PAIR_H
#define SIM_PAIR_H

#include <usrsctp_cmt_sim.h>

enum { PAIR_CLIENT, PAIR_SERVER };
enum { PAIR_CLIENT_PORT = 5000, PAIR_SERVER_PORT = 5001 };
enum { PAIR_MESSAGE_MAX_BYTES = 8192 };

struct pair_options {
	int family; /* 0 = AF_INET */
	uint64_t seed;
	int n_paths;
	struct usrsctp_cmt_sim_link forward[USRSCTP_CMT_SIM_MAX_PATHS]; /* client to server */
	struct usrsctp_cmt_sim_link backward[USRSCTP_CMT_SIM_MAX_PATHS];
	uint32_t bytes;
	uint32_t message_bytes; /* 0 = 1000 */
	bool sysctl_cmt;        /* CMT_BASE for the whole process, as stock usrsctp wants it */
	const char *scheduler;  /* of both ends; NULL = the option is left alone */
	int64_t clock_offset_us[2];
	int32_t clock_skew_ppm[2];
	int rcvbuf_bytes;                                      /* of the server; 0 = default */
	void (*build)(struct usrsctp_cmt_sim *sim, void *arg); /* what else the network has */
	/* Called for each socket before it is bound, and before the simulation starts. */
	void (*configure)(struct socket *so, int host, void *arg);
	usrsctp_cmt_sim_tap_fn *tap;
	void *arg; /* of both */
};

struct pair {
	const struct pair_options *options;
	struct usrsctp_cmt_sim *sim;
	struct socket *listener, *server, *client;
	uint32_t sent_bytes, received_bytes;
	bool intact;      /* so far every byte was the one expected */
	bool complete;    /* all bytes are there */
	bool ended;       /* an endpoint lost its association */
	uint64_t done_us; /* when the last byte came */
};

/* Starts the simulation, connects, and hangs the transfer on the sockets. Prints the seed. */
void pair_open(struct pair *p, const struct pair_options *options);

/* Until the transfer is complete or ended, or until `until_us`. */
void pair_run(struct pair *p, uint64_t until_us);

/* Until `until_us`, complete or not: acknowledgements and timers behind the last byte. */
void pair_linger(struct pair *p, uint64_t until_us);

/* Closes the sockets and frees the simulation. */
void pair_close(struct pair *p);

struct sctp_cmt_stats pair_stats(struct socket *so);

/* Statistics of all paths into `out` (USRSCTP_CMT_SIM_MAX_PATHS elements); how many. */
int pair_path_stats(struct socket *so, struct sctp_cmt_path_stats *out);

/* Sum of a link counter over all paths and both directions. */
struct pair_link_sum {
	uint64_t sent_pkts, dropped_pkts, misrouted_pkts;
};
struct pair_link_sum pair_links(const struct pair *p);

#endif
