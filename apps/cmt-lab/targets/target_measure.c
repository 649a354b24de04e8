/* SPDX-License-Identifier: BSD-3-Clause */
#include "targets/target_measure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/scheduler_names.h"
#include "scenario/ceiling.h"
#include "targets/target_points.h"

/* After a part of the seeds those below a part of the best one are out. */
static const struct {
	double seeds, behind;
} heats[] = {{0.1, 0.85}, {0.25, 0.93}, {0.5, 0.97}};

/* What the application may notice of a path that changes, beside a round trip. */
#define SILENCE_US 1e5

/* Of the limit: what medians of a part of the seeds may be off by. */
#define CLEAR_SHARE 0.02

const char *lab_target_scheduler(const struct lab_target *t, enum lab_target_column column)
{
	switch (column) {
	case LAB_COLUMN_STOCK: return LAB_STOCK;
	case LAB_COLUMN_LCM: return "lcm";
	case LAB_COLUMN_PROMISED:
	case LAB_COLUMNS: break;
	}
	return t->scheduler == NULL ? "arrival" : t->scheduler;
}

double lab_target_limit(const struct lab_target *t, enum lab_target_column column)
{
	return column == LAB_COLUMN_LCM ? t->lcm : t->limit;
}

/* Of sets of scenarios, stock CMT would take the longest and say the least. With others it has nothing to
 * be compared with. */
bool lab_target_has(const struct lab_target *t, enum lab_target_column column)
{
	switch (column) {
	case LAB_COLUMN_STOCK:
		return t->scenarios[0] != '*' && t->of != LAB_OF_OTHER && t->of != LAB_OF_BEST_OTHER;
	case LAB_COLUMN_LCM: return t->lcm != LAB_NO_TARGET;
	case LAB_COLUMN_PROMISED:
	case LAB_COLUMNS: break;
	}
	return true;
}

static void add_others(struct lab_study *study, const char *scheduler, const struct lab_scenario *scenario)
{
	const char *name;

	for (unsigned i = 1; (name = lab_scheduler_name(i)) != NULL; i++) {
		lab_study_add(study, name, -1);
	}
	lab_study_add_single_paths(study, scheduler, scenario);
}

static void add_rows(const struct lab_target *t, const struct lab_scenario *scenario, struct lab_study *study)
{
	for (enum lab_target_column c = 0; c < LAB_COLUMNS; c++) {
		if (lab_target_has(t, c)) {
			lab_study_add(study, lab_target_scheduler(t, c), -1);
			if (t->of == LAB_OF_SAME_STACK && c != LAB_COLUMN_STOCK) {
				lab_study_add_single_paths(study, lab_target_scheduler(t, c), scenario);
			}
		}
	}
	if (t->of == LAB_OF_PLAIN_PATH || t->of == LAB_OF_BEST_PEER) {
		lab_study_add_single_paths(study, LAB_STOCK, scenario);
	}
	if (t->of == LAB_OF_BEST_OTHER) {
		add_others(study, lab_target_scheduler(t, LAB_COLUMN_PROMISED), scenario);
	}
}

/* `before`: the same with fewer seeds, whose results are taken over. */
static int run_study(const struct lab_run *point, unsigned n_seeds, const char *title,
                     struct lab_study *study, const struct lab_study *before, struct lab_error *error)
{
	struct lab_run base = *point;
	size_t n_jobs = (size_t)study->n_rows * n_seeds;

	base.seed = 1;
	lab_study_prepare(study, &base, n_seeds);
	lab_study_take(study, before);
	lab_jobs_run(study->jobs, n_jobs, title);
	return lab_jobs_error(study->jobs, n_jobs, error) == 0 ? 0 : -1;
}

/* The rows of `heat` that are not far behind the best one besides that of `keep`, and that of `keep`. */
static void add_those_ahead(struct lab_study *study, const struct lab_study *heat, const char *key,
                            const char *keep, double behind)
{
	const int kept = lab_study_row(heat, keep);
	double best = 0;

	for (unsigned i = 0; i < heat->n_rows; i++) {
		struct lab_summary value = lab_study_summary(heat, (int)i, key);

		if ((int)i != kept && value.known && value.median > best) {
			best = value.median;
		}
	}
	for (unsigned i = 0; i < heat->n_rows; i++) {
		const struct lab_study_row *row = &heat->rows[i];
		struct lab_summary value = lab_study_summary(heat, (int)i, key);

		if ((int)i == kept || (value.known && value.median >= best * behind)) {
			lab_study_add(study, row->scheduler, row->only_path);
		}
	}
}

/* Of what is compared with the best of many, those that fall behind after a part of the seeds are left out:
 * they will not be the best. The row of `keep` stays. */
static int race(const struct lab_run *point, unsigned n_seeds, const char *key, const char *keep,
                const char *title, struct lab_study *study, struct lab_error *error)
{
	struct lab_study heat = {.n_rows = 0};
	int rc = 0;

	for (unsigned i = 0; i < sizeof(heats) / sizeof(heats[0]) && rc == 0; i++) {
		struct lab_study before = heat;

		heat = (struct lab_study){.n_rows = 0};
		for (unsigned row = 0; row < study->n_rows; row++) {
			lab_study_add(&heat, study->rows[row].scheduler, study->rows[row].only_path);
		}
		rc = run_study(point, (unsigned)ceil(heats[i].seeds * n_seeds), title, &heat, &before, error);
		lab_study_free(&before);
		study->n_rows = 0;
		add_those_ahead(study, &heat, key, keep, heats[i].behind);
	}
	if (rc == 0) {
		rc = run_study(point, n_seeds, title, study, &heat, error);
	} else {
		study->n_rows = 0;
	}
	lab_study_free(&heat);
	return rc;
}

static struct lab_summary computed(double value)
{
	return (struct lab_summary){.known = true, .min = value, .median = value, .max = value};
}

static struct lab_summary greater(struct lab_summary a, struct lab_summary b)
{
	return !a.known || (b.known && b.median > a.median) ? b : a;
}

/* Upstream's own CMT is no scheduler of the library. */
static struct lab_summary best_other(const struct lab_target *t, const struct lab_study *study,
                                     const char *scheduler)
{
	struct lab_summary best = lab_study_summary(study, lab_study_best_single(study, scheduler), t->key);

	for (unsigned i = 0; i < study->n_rows; i++) {
		const struct lab_study_row *row = &study->rows[i];

		if (row->only_path < 0 && strcmp(row->scheduler, scheduler) != 0 &&
		    strcmp(row->scheduler, LAB_STOCK) != 0) {
			best = greater(best, lab_study_summary(study, (int)i, t->key));
		}
	}
	return best;
}

/* `other`: what LAB_OF_OTHER measured; NULL = nothing. */
static struct lab_summary yardstick(const struct lab_target *t, const struct lab_study *study,
                                    const struct lab_study *other, enum lab_target_column column)
{
	const char *scheduler = lab_target_scheduler(t, column);
	const struct lab_job *first = &study->jobs[(size_t)lab_study_row(study, scheduler) * study->n_seeds];
	const struct lab_scenario *s = &first->run.scenario;
	bool extension = json_is_true(json_object_get(first->result, "extension"));
	struct lab_summary plain = lab_study_summary(study, lab_study_best_single(study, LAB_STOCK), t->key);
	struct lab_summary stock = lab_study_summary(study, lab_study_row(study, LAB_STOCK), t->key);

	switch (t->of) {
	case LAB_OF_NOTHING: break;
	case LAB_OF_PLAIN_PATH: return plain;
	case LAB_OF_SAME_STACK:
		return lab_study_summary(study, lab_study_best_single(study, scheduler), t->key);
	case LAB_OF_STOCK: return stock;
	case LAB_OF_BEST_PEER: return greater(plain, stock);
	case LAB_OF_OTHER: return lab_study_summary(other, column == LAB_COLUMN_PROMISED ? 0 : -1, t->key);
	case LAB_OF_BEST_OTHER: return best_other(t, study, scheduler);
	case LAB_OF_BPT_BOUND: return computed(lab_bpt_bound_us(s, -1));
	case LAB_OF_BPT_PACKETS: return computed(lab_bpt_packets_us(s));
	case LAB_OF_START_UP_BOUND: return computed(1.2 * lab_bpt_bound_us(s, -1) + lab_round_trip_us(s, -1));
	case LAB_OF_SILENCE_BOUND: return computed(lab_shortest_round_trip_us(s) + SILENCE_US);
	case LAB_OF_ROUND_TRIP: return computed(lab_path_round_trip_us(s, t->key[strlen("path.")] - '1'));
	case LAB_OF_CAPACITY: return computed(lab_capacity_bps(s, -1));
	case LAB_OF_LOSS_BOUND: return computed(lab_loss_bound_bps(s, extension));
	case LAB_OF_BEST_CEILING: return computed(lab_best_path_ceiling_bps(s, extension, NULL));
	}
	return computed(1);
}

struct lab_summary lab_target_value(const struct lab_target *t, const struct lab_study *study,
                                    const struct lab_study *other, enum lab_target_column column)
{
	int row = lab_study_row(study, lab_target_scheduler(t, column));
	struct lab_summary value = lab_study_summary(study, row, t->key), of;

	if (!value.known) {
		return value;
	}
	if (t->paired) {
		return lab_summarise_ratios(&study->jobs[(size_t)row * study->n_seeds], other->jobs,
		                            study->n_seeds, t->key);
	}
	of = yardstick(t, study, other, column);
	if (of.known && of.median <= 0 && value.max <= 0 && !t->at_least) {
		return computed(0); /* nothing of nothing: as little as can be */
	}
	if (!of.known || of.median <= 0) {
		return (struct lab_summary){.known = false};
	}
	value.min /= of.median;
	value.median /= of.median;
	value.max /= of.median;
	return value;
}

static unsigned runs_per_point(const struct lab_target *t, unsigned n_seeds)
{
	double n = t->seeds == 0 ? n_seeds : t->seeds * n_seeds;

	return n < 1 ? 1 : (unsigned)n;
}

static int measure(const struct lab_target *t, const struct lab_run *point, unsigned n_seeds,
                   const char *title, struct lab_target_values *out, struct lab_error *error)
{
	struct lab_study study = {.n_rows = 0}, other = {.n_rows = 0};
	const struct lab_study none = {.n_rows = 0};
	struct lab_run changed = *point;
	int rc;

	*out = (struct lab_target_values){.of = {{.known = false}}};
	if (t->of == LAB_OF_OTHER && lab_target_other(t, &changed, error) != 0) {
		return -1;
	}
	add_rows(t, &point->scenario, &study);
	rc = t->of == LAB_OF_BEST_OTHER
	         ? race(point, n_seeds, t->key, lab_target_scheduler(t, LAB_COLUMN_PROMISED), title, &study,
	                error)
	         : run_study(point, n_seeds, title, &study, &none, error);
	if (t->of == LAB_OF_OTHER) {
		lab_study_add(&other,
		              changed.scheduler[0] == '\0' ? lab_target_scheduler(t, LAB_COLUMN_PROMISED)
		                                           : changed.scheduler,
		              -1);
		rc = run_study(&changed, n_seeds, title, &other, &none, error) != 0 ? -1 : rc;
	}
	for (enum lab_target_column c = 0; c < LAB_COLUMNS; c++) {
		if (lab_target_has(t, c)) {
			out->of[c] = lab_target_value(t, &study, &other, c);
		}
	}
	lab_study_free(&study);
	lab_study_free(&other);
	return rc;
}

/* What a point is judged by. */
static double judged(const struct lab_target *t, const struct lab_summary *value)
{
	if (!t->paired) {
		return value->median;
	}
	return t->at_least ? value->mean - value->error : value->mean + value->error;
}

static double margin(const struct lab_target *t, double limit, double value)
{
	double below = t->at_least ? value - limit : limit - value;

	return t->at_most > 0 && t->at_most - value < below ? t->at_most - value : below;
}

bool lab_target_is_clear(const struct lab_target *t, const struct lab_target_values *values)
{
	for (enum lab_target_column c = 0; c < LAB_COLUMNS; c++) {
		const struct lab_summary *value = &values->of[c];
		double limit = lab_target_limit(t, c);

		if (c != LAB_COLUMN_STOCK && lab_target_has(t, c) && value->known && limit != LAB_NO_TARGET &&
		    margin(t, limit, judged(t, value)) < CLEAR_SHARE * limit) {
			return false;
		}
	}
	return true;
}

int lab_target_measure(const struct lab_target *t, const struct lab_run *point, unsigned n_seeds,
                       const char *title, struct lab_target_values *out, struct lab_error *error)
{
	unsigned n_runs = runs_per_point(t, n_seeds);
	int rc = measure(t, point, n_runs, title, out, error);

	return rc == 0 && n_runs < n_seeds && !lab_target_is_clear(t, out)
	           ? measure(t, point, n_seeds, title, out, error)
	           : rc;
}

void lab_target_judge(const struct lab_target *t, enum lab_target_column column, struct lab_verdict *v,
                      const struct lab_summary *value)
{
	double limit = lab_target_limit(t, column), m = value->known ? margin(t, limit, judged(t, value)) : 0;
	bool met = value->known && (limit == LAB_NO_TARGET || m >= 0), first = v->n++ == 0;

	v->known = value->known && (first || v->known);
	v->n_met += met;
	if (t->share > 0) {
		v->value = (double)v->n_met / v->n;
		v->met = v->value >= t->share;
		return;
	}
	v->met = first ? met : t->best_counts ? met || v->met : met && v->met;
	if (value->known && (first || (t->best_counts ? m > v->margin : m < v->margin))) {
		v->margin = m;
		v->value = t->paired ? value->mean : value->median;
		v->error = value->error;
	}
}
