/* SPDX-License-Identifier: BSD-3-Clause */
#include "store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "transfer_name.h"

#define FOLDER_FLAGS (O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
/* O_NONBLOCK: a FIFO of that name must not stop the program. */
#define FILE_FLAGS (O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)

struct leaf {
	char text[TRANSFER_COMPONENT_MAX_BYTES + sizeof(TRANSFER_PART_SUFFIX)];
};

int store_error(struct app_error *error, const char *name, int code)
{
	switch (code) {
	case ENOSPC:
	case EDQUOT:
		return app_error_set(error,
		                     "%s: no space left at the receiver; what arrived is kept; free some "
		                     "space and send again with --resume",
		                     name);
	case EFBIG:
		return app_error_set(error,
		                     "%s: larger than the receiver may write; what arrived is kept; raise "
		                     "its limit (ulimit -f) and send again with --resume",
		                     name);
	case EACCES:
	case EPERM:
	case EROFS:
		return app_error_set(
		    error, "%s: the receiver may not write there (%s); choose another folder with -d", name,
		    strerror(code));
	case ELOOP:
	case ENOTDIR:
		return app_error_set(error,
		                     "%s: a part of this name is a file or a link at the receiver; remove it "
		                     "or choose another folder with -d",
		                     name);
	case EMFILE:
	case ENFILE:
		return app_error_set(error,
		                     "%s: too many files are open at the receiver; send again later, or "
		                     "raise its limit (ulimit -n)",
		                     name);
	default: return app_error_set(error, "%s: the receiver cannot write it: %s", name, strerror(code));
	}
}

int store_open(struct store *store, const char *directory, struct app_error *error)
{
	store->umask = umask(0);
	umask(store->umask);
	if (mkdir(directory, 0777) != 0 && errno != EEXIST) {
		return app_error_set(error, "cannot make the folder %s: %s; choose another with -d",
		                     directory, strerror(errno));
	}
	store->root_fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (store->root_fd < 0) {
		return app_error_set(error, "cannot open the folder %s: %s; choose another with -d",
		                     directory, strerror(errno));
	}
	if (faccessat(store->root_fd, ".", W_OK | X_OK, AT_EACCESS) != 0) {
		app_error_set(error, "cannot write to the folder %s: %s; choose another with -d", directory,
		              strerror(errno));
		store_close(store);
		return -1;
	}
	return 0;
}

void store_close(struct store *store)
{
	close(store->root_fd);
	store->root_fd = -1;
}

/* One step down from `folder`, which is closed. With `make` a missing folder is made. */
static int step(int folder, const char *component, bool make)
{
	int next = openat(folder, component, FOLDER_FLAGS);
	int code;

	if (next < 0 && errno == ENOENT && make &&
	    (mkdirat(folder, component, 0777) == 0 || errno == EEXIST)) {
		next = openat(folder, component, FOLDER_FLAGS);
	}
	code = errno;
	close(folder);
	errno = code;
	return next;
}

/* The folder that `name` is in, and its last component. A descriptor, or -1 with errno. */
static int parent_of(const struct store *store, const char *name, bool make, struct leaf *leaf)
{
	int folder = openat(store->root_fd, ".", FOLDER_FLAGS);
	const char *slash;

	while (folder >= 0 && (slash = strchr(name, '/')) != NULL) {
		snprintf(leaf->text, sizeof(leaf->text), "%.*s", (int)(slash - name), name);
		folder = step(folder, leaf->text, make);
		name = slash + 1;
	}
	snprintf(leaf->text, sizeof(leaf->text), "%s", name);
	return folder;
}

static struct leaf part_of(const struct leaf *leaf)
{
	struct leaf part;

	snprintf(part.text, sizeof(part.text), "%.*s%s", TRANSFER_COMPONENT_MAX_BYTES, leaf->text,
	         TRANSFER_PART_SUFFIX);
	return part;
}

static void look_in(int folder, const struct leaf *leaf, struct store_found *found)
{
	struct leaf part = part_of(leaf);
	struct stat st;

	if (fstatat(folder, leaf->text, &st, AT_SYMLINK_NOFOLLOW) == 0) {
		found->kind = S_ISREG(st.st_mode) ? STORE_FILE : STORE_OTHER;
		found->bytes = (uint64_t)st.st_size;
	}
	if (fstatat(folder, part.text, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(st.st_mode)) {
		found->part_bytes = (uint64_t)st.st_size;
	}
}

int store_look(const struct store *store, const char *name, struct store_found *found,
               struct app_error *error)
{
	struct leaf leaf;
	int folder = parent_of(store, name, false, &leaf);

	*found = (struct store_found){.kind = STORE_NOTHING};
	if (folder < 0) {
		return errno == ENOENT ? 0 : store_error(error, name, errno);
	}
	look_in(folder, &leaf, found);
	close(folder);
	return 0;
}

/* Only a regular file with this one name: a further name may be outside the folder. */
static int regular_only(int fd)
{
	struct stat st;

	if (fd >= 0 && (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) || st.st_nlink > 1)) {
		close(fd);
		errno = ELOOP;
		return -1;
	}
	return fd;
}

int store_read(const struct store *store, const char *name, bool part, struct app_error *error)
{
	struct leaf leaf, part_leaf;
	int folder = parent_of(store, name, false, &leaf);
	struct stat st;
	int fd;

	if (folder < 0) {
		return store_error(error, name, errno);
	}
	part_leaf = part_of(&leaf);
	fd = openat(folder, part ? part_leaf.text : leaf.text, O_RDONLY | FILE_FLAGS);
	if (fd < 0) {
		app_error_set(error, "%s: the receiver cannot read its part of it: %s", name,
		              strerror(errno));
	} else if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)) {
		app_error_set(error, "%s: the receiver has something else with that name", name);
		close(fd);
		fd = -1;
	}
	close(folder);
	return fd;
}

int store_write(const struct store *store, const char *name, uint64_t keep_bytes, struct app_error *error)
{
	struct leaf leaf, part;
	int folder = parent_of(store, name, true, &leaf);
	int fd = -1, code;

	if (folder >= 0) {
		part = part_of(&leaf);
		fd = regular_only(openat(folder, part.text, O_WRONLY | O_CREAT | FILE_FLAGS, 0600));
		code = errno;
		close(folder);
		errno = code;
	}
	if (fd < 0) {
		return store_error(error, name, errno);
	}
	if (flock(fd, LOCK_EX | LOCK_NB) != 0) {
		app_error_set(error, "%s: another cmt-recv is receiving it; send again later", name);
	} else if (ftruncate(fd, (off_t)keep_bytes) != 0 || lseek(fd, 0, SEEK_END) < 0) {
		store_error(error, name, errno);
	} else {
		return fd;
	}
	close(fd);
	return -1;
}

/* Access time left alone. */
static int set_attributes(const struct store *store, int fd, const struct store_attributes *a)
{
	struct timespec times[2] = {{.tv_nsec = UTIME_OMIT}, {.tv_nsec = UTIME_OMIT}};
	int64_t us = a->mtime_us % 1000000;

	if (a->has_mtime) {
		times[1].tv_sec = (time_t)(a->mtime_us / 1000000 - (us < 0));
		times[1].tv_nsec = (us < 0 ? us + 1000000 : us) * 1000;
	}
	if (fchmod(fd, (mode_t)a->mode & ~store->umask) != 0) {
		return -1;
	}
	/* A time that the file system cannot keep is no reason to lose the file. */
	(void)futimens(fd, times);
	return 0;
}

/* Without --overwrite a file that has appeared meanwhile is left alone. */
static int rename_part(const struct store *store, int folder, const struct leaf *leaf)
{
	struct leaf part = part_of(leaf);

	if (store->overwrite) {
		return renameat(folder, part.text, folder, leaf->text);
	}
	if (renameat2(folder, part.text, folder, leaf->text, RENAME_NOREPLACE) == 0) {
		return 0;
	}
	if (errno != EINVAL && errno != ENOSYS) {
		return -1;
	}
	/* A file system that cannot rename in this way. */
	return linkat(folder, part.text, folder, leaf->text, 0) == 0 ? unlinkat(folder, part.text, 0) : -1;
}

int store_commit(const struct store *store, const char *name, int fd,
                 const struct store_attributes *attributes, struct app_error *error)
{
	struct leaf leaf;
	int folder = parent_of(store, name, false, &leaf);
	int rc = folder < 0 || set_attributes(store, fd, attributes) != 0 || fsync(fd) != 0 ||
	                 rename_part(store, folder, &leaf) != 0 || fsync(folder) != 0
	             ? -1
	             : 0;
	int code = errno;

	if (folder >= 0) {
		close(folder);
	}
	if (rc != 0 && code == EEXIST) {
		return app_error_set(
		    error, "%s: has appeared at the receiver in the meantime; --overwrite there replaces it",
		    name);
	}
	return rc == 0 ? 0 : store_error(error, name, code);
}

void store_discard(const struct store *store, const char *name)
{
	struct leaf leaf, part;
	int folder = parent_of(store, name, false, &leaf);

	if (folder >= 0) {
		part = part_of(&leaf);
		unlinkat(folder, part.text, 0);
		close(folder);
	}
}

int store_folder(const struct store *store, const char *name, bool final,
                 const struct store_attributes *attributes, struct app_error *error)
{
	struct leaf leaf;
	int folder = parent_of(store, name, true, &leaf);
	int fd = folder < 0 ? -1 : step(folder, leaf.text, true);
	int rc = 0;

	if (fd < 0) {
		return store_error(error, name, errno);
	}
	if (final && set_attributes(store, fd, attributes) != 0) {
		rc = store_error(error, name, errno);
	}
	close(fd);
	return rc;
}
