/* SPDX-License-Identifier: BSD-3-Clause */
#include "job.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "loop/wall_clock.h"
#include "text/message.h"
#include "text/units.h"

static const char help[] =
    "usage: %s send|receive --local ADDR[,ADDR..] [--peer ADDR[,ADDR..]] [OPTION..]\n"
    "  --port PORT        of SCTP, both ends'; default 5001\n"
    "  --raw              SCTP in IP instead of in UDP, port 9899\n"
    "  --interleave       offer I-DATA (RFC 8260)\n"
    "  --receiver-ends    the receiver shuts down, not the sender; the fork on its event back end only\n"
    "  --messages N       how many; default 1000, the same on both sides, as the next two\n"
    "  --size BYTES       of the longest message; default 1400\n"
    "  --streams N        1 to 64; default 1\n";

static const struct option options[] = {
    {"local", required_argument, NULL, 'l'},    {"peer", required_argument, NULL, 'p'},
    {"port", required_argument, NULL, 'o'},     {"raw", no_argument, NULL, 'r'},
    {"interleave", no_argument, NULL, 'i'},     {"receiver-ends", no_argument, NULL, 'e'},
    {"messages", required_argument, NULL, 'm'}, {"size", required_argument, NULL, 's'},
    {"streams", required_argument, NULL, 't'},  {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0}};

_Noreturn static void refuse(const struct job *job, const char *what)
{
	app_complain(job->program, "%s; see --help", what);
	exit(APP_EXIT_USAGE);
}

static void take_addresses(const struct job *job, struct app_addresses *out, const char *text)
{
	struct app_error error;

	if (text != NULL && app_addresses_add(out, text, job->sctp_port, false, &error) != 0)
		refuse(job, error.text);
}

static uint32_t take_count(const struct job *job, const char *text, int64_t max)
{
	int64_t count;

	if (!app_parse_count(text, 1, max, &count))
		refuse(job, "this takes a whole number, from 1");
	return (uint32_t)count;
}

struct address_lists {
	const char *local, *peer; /* read when the port is known */
};

static void take_option(struct job *job, struct address_lists *lists, int code, const char *value)
{
	switch (code) {
	case 'l': lists->local = value; break;
	case 'p': lists->peer = value; break;
	case 'o': job->sctp_port = (uint16_t)take_count(job, value, UINT16_MAX); break;
	case 'r': job->raw = true; break;
	case 'i': job->interleave = true; break;
	case 'e': job->receiver_ends = true; break;
	case 'm': job->n_messages = take_count(job, value, INT32_MAX); break;
	case 's': job->message_bytes = take_count(job, value, JOB_BUFFER_BYTES / 2); break;
	case 't': job->n_streams = (uint16_t)take_count(job, value, JOB_MAX_STREAMS); break;
	case 'h': (void)printf(help, job->program); exit(APP_EXIT_OK);
	default: exit(APP_EXIT_USAGE);
	}
}

struct job job_read(int argc, char **argv)
{
	struct job job = {
	    .program = argv[0], .sctp_port = 5001, .n_messages = 1000, .message_bytes = 1400, .n_streams = 1};
	struct address_lists lists = {0};
	int code;

	if (strrchr(argv[0], '/') != NULL)
		job.program = strrchr(argv[0], '/') + 1;
	while ((code = getopt_long(argc, argv, "h", options, NULL)) != -1)
		take_option(&job, &lists, code, optarg);
	if (optind + 1 != argc || (strcmp(argv[optind], "send") != 0 && strcmp(argv[optind], "receive") != 0))
		refuse(&job, "one word says what to do, send or receive");
	job.sends = strcmp(argv[optind], "send") == 0;
	take_addresses(&job, &job.local, lists.local);
	take_addresses(&job, &job.peer, lists.peer);
	if (job.local.n == 0 || (job.sends && job.peer.n == 0))
		refuse(&job, "--local is needed, and --peer to send");
	(void)setvbuf(stdout, NULL, _IOLBF, 0);
	return job;
}

void job_fail(const struct job *job, const char *format, ...)
{
	char text[256];
	va_list arguments;

	va_start(arguments, format);
	(void)vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	app_complain(job->program, "%s", text);
	/* Not exit(): threads of a stack may be running. */
	_exit(APP_EXIT_FAILED);
}

void job_require(const struct job *job, bool ok, const char *what)
{
	if (!ok)
		job_fail(job, "%s: %s", what, strerror(errno));
}

socklen_t job_address_bytes(const struct sockaddr_storage *address)
{
	return address->ss_family == AF_INET ? sizeof(struct sockaddr_in) : sizeof(struct sockaddr_in6);
}

size_t job_pack(const struct app_addresses *addresses, uint8_t *out)
{
	size_t at = 0;

	for (size_t i = 0; i < addresses->n; i++) {
		memcpy(out + at, &addresses->list[i], job_address_bytes(&addresses->list[i]));
		at += job_address_bytes(&addresses->list[i]);
	}
	return at;
}

/* --- content --- */

uint32_t job_message_bytes(const struct job *job, uint32_t number)
{
	const uint32_t shorter = number % 7;

	return job->message_bytes > shorter ? job->message_bytes - shorter : 1;
}

uint64_t job_total_bytes(const struct job *job)
{
	uint64_t total = 0;

	for (uint32_t i = 0; i < job->n_messages; i++)
		total += job_message_bytes(job, i);
	return total;
}

/* Eight bytes of message `number` (splitmix64's finalizer). */
static uint64_t word_of(uint32_t number, uint32_t index)
{
	uint64_t x = (((uint64_t)number << 32) | index) + UINT64_C(0x9e3779b97f4a7c15);

	x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
	return x ^ (x >> 31);
}

static uint8_t byte_of(uint32_t number, uint32_t at)
{
	return (uint8_t)(word_of(number, at / 8) >> (at % 8 * 8));
}

void job_message(const struct job *job, uint32_t number, uint8_t *out)
{
	const uint32_t len = job_message_bytes(job, number);

	for (uint32_t i = 0; i < len; i++)
		out[i] = byte_of(number, i);
}

/* --- receiving --- */

static void tell_quarter(struct receipt *r)
{
	if (!r->told_quarter && r->n_messages >= r->job->n_messages / 4) {
		r->told_quarter = true;
		(void)puts("quarter");
	}
}

void receipt_take(struct receipt *r, uint16_t stream_id, const uint8_t *bytes, size_t len, bool ends)
{
	const struct job *const job = r->job;
	uint32_t number, expected_bytes;

	if (stream_id >= job->n_streams)
		job_fail(job, "stream %u: nothing is sent there", stream_id);
	number = r->stream[stream_id].n_messages * job->n_streams + stream_id;
	if (number >= job->n_messages)
		job_fail(job, "stream %u: more messages than were sent", stream_id);
	expected_bytes = job_message_bytes(job, number) - r->stream[stream_id].at_bytes;
	if (len > expected_bytes || ends != (len == expected_bytes))
		job_fail(job, "message %" PRIu32 ": %zu bytes%s, expected %" PRIu32, number, len,
		         ends ? " and its end" : "", expected_bytes);
	for (size_t i = 0; i < len; i++) {
		if (bytes[i] != byte_of(number, r->stream[stream_id].at_bytes + (uint32_t)i))
			job_fail(job, "message %" PRIu32 ": altered at byte %zu", number,
			         r->stream[stream_id].at_bytes + i);
	}
	r->stream[stream_id].at_bytes = ends ? 0 : r->stream[stream_id].at_bytes + (uint32_t)len;
	r->stream[stream_id].n_messages += ends;
	r->n_messages += ends;
	r->first_us = r->n_bytes == 0 ? app_wall_clock_us() : r->first_us;
	r->n_bytes += len;
	r->last_us = app_wall_clock_us();
	tell_quarter(r);
}

bool receipt_is_complete(const struct receipt *r)
{
	return r->n_messages == r->job->n_messages;
}

void receipt_confirmation(const struct receipt *r, uint8_t out[CONFIRMATION_BYTES])
{
	for (int i = 0; i < CONFIRMATION_BYTES; i++)
		out[i] = (uint8_t)(r->n_bytes >> (8 * i));
}

void job_check_confirmation(const struct job *job, const uint8_t *bytes, size_t len)
{
	uint64_t confirmed_bytes = 0;

	for (size_t i = 0; i < len && i < CONFIRMATION_BYTES; i++)
		confirmed_bytes |= (uint64_t)bytes[i] << (8 * i);
	if (len != CONFIRMATION_BYTES || confirmed_bytes != job_total_bytes(job))
		job_fail(job, "the peer confirms %" PRIu64 " of %" PRIu64 " bytes", confirmed_bytes,
		         job_total_bytes(job));
}

void receipt_print(const struct receipt *r)
{
	(void)printf("{\"bytes\": %" PRIu64 ", \"seconds\": %.3f}\n", r->n_bytes,
	             (double)(r->last_us - r->first_us) / 1e6);
}
