/* SPDX-License-Identifier: BSD-3-Clause */
#include "target_file.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PROGRAM  "cmt-live"
#define IN_STEAD ".new"

static const char *certainty_name(uint16_t certainty)
{
	switch ((enum sctp_cmt_certainty)certainty) {
	case SCTP_CMT_CAPACITY_UNKNOWN: break;
	case SCTP_CMT_CAPACITY_PROBING: return "probing";
	case SCTP_CMT_CAPACITY_MEASURED: return "measured";
	}
	return "unknown";
}

static const char *direction_name(int direction)
{
	return direction > 0 ? "up" : direction < 0 ? "down" : "same";
}

static json_t *bitrate(uint64_t bps, const struct target_share *share)
{
	const double part =
	    share->message_bytes > 0 ? (double)share->datagram_bytes / (double)share->message_bytes : 1;

	return json_integer((json_int_t)((double)bps * part));
}

static char *line_of(const struct usrsctp_cmt_capacity_change *change, const struct target_share *share)
{
	const struct sctp_cmt_capacity *const c = &change->capacity;
	json_t *const o = json_pack(
	    "{s:o, s:s, s:s, s:o, s:o, s:I}", "target_bps", bitrate(c->target_bps, share), "direction",
	    direction_name(change->direction), "certainty", certainty_name(c->certainty), "carried_bps",
	    bitrate(c->carried_bps, share), "limit_bps",
	    c->certainty == SCTP_CMT_CAPACITY_MEASURED ? bitrate(c->limit_bps, share) : json_null(),
	    "latency_ms", (json_int_t)(c->latency_us / 1000));
	char *const line = json_dumps(o, JSON_COMPACT);

	json_decref(o);
	return line;
}

static int write_to(int fd, const char *line)
{
	const size_t len = strlen(line);
	const int wrote = write(fd, line, len) == (ssize_t)len && write(fd, "\n", 1) == 1 ? 0 : -1;
	const int code = errno;

	if (close(fd) != 0 && wrote == 0) {
		return -1;
	}
	errno = code;
	return wrote;
}

/* Beside the file, so that it can take its place. */
static int replace(const char *name, const char *line)
{
	char in_stead[PATH_MAX];
	const int len = snprintf(in_stead, sizeof(in_stead), "%s" IN_STEAD, name);
	int fd;

	if (len < 0 || (size_t)len >= sizeof(in_stead)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	fd = open(in_stead, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	if (fd < 0) {
		return -1;
	}
	if (write_to(fd, line) != 0 || rename(in_stead, name) != 0) {
		const int code = errno;

		(void)unlink(in_stead);
		errno = code;
		return -1;
	}
	return 0;
}

static int put(const struct target_file *f, const struct usrsctp_cmt_capacity_change *change,
               const struct target_share *share)
{
	char *const line = line_of(change, share);
	int rc;

	if (line == NULL) {
		errno = ENOMEM;
		return -1;
	}
	if (strcmp(f->name, "-") == 0) {
		rc = printf("%s\n", line) > 0 && fflush(stdout) == 0 ? 0 : -1;
	} else {
		rc = replace(f->name, line);
	}
	free(line);
	return rc;
}

int target_file_open(struct target_file *f, const char *name, uint32_t latency_ms, struct app_error *error)
{
	const struct usrsctp_cmt_capacity_change nothing = {.capacity = {.latency_us = 1000 * latency_ms}};

	*f = (struct target_file){.name = name, .latency_ms = latency_ms};
	if (name == NULL || put(f, &nothing, &(struct target_share){0}) == 0) {
		return 0;
	}
	return app_error_set(error, "--target-bitrate-file: cannot write %s: %s", name, strerror(errno));
}

void target_file_write(struct target_file *f, const struct usrsctp_cmt_capacity_change *change,
                       const struct target_share *share)
{
	if (f->name == NULL || put(f, change, share) == 0) {
		f->failed = false;
		return;
	}
	if (!f->failed) {
		app_complain(PROGRAM, "--target-bitrate-file: cannot write %s: %s", f->name, strerror(errno));
	}
	f->failed = true;
}

void target_file_down(struct target_file *f)
{
	const struct usrsctp_cmt_capacity_change down = {.direction = -1,
	                                                 .capacity = {.latency_us = 1000 * f->latency_ms}};

	target_file_write(f, &down, &(struct target_share){0});
}
