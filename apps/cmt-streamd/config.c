/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The parser tells no line, so the reader below counts those that it hands out. */
#include "config.h"

#include <errno.h>
#include <ini.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "text/units.h"

#define OPTIONS_MAX 64

struct reading {
	FILE *file;
	unsigned line, bad_line; /* 0 = none */
	const struct option *options;
	config_take_fn *take;
	void *arg;
	bool seen[OPTIONS_MAX];
	struct app_error error;
};

static char *read_line(char *out, int out_bytes, void *stream)
{
	struct reading *r = stream;
	char *line = fgets(out, out_bytes, r->file);

	r->line++;
	if (line != NULL && strchr(line, '\n') == NULL && !feof(r->file) && r->bad_line == 0) {
		r->bad_line = r->line;
		app_error_set(&r->error, "the line is longer than %d characters", out_bytes - 2);
	}
	return line;
}

static int find(const struct option *options, const char *name)
{
	for (int i = 0; options[i].name != NULL; i++) {
		if (strcmp(options[i].name, name) == 0) {
			return i;
		}
	}
	return -1;
}

static int take(struct reading *r, const char *section, const char *name, const char *value)
{
	const int index = find(r->options, name);
	bool yes;

	if (section[0] != '\0') {
		return app_error_set(&r->error, "[%s]: this file has no sections", section);
	}
	if (index < 0 || index >= OPTIONS_MAX) {
		return app_error_set(&r->error, "\"%s\" is not an option; --help lists them", name);
	}
	if (r->seen[index]) {
		return app_error_set(&r->error, "%s: given twice, or its value continues on the next line",
		                     name);
	}
	r->seen[index] = true;
	if (r->options[index].has_arg == required_argument) {
		return r->take(index, value, r->arg, &r->error);
	}
	if (!app_parse_bool(value, &yes)) {
		return app_error_set(&r->error, "%s: \"%s\" is not " APP_BOOL_FORM, name, value);
	}
	return yes ? r->take(index, NULL, r->arg, &r->error) : 0;
}

static int on_value(void *arg, const char *section, const char *name, const char *value)
{
	struct reading *r = arg;

	if (r->bad_line == 0 && take(r, section, name, value) != 0) {
		r->bad_line = r->line;
	}
	return 1;
}

int config_read(const char *path, const struct option *options, config_take_fn *take_option, void *arg,
                struct app_error *error)
{
	struct reading r = {.file = fopen(path, "re"), .options = options, .take = take_option, .arg = arg};
	int wrong_line;

	if (r.file == NULL) {
		return app_error_set(error, "cannot read the configuration %s: %s", path, strerror(errno));
	}
	wrong_line = ini_parse_stream(read_line, &r, on_value, &r);
	if (ferror(r.file)) {
		wrong_line = -1;
	}
	fclose(r.file);
	if (wrong_line < 0) {
		return app_error_set(error, "cannot read the configuration %s", path);
	}
	if (r.bad_line != 0 && (wrong_line == 0 || r.bad_line <= (unsigned)wrong_line)) {
		return app_error_set(error, "%.200s:%u: %.280s", path, r.bad_line, r.error.text);
	}
	return wrong_line == 0
	           ? 0
	           : app_error_set(error, "%.200s:%d: not of the form NAME = VALUE", path, wrong_line);
}
