/* SPDX-License-Identifier: BSD-3-Clause */
#include "batch/journal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sha256.h"

/* Of the program that runs; empty where it cannot be read. */
static void own_sha256(char hex[TRANSFER_SHA256_HEX_BYTES + 1])
{
	FILE *program = fopen("/proc/self/exe", "rb");
	EVP_MD_CTX *sha256 = sha256_new();
	unsigned char block[65536];
	size_t n;

	hex[0] = '\0';
	while (program != NULL && sha256 != NULL && (n = fread(block, 1, sizeof(block), program)) > 0) {
		sha256_add(sha256, block, n);
	}
	if (program != NULL) {
		if (sha256 != NULL) {
			sha256_hex(sha256, hex);
		}
		fclose(program);
	}
	EVP_MD_CTX_free(sha256);
}

json_t *lab_journal_point(const char *what, const struct lab_run *run, unsigned n_seeds)
{
	char cc[APP_POLICY_TEXT_BYTES], recovery[APP_POLICY_TEXT_BYTES];

	return json_pack("[s, s, I, s, s, s, s, i, i, b]", what, run->scenario.name,
	                 (json_int_t)run->scenario.rcvbuf_bytes, run->scheduler, run->options,
	                 app_policy_text(&run->cc, cc), app_policy_text(&run->recovery, recovery),
	                 run->delay_error_pct, (int)n_seeds, (int)run->scenario.encrypted);
}

static void write_line(struct lab_journal *j, json_t *line)
{
	json_dumpf(line, j->file, JSON_COMPACT);
	fputc('\n', j->file);
	fflush(j->file);
	json_array_append_new(j->lines, line);
}

/* A line that was cut off is no JSON; the next one must not continue it. */
static void read_lines(struct lab_journal *j)
{
	char *text = NULL;
	size_t bytes = 0;
	ssize_t n;
	bool cut = false;

	rewind(j->file);
	while ((n = getline(&text, &bytes, j->file)) > 0) {
		json_array_append_new(j->lines, json_loadb(text, (size_t)n, 0, NULL));
		cut = text[n - 1] != '\n';
	}
	free(text);
	fseek(j->file, 0, SEEK_END);
	if (cut) {
		fputc('\n', j->file);
	}
}

int lab_journal_open(struct lab_journal *j, const char *path, struct lab_error *error)
{
	char sha256[TRANSFER_SHA256_HEX_BYTES + 1];
	const char *program;

	*j = (struct lab_journal){.file = NULL};
	if (path[0] == '\0') {
		return 0;
	}
	own_sha256(sha256);
	j->file = fopen(path, "a+");
	if (j->file == NULL) {
		snprintf(error->text, sizeof(error->text), "%s: %s", path, strerror(errno));
		return -1;
	}
	j->lines = json_array();
	read_lines(j);
	if (json_array_size(j->lines) == 0) {
		write_line(j, json_pack("{s: s}", "program_sha256", sha256));
		return 0;
	}
	program = json_string_value(json_object_get(json_array_get(j->lines, 0), "program_sha256"));
	if (program == NULL || strcmp(program, sha256) != 0) {
		snprintf(error->text, sizeof(error->text),
		         "%s: not a journal of this build; name another file, or remove it", path);
		lab_journal_close(j);
		return -1;
	}
	return 0;
}

const json_t *lab_journal_find(const struct lab_journal *j, json_t *point)
{
	const json_t *values = NULL, *line;
	size_t i;

	json_array_foreach(j->lines, i, line)
	{
		if (json_equal(json_object_get(line, "point"), point)) {
			values = json_object_get(line, "values");
		}
	}
	json_decref(point);
	return values;
}

void lab_journal_add(struct lab_journal *j, json_t *point, json_t *values)
{
	json_t *line = json_pack("{s: o, s: o}", "point", point, "values", values);

	if (j->file != NULL) {
		write_line(j, line);
	} else {
		json_decref(line);
	}
}

void lab_journal_close(struct lab_journal *j)
{
	if (j->file != NULL) {
		fclose(j->file);
	}
	json_decref(j->lines);
	*j = (struct lab_journal){.file = NULL};
}
