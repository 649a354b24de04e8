/* SPDX-License-Identifier: BSD-3-Clause
 *
 * job.h - what the peers of tests/interop do, each with a stack of its own: one side sends messages of known
 * content, the other one compares them, says how many bytes it got, and both end in good order.
 *
 * The receiver prints "listening", "quarter" when it has a quarter of the bytes, and both sides one line of
 * JSON when everything went well. Exit status: 0, 1 with a sentence on stderr, 2 for a wrong argument. */
#ifndef INTEROP_JOB_H
#define INTEROP_JOB_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

#include "net/addresses.h"

enum { JOB_UDP_PORT = 9899, JOB_BUFFER_BYTES = 1 << 20, JOB_MAX_STREAMS = 64 };
/* How long a peer stays when it has ended, to answer for an association that is gone: the SHUTDOWN-COMPLETE may be
 * lost, and the other end then repeats its SHUTDOWN-ACK (RFC 9260, 8.4 (5)), after 1 s where RTO.Min is that. */
enum { JOB_STAY_MS = 2000 };
enum { JOB_PACKED_BYTES = APP_MAX_ADDRESSES * sizeof(struct sockaddr_in6) };

struct job {
	const char *program;
	bool sends;                       /* connects and sends; else listens and receives */
	struct app_addresses local, peer; /* with the SCTP port */
	uint16_t sctp_port;               /* of both ends */
	bool raw;                         /* SCTP in IP instead of in UDP */
	bool interleave;                  /* offer I-DATA (RFC 8260) */
	bool receiver_ends;               /* the receiver shuts down, not the sender */
	uint32_t n_messages;
	uint32_t message_bytes; /* of the longest */
	uint16_t n_streams;     /* message i goes on stream i % n_streams */
};

/* From the command line. Ends the program when it is wrong, or when it is only --help. */
struct job job_read(int argc, char **argv);

/* Says why on stderr and ends the program with status 1. */
_Noreturn void job_fail(const struct job *job, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* For calls that must not fail: ends the program with `what` and errno's text unless `ok`. */
void job_require(const struct job *job, bool ok, const char *what);

/* The addresses one behind the other without gaps, as bindx() and connectx() take them: at most
 * JOB_PACKED_BYTES. Returns their bytes. */
size_t job_pack(const struct app_addresses *addresses, uint8_t *out);
socklen_t job_address_bytes(const struct sockaddr_storage *address);

/* --- the sender's side --- */

/* Lengths differ, so that chunks are padded in every way. */
uint32_t job_message_bytes(const struct job *job, uint32_t number);
void job_message(const struct job *job, uint32_t number, uint8_t *out);
uint64_t job_total_bytes(const struct job *job);

/* --- the receiver's side --- */

struct receipt {
	const struct job *job;
	uint32_t n_messages; /* that are complete */
	uint64_t n_bytes;
	uint64_t first_us, last_us; /* when */
	bool told_quarter;
	struct {
		uint32_t n_messages, at_bytes;
	} stream[JOB_MAX_STREAMS];
};

/* Takes a piece of a message; `ends` tells its last one. What is lost, doubled, in the wrong order or altered
 * ends the program. */
void receipt_take(struct receipt *receipt, uint16_t stream_id, const uint8_t *bytes, size_t len, bool ends);
bool receipt_is_complete(const struct receipt *receipt);

/* What the receiver answers then: the bytes it got. */
enum { CONFIRMATION_BYTES = 8 };
void receipt_confirmation(const struct receipt *receipt, uint8_t out[CONFIRMATION_BYTES]);
void job_check_confirmation(const struct job *job, const uint8_t *bytes, size_t len);

/* The line of JSON. */
void receipt_print(const struct receipt *receipt);

#endif
