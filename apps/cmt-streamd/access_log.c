/* SPDX-License-Identifier: BSD-3-Clause */
#include "access_log.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <time.h>

#define LINE_BYTES 8192

static bool is_standard_output(const struct access_log *log)
{
	return strcmp(log->path, "-") == 0;
}

static int cannot(const struct access_log *log, const char *what, struct app_error *error)
{
	return app_error_set(error, "cannot %s the access log %s: %s", what,
	                     is_standard_output(log) ? "on standard output" : log->path, strerror(errno));
}

int access_log_open(struct access_log *log, const char *path, struct app_error *error)
{
	*log = (struct access_log){.path = path};
	if (strcmp(path, "none") == 0) {
		return 0;
	}
	log->out = is_standard_output(log) ? stdout : fopen(path, "ae");
	return log->out != NULL ? 0 : cannot(log, "open", error);
}

int access_log_reopen(struct access_log *log, struct app_error *error)
{
	FILE *out;

	if (log->out == NULL || is_standard_output(log)) {
		return 0;
	}
	out = fopen(log->path, "ae");
	if (out == NULL) {
		return cannot(log, "reopen", error);
	}
	fclose(log->out);
	log->out = out;
	log->complained = false;
	return 0;
}

/* What stands between quotes ends neither them nor the line. */
static void escape(const char *text, char *out, size_t out_bytes)
{
	size_t at = 0;

	for (const char *s = text; *s != '\0' && at + 5 < out_bytes;) {
		const size_t n = app_printable_bytes(s);

		if (n == 0 || *s == '"' || *s == '\\') {
			at += (size_t)snprintf(out + at, out_bytes - at, "\\x%02x", (unsigned char)*s++);
		} else {
			memcpy(out + at, s, n);
			at += n;
			s += n;
		}
	}
	out[at] = '\0';
}

size_t access_log_line(const struct access_entry *e, char *out, size_t out_bytes)
{
	char path[4200], agent[300], at[64], range[80] = "-";
	const time_t at_s = (time_t)e->at_s;
	struct tm local;
	int n;

	escape(e->path, path, sizeof(path));
	escape(e->agent, agent, sizeof(agent));
	strftime(at, sizeof(at), "%d/%b/%Y:%H:%M:%S %z", localtime_r(&at_s, &local));
	if (e->bytes > 0) {
		snprintf(range, sizeof(range), "%" PRIu64 "-%" PRIu64 "/%" PRIu64, e->first,
		         e->first + e->bytes - 1, e->size);
	}
	n = snprintf(out, out_bytes, "%s - - [%s] \"%s %s CMT/1\" %d %" PRIu64 " %s %.3f %s \"%s\" %s%s%s\n",
	             e->client, at, e->method, path, e->status, e->sent_bytes, range,
	             (double)e->took_us / 1e6, e->shares != NULL ? e->shares : "-", agent,
	             e->why != NULL ? "\"" : "-", e->why != NULL ? e->why : "", e->why != NULL ? "\"" : "");
	return n > 0 && (size_t)n < out_bytes ? (size_t)n : out_bytes - 1;
}

int access_log_write(struct access_log *log, const struct access_entry *entry, struct app_error *error)
{
	char line[LINE_BYTES];
	size_t len;

	if (log->out == NULL) {
		return 0;
	}
	len = access_log_line(entry, line, sizeof(line));
	if (fwrite(line, 1, len, log->out) == len && fflush(log->out) == 0) {
		return 0;
	}
	clearerr(log->out);
	if (log->complained) {
		return 0;
	}
	log->complained = true;
	return cannot(log, "write", error);
}

void access_log_close(struct access_log *log)
{
	if (log->out != NULL && !is_standard_output(log)) {
		fclose(log->out);
	}
	log->out = NULL;
}
