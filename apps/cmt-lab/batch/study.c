/* SPDX-License-Identifier: BSD-3-Clause */
#include "batch/study.h"

#include <stdio.h>
#include <string.h>

#include "base/samples.h"
#include "base/scheduler_names.h"
#include "measure/aggregation.h"
#include "scenario/ceiling.h"

static int row_of(const struct lab_study *s, const char *scheduler, int only_path)
{
	for (unsigned i = 0; i < s->n_rows; i++) {
		if (s->rows[i].only_path == only_path && strcmp(s->rows[i].scheduler, scheduler) == 0) {
			return (int)i;
		}
	}
	return -1;
}

void lab_study_add(struct lab_study *s, const char *scheduler, int only_path)
{
	if (row_of(s, scheduler, only_path) < 0 && s->n_rows < LAB_STUDY_ROWS) {
		snprintf(s->rows[s->n_rows].scheduler, sizeof(s->rows[0].scheduler), "%s", scheduler);
		s->rows[s->n_rows++].only_path = only_path;
	}
}

void lab_study_add_single_paths(struct lab_study *s, const char *scheduler,
                                const struct lab_scenario *scenario)
{
	for (int p = 0; p < scenario->n_paths; p++) {
		lab_study_add(s, scheduler, p);
	}
}

void lab_study_set_scheduler(struct lab_run *run, const char *name)
{
	snprintf(run->scheduler, sizeof(run->scheduler), "%s", name);
	if (strcmp(name, LAB_STOCK) == 0) {
		run->options[0] = '\0';
		run->delay_error_pct = 0;
		run->cc = run->recovery = (struct app_policy){.name = ""};
	}
}

void lab_study_prepare(struct lab_study *s, const struct lab_run *base, unsigned n_seeds)
{
	s->n_seeds = n_seeds;
	s->jobs = lab_grow(NULL, (size_t)s->n_rows * n_seeds, sizeof(*s->jobs));
	for (unsigned row = 0; row < s->n_rows; row++) {
		for (unsigned seed = 0; seed < n_seeds; seed++) {
			struct lab_job *job = &s->jobs[row * n_seeds + seed];

			*job = (struct lab_job){.run = *base};
			lab_study_set_scheduler(&job->run, s->rows[row].scheduler);
			job->run.only_path = s->rows[row].only_path;
			job->run.seed = base->seed + seed;
		}
	}
}

void lab_study_run(struct lab_study *s, const struct lab_run *base, unsigned n_seeds, const char *title)
{
	lab_study_prepare(s, base, n_seeds);
	lab_jobs_run(s->jobs, (size_t)s->n_rows * n_seeds, title);
}

void lab_study_take(struct lab_study *s, const struct lab_study *from)
{
	for (unsigned i = 0; i < s->n_rows; i++) {
		int row = row_of(from, s->rows[i].scheduler, s->rows[i].only_path);

		for (unsigned seed = 0; row >= 0 && seed < s->n_seeds && seed < from->n_seeds; seed++) {
			s->jobs[i * s->n_seeds + seed].result =
			    json_incref(from->jobs[(unsigned)row * from->n_seeds + seed].result);
		}
	}
}

int lab_study_row(const struct lab_study *s, const char *scheduler)
{
	return row_of(s, scheduler, -1);
}

int lab_study_best_single_by(const struct lab_study *s, const char *scheduler, const char *key, bool less)
{
	double most = -1;
	int best = -1;

	for (unsigned i = 0; i < s->n_rows; i++) {
		struct lab_summary value = lab_study_summary(s, (int)i, key);

		if (s->rows[i].only_path >= 0 && strcmp(s->rows[i].scheduler, scheduler) == 0 &&
		    value.known && (best < 0 || (less ? value.median < most : value.median > most))) {
			most = value.median;
			best = (int)i;
		}
	}
	return best;
}

int lab_study_best_single(const struct lab_study *s, const char *scheduler)
{
	return lab_study_best_single_by(s, scheduler, "goodput_bps", false);
}

struct lab_summary lab_study_summary(const struct lab_study *s, int row, const char *key)
{
	if (row < 0) {
		return (struct lab_summary){.known = false};
	}
	return lab_summarise(s->jobs + (size_t)row * s->n_seeds, s->n_seeds, key);
}

double lab_study_ceiling_bps(const struct lab_study *s, int row, bool extension)
{
	const struct lab_scenario *scenario = &s->jobs[(size_t)row * s->n_seeds].run.scenario;
	const double took_us = scenario->duration_us != 0 ? (double)scenario->duration_us
	                                                  : lab_study_summary(s, row, "duration_us").median;

	return lab_ceiling_over_bps(scenario, -1, extension,
	                            (struct lab_span){.from_us = 0, .until_us = (uint64_t)took_us});
}

double lab_study_of_ceiling(const struct lab_study *s, int row)
{
	const struct lab_job *first = &s->jobs[(size_t)row * s->n_seeds];
	bool extension = json_is_true(json_object_get(first->result, "extension"));
	double ceiling_bps = lab_study_ceiling_bps(s, row, extension);

	return ceiling_bps == 0 ? 0 : lab_study_summary(s, row, "goodput_bps").median / ceiling_bps;
}

double lab_study_benefit(const struct lab_study *s, int row, const char *scheduler)
{
	double alone[LAB_STUDY_ROWS];
	size_t n = 0;

	for (unsigned i = 0; i < s->n_rows; i++) {
		if (s->rows[i].only_path >= 0 && strcmp(s->rows[i].scheduler, scheduler) == 0) {
			alone[n++] = lab_study_summary(s, (int)i, "goodput_bps").median;
		}
	}
	return lab_aggregation_benefit(lab_study_summary(s, row, "goodput_bps").median, alone, n);
}

void lab_study_free(struct lab_study *s)
{
	lab_jobs_free(s->jobs, (size_t)s->n_rows * s->n_seeds);
	*s = (struct lab_study){.n_rows = 0};
}
