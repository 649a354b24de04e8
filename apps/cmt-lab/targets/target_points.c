/* SPDX-License-Identifier: BSD-3-Clause */
#include "targets/target_points.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/samples.h"
#include "base/words.h"
#include "setup/run_settings.h"

#define TRANSFER_S     20.0
#define TRANSFER_BYTES 250e6
#define REFERENCE      "sarwar1" /* the network whose transfer has a fixed length */
#define MAX_KEYS       (LAB_MAX_GRID + 3)

/* Settings, and the values that each takes. */
struct variations {
	struct {
		const char *key;
		struct lab_words values;
	} key[MAX_KEYS];
	unsigned n, n_grid; /* those of the grid come first, and are seen in the name of the point */
};

static void vary(struct variations *v, const char *key, const char *values)
{
	v->key[v->n].key = key;
	v->key[v->n].values = lab_words_split(values);
	v->n += v->key[v->n].values.n > 0;
}

static int vary_grid_key(struct variations *v, const struct lab_scenario *s, const char *key,
                         struct lab_error *error)
{
	char values[LAB_MAX_GRID_VALUES * sizeof(s->grid[0].values[0])] = "";

	for (unsigned g = 0; g < s->n_grid; g++) {
		if (strcmp(s->grid[g].key, key) == 0) {
			for (unsigned i = 0; i < s->grid[g].n_values; i++) {
				strcat(strcat(values, i == 0 ? "" : " "), s->grid[g].values[i]);
			}
			vary(v, s->grid[g].key, values);
			return 0;
		}
	}
	snprintf(error->text, sizeof(error->text), "%s: no grid of %.100s", s->name, key);
	return -1;
}

static int vary_grid(struct variations *v, const struct lab_target *t, const struct lab_scenario *s,
                     struct lab_error *error)
{
	struct lab_words keys = lab_words_split(t->grid);
	int rc = 0;

	for (unsigned k = 0; k < keys.n && rc == 0; k++) {
		rc = vary_grid_key(v, s, keys.word[k], error);
	}
	lab_words_free(&keys);
	return rc;
}

static void add_point(const struct lab_target *t, const struct lab_run *run, struct lab_target_points *out)
{
	struct lab_run *added;

	out->runs = lab_grow(out->runs, out->n + 1, sizeof(*out->runs));
	added = &out->runs[out->n++];
	*added = *run;
	if (!t->as_written && strcmp(run->scenario.name, REFERENCE) != 0) {
		lab_run_set_transfer(&added->scenario, TRANSFER_S, TRANSFER_BYTES);
	}
}

/* Every combination of the values from `level` on. "own" leaves what it would change. */
static int add_combinations(const struct lab_target *t, const struct lab_run *run, const struct variations *v,
                            unsigned level, struct lab_target_points *out, struct lab_error *error)
{
	if (level == v->n) {
		add_point(t, run, out);
		return 0;
	}
	for (unsigned i = 0; i < v->key[level].values.n; i++) {
		const char *value = v->key[level].values.word[i];
		char setting[LAB_WORD_BYTES + 64];
		struct lab_run changed = *run;

		snprintf(setting, sizeof(setting), "%s=%s", v->key[level].key, value);
		if (level < v->n_grid) {
			size_t len = strlen(changed.scenario.name);

			snprintf(changed.scenario.name + len, sizeof(changed.scenario.name) - len, " %s",
			         setting);
		}
		if ((strcmp(value, "own") != 0 && lab_run_settings(&changed, setting, error) != 0) ||
		    add_combinations(t, &changed, v, level + 1, out, error) != 0) {
			return -1;
		}
	}
	return 0;
}

static int add_points(const struct lab_target *t, const struct lab_scenario *scenario,
                      struct lab_target_points *out, struct lab_error *error)
{
	struct lab_run run = {.scenario = *scenario, .only_path = -1};
	struct variations v = {.n = 0};
	int rc = lab_run_settings(&run, t->set, error);

	/* The grid first: buffers may be relative to what it makes of the network. */
	rc = rc == 0 ? vary_grid(&v, t, scenario, error) : rc;
	v.n_grid = v.n;
	vary(&v, "rcvbuf", t->rcvbufs);
	vary(&v, "delay_error", t->delay_errors);
	vary(&v, "cc", t->controls);
	rc = rc == 0 ? add_combinations(t, &run, &v, 0, out, error) : rc;
	for (unsigned i = 0; i < v.n; i++) {
		lab_words_free(&v.key[i].values);
	}
	return rc;
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
		snprintf(error->text, sizeof(error->text), "no scenario folder found; set CMT_SCENARIO_DIR");
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
	struct lab_scenario scenario;
	int rc = 0;

	*out = (struct lab_target_points){.n = 0};
	if (strcmp(target->scenarios, LAB_ALL_LOSSLESS) == 0 ||
	    strcmp(target->scenarios, LAB_ALL_LOSSY) == 0) {
		return add_all(target, strcmp(target->scenarios, LAB_ALL_LOSSLESS) == 0, out, error);
	}
	scenarios = lab_words_split(target->scenarios);
	for (unsigned i = 0; i < scenarios.n && rc == 0; i++) {
		rc = lab_scenario_load(&scenario, scenarios.word[i], error) != 0
		         ? -1
		         : add_points(target, &scenario, out, error);
	}
	lab_words_free(&scenarios);
	return rc;
}

int lab_target_other(const struct lab_target *target, struct lab_run *run, struct lab_error *error)
{
	return lab_run_settings(run, target->other, error);
}
