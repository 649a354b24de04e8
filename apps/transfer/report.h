/* SPDX-License-Identifier: BSD-3-Clause
 *
 * report.h - what a transfer came to, for --stats json and the line at its end. */
#ifndef TRANSFER_REPORT_H
#define TRANSFER_REPORT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "net/path_stats.h"
#include "secure/encryption.h"
#include "text/message.h"

struct transfer_report {
	uint64_t bytes;             /* of files, that crossed the network in this transfer */
	uint64_t files;             /* complete and verified, or there already; folders not counted */
	uint64_t files_there;       /* of these, that were there already */
	uint64_t resumed_at_bytes;  /* of files, that were there before and were kept */
	uint64_t first_us, last_us; /* of data; 0 = none */
	uint64_t stalled_us;        /* nothing had moved for so long when it ended; 0 = it moved */
	bool corrupt;               /* a file's SHA-256 was not the sender's */
	const char *scheduler;      /* as asked for; outlives the report */
	uint32_t msg_bytes;         /* of a data message; 0 = not known */
	uint32_t sndbuf_bytes, rcvbuf_bytes;
	char peer_scheduler[SCTP_CMT_POLICY_NAME_MAX]; /* "" = the peer did not tell */
	struct app_encryption encryption;
	struct app_assoc_stats assoc;
	struct app_error error; /* "" = success; otherwise the first one */
};

/* Keeps the first error. */
void transfer_report_error(struct transfer_report *report, const char *text);

uint64_t transfer_report_duration_us(const struct transfer_report *report);
uint64_t transfer_report_goodput_bps(const struct transfer_report *report);

/* One line of JSON; docs/cmt-send.md has the keys. */
void transfer_report_json(const struct transfer_report *report, FILE *out);

/* "3 files, 20.00 MB in 1.23 s, 130.100 Mbit/s, verified; 299 files already there", or "302 files already
 * there, nothing to send". Returns `out`. */
char *transfer_report_text(const struct transfer_report *report, char *out, size_t out_bytes);

#endif
