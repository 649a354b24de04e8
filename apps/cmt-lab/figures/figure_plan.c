/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Makes a figure of a plan: runs it, writes its data, its page and its picture. */
#include "figures/figure_plan.h"

#include <stdlib.h>
#include <unistd.h>

#include "figures/plan_draw.h"
#include "figures/plan_page.h"
#include "render/gnuplot.h"

static int draw(const struct lab_plan_runs *r, const struct lab_plan_curves *c,
                const struct lab_figure_order *order, struct lab_error *error)
{
	const struct lab_plan *p = r->plan;
	FILE *out = lab_figure_file(order, p->name, ".gnuplot", error);
	char script[64];

	if (out == NULL) {
		return -1;
	}
	switch (p->kind) {
	case LAB_PLAN_LINES: lab_plan_draw_lines(r, out); break;
	case LAB_PLAN_GRID: lab_plan_draw_grid(r, out); break;
	case LAB_PLAN_TIME: lab_plan_draw_time(r, c, out); break;
	}
	if (lab_figure_close(out, p->name, error) != 0) {
		return -1;
	}
	snprintf(script, sizeof(script), "%s.gnuplot", p->name);
	return lab_gnuplot(order->directory, script, error);
}

static void name_traces(struct lab_plan_runs *r, const struct lab_figure_order *order)
{
	for (size_t i = 0; i < r->n; i++) {
		snprintf(r->jobs[i].run.trace, sizeof(r->jobs[i].run.trace), "%.200s/%s-%zu.trace",
		         order->directory, r->plan->name, i);
	}
}

static void remove_traces(const struct lab_plan_runs *r)
{
	for (size_t i = 0; i < r->n; i++) {
		unlink(r->jobs[i].run.trace);
	}
}

int lab_figure_plan(const struct lab_plan *plan, const struct lab_figure_order *order,
                    struct lab_error *error)
{
	struct lab_plan_runs r = {.n = 0};
	struct lab_plan_curves c = {.n_bins = 0};
	bool time = plan->kind == LAB_PLAN_TIME;
	unsigned n_seeds = order->n_seeds * (plan->more_seeds == 0 ? 1 : plan->more_seeds);
	int rc = lab_plan_prepare(&r, plan, order->options, n_seeds, error);

	if (rc == 0) {
		if (time) {
			name_traces(&r, order);
		}
		lab_jobs_run(r.jobs, r.n, plan->name);
		rc = lab_plan_check(&r, error);
		if (rc == 0 && time) {
			rc = lab_plan_read_curves(&r, &c, error);
		}
		remove_traces(&r);
	}
	if (rc == 0) {
		rc = lab_plan_write_data(&r, &c, order, error) != 0 ||
		             lab_plan_write_page(&r, &c, order, error) != 0
		         ? -1
		         : draw(&r, &c, order, error);
	}
	free(c.values);
	lab_plan_free(&r);
	return rc;
}
