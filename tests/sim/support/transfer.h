/* SPDX-License-Identifier: BSD-3-Clause
 *
 * transfer.h - messages in one or both directions over a simulated network, every one of them checked: its
 * bytes, its boundaries, its stream, its order there, and that it comes once.
 *
 * A job says what is sent; it runs in a child process (isolate.h) and hands back an outcome. A message
 * carries its index as payload protocol identifier, so that one of a single byte can be told from the next.
 * When all that must arrive is there the client shuts the association down; sockets, simulation and, with
 * AddressSanitizer, leaks are checked at the end. With SIM_PCAP=FILE in the environment the packets are
 * captured there. Times are virtual. */
#ifndef SIM_TRANSFER_H
#define SIM_TRANSFER_H

#include <usrsctp_cmt_sim.h>

#include "content.h"
#include "tsn_log.h"

enum { TRANSFER_CLIENT, TRANSFER_SERVER };
enum { TRANSFER_MESSAGE_MAX_BYTES = CONTENT_BYTES_MAX, TRANSFER_STREAMS_MAX = 32 };

struct transfer_message {
	uint32_t bytes; /* 1 .. TRANSFER_MESSAGE_MAX_BYTES */
	uint16_t stream;
	bool unordered;
	uint16_t pr_policy; /* SCTP_PR_SCTP_NONE (0): must arrive */
	uint32_t pr_value;
	int to_path; /* from 1: directed there by SCTP_ADDR_OVER; 0 = not directed */
};

struct transfer;

struct transfer_job {
	const char *scheduler;     /* of both ends */
	const char *cc, *recovery; /* the same; NULL = the default */
	int family;                /* 0 = AF_INET */
	uint64_t seed;
	int n_paths;
	struct usrsctp_cmt_sim_link links[USRSCTP_CMT_SIM_MAX_PATHS]; /* both directions */
	bool one_address[2];    /* all paths end there, by host; else each has its own */
	uint32_t n_messages[2]; /* from the client, from the server */
	struct transfer_message (*message)(int host, uint32_t index); /* the same for the same arguments */
	uint64_t interval_us;  /* one message each; 0 = as fast as the socket takes them */
	uint32_t piece_bytes;  /* messages are handed over in pieces (SCTP_EXPLICIT_EOR); 0 = whole */
	bool nagle;            /* leave SCTP_NODELAY off */
	bool protect;          /* by the DTLS chunk; keys are there when the client's association is up */
	bool shutdown_at_once; /* when all is handed over; else when all has arrived */
	int sndbuf_bytes, rcvbuf_bytes; /* 0 = default */
	uint64_t limit_us;              /* 0 = ten minutes */
	int32_t clock_skew_ppm[2];
	void (*build)(struct transfer *t);                               /* what else the network has */
	void (*configure)(struct socket *so);                            /* before bind */
	void (*on_up)(struct transfer *t);                               /* the client's association is up */
	void (*on_handed)(struct transfer *t, int host, uint32_t index); /* the message is in the socket */
	/* An event that the association got beside SCTP_ASSOC_CHANGE, which `configure` switched on. */
	void (*on_event)(struct transfer *t, int host, const union sctp_notification *event);
	/* Every packet; runs with locks of the stack held (usrsctp_cmt_sim_tap()). */
	void (*tap)(struct transfer *t, const struct usrsctp_cmt_sim_packet *packet);
	const void *arg; /* for callbacks */
};

enum transfer_end {
	TRANSFER_OPEN,   /* the association was still there at the time limit */
	TRANSFER_CLOSED, /* ended in order */
	TRANSFER_FAILED, /* the socket said that the association is lost */
	TRANSFER_KILLED  /* transfer_kill() */
};

struct transfer_outcome {
	/* By the host that sent. */
	uint32_t handed[2], arrived[2], missing[2]; /* missing: handed over, reliable, and not arrived */
	uint32_t wrong;                             /* altered, cut, twice, out of order, on another stream */
	char first_wrong[96];
	enum transfer_end end[2];
	uint64_t up_us, last_us; /* association up; last message complete */
	uint64_t ended_us;       /* an application was told last */
	uint64_t longest_gap_us; /* between two reads of the server */
	/* Of the client's messages, from the socket to the reader. */
	uint64_t latency_p95_us, latency_p99_us, latency_max_us;
	uint64_t stream_1_median_us; /* of those on stream 1 */
	uint64_t hash;
	uint32_t chunks[256]; /* sent by both, by type */
	uint32_t timeouts;    /* of T3-rtx, both ends */
	/* Of the client's TSNs (tsn_log.h); copies count as neither spurious nor retransmissions. */
	uint32_t data_pkts, spurious, retransmissions, losses, passed_unsent;
	struct sctp_cmt_stats stats[2];
	int n_paths; /* of the client's view */
	struct sctp_cmt_path_stats paths[USRSCTP_CMT_SIM_MAX_PATHS];
	uint64_t marks[16]; /* for the job's callbacks */
};

struct transfer_side {
	struct socket *so;
	int host;
	uint32_t next; /* message being handed over, and how much of it is */
	uint32_t offset_bytes;
	bool due_asked, paused;
	uint64_t *handed_us;  /* by own message */
	uint32_t *got_bytes;  /* by message of the other side */
	uint64_t *arrived_us; /* 0 = not complete */
	uint32_t next_in_stream[TRANSFER_STREAMS_MAX];
};

struct transfer {
	const struct transfer_job *job;
	struct transfer_outcome *outcome;
	struct usrsctp_cmt_sim *sim;
	struct socket *listener;
	struct transfer_side sides[2];
	uint32_t must_arrive[2]; /* reliable messages still missing, by sender */
	uint64_t read_us;        /* of the server, last */
	struct tsn_log log;
	bool shut;
};

/* Runs the job and fails the test when the child does not end well. Prints the seed. */
struct transfer_outcome transfer_run(const struct transfer_job *job);

/* transfer_run() without isolation, in the caller's process: for the child of another isolate_run(). */
void transfer_in_process(const void *job, void *outcome);

/* Asserts that everything was handed over, all reliable messages arrived, nothing was wrong and no decision
 * illegal; the second one, that both ends saw the end, in order where the network loses nothing, too. */
void transfer_assert_arrived(const struct transfer_job *job, const struct transfer_outcome *o);
void transfer_assert_delivered(const struct transfer_job *job, const struct transfer_outcome *o);

/* For callbacks of the job. A paused reader lets the receive buffer fill. */
void transfer_pause(struct transfer *t, int host);
void transfer_resume(struct transfer *t, int host);
void transfer_set_scheduler(struct transfer *t, int host, const char *name);
void transfer_set_down(struct transfer *t, int path, bool down);
/* From now on no link loses packets at random. */
void transfer_end_loss(struct transfer *t);
/* The host's application is no more. What its stack says of that reaches nobody if all links are down. */
void transfer_kill(struct transfer *t, int host);
struct sctp_cmt_stats transfer_stats(struct transfer *t, int host);

/* Statistics of the client's paths into `out` (USRSCTP_CMT_SIM_MAX_PATHS elements); how many. */
int transfer_path_stats(struct transfer *t, struct sctp_cmt_path_stats *out);

/* usrsctp_cmt_sim_at() relative to now; `arg` is the transfer. */
void transfer_after(struct transfer *t, uint64_t delay_us, usrsctp_cmt_sim_fn *fn);

/* For `configure`: a window of more than upstream's 512 chunks on its queue. */
void transfer_take_many_chunks(struct socket *so);

/* Two unequal paths: 8 Mbit/s 10 ms and 2 Mbit/s 50 ms, queues of 100 packets; family IPv4. */
struct transfer_job transfer_two_paths(const char *scheduler, uint64_t seed);

#endif
