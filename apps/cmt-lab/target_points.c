/* SPDX-License-Identifier: BSD-3-Clause */
#include "target_points.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ceiling.h"
#include "run_settings.h"
#include "samples.h"
#include "units.h"

#define TRANSFER_S     20.0
#define TRANSFER_BYTES 250e6
#define REFERENCE      "sarwar1" /* the network whose transfer has a fixed length */

static void set_transfer(struct lab_scenario *s)
{
	double bytes = lab_ceiling_bps(s, -1, true) * TRANSFER_S / 8;

	if (strcmp(s->name, REFERENCE) != 0) {
		s->bytes = (uint64_t)(bytes < TRANSFER_BYTES ? bytes : TRANSFER_BYTES);
		s->duration_us = 0;
	}
}

static int set_rcvbuf(struct lab_scenario *s, const char *text, struct lab_error *error)
{
	char *end;
	double factor = strtod(text, &end);
	char bytes[32];

	if (strcmp(text, "own") == 0) {
		return 0;
	}
	if (strcmp(end, "W") != 0) {
		return lab_scenario_set(s, "rcvbuf", text, error);
	}
	factor *= lab_w_min_bytes(s, -1);
	/* Below three packets no receiver offers a window at all. */
	snprintf(bytes, sizeof(bytes), "%.0f", factor < 4500 ? 4500 : factor);
	return lab_scenario_set(s, "rcvbuf", bytes, error);
}

/* A word that is not there leaves what it would change. */
static int add_point(struct lab_run run, const char *rcvbuf, const char *delay_error, const char *control,
                     struct lab_target_points *out, struct lab_error *error)
{
	int64_t percent = 0;

	if (rcvbuf != NULL && set_rcvbuf(&run.scenario, rcvbuf, error) != 0) {
		return -1;
	}
	if (delay_error != NULL && !app_parse_count(delay_error, -100, 1000, &percent)) {
		snprintf(error->text, sizeof(error->text), "\"%s\" is not a percentage", delay_error);
		return -1;
	}
	run.delay_error_pct = (int)percent;
	if (control != NULL && lab_run_set_control(&run, control, error) != 0) {
		return -1;
	}
	out->runs = lab_grow(out->runs, out->n + 1, sizeof(*out->runs));
	out->runs[out->n++] = run;
	return 0;
}

static const char *word(const struct lab_words *w, unsigned i)
{
	return i < w->n ? w->word[i] : NULL;
}

static unsigned at_least_1(unsigned n)
{
	return n == 0 ? 1 : n;
}

static int add_points(const struct lab_target *t, const struct lab_scenario *scenario,
                      struct lab_target_points *out, struct lab_error *error)
{
	struct lab_words rcvbufs, errors, controls;
	struct lab_run run = {.scenario = *scenario, .only_path = -1};

	lab_words_split(&rcvbufs, t->rcvbufs);
	lab_words_split(&errors, t->delay_errors);
	lab_words_split(&controls, t->controls);
	if (!t->as_written) {
		set_transfer(&run.scenario);
	}
	for (unsigned r = 0; r < at_least_1(rcvbufs.n); r++) {
		for (unsigned e = 0; e < at_least_1(errors.n); e++) {
			for (unsigned c = 0; c < at_least_1(controls.n); c++) {
				if (add_point(run, word(&rcvbufs, r), word(&errors, e), word(&controls, c),
				              out, error) != 0) {
					return -1;
				}
			}
		}
	}
	return 0;
}

static int add_scenario(const struct lab_target *t, const char *what, struct lab_target_points *out,
                        struct lab_error *error)
{
	struct lab_run run = {.only_path = -1};

	if (lab_scenario_load(&run.scenario, what, error) != 0 ||
	    lab_run_settings(&run, t->set, error) != 0) {
		return -1;
	}
	return add_points(t, &run.scenario, out, error);
}

static int is_scenario(const struct dirent *entry)
{
	size_t len = strlen(entry->d_name);

	return len > 4 && strcmp(entry->d_name + len - 4, ".ini") == 0;
}

static int add_all(const struct lab_target *t, bool lossless, struct lab_target_points *out,
                   struct lab_error *error)
{
	const char *dir = lab_scenario_dir();
	struct lab_scenario scenario;
	struct dirent **entries;
	char path[4096];
	int n = dir == NULL ? -1 : scandir(dir, &entries, is_scenario, alphasort), rc = 0;

	if (n < 0) {
		snprintf(error->text, sizeof(error->text), "no folder of scenarios; set CMT_SCENARIO_DIR");
		return -1;
	}
	for (int i = 0; i < n; i++) {
		snprintf(path, sizeof(path), "%s/%s", dir, entries[i]->d_name);
		if (rc == 0) {
			rc = lab_scenario_load_file(&scenario, path, error);
		}
		if (rc == 0 && lab_scenario_is_lossless(&scenario) == lossless) {
			rc = add_points(t, &scenario, out, error);
		}
		free(entries[i]);
	}
	free(entries);
	return rc;
}

int lab_target_points(const struct lab_target *target, struct lab_target_points *out, struct lab_error *error)
{
	struct lab_words scenarios;

	*out = (struct lab_target_points){.n = 0};
	if (strcmp(target->scenarios, LAB_ALL_LOSSLESS) == 0 ||
	    strcmp(target->scenarios, LAB_ALL_LOSSY) == 0) {
		return add_all(target, strcmp(target->scenarios, LAB_ALL_LOSSLESS) == 0, out, error);
	}
	lab_words_split(&scenarios, target->scenarios);
	for (unsigned i = 0; i < scenarios.n; i++) {
		if (add_scenario(target, scenarios.word[i], out, error) != 0) {
			return -1;
		}
	}
	return 0;
}

int lab_target_other(const struct lab_target *target, struct lab_run *run, struct lab_error *error)
{
	return lab_run_settings(run, target->other, error);
}
