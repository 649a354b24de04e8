/* SPDX-License-Identifier: BSD-3-Clause */
#include "figures/plan.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/samples.h"
#include "base/scheduler_names.h"
#include "batch/study.h"
#include "setup/run_settings.h"

unsigned lab_plan_n_series(const struct lab_plan *p)
{
	unsigned n = 0;

	while (n < LAB_PLAN_SERIES && p->series[n].scheduler != NULL) {
		n++;
	}
	return n;
}

unsigned lab_plan_n_values(const struct lab_plan_axis *axis)
{
	unsigned n = 0;

	while (n < LAB_PLAN_VALUES && axis->values[n].label != NULL) {
		n++;
	}
	return n == 0 ? 1 : n;
}

unsigned lab_plan_n_metrics(const struct lab_plan *p)
{
	unsigned n = 0;

	while (n < LAB_PLAN_METRICS && p->metrics[n].key != NULL) {
		n++;
	}
	return n;
}

unsigned lab_plan_n_panels(const struct lab_plan *p)
{
	unsigned n = 0;

	while (n < LAB_PLAN_PANELS && p->panels[n].column != NULL) {
		n++;
	}
	return n;
}

const char *lab_plan_label(const struct lab_plan_series *s)
{
	return s->label != NULL ? s->label : s->scheduler;
}

const char *lab_plan_look(const struct lab_plan_series *s)
{
	if (s->look != NULL) {
		return s->look;
	}
	return s->set != NULL && strstr(s->set, "only_path=") != NULL ? LAB_BEST_PATH : s->scheduler;
}

/* --- what runs --- */

static const char *value_set(const struct lab_plan_value *v, const struct lab_plan_series *s)
{
	return s->alone && v->alone != NULL ? v->alone : v->set;
}

static int prepare_run(struct lab_run *run, const struct lab_plan *p, struct lab_plan_at at,
                       const struct lab_options *o, struct lab_error *error)
{
	const struct lab_plan_value *x = &p->x.values[at.x], *y = &p->y.values[at.y];
	const struct lab_plan_series *s = &p->series[at.series];
	const char *scenario = x->scenario != NULL   ? x->scenario
	                       : y->scenario != NULL ? y->scenario
	                                             : p->scenario;
	const char *scheduler = x->scheduler != NULL ? x->scheduler : s->scheduler;
	char known[300];

	*run = o->run;
	if (!lab_is_scheduler(scheduler, known, sizeof(known))) {
		snprintf(error->text, sizeof(error->text),
		         "\"%s\" is not a scheduler of this build; it has %s", scheduler, known);
		return -1;
	}
	if (lab_scenario_load(&run->scenario, scenario, error) != 0 ||
	    lab_run_settings(run, p->set, error) != 0 || lab_run_settings(run, value_set(x, s), error) != 0 ||
	    lab_run_settings(run, value_set(y, s), error) != 0 || lab_run_settings(run, s->set, error) != 0) {
		return -1;
	}
	lab_study_set_scheduler(run, scheduler);
	return lab_options_apply(o, &run->scenario, error);
}

static struct lab_plan_at place(const struct lab_plan *p, size_t point_and_series)
{
	unsigned n_series = lab_plan_n_series(p), n_y = lab_plan_n_values(&p->y);

	return (struct lab_plan_at){.series = (unsigned)(point_and_series % n_series),
	                            .y = (unsigned)(point_and_series / n_series % n_y),
	                            .x = (unsigned)(point_and_series / n_series / n_y)};
}

int lab_plan_prepare(struct lab_plan_runs *r, const struct lab_plan *plan, const struct lab_options *o,
                     unsigned n_seeds, struct lab_error *error)
{
	size_t n =
	    (size_t)lab_plan_n_values(&plan->x) * lab_plan_n_values(&plan->y) * lab_plan_n_series(plan);

	*r = (struct lab_plan_runs){.plan = plan, .n_seeds = n_seeds, .n = n * n_seeds};
	r->jobs = lab_grow(NULL, r->n, sizeof(*r->jobs));
	memset(r->jobs, 0, r->n * sizeof(*r->jobs));
	for (size_t i = 0; i < r->n; i++) {
		if (prepare_run(&r->jobs[i].run, plan, place(plan, i / n_seeds), o, error) != 0) {
			return -1;
		}
		r->jobs[i].run.seed += i % n_seeds;
	}
	return 0;
}

struct lab_job *lab_plan_jobs(const struct lab_plan_runs *r, struct lab_plan_at at)
{
	const struct lab_plan *p = r->plan;
	size_t point = (size_t)at.x * lab_plan_n_values(&p->y) + at.y;

	return &r->jobs[(point * lab_plan_n_series(p) + at.series) * r->n_seeds];
}

int lab_plan_check(const struct lab_plan_runs *r, struct lab_error *error)
{
	for (size_t i = 0; i < r->n; i++) {
		struct lab_plan_at at = place(r->plan, i / r->n_seeds);
		const char *why = json_string_value(json_object_get(r->jobs[i].result, "error"));

		if (why == NULL && !lab_result_intact(r->jobs[i].result)) {
			why = "the transfer failed or its data were damaged";
		}
		if (why != NULL) {
			const char *x = r->plan->x.values[at.x].label, *y = r->plan->y.values[at.y].label;

			snprintf(error->text, sizeof(error->text), "%s%s%s%s%s, seed %llu: %.400s",
			         lab_plan_label(&r->plan->series[at.series]), x == NULL ? "" : ", ",
			         x == NULL ? "" : x, y == NULL ? "" : ", ", y == NULL ? "" : y,
			         (unsigned long long)r->jobs[i].run.seed, why);
			return -1;
		}
	}
	return 0;
}

void lab_plan_free(struct lab_plan_runs *r)
{
	if (r->jobs != NULL) {
		lab_jobs_free(r->jobs, r->n);
	}
	*r = (struct lab_plan_runs){.n = 0};
}

/* --- what was measured --- */

static double shown(const struct lab_plan_metric *m, double value)
{
	return (m->factor == 0 ? 1 : m->factor) * (value - m->less);
}

static struct lab_summary summary(const struct lab_plan_runs *r, struct lab_plan_at at, unsigned metric,
                                  const char *key)
{
	const struct lab_plan_metric *m = &r->plan->metrics[metric];
	struct lab_summary s = lab_summarise(lab_plan_jobs(r, at), r->n_seeds, key);

	s.min = shown(m, s.min);
	s.median = shown(m, s.median);
	s.max = shown(m, s.max);
	return s;
}

struct lab_summary lab_plan_summary(const struct lab_plan_runs *r, struct lab_plan_at at, unsigned metric)
{
	return summary(r, at, metric, r->plan->metrics[metric].key);
}

struct lab_summary lab_plan_bound(const struct lab_plan_runs *r, struct lab_plan_at at, unsigned metric)
{
	return summary(r, at, metric, r->plan->metrics[metric].bound_key);
}

double lab_plan_value(const struct lab_plan_runs *r, struct lab_plan_at at, unsigned metric, unsigned seed)
{
	const struct lab_plan_metric *m = &r->plan->metrics[metric];
	struct lab_summary s = lab_summarise(&lab_plan_jobs(r, at)[seed], 1, m->key);

	return s.known ? shown(m, s.median) : NAN;
}
