/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/content.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "run/pattern.h"

int lab_content_open(struct lab_content *c, const struct lab_source *source, struct lab_error *error)
{
	struct stat st;
	void *p;
	int fd;

	*c = (struct lab_content){.file = NULL};
	if (source->kind != LAB_SOURCE_FILE) {
		return 0;
	}
	fd = open(source->file, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st) != 0) {
		snprintf(error->text, sizeof(error->text), "%s: %s", source->file, strerror(errno));
		if (fd >= 0) {
			close(fd);
		}
		return -1;
	}
	if (!S_ISREG(st.st_mode) || st.st_size == 0) {
		close(fd);
		snprintf(error->text, sizeof(error->text), "%s: empty, or not a regular file", source->file);
		return -1;
	}
	p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	if (p == MAP_FAILED) {
		snprintf(error->text, sizeof(error->text), "%s: %s", source->file, strerror(errno));
		return -1;
	}
	c->file = p;
	c->file_bytes = (uint64_t)st.st_size;
	return 0;
}

void lab_content_close(struct lab_content *c)
{
	if (c->file != NULL) {
		munmap(c->file, (size_t)c->file_bytes);
		c->file = NULL;
	}
}

void lab_content_fill(const struct lab_content *c, uint8_t *out, uint64_t offset, size_t len)
{
	if (c->file != NULL) {
		memcpy(out, c->file + offset, len);
	} else {
		lab_pattern_fill(out, offset, len);
	}
}

size_t lab_content_match(const struct lab_content *c, const uint8_t *bytes, uint64_t offset, size_t len)
{
	size_t same = 0;

	if (c->file == NULL) {
		return lab_pattern_match(bytes, offset, len);
	}
	if (offset + len > c->file_bytes) {
		return 0;
	}
	if (memcmp(bytes, c->file + offset, len) == 0) {
		return len;
	}
	while (bytes[same] == c->file[offset + same]) {
		same++;
	}
	return same;
}
