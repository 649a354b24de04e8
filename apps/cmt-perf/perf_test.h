/* SPDX-License-Identifier: BSD-3-Clause
 *
 * perf_test.h - what a client asks a server to do, and the control messages between them
 * (docs/cmt-perf.md#protocol).
 *
 * Messages carry their kind in the payload protocol identifier. Control messages are JSON objects with a
 * "type"; nothing from the peer is trusted. */
#ifndef PERF_TEST_H
#define PERF_TEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "text/message.h"

#define PERF_PORT              5201
#define PERF_VERSION           1
#define PERF_MAX_PARALLEL      64
#define PERF_MIN_MSG_BYTES     8u /* the time stamp */
#define PERF_MAX_MSG_BYTES     262144u
#define PERF_MAX_CONTROL_BYTES 65536u
#define PERF_MAX_DURATION_US   (UINT64_C(86400) * 1000000)
#define PERF_HOST_TEXT_BYTES   64
#define PERF_ID_TEXT_BYTES     33

enum perf_ppid { PERF_DATA = 1, PERF_CONTROL, PERF_ECHO, PERF_ECHO_REPLY };

/* Data and control keep their order on one stream; echoes have their own, so that they do not wait for data
 * that are missing. */
enum perf_stream { PERF_DATA_STREAM, PERF_ECHO_STREAM };

struct perf_test {
	char id[PERF_ID_TEXT_BYTES];     /* the same on all connections of a test */
	char host[PERF_HOST_TEXT_BYTES]; /* of the client: where it is the server's too, the clock is one; ""
	                                    = not known */
	uint32_t parallel;
	uint32_t msg_bytes;
	uint64_t duration_us; /* 0 = until `bytes` */
	uint64_t bytes;       /* of each connection; 0 = until `duration_us` */
	uint64_t rate_bps;    /* of each connection; 0 = as fast as possible */
	bool reverse;         /* the server sends */
};

/* Names this machine's running system, hence its monotonic clock. */
void perf_host(char out[PERF_HOST_TEXT_BYTES]);

/* Whether both know their host, and it is the same. */
bool perf_same_host(const char *a, const char *b);

json_t *perf_hello(const struct perf_test *test, uint32_t index);

/* 0, or -1 with the reason when the message lacks something or is out of range. */
int perf_hello_read(const json_t *message, struct perf_test *test, uint32_t *index, struct app_error *error);

/* The message's "type" or other text; "" when it has none. */
const char *perf_text(const json_t *message, const char *key);

/* A number of the message within [0, max]; 0 when it is anything else. */
uint64_t perf_number(const json_t *message, const char *key, uint64_t max);

#endif
