/* SPDX-License-Identifier: BSD-3-Clause
 *
 * store.h - the receiver's folder: unfinished files, finished ones, folders.
 *
 * Names come from the peer and have passed transfer_name_check(). Every component is opened relative to the
 * folder before it, without following links, so nothing outside the folder can be reached. An unfinished file
 * has the suffix TRANSFER_PART_SUFFIX; it is written strictly in order, so its length says how much arrived.
 *
 * Functions return 0 or a descriptor, -1 with a sentence that names the file otherwise. Those that take a
 * constant store may run in several threads at once. */
#ifndef RECV_STORE_H
#define RECV_STORE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "text/message.h"

struct store {
	int root_fd;
	bool overwrite;
	mode_t umask; /* the process' when it was opened */
};

/* Makes the folder, not those above it, if it is missing; refuses one that cannot be written. */
int store_open(struct store *store, const char *directory, struct app_error *error);
void store_close(struct store *store);

enum store_kind {
	STORE_NOTHING, /* of that name, or not yet its folder */
	STORE_FILE,
	STORE_OTHER /* a folder, a link, a device */
};

struct store_found {
	enum store_kind kind;
	uint64_t bytes;      /* of STORE_FILE */
	uint64_t part_bytes; /* of the unfinished file; 0 = none */
};

int store_look(const struct store *store, const char *name, struct store_found *found,
               struct app_error *error);

/* Opens the file `name`, or its unfinished one, for reading. */
int store_read(const struct store *store, const char *name, bool part, struct app_error *error);

/* Opens the unfinished file for writing after its first `keep_bytes`; what follows them is cut off. Makes
 * the folders on the way. Fails while another process writes it. */
int store_write(const struct store *store, const char *name, uint64_t keep_bytes, struct app_error *error);

struct store_attributes {
	uint32_t mode;    /* 0 to 0777; what the umask excludes is left out */
	int64_t mtime_us; /* since 1970 */
	bool has_mtime;
};

/* The unfinished file is complete: writes it to disk and gives it its name. `fd` stays open. */
int store_commit(const struct store *store, const char *name, int fd,
                 const struct store_attributes *attributes, struct app_error *error);

/* Removes the unfinished file. */
void store_discard(const struct store *store, const char *name);

/* Makes the folder if it is not there; with `final` gives it its attributes. */
int store_folder(const struct store *store, const char *name, bool final,
                 const struct store_attributes *attributes, struct app_error *error);

/* What errno `code` means for `name`, with the way out. Returns -1. */
int store_error(struct app_error *error, const char *name, int code);

#endif
