/* SPDX-License-Identifier: BSD-3-Clause */
#include "render/sections.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/samples.h"

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

/* The length of the section at `at` without the blank lines that part it from the next. */
static size_t trimmed(const char *at, const char *end)
{
	size_t len = *end == '\0' ? strlen(at) : (size_t)(end - at);

	while (len > 0 && at[len - 1] == '\n') {
		len--;
	}
	return len;
}

/* Whether the section at `at` is one of those behind `title` in the order. */
static bool comes_later(const char *at, const struct lab_section *s)
{
	bool later = false;

	for (const char *const *t = s->order; *t != NULL; t++) {
		if (later && is_section(at, *t)) {
			return true;
		}
		later = later || strcmp(*t, s->title) == 0;
	}
	return false;
}

static const char *find(const char *text, const char *title)
{
	const char *at = next_heading(text);

	while (*at != '\0' && !is_section(at, title)) {
		at = next_heading(at + strlen(HEADING));
	}
	return at;
}

static const char *place_for(const char *text, const struct lab_section *s)
{
	const char *at = find(text, s->title);

	if (*at == '\0') {
		for (at = next_heading(text); *at != '\0' && !comes_later(at, s);) {
			at = next_heading(at + strlen(HEADING));
		}
	}
	return at;
}

/* Where in the section at `at` the text of people begins; `end` when there is none. */
static const char *behind_commands(const char *at, const char *end)
{
	const char *mark = strstr(at, LAB_SECTION_END), *table = NULL;

	if (mark != NULL && (*end == '\0' || mark < end)) {
		return mark + strlen(LAB_SECTION_END);
	}
	for (const char *line = at; line != NULL && *line != '\0' && (*end == '\0' || line < end);) {
		const char *next = strchr(line, '\n');

		table = *line == '|' ? next : table;
		line = next == NULL ? NULL : next + 1;
	}
	return table == NULL ? end : table;
}

static void put_section(FILE *out, const struct lab_section *s, const char *at)
{
	fprintf(out, "\n" HEADING "%s\n\n%s\n" LAB_SECTION_END "\n", s->title, s->text);
	if (*at != '\0' && is_section(at, s->title)) {
		const char *end = next_heading(at + strlen(HEADING)), *theirs = behind_commands(at, end);

		theirs += strspn(theirs, "\n");
		if ((*end == '\0' || theirs < end) && trimmed(theirs, end) > 0) {
			fprintf(out, "\n%.*s\n", (int)trimmed(theirs, end), theirs);
		}
	}
}

static void put(FILE *out, const char *old, const struct lab_section *s)
{
	const char *first = next_heading(old), *place = place_for(old, s);

	if (trimmed(old, first) == 0) {
		fprintf(out, "%s", s->head);
	} else {
		fprintf(out, "%.*s\n", (int)trimmed(old, first), old);
	}
	for (const char *at = first, *end;; at = end) {
		if (at == place) {
			put_section(out, s, at);
		}
		if (*at == '\0') {
			break;
		}
		end = next_heading(at + strlen(HEADING));
		if (!is_section(at, s->title)) {
			fprintf(out, "\n%.*s\n", (int)trimmed(at, end), at);
		}
	}
}

int lab_sections_write(const char *path, const struct lab_section *section, struct lab_error *error)
{
	char *old = read_all(path);
	FILE *out = old == NULL ? NULL : fopen(path, "w");
	int rc = -1;

	if (out != NULL) {
		put(out, old, section);
		rc = fclose(out);
	}
	if (rc != 0) {
		snprintf(error->text, sizeof(error->text), "%s: %s", path, strerror(errno));
	}
	free(old);
	return rc == 0 ? 0 : -1;
}

char *lab_sections_read(const char *path, const char *title)
{
	char *all = read_all(path), *text = NULL;
	const char *at = all == NULL ? "" : find(all, title);

	if (*at != '\0') {
		const char *body = strchr(at, '\n');

		body = body == NULL ? "" : body + strspn(body, "\n");
		text = strdup(body);
		if (text != NULL && *body != '\0') {
			const char *end = next_heading(text), *mark = strstr(text, LAB_SECTION_END);

			end = mark != NULL && (*end == '\0' || mark < end) ? mark : end;
			text[trimmed(text, end)] = '\0';
		}
	}
	free(all);
	return text;
}
