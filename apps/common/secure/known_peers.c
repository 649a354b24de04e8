/* SPDX-License-Identifier: BSD-3-Clause */
#include "secure/known_peers.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "secure/user_folder.h"

#define BLANKS        " \t\r\n"
#define LONGEST_BYTES 4096 /* of a line */

/* --- what is there --- */

/* What a file says of each of the names. */
struct found {
	bool same[APP_MAX_ADDRESSES];
	unsigned other_line[APP_MAX_ADDRESSES]; /* the first with another fingerprint; 0 = none */
};

struct inquiry {
	const char *file;
	const struct app_peer_names *names;
	const uint8_t *fingerprint;
};

/* HOST:PORT; `name` ends in it. */
static bool is_name(const char *name)
{
	const char *const colon = strrchr(name, ':');

	return colon != NULL && colon > name && colon[1] != '\0' &&
	       strspn(colon + 1, "0123456789") == strlen(colon + 1);
}

static void note_line(const struct inquiry *q, const char *name, const uint8_t *fingerprint, unsigned line,
                      struct found *out)
{
	const bool same = memcmp(fingerprint, q->fingerprint, USRSCTP_CMT_FINGERPRINT_BYTES) == 0;

	for (size_t i = 0; i < q->names->n; i++) {
		if (strcasecmp(name, q->names->list[i]) != 0) {
			continue;
		}
		out->same[i] = out->same[i] || same;
		if (!same && out->other_line[i] == 0) {
			out->other_line[i] = line;
		}
	}
}

/* Writes NULs into `text`. */
static int take_line(const struct inquiry *q, char *text, unsigned line, struct found *out,
                     struct app_error *error)
{
	uint8_t fingerprint[USRSCTP_CMT_FINGERPRINT_BYTES];
	char *rest = NULL;
	const char *const name = strtok_r(text, BLANKS, &rest);
	const char *const written = name != NULL && name[0] != '#' ? strtok_r(NULL, BLANKS, &rest) : NULL;

	if (name == NULL || name[0] == '#') {
		return 0;
	}
	if (!is_name(name) || written == NULL || usrsctp_cmt_fingerprint_parse(written, fingerprint) != 0) {
		return app_error_set(error,
		                     "%.200s:%u: \"%.60s%s%.80s\" is not HOST:PORT sha256:HEX; correct the "
		                     "line or delete it",
		                     q->file, line, name, written != NULL ? " " : "",
		                     written != NULL ? written : "");
	}
	note_line(q, name, fingerprint, line, out);
	return 0;
}

static int take_lines(const struct inquiry *q, FILE *file, struct found *out, struct app_error *error)
{
	char text[LONGEST_BYTES];
	int rc = 0;

	for (unsigned line = 1; rc == 0 && fgets(text, sizeof(text), file) != NULL; line++) {
		if (strlen(text) == sizeof(text) - 1 && text[sizeof(text) - 2] != '\n') {
			return app_error_set(error, "%.200s:%u: the line is longer than %d bytes; shorten it",
			                     q->file, line, LONGEST_BYTES - 2);
		}
		rc = take_line(q, text, line, out, error);
	}
	return rc;
}

/* A file that is not there says nothing. */
static int look(const struct inquiry *q, struct found *out, struct app_error *error)
{
	FILE *const file = fopen(q->file, "re");
	int rc;

	*out = (struct found){.same = {false}};
	if (file == NULL && errno == ENOENT) {
		return 0;
	}
	if (file == NULL) {
		return app_error_set(error, "cannot read the known peers in %s: %s", q->file,
		                     strerror(errno));
	}
	rc = take_lines(q, file, out, error);
	if (rc == 0 && ferror(file)) {
		rc = app_error_set(error, "cannot read the known peers in %s: %s", q->file, strerror(errno));
	}
	(void)fclose(file);
	return rc;
}

static struct app_meeting judge(const struct inquiry *q, const struct found *found)
{
	struct app_meeting m = {.kind = APP_PEER_KNOWN};

	for (size_t i = 0; i < q->names->n; i++) {
		if (!found->same[i] && found->other_line[i] != 0) {
			return (struct app_meeting){.kind = APP_PEER_CHANGED,
			                            .name = q->names->list[i],
			                            .line = found->other_line[i]};
		}
		if (!found->same[i] && m.kind == APP_PEER_KNOWN) {
			m.kind = APP_PEER_NEW;
			m.name = q->names->list[i];
		}
	}
	return m;
}

/* --- what is written --- */

/* `in` NULL: there was nothing. 0, or -1 with errno. */
static int copy(FILE *in, FILE *out)
{
	char bytes[LONGEST_BYTES];
	char last = '\n';
	size_t n;

	while (in != NULL && (n = fread(bytes, 1, sizeof(bytes), in)) > 0) {
		if (fwrite(bytes, 1, n, out) != n) {
			return -1;
		}
		last = bytes[n - 1];
	}
	if (last != '\n') {
		(void)fputc('\n', out);
	}
	return (in != NULL && ferror(in)) || ferror(out) ? -1 : 0;
}

static void write_new(const struct inquiry *q, const struct found *found, FILE *out)
{
	char text[USRSCTP_CMT_FINGERPRINT_TEXT];

	usrsctp_cmt_fingerprint_format(q->fingerprint, text);
	for (size_t i = 0; i < q->names->n; i++) {
		if (!found->same[i]) {
			(void)fprintf(out, "%s %s\n", q->names->list[i], text);
		}
	}
}

/* 0, or -1 with errno. Closes both. */
static int write_all(const struct inquiry *q, const struct found *found, FILE *in, FILE *out)
{
	int rc = copy(in, out), code = errno;

	if (rc == 0) {
		write_new(q, found, out);
		rc = ferror(out) || fflush(out) != 0 || fsync(fileno(out)) != 0 ? -1 : 0;
		code = errno;
	}
	if (in != NULL) {
		(void)fclose(in);
	}
	if (fclose(out) != 0 && rc == 0) {
		return -1;
	}
	errno = code;
	return rc;
}

/* A new file takes the place of the old one, where a link to it leads. 0, or -1 with errno. */
static int replace(const struct inquiry *q, const struct found *found)
{
	char real[PATH_MAX], temporary[PATH_MAX + 8];
	const char *const target = realpath(q->file, real) != NULL ? real : q->file;
	FILE *in, *out;
	int fd;

	(void)snprintf(temporary, sizeof(temporary), "%s.XXXXXX", target);
	in = fopen(target, "re");
	if (in == NULL && errno != ENOENT) {
		return -1;
	}
	fd = mkostemp(temporary, O_CLOEXEC);
	out = fd >= 0 ? fdopen(fd, "w") : NULL;
	if (out == NULL) {
		if (fd >= 0) {
			(void)close(fd);
			(void)unlink(temporary);
		}
		if (in != NULL) {
			(void)fclose(in);
		}
		return -1;
	}
	if (write_all(q, found, in, out) != 0 || rename(temporary, target) != 0) {
		const int code = errno;

		(void)unlink(temporary);
		errno = code;
		return -1;
	}
	return 0;
}

/* The lock, which closing it gives back; -1 with errno. */
static int lock(const char *file)
{
	char name[PATH_MAX + 8];
	int fd;

	if (app_make_folders_of(file) != 0) {
		return -1;
	}
	(void)snprintf(name, sizeof(name), "%s.lock", file);
	fd = open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	while (fd >= 0 && flock(fd, LOCK_EX) != 0) {
		if (errno != EINTR) {
			(void)close(fd);
			return -1;
		}
	}
	return fd;
}

/* What was new may have come from another program before we had the lock. */
static int remember(const struct inquiry *q, struct app_meeting *out, struct app_error *error)
{
	const int locked = lock(q->file);
	struct found found;
	int rc;

	if (locked < 0) {
		app_error_set(&out->forgotten, "%s", strerror(errno));
		return 0;
	}
	rc = look(q, &found, error);
	if (rc == 0) {
		const struct app_meeting again = judge(q, &found);

		if (again.kind == APP_PEER_NEW && replace(q, &found) != 0) {
			app_error_set(&out->forgotten, "%s", strerror(errno));
		} else {
			*out = again;
		}
	}
	(void)close(locked);
	return rc;
}

int app_known_peers_meet(const char *file, const struct app_peer_names *names,
                         const uint8_t fingerprint[USRSCTP_CMT_FINGERPRINT_BYTES], struct app_meeting *out,
                         struct app_error *error)
{
	const struct inquiry q = {.file = file, .names = names, .fingerprint = fingerprint};
	struct found found;

	if (names->n == 0) {
		return app_error_set(error, "the peer has no name to be known by");
	}
	if (look(&q, &found, error) != 0) {
		return -1;
	}
	*out = judge(&q, &found);
	return out->kind == APP_PEER_NEW ? remember(&q, out, error) : 0;
}
