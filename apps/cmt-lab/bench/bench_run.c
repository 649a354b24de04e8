/* SPDX-License-Identifier: BSD-3-Clause */
#include "bench/bench_run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "scenario/ceiling.h"

static bool compares_with(const struct lab_bench *b, enum lab_bench_of of)
{
	for (unsigned i = 0; i < b->n_measures; i++) {
		if (b->measures[i].of == of) {
			return true;
		}
	}
	return false;
}

/* How many times as good a row's value is as the best of `baseline` on one path. */
static double times_as_good(const struct lab_bench_measure *m, const struct lab_study *study, double value,
                            const char *baseline)
{
	struct lab_summary best =
	    lab_study_summary(study, lab_study_best_single_by(study, baseline, m->key, m->less), m->key);

	if (!best.known || best.median <= 0 || value <= 0) {
		return NAN;
	}
	return m->less ? best.median / value : value / best.median;
}

enum whose { OURS, THEIRS };

static double fair_share(const struct lab_study *study, int row, enum whose whose)
{
	const struct lab_scenario *s = &study->jobs[(size_t)row * study->n_seeds].run.scenario;
	const int path = s->competitors[0].path;
	const double theirs_bps = lab_path_ceiling_bps(s, path, false) / (1 + s->n_competitors);
	const double ours_bps = lab_ceiling_bps(s, -1, false) - s->n_competitors * theirs_bps;

	return whose == OURS ? lab_study_summary(study, row, "goodput_bps").median / ours_bps
	                     : lab_study_summary(study, row, "competitor_goodput_bps").median / theirs_bps;
}

static double value_of(const struct lab_bench_measure *m, const struct lab_study *study,
                       const char *scheduler)
{
	int row = lab_study_row(study, scheduler);
	struct lab_summary s = lab_study_summary(study, row, m->key);

	if (!s.known) {
		return NAN;
	}
	switch (m->of) {
	case LAB_BENCH_ITSELF: break;
	case LAB_BENCH_OF_CEILING: {
		double ceiling_bps = lab_study_ceiling_bps(study, row, false);

		return ceiling_bps > 0 ? s.median / ceiling_bps : NAN;
	}
	case LAB_BENCH_OF_PLAIN: return times_as_good(m, study, s.median, LAB_STOCK);
	case LAB_BENCH_OF_SAME: return times_as_good(m, study, s.median, scheduler);
	case LAB_BENCH_BENEFIT: return lab_study_benefit(study, row, scheduler);
	case LAB_BENCH_FAIR_OURS: return fair_share(study, row, OURS);
	case LAB_BENCH_FAIR_THEIRS: return fair_share(study, row, THEIRS);
	case LAB_BENCH_FAIR:
		return fmin(1, fmin(fair_share(study, row, OURS), fair_share(study, row, THEIRS)));
	}
	return s.median / (m->unit == 0 ? 1 : m->unit);
}

void lab_bench_values(const struct lab_bench *b, const struct lab_study *study, const char *scheduler,
                      struct lab_bench_values *out)
{
	const int row = lab_study_row(study, scheduler);

	out->failed = lab_study_summary(study, row, "intact").min != 1;
	for (unsigned i = 0; i < b->n_measures; i++) {
		out->of[i] = out->failed ? NAN : value_of(&b->measures[i], study, scheduler);
	}
	if (out->failed) {
		out->of[0] = b->measures[0].of == LAB_BENCH_BENEFIT ? -1 : 0;
	}
}

void lab_bench_run(const struct lab_bench *b, const struct lab_run *run, unsigned n_seeds, const char *title,
                   struct lab_bench_values *out)
{
	struct lab_study study = {.n_rows = 0};
	struct lab_error error;

	lab_study_add(&study, run->scheduler, -1);
	if (compares_with(b, LAB_BENCH_BENEFIT) || compares_with(b, LAB_BENCH_OF_SAME)) {
		lab_study_add_single_paths(&study, run->scheduler, &run->scenario);
	}
	if (compares_with(b, LAB_BENCH_OF_PLAIN)) {
		lab_study_add_single_paths(&study, LAB_STOCK, &run->scenario);
	}
	lab_study_run(&study, run, n_seeds, title);
	if (lab_jobs_error(study.jobs, (size_t)study.n_rows * n_seeds, &error) != 0) {
		fprintf(stderr, "cmt-lab: %s: %s\n", title, error.text);
	}
	lab_bench_values(b, &study, run->scheduler, out);
	lab_study_free(&study);
}
