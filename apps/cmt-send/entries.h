/* SPDX-License-Identifier: BSD-3-Clause
 *
 * entries.h - what is to be sent: the files and folders that the command line names, in the order in which
 * they go. */
#ifndef SEND_ENTRIES_H
#define SEND_ENTRIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "text/message.h"

enum entry_kind {
	ENTRY_FOLDER, /* to be made before its files */
	ENTRY_FILE,
	ENTRY_STREAM, /* standard input, a pipe, a device: its length shows at its end */
	ENTRY_SEAL    /* a folder again, when its files are there: now it gets its mode and time */
};

struct entry {
	enum entry_kind kind;
	char *path; /* here; "-" = standard input */
	char *name; /* at the receiver */
	uint64_t bytes;
	uint32_t mode;
	int64_t mtime_us;
};

/* Has content. */
static inline bool entry_is_file(const struct entry *e)
{
	return e->kind == ENTRY_FILE || e->kind == ENTRY_STREAM;
}

struct entries {
	struct entry *list; /* seals are behind everything else */
	size_t n, capacity, n_before_seals;
	uint64_t files, bytes;
	bool bytes_known;
};

/* Told what is left out and why. `wanted`: it should have been sent, and cannot be. */
typedef void entries_skip_cb(const char *text, bool wanted, void *arg);

/* Adds a file, "-", or a folder with all that is in it, by name in order. `name` is its name at the receiver;
 * NULL = the last part of `path`. Links below a folder are left out. 0, or -1 with the reason. */
int entries_add(struct entries *e, const char *path, const char *name, entries_skip_cb *skip, void *arg,
                struct app_error *error);

/* When all are added: appends the seals and refuses two entries of one name. 0, or -1 with the reason. */
int entries_complete(struct entries *e, struct app_error *error);

void entries_free(struct entries *e);

#endif
