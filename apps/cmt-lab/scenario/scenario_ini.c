/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Scenario files. [scenario] holds the load, [path.N] a path, [link.NAME] a link that paths
 * share, [competitor] an association beside the measured one, [grid] what the source varies. The parser tells
 * neither the line nor the column, so the reader below counts the lines that it hands out. */
#include "scenario/scenario.h"

#include <errno.h>
#include <ini.h>
#include <stdio.h>
#include <string.h>

struct reader {
	FILE *file;
	unsigned line;
};

struct builder {
	struct lab_scenario *scenario;
	struct lab_error error; /* of the first bad line */
	struct reader reader;
	unsigned bad_line;  /* 0 = none */
	char seen[64][140]; /* full names, to find what is given twice */
	unsigned n_seen;
};

static char *read_line(char *out, int out_bytes, void *stream)
{
	struct reader *r = stream;

	r->line++;
	return fgets(out, out_bytes, r->file);
}

static int seen_before(struct builder *b, const char *key)
{
	for (unsigned i = 0; i < b->n_seen; i++) {
		if (strcmp(b->seen[i], key) == 0) {
			return 1;
		}
	}
	if (b->n_seen < sizeof(b->seen) / sizeof(b->seen[0])) {
		snprintf(b->seen[b->n_seen++], sizeof(b->seen[0]), "%s", key);
	}
	return 0;
}

static bool is_section(const char *name)
{
	return strcmp(name, "scenario") == 0 || strcmp(name, "grid") == 0 ||
	       strcmp(name, "competitor") == 0 || strncmp(name, "competitor.", 11) == 0 ||
	       strncmp(name, "path.", 5) == 0 || strncmp(name, "link.", 5) == 0 ||
	       strncmp(name, "nat.", 4) == 0;
}

static int on_key(void *user, const char *section, const char *name, const char *value)
{
	struct builder *b = user;
	char key[140];
	int rc = -1;

	if (b->bad_line != 0) {
		return 1;
	}
	if (strcmp(section, "scenario") == 0) {
		snprintf(key, sizeof(key), "%s", name);
	} else {
		snprintf(key, sizeof(key), "%s.%s", section, name);
	}
	if (!is_section(section)) {
		snprintf(b->error.text, sizeof(b->error.text),
		         "[%s]: no such section; there are [scenario], [path.1] to [path.8], [link.NAME], "
		         "[nat.NAME], [competitor], [competitor.1] to [competitor.4], [grid]",
		         section);
	} else if (seen_before(b, key)) {
		snprintf(b->error.text, sizeof(b->error.text),
		         "%s: given twice, or its value continues on the next line", key);
	} else {
		rc = lab_scenario_set(b->scenario, key, value, &b->error);
	}
	if (rc != 0) {
		b->bad_line = b->reader.line;
	}
	return 1;
}

/* "dir/sarwar1.ini" -> "sarwar1" */
static void name_from_path(char *out, size_t out_bytes, const char *path)
{
	const char *slash = strrchr(path, '/');
	char *dot;

	snprintf(out, out_bytes, "%s", slash == NULL ? path : slash + 1);
	dot = strstr(out, ".ini");
	if (dot != NULL) {
		*dot = '\0';
	}
}

static void dir_from_path(char *out, size_t out_bytes, const char *path)
{
	const char *slash = strrchr(path, '/');

	snprintf(out, out_bytes, "%.*s", slash == NULL ? 0 : slash == path ? 1 : (int)(slash - path), path);
}

int lab_scenario_load_file(struct lab_scenario *scenario, const char *path, struct lab_error *error)
{
	struct builder b = {.scenario = scenario};
	int bad;

	lab_scenario_init(scenario);
	name_from_path(scenario->name, sizeof(scenario->name), path);
	dir_from_path(scenario->dir, sizeof(scenario->dir), path);
	b.reader.file = fopen(path, "r");
	if (b.reader.file == NULL) {
		snprintf(error->text, sizeof(error->text), "%s: cannot open: %s", path, strerror(errno));
		return -1;
	}
	bad = ini_parse_stream(read_line, &b.reader, on_key, &b);
	fclose(b.reader.file);
	scenario->dir[0] = '\0';
	if (b.bad_line != 0 && (bad <= 0 || b.bad_line <= (unsigned)bad)) {
		snprintf(error->text, sizeof(error->text), "%s:%u: %.400s", path, b.bad_line, b.error.text);
		return -1;
	}
	if (bad != 0) {
		snprintf(error->text, sizeof(error->text),
		         "%s:%d: cannot be parsed; write [section], key = value, or a comment after #", path,
		         bad);
		return -1;
	}
	if (lab_scenario_check(scenario, &b.error) != 0) {
		snprintf(error->text, sizeof(error->text), "%s: %.400s", path, b.error.text);
		return -1;
	}
	return 0;
}
