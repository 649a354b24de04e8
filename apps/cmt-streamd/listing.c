/* SPDX-License-Identifier: BSD-3-Clause */
#include "listing.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <jansson.h>

#include "media_type.h"

struct names {
	char **list;
	size_t n;
	bool more; /* there are more than a list takes */
};

static bool can_stand_in_a_path(const char *name)
{
	while (*name != '\0') {
		const size_t n = app_printable_bytes(name);

		if (n == 0) {
			return false;
		}
		name += n;
	}
	return true;
}

static int by_name(const void *a, const void *b)
{
	return strverscmp(*(char *const *)a, *(char *const *)b);
}

static void free_names(struct names *names)
{
	for (size_t i = 0; i < names->n; i++) {
		free(names->list[i]);
	}
	free(names->list);
}

/* 0, or an errno. */
static int read_names(DIR *folder, struct names *out)
{
	const struct dirent *entry;

	out->list = calloc(MEDIA_LIST_MAX_ENTRIES, sizeof(*out->list));
	if (out->list == NULL) {
		return ENOMEM;
	}
	while ((errno = 0, entry = readdir(folder)) != NULL) {
		if (entry->d_name[0] == '.' || !can_stand_in_a_path(entry->d_name)) {
			continue;
		}
		out->more = out->n == MEDIA_LIST_MAX_ENTRIES;
		if (out->more) {
			break;
		}
		out->list[out->n] = strdup(entry->d_name);
		if (out->list[out->n] == NULL) {
			return ENOMEM;
		}
		out->n++;
	}
	if (errno == 0) {
		qsort(out->list, out->n, sizeof(*out->list), by_name);
	}
	return errno;
}

/* NULL: not to be shown, or no memory. */
static json_t *describe(int root_fd, const char *folder, const char *name)
{
	char path[MEDIA_PATH_MAX_BYTES + NAME_MAX + 2];
	struct stat st;

	(void)snprintf(path, sizeof(path), "%s/%s", folder, name);
	if (below_stat(root_fd, path, &st) != 0) {
		return NULL;
	}
	if (S_ISDIR(st.st_mode)) {
		return json_pack("{s:s, s:b}", "name", name, "folder", 1);
	}
	return !S_ISREG(st.st_mode)
	           ? NULL
	           : json_pack("{s:s, s:I, s:I, s:s}", "name", name, "size", (json_int_t)st.st_size,
	                       "modified_us",
	                       (json_int_t)st.st_mtim.tv_sec * 1000000 + st.st_mtim.tv_nsec / 1000,
	                       "content_type", media_type_of(name));
}

/* Takes `line`. */
static void put_line(FILE *out, json_t *line)
{
	if (line != NULL && json_dumpf(line, out, JSON_COMPACT) == 0) {
		(void)fputc('\n', out);
	}
	json_decref(line);
}

/* 0, or an errno. */
static int write_list(int root_fd, const char *folder, const struct names *names, FILE *out)
{
	for (size_t i = 0; i < names->n; i++) {
		put_line(out, describe(root_fd, folder, names->list[i]));
	}
	if (names->more) {
		put_line(out, json_pack("{s:b}", "more", 1));
	}
	return fflush(out) == 0 && ferror(out) == 0 ? 0 : errno;
}

/* FNV-1a: two lists that differ are told apart, whoever asks. */
static uint64_t digest(FILE *list)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	rewind(list);
	for (int c; (c = fgetc(list)) != EOF;) {
		hash = (hash ^ (uint64_t)c) * UINT64_C(0x100000001b3);
	}
	return hash;
}

static int finish(FILE *list, const struct stat *folder, struct resource *out)
{
	const uint64_t hash = digest(list);
	struct stat st;

	out->fd = dup(fileno(list));
	if (out->fd < 0 || fstat(out->fd, &st) != 0) {
		return errno;
	}
	out->size = (uint64_t)st.st_size;
	out->modified_us = (int64_t)folder->st_mtim.tv_sec * 1000000 + folder->st_mtim.tv_nsec / 1000;
	out->content_type = MEDIA_LIST_TYPE;
	snprintf(out->etag, sizeof(out->etag), "list-%" PRIx64 "-%" PRIx64, out->size, hash);
	return 0;
}

int listing_open(int root_fd, const char *name, struct resource *out)
{
	const int fd = below_folder(root_fd, name);
	DIR *const folder = fd >= 0 ? fdopendir(fd) : NULL;
	const int memory = folder != NULL ? memfd_create("list", MFD_CLOEXEC) : -1;
	FILE *const list = memory >= 0 ? fdopen(memory, "w+") : NULL;
	struct names names = {.n = 0};
	struct stat st;
	int code = list != NULL && fstat(fd, &st) == 0 ? 0 : errno;

	if (code == 0 && (code = read_names(folder, &names)) == 0 &&
	    (code = write_list(root_fd, name, &names, list)) == 0) {
		code = finish(list, &st, out);
	}
	free_names(&names);
	if (list != NULL) {
		(void)fclose(list);
	} else if (memory >= 0) {
		(void)close(memory);
	}
	if (folder != NULL) {
		(void)closedir(folder);
	} else if (fd >= 0) {
		(void)close(fd);
	}
	errno = code;
	return code == 0 ? 0 : -1;
}
