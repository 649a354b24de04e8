/* SPDX-License-Identifier: BSD-3-Clause
 *
 * raw.h - a peer made of raw packets: the stack is host 0, what host 1 says is written by the test. Nothing
 * that host 0 sends arrives, all of it is kept. No delay: what is sent is answered within raw_run().
 *
 * Runs in a child process (isolate.h). One at a time. Times are virtual. */
#ifndef SIM_RAW_H
#define SIM_RAW_H

#include <usrsctp_cmt_sim.h>

#include "packet.h"

enum { RAW_STACK_PORT = 5000, RAW_PEER_PORT = 5001 };
enum { RAW_TAG = 0x11223344, RAW_TSN = 1000, RAW_WINDOW_BYTES = 100000, RAW_STREAMS = 10 };
enum { RAW_HEARD_MAX = 2000, RAW_PARAMETERS_MAX_BYTES = 600, RAW_COOKIE_MAX_BYTES = 1200 };

/* RFC 9260, section 3.3.2.1, as octets: the peer's address on a path. */
#define RAW_ADDRESS(path) 0, 5, 0, 8, 10, (path) + 1, 0, 2

/* Parameters of a peer that takes ASCONF, with the AUTH that it needs. The last ones: they end with zeros. */
#define RAW_TAKES_ASCONF                                                                                     \
	0x80, 0x08, 0, 7, CHUNK_ASCONF, CHUNK_ASCONF_ACK, CHUNK_AUTH, 0, /* extensions */                    \
	    0x80, 0x04, 0, 6, 0, 1, 0, 0,                                /* HMAC algorithms */               \
	    0x80, 0x03, 0, 6, CHUNK_ASCONF, CHUNK_ASCONF_ACK, 0, 0,      /* to be authenticated */           \
	    0x80, 0x02, 0, 36, 1, 2, 3, 4                                /* a number of 32 octets */
enum { RAW_TAKES_ASCONF_BYTES = 60 };

/* Supported Extensions of a peer that knows ours. */
#define RAW_SPEAKS_OURS 0x80, 0x08, 0, 6, CHUNK_TIMESTAMP, CHUNK_ECHO, 0, 0
enum { RAW_SPEAKS_OURS_BYTES = 8 };

struct raw_options {
	int n_paths;     /* 0 = 1 */
	int set_up_path; /* what the peer says until the association is established goes there */
	/* Optional parameters of the peer's INIT or INIT-ACK, padded; the cookie is not among them. */
	uint8_t parameters[RAW_PARAMETERS_MAX_BYTES];
	size_t parameters_bytes;
	bool sysctl_cmt;
	bool one_to_many;       /* the stack listens with SOCK_SEQPACKET: `so` is `listener` */
	const uint32_t *rto_ms; /* smallest, initial and largest, for the whole process; NULL = default */
	/* Called with the stack's socket before it is bound. */
	void (*configure)(struct socket *so);
	/* As usrsctp_socket() takes it; NULL = what arrives is read, and counted in `received_bytes`. */
	int (*receive)(struct socket *so, union sctp_sockstore from, void *data, size_t bytes,
	               struct sctp_rcvinfo info, int flags, void *arg);
};

struct raw_packet {
	uint64_t at_us;
	int path;
	size_t len;
	uint8_t bytes[2000];
};

struct raw {
	const struct raw_options *options;
	struct usrsctp_cmt_sim *sim;
	struct socket *listener, *so; /* the stack's; `so` is NULL before it is accepted */
	bool ended;                   /* the stack's association was lost */
	uint16_t stack_port;
	uint32_t tag, stack_tag; /* that packets to the peer, to the stack carry */
	uint32_t tsn, stack_tsn; /* next of the peer's; the stack's first */
	unsigned heard_before;   /* packets, when the INIT or INIT-ACK was last sent */
	uint8_t cookie[RAW_COOKIE_MAX_BYTES];
	size_t cookie_bytes;
	size_t received_bytes; /* by the stack's application */
	struct raw_packet heard[RAW_HEARD_MAX];
	unsigned n_heard;
};

/* The stack listens; no packet is sent yet. */
void raw_listen(struct raw *r, const struct raw_options *options);
/* The stack connects: its INIT is heard. */
void raw_connect(struct raw *r, const struct raw_options *options);

/* INIT, INIT-ACK, COOKIE-ECHO, COOKIE-ACK, whoever begins; then HEARTBEATs are answered. */
void raw_establish(struct raw *r);
/* The first half of it while the stack listens, or has an association already: an INIT is answered. */
void raw_ask_cookie(struct raw *r);
/* A draft of the COOKIE-ECHO, to which more may be added. */
void raw_begin_cookie_echo(const struct raw *r, struct packet_draft *d);
/* raw_listen() and raw_establish(). */
void raw_accepted(struct raw *r, const struct raw_options *options);

/* A draft to the stack with the right ports, and the tag that the stack gave or another. */
void raw_begin(const struct raw *r, struct packet_draft *d);
void raw_begin_tagged(const struct raw *r, struct packet_draft *d, uint32_t tag);
/* An INIT or INIT-ACK with the options' parameters, in front of which stands `cookie`, if any. */
void raw_add_init(const struct raw *r, struct packet_draft *d, uint8_t type, const void *cookie,
                  size_t cookie_bytes);
/* A DATA chunk, one message of `bytes`, with the peer's next TSN. */
void raw_add_data(struct raw *r, struct packet_draft *d, uint16_t stream, uint16_t number, size_t bytes);

/* Writes the checksum, sends it on the path, and lets it arrive. */
void raw_send(struct raw *r, int path, struct packet_draft *d);
void raw_run(struct raw *r, uint64_t for_us);

/* The stack's application writes a message of so many zeros, 8192 at most. */
void raw_write(struct raw *r, size_t bytes);
/* Its association, for socket options: 0 on a one-to-one socket, the only one of a one-to-many socket. */
sctp_assoc_t raw_association(const struct raw *r);
/* It closes the socket of its association in good order. */
void raw_close_socket(struct raw *r);

/* A gap ack block: offsets from the cumulative TSN ack (RFC 9260, section 3.3.4). */
struct raw_gap {
	uint16_t start, end;
};
enum { RAW_GAPS_MAX = 16 };

/* A SACK with these `n_gaps` blocks, on the first path; nothing of it is looked at. */
void raw_sack(struct raw *r, uint32_t cum_ack, uint32_t window_bytes, const struct raw_gap *gaps,
              unsigned n_gaps);
/* Acknowledges all DATA that was heard. */
void raw_acknowledge(struct raw *r);
/* The same, with a window of so many bytes left. */
void raw_acknowledge_within(struct raw *r, uint32_t window_bytes);

/* The first chunk of the type in packets from `*since` (an index into `heard`) on, which moves behind it;
 * false when there is none. */
bool raw_hear(const struct raw *r, unsigned *since, uint8_t type, struct chunk *out);
unsigned raw_count(const struct raw *r, unsigned since, uint8_t type);
/* Answers all HEARTBEATs from `since` on, each on its path. */
void raw_answer_heartbeats(struct raw *r, unsigned since);

/* Sends DATA; whether a SACK says that it came and it was read. */
bool raw_alive(struct raw *r);

/* What a packet of the stack holds from now on, behind IP and SCTP header. */
void raw_set_path_mtu(struct raw *r, uint32_t bytes);

void raw_close(struct raw *r);

#endif
