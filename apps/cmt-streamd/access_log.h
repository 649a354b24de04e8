/* SPDX-License-Identifier: BSD-3-Clause
 *
 * access_log.h - one line for every answer, in the common log format and what it does not have:
 *
 *   192.0.2.7 - - [22/Nov/2026:07:31:36 +0000] "GET /a.mp4 CMT/1" 206 1000 0-999/5000 0.532 62/38 "agent" -
 *
 * client, time, request, status, bytes of body sent, range of the file and its size, seconds, shares of the
 * client's paths in per cent, agent, and why it ended early. What is not known is "-". */
#ifndef STREAMD_ACCESS_LOG_H
#define STREAMD_ACCESS_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "text/message.h"

struct access_log {
	const char *path; /* "-" = standard output, "none" */
	FILE *out;        /* NULL = none */
	bool complained;  /* that it cannot be written */
};

struct access_entry {
	const char *client, *method, *path, *agent, *shares, *why; /* shares, why: NULL = "-" */
	int status;
	uint64_t first, bytes, size; /* of the range asked for; size 0 = there is none */
	uint64_t sent_bytes, took_us;
	int64_t at_s; /* since 1970 */
};

/* `path` must outlive the log. 0, or -1 with the reason. */
int access_log_open(struct access_log *log, const char *path, struct app_error *error);

/* Opens the file of that name anew, after somebody moved the old one away. On failure (-1 with the reason)
 * the old one stays. */
int access_log_reopen(struct access_log *log, struct app_error *error);

/* 0, or -1 with the reason the first time that it cannot be written. */
int access_log_write(struct access_log *log, const struct access_entry *entry, struct app_error *error);

/* The line, with its end. Everything that a client says is escaped. Returns its length. */
size_t access_log_line(const struct access_entry *entry, char *out, size_t out_bytes);

void access_log_close(struct access_log *log);

#endif
