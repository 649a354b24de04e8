/* SPDX-License-Identifier: BSD-3-Clause */
#include "sections.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "samples.h"

#define HEADING "## "

/* What the file has, ended by 0; "" when there is none. The caller frees it. NULL with errno set. */
static char *read_all(const char *path)
{
	FILE *in = fopen(path, "r");
	char *text = lab_grow(NULL, 1, 1);
	size_t n = 0, got;

	text[0] = '\0';
	if (in == NULL) {
		if (errno == ENOENT) {
			return text;
		}
		free(text);
		return NULL;
	}
	do {
		text = lab_grow(text, n + 4097, 1);
		got = fread(text + n, 1, 4096, in);
		n += got;
	} while (got > 0);
	text[n] = '\0';
	fclose(in);
	return text;
}

/* The next heading at or behind `at`, which is the start of a line; the end of the text if there is none. */
static const char *next_heading(const char *at)
{
	if (strncmp(at, HEADING, strlen(HEADING)) == 0) {
		return at;
	}
	at = strstr(at, "\n" HEADING);
	return at == NULL ? "" : at + 1;
}

static bool is_section(const char *at, const char *title)
{
	size_t len = strlen(title);

	at += strlen(HEADING);
	return strncmp(at, title, len) == 0 && (at[len] == '\n' || at[len] == '\0');
}

static void put_section(FILE *out, const char *title, const char *text)
{
	fprintf(out, HEADING "%s\n\n%s", title, text);
}

static void put(FILE *out, const char *old, const char *head, const char *title, const char *text)
{
	bool found = false;

	fprintf(out, "%s", head);
	for (const char *at = next_heading(old), *end; *at != '\0'; at = end) {
		const char *behind = at + strlen(HEADING);

		end = next_heading(behind);
		fprintf(out, "\n");
		if (is_section(at, title)) {
			put_section(out, title, text);
			found = true;
		} else {
			size_t len = *end == '\0' ? strlen(at) : (size_t)(end - at);

			/* The blank line that parts it from the next section is not its own. */
			while (len > 0 && at[len - 1] == '\n') {
				len--;
			}
			fprintf(out, "%.*s\n", (int)len, at);
		}
	}
	if (!found) {
		fprintf(out, "\n");
		put_section(out, title, text);
	}
}

int lab_sections_write(const char *path, const char *head, const char *title, const char *text,
                       struct lab_error *error)
{
	char *old = read_all(path);
	FILE *out = old == NULL ? NULL : fopen(path, "w");
	int rc = -1;

	if (out != NULL) {
		put(out, old, head, title, text);
		rc = fclose(out);
	}
	if (rc != 0) {
		snprintf(error->text, sizeof(error->text), "%s: %s", path, strerror(errno));
	}
	free(old);
	return rc == 0 ? 0 : -1;
}
