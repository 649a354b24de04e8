/* SPDX-License-Identifier: BSD-3-Clause */
#include "entries.h"

#include <errno.h>
#include <fts.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "transfer_name.h"

struct walk {
	struct entries *entries;
	const char *root_path, *root_name;
	size_t root_bytes; /* of root_path, without a slash at its end */
	entries_skip_cb *skip;
	void *arg;
};

static int no_memory(struct app_error *error)
{
	return app_error_set(error, "no memory for the list of files");
}

static int append(struct entries *e, enum entry_kind kind, const char *path, const char *name,
                  const struct stat *st, struct app_error *error)
{
	struct entry *entry;

	if (e->n == e->capacity) {
		size_t capacity = e->capacity == 0 ? 16 : e->capacity * 2;
		struct entry *larger = realloc(e->list, capacity * sizeof(*larger));

		if (larger == NULL) {
			return no_memory(error);
		}
		e->list = larger;
		e->capacity = capacity;
	}
	entry = &e->list[e->n];
	*entry =
	    (struct entry){.kind = kind,
	                   .path = strdup(path),
	                   .name = strdup(name),
	                   .bytes = kind == ENTRY_FILE ? (uint64_t)st->st_size : 0,
	                   .mode = (uint32_t)st->st_mode & 0777,
	                   .mtime_us = (int64_t)st->st_mtim.tv_sec * 1000000 + st->st_mtim.tv_nsec / 1000};
	e->n++;
	if (entry->path == NULL || entry->name == NULL) {
		return no_memory(error);
	}
	if (kind == ENTRY_FILE || kind == ENTRY_STREAM) {
		e->bytes_known = (e->files == 0 || e->bytes_known) && kind == ENTRY_FILE;
		e->files++;
		e->bytes += entry->bytes;
	}
	return 0;
}

static int add_stream(struct entries *e, const char *path, const char *name, struct app_error *error)
{
	const struct stat st = {.st_mode = S_IFREG | 0644};

	return transfer_name_check(name, error) != 0 ? -1 : append(e, ENTRY_STREAM, path, name, &st, error);
}

static void skip(const struct walk *w, const char *path, const char *why, bool wanted)
{
	char text[PATH_MAX + 100];

	snprintf(text, sizeof(text), "%s: %s", path, why);
	w->skip(text, wanted, w->arg);
}

static int add_found(const struct walk *w, const FTSENT *found, enum entry_kind kind, struct app_error *error)
{
	char name[PATH_MAX];
	struct app_error wrong;

	snprintf(name, sizeof(name), "%s%s", w->root_name, found->fts_path + w->root_bytes);
	if (transfer_name_check(name, &wrong) != 0) {
		w->skip(wrong.text, true, w->arg);
		return 0;
	}
	return append(w->entries, kind, found->fts_accpath, name, found->fts_statp, error);
}

static int add_one(const struct walk *w, const FTSENT *found, struct app_error *error)
{
	switch (found->fts_info) {
	case FTS_D: return add_found(w, found, ENTRY_FOLDER, error);
	case FTS_F: return add_found(w, found, ENTRY_FILE, error);
	case FTS_DNR:
	case FTS_ERR:
	case FTS_NS: skip(w, found->fts_path, strerror(found->fts_errno), true); return 0;
	case FTS_SL:
	case FTS_SLNONE: skip(w, found->fts_path, "is a link: skipped", false); return 0;
	case FTS_DEFAULT:
		skip(w, found->fts_path, "is neither a file nor a folder: skipped", false);
		return 0;
	default: return 0;
	}
}

static int by_name(const FTSENT **a, const FTSENT **b)
{
	return strcmp((*a)->fts_name, (*b)->fts_name);
}

static int add_tree(const struct walk *w, struct app_error *error)
{
	char path[PATH_MAX];
	char *const paths[2] = {path, NULL};
	const FTSENT *found;
	int rc = 0;
	FTS *fts;

	snprintf(path, sizeof(path), "%s", w->root_path);
	fts = fts_open(paths, FTS_PHYSICAL | FTS_COMFOLLOW | FTS_NOCHDIR, by_name);
	if (fts == NULL) {
		return app_error_set(error, "%s: %s", w->root_path, strerror(errno));
	}
	while (rc == 0 && (found = fts_read(fts)) != NULL) {
		rc = add_one(w, found, error);
	}
	fts_close(fts);
	return rc;
}

/* The last part of `path`, also of "." and "dir/". False when it has none. */
static bool own_name(const char *path, char name[PATH_MAX])
{
	char resolved[PATH_MAX];
	const char *end = path + strlen(path), *start;

	while (end > path && end[-1] == '/') {
		end--;
	}
	start = end;
	while (start > path && start[-1] != '/') {
		start--;
	}
	snprintf(name, PATH_MAX, "%.*s", (int)(end - start), start);
	if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0) {
		if (realpath(path, resolved) == NULL) {
			return false;
		}
		snprintf(name, PATH_MAX, "%s", strrchr(resolved, '/') + 1);
	}
	return name[0] != '\0';
}

int entries_add(struct entries *e, const char *path, const char *name, entries_skip_cb *skip_cb, void *arg,
                struct app_error *error)
{
	char own[PATH_MAX], trimmed[PATH_MAX];
	struct walk w = {.entries = e, .root_path = trimmed, .root_name = name, .skip = skip_cb, .arg = arg};
	struct stat st;
	size_t len = strlen(path);

	if (strcmp(path, "-") == 0) {
		return add_stream(e, path, name != NULL ? name : "stdin", error);
	}
	if (stat(path, &st) != 0) {
		return app_error_set(error, "%s: cannot be sent: %s", path, strerror(errno));
	}
	if (name == NULL && !own_name(path, own)) {
		return app_error_set(error, "%s: has no name of its own; give it one with --name", path);
	}
	w.root_name = name != NULL ? name : own;
	if (transfer_name_check(w.root_name, error) != 0) {
		return -1;
	}
	while (len > 1 && path[len - 1] == '/') {
		len--;
	}
	snprintf(trimmed, sizeof(trimmed), "%.*s", (int)len, path);
	w.root_bytes = strcmp(trimmed, "/") == 0 ? 0 : len;
	if (S_ISDIR(st.st_mode)) {
		return add_tree(&w, error);
	}
	return S_ISREG(st.st_mode) ? append(e, ENTRY_FILE, path, w.root_name, &st, error)
	                           : add_stream(e, path, w.root_name, error);
}

static int compare_names(const void *a, const void *b)
{
	return strcmp((*(const struct entry *const *)a)->name, (*(const struct entry *const *)b)->name);
}

static int refuse_duplicates(const struct entries *e, struct app_error *error)
{
	const struct entry **sorted = calloc(e->n + 1, sizeof(const struct entry *));
	int rc = 0;

	if (sorted == NULL) {
		return no_memory(error);
	}
	for (size_t i = 0; i < e->n; i++) {
		sorted[i] = &e->list[i];
	}
	qsort(sorted, e->n, sizeof(const struct entry *), compare_names);
	for (size_t i = 1; i < e->n && rc == 0; i++) {
		if (strcmp(sorted[i]->name, sorted[i - 1]->name) == 0) {
			rc = app_error_set(error,
			                   "%.150s and %.150s would both be %.150s at the receiver; send "
			                   "them one after the other",
			                   sorted[i - 1]->path, sorted[i]->path, sorted[i]->name);
		}
	}
	free(sorted);
	return rc;
}

int entries_complete(struct entries *e, struct app_error *error)
{
	e->n_before_seals = e->n;
	if (refuse_duplicates(e, error) != 0) {
		return -1;
	}
	for (size_t i = e->n_before_seals; i > 0; i--) {
		const struct entry folder = e->list[i - 1];
		const struct stat st = {.st_mode = S_IFDIR | folder.mode,
		                        .st_mtim = {.tv_sec = (time_t)(folder.mtime_us / 1000000),
		                                    .tv_nsec = folder.mtime_us % 1000000 * 1000}};

		if (folder.kind == ENTRY_FOLDER &&
		    append(e, ENTRY_SEAL, folder.path, folder.name, &st, error) != 0) {
			return -1;
		}
	}
	return 0;
}

void entries_free(struct entries *e)
{
	for (size_t i = 0; i < e->n; i++) {
		free(e->list[i].path);
		free(e->list[i].name);
	}
	free(e->list);
	*e = (struct entries){.list = NULL};
}
