/* SPDX-License-Identifier: BSD-3-Clause
 *
 * options.h - the command line of cmt-live. */
#ifndef LIVE_OPTIONS_H
#define LIVE_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "endpoint.h"
#include "options/transport_options.h"

struct live_target;

/* A program that has cmt-live's parts in itself, and is the endpoint FROM or TO. All of it is called from the
 * loop; none may free what calls. */
struct live_host {
	/* FROM: SOCK_SEQPACKET, non-blocking. A message is a datagram; that the other end is shut down is the
	 * end of the stream. Stays the host's. */
	int source_fd;
	/* TO: takes a datagram; false: has no room. */
	bool (*deliver)(const void *bytes, size_t len, void *arg);
	void (*on_connection)(bool up, void *arg);
	/* TO is CMT: what an encoder may produce has changed (target.h). NULL: nobody wants to know. */
	void (*on_target)(const struct live_target *target, void *arg);
	/* What cmt-live tells its user on standard error. */
	void (*say)(const char *text, void *arg);
	/* It is over: `status` is what cmt-live would exit with. */
	void (*on_end)(int status, void *arg);
	void *arg;
};

struct live_options {
	const struct live_host *host; /* NULL: cmt-live itself */
	struct endpoint from, to;
	bool sends;   /* `to` is the CMT endpoint; else `from` is */
	bool listens; /* for CMT; else it calls */
	uint32_t latency_ms;
	bool early;           /* --release early */
	bool repair;          /* --repair auto */
	uint64_t rate_bps;    /* standard input is read no faster than this; 0 = as it comes */
	bool once;            /* end with the first stream */
	uint64_t timeout_us;  /* give up after this long without a connection; 0 = never */
	uint64_t interval_us; /* between status lines; 0 = none */
	bool stats_json, quiet;
	const char *target_file; /* --target-bitrate-file; NULL = none */
	struct app_transport transport;
};

extern const char live_help[];

/* cmt-live's defaults. */
void live_options_init(struct live_options *o);

/* `from` and `to` are set: who sends, who calls, and where. 0, or -1 with the reason. */
int live_options_settle(struct live_options *o, struct app_error *error);

/* One line for the user: on standard error, or for the host. */
void live_say(const struct live_options *o, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* 0, or the exit status when the arguments are wrong: the message has been printed. --help and --version end
 * the program. */
int live_options_parse(struct live_options *o, int argc, char **argv);

#endif
