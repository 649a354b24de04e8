/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/samples.h"
#include "base/scheduler_names.h"
#include "batch/study.h"
#include "scenario/ceiling.h"
#include "setup/run_settings.h"
#include "sweeps/sweep.h"

#define MOST_BYTES     40e6
#define QUICK_PART     0.25
#define QUICK_NETWORKS 10

static void substitute(char *out, size_t out_bytes, const char *template, const char *x)
{
	size_t n = 0;

	for (const char *p = template; *p != '\0' && n + 1 < out_bytes; p++) {
		n += (size_t)snprintf(out + n, out_bytes - n, "%.*s", *p == '@' ? (int)strlen(x) : 1,
		                      *p == '@' ? x : p);
	}
	out[n < out_bytes ? n : out_bytes - 1] = '\0';
}

int lab_sweep_point(const struct lab_sweep *s, const char *x, double part, struct lab_run *run,
                    struct lab_error *error)
{
	char text[LAB_WORD_BYTES];

	*run = (struct lab_run){.seed = 1, .only_path = -1};
	substitute(text, sizeof(text), s->scenario, x);
	if (lab_scenario_load(&run->scenario, text, error) != 0) {
		return -1;
	}
	substitute(text, sizeof(text), s->set == NULL ? "" : s->set, x);
	if (lab_run_settings(run, text, error) != 0) {
		return -1;
	}
	lab_run_set_transfer(&run->scenario, s->transfer_s * part, MOST_BYTES);
	return 0;
}

static struct lab_summary measured(const struct lab_sweep_metric *m, const struct lab_study *study, int row)
{
	struct lab_summary v = lab_study_summary(study, row, m->key);
	double unit = m->unit == 0 ? lab_ceiling_bps(&study->jobs[0].run.scenario, -1, false) : m->unit;

	v.min /= unit;
	v.median /= unit;
	v.max /= unit;
	return v;
}

/* Names the runs that went wrong, and takes their numbers away. */
static int check(struct lab_study *study, const char *title)
{
	int bad = 0;

	for (size_t i = 0; i < (size_t)study->n_rows * study->n_seeds; i++) {
		json_t *result = study->jobs[i].result;
		const char *why = json_string_value(json_object_get(result, "error"));
		const char *integrity = json_string_value(json_object_get(result, "integrity"));

		if (why == NULL && (integrity == NULL || strcmp(integrity, "ok") != 0)) {
			why = "the transfer failed or its data were damaged";
		}
		if (why == NULL && json_integer_value(json_object_get(result, "illegal_decisions")) > 0) {
			why = "illegal decisions";
		}
		if (why != NULL) {
			fprintf(stderr, "cmt-lab: %s, %s, seed %llu: %s\n", title,
			        study->jobs[i].run.scheduler, (unsigned long long)study->jobs[i].run.seed,
			        why);
			json_object_clear(result);
			bad = 1;
		}
	}
	return bad;
}

static int run_x(struct lab_sweep_values *v, unsigned x, double part, struct lab_error *error)
{
	static struct lab_study study;
	const struct lab_sweep *s = v->sweep;
	struct lab_run base;
	char title[80];
	int bad;

	if (lab_sweep_point(s, v->x.word[x], part, &base, error) != 0) {
		return -1;
	}
	study = (struct lab_study){.n_rows = 0};
	for (unsigned i = 0; i + 1 < v->schedulers.n; i++) {
		lab_study_add(&study, v->schedulers.word[i], -1);
	}
	lab_study_add_single_paths(&study, LAB_STOCK, &base.scenario);
	snprintf(title, sizeof(title), "%s %u/%u", s->name, x + 1, v->x.n);
	lab_study_run(&study, &base, v->n_seeds, title);
	bad = check(&study, title);
	for (unsigned m = 0; m < s->n_metrics; m++) {
		for (unsigned i = 0; i < v->schedulers.n; i++) {
			int row = i + 1 < v->schedulers.n
			              ? lab_study_row(&study, v->schedulers.word[i])
			              : lab_study_best_single_by(&study, LAB_STOCK, s->metrics[0].key,
			                                         s->metrics[0].less);

			*lab_sweep_value(v, m, i, x) = measured(&s->metrics[m], &study, row);
		}
	}
	lab_study_free(&study);
	return bad;
}

static void name_schedulers(struct lab_sweep_values *v)
{
	const char *name;

	for (unsigned i = 0; i < LAB_MAX_SCHEDULERS && (name = lab_scheduler_name(i)) != NULL; i++) {
		lab_words_add(&v->schedulers, name);
	}
	lab_words_add(&v->schedulers, LAB_BEST_PATH);
}

int lab_sweep_run(const struct lab_sweep *s, unsigned n_seeds, bool quick, struct lab_sweep_values *out,
                  struct lab_error *error)
{
	int rc = 0;

	*out = (struct lab_sweep_values){.sweep = s, .quick = quick, .x = lab_words_split(s->x)};
	out->n_seeds = n_seeds > 0 ? n_seeds : quick ? 1 : s->n_seeds;
	if (quick && s->ranked && out->x.n > QUICK_NETWORKS) {
		out->x.n = QUICK_NETWORKS;
	}
	name_schedulers(out);
	out->values =
	    lab_grow(NULL, (size_t)s->n_metrics * out->schedulers.n * out->x.n, sizeof(*out->values));
	for (unsigned x = 0; x < out->x.n && rc >= 0; x++) {
		int one = run_x(out, x, quick ? QUICK_PART : 1, error);

		rc = one < 0 ? one : rc | one;
	}
	return rc;
}
