/* SPDX-License-Identifier: BSD-3-Clause */
#include "figures/claim.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/interval.h"
#include "base/samples.h"
#include "figures/plan.h"

#define WITHIN 0.1

const char *const lab_verdict_words[3] = {"not decided", "yes", "no"};

enum lab_verdict lab_claim_decide(enum lab_claim_relation relation, double mean, double error, double margin)
{
	double low = mean - error, high = mean + error;
	bool yes = false, no = false;

	if (!isfinite(low) || !isfinite(high)) {
		return LAB_NOT_DECIDED;
	}
	switch (relation) {
	case LAB_CLAIM_BELOW: yes = high < 0, no = low >= 0; break;
	case LAB_CLAIM_AT_MOST: yes = high <= 0, no = low > 0; break;
	case LAB_CLAIM_AT_LEAST: yes = low >= 0, no = high < 0; break;
	case LAB_CLAIM_ABOVE: yes = low > 0, no = high <= 0; break;
	case LAB_CLAIM_NEAR:
		yes = low >= -margin && high <= margin;
		no = low > margin || high < -margin;
		break;
	}
	return yes ? LAB_YES : no ? LAB_NO : LAB_NOT_DECIDED;
}

/* --- the points of a comparison --- */

/* Those of one side: labels that count, and the one point that is fixed by each_x, each_y; -1 = none. */
struct points {
	const char *const *x, *const *y;
	int only_x, only_y;
};

static bool counts(const char *const *labels, const char *label)
{
	unsigned i = 0;

	while (i < LAB_PLAN_VALUES && labels[i] != NULL && (label == NULL || strcmp(labels[i], label) != 0)) {
		i++;
	}
	return labels[0] == NULL || label == NULL || (i < LAB_PLAN_VALUES && labels[i] != NULL);
}

static bool in_points(const struct lab_plan *p, const struct points *which, struct lab_plan_at at)
{
	return (which->only_x < 0 ? counts(which->x, p->x.values[at.x].label)
	                          : at.x == (unsigned)which->only_x) &&
	       (which->only_y < 0 ? counts(which->y, p->y.values[at.y].label)
	                          : at.y == (unsigned)which->only_y);
}

struct tally {
	double sum, least, most, first, last;
	unsigned n, zeros;
};

static double made_of(const struct tally *t, enum lab_claim_of of)
{
	if (t->n == 0) {
		return NAN;
	}
	switch (of) {
	case LAB_CLAIM_MEAN: return t->sum / t->n;
	case LAB_CLAIM_LEAST: return t->least;
	case LAB_CLAIM_MOST: return t->most;
	case LAB_CLAIM_ZEROS: return 100.0 * t->zeros / t->n;
	case LAB_CLAIM_RISE: return t->last - t->first;
	}
	return NAN;
}

/* Of one seed; NAN when a run does not have the metric. */
static double value_of(const struct lab_plan_runs *r, const struct points *which, unsigned series,
                       unsigned metric, enum lab_claim_of of, unsigned seed)
{
	const struct lab_plan *p = r->plan;
	struct lab_plan_at at = {.series = series};
	struct tally t = {.least = INFINITY, .most = -INFINITY};

	for (at.x = 0; at.x < lab_plan_n_values(&p->x); at.x++) {
		for (at.y = 0; at.y < lab_plan_n_values(&p->y); at.y++) {
			double value;

			if (!in_points(p, which, at)) {
				continue;
			}
			value = lab_plan_value(r, at, metric, seed);
			if (isnan(value)) {
				return NAN;
			}
			t.first = t.n++ == 0 ? value : t.first;
			t.last = value;
			t.sum += value;
			t.least = fmin(t.least, value);
			t.most = fmax(t.most, value);
			t.zeros += value == 0;
		}
	}
	return made_of(&t, of);
}

/* --- a comparison --- */

struct comparison {
	unsigned series;
	int than; /* -1 = itself elsewhere, or a number */
	struct points points, than_points;
	enum lab_verdict verdict;
	bool says_nothing;
	double value, bound, slack; /* slack: how far on the right side, of the bound's size */
	struct lab_interval difference;
};

bool lab_claim_is_of_a_number(const struct lab_claim *c)
{
	return c->than[0] == NULL && c->than_x[0] == NULL && c->than_y[0] == NULL && c->than_metric == 0;
}

static double bound_of(const struct lab_plan_runs *r, const struct lab_claim *c, const struct comparison *one,
                       unsigned seed)
{
	enum lab_claim_of of = c->than_of == LAB_CLAIM_MEAN ? c->of : c->than_of;
	double factor = c->factor == 0 ? 1 : c->factor;
	unsigned than = one->than < 0 ? one->series : (unsigned)one->than;

	if (lab_claim_is_of_a_number(c)) {
		return c->factor;
	}
	return factor * value_of(r, &one->than_points, than, c->than_metric == 0 ? c->metric : c->than_metric,
	                         of, seed);
}

static double slack_of(enum lab_claim_relation relation, double mean, double margin, double bound)
{
	double scale = fabs(bound) > 0 ? fabs(bound) : 1;

	switch (relation) {
	case LAB_CLAIM_BELOW:
	case LAB_CLAIM_AT_MOST: return -mean / scale;
	case LAB_CLAIM_ABOVE:
	case LAB_CLAIM_AT_LEAST: return mean / scale;
	case LAB_CLAIM_NEAR: return (margin - fabs(mean)) / scale;
	}
	return 0;
}

static void compare(const struct lab_plan_runs *r, const struct lab_claim *c, struct comparison *one,
                    unsigned n_comparisons)
{
	double *differences = lab_grow(NULL, r->n_seeds, sizeof(*differences)), given = 0, margin;

	one->value = one->bound = 0;
	for (unsigned seed = 0; seed < r->n_seeds; seed++) {
		double value = value_of(r, &one->points, one->series, c->metric, c->of, seed);
		double bound = bound_of(r, c, one, seed);

		differences[seed] = value - bound;
		one->value += value / r->n_seeds;
		one->bound += bound / r->n_seeds;
		given += c->given_least == 0
		             ? 0
		             : value_of(r, &one->points, one->series, c->given_metric, LAB_CLAIM_MEAN, seed) /
		                   r->n_seeds;
	}
	one->difference = lab_interval(differences, r->n_seeds, n_comparisons);
	free(differences);
	margin = (c->within == 0 ? WITHIN : c->within) * fabs(one->bound);
	one->says_nothing = given < c->given_least;
	one->verdict = one->says_nothing ? LAB_NOT_DECIDED
	                                 : lab_claim_decide(c->relation, one->difference.mean,
	                                                    one->difference.error, margin);
	one->slack = slack_of(c->relation, one->difference.mean, margin, one->bound);
}

/* --- all of them --- */

static int series_of(const struct lab_plan *p, const char *label)
{
	for (unsigned i = 0; i < lab_plan_n_series(p); i++) {
		if (strcmp(lab_plan_label(&p->series[i]), label) == 0) {
			return (int)i;
		}
	}
	return -1;
}

/* The n-th of the comparisons of a claim; false past the last. Innermost y, then x, `than`, series. */
static bool nth(const struct lab_plan *p, const struct lab_claim *c, unsigned n, struct comparison *out)
{
	unsigned n_x = c->each_x ? lab_plan_n_values(&p->x) : 1,
	         n_y = c->each_y ? lab_plan_n_values(&p->y) : 1;
	unsigned y = n % n_y, x = n / n_y % n_x, n_than = 0, pair = n / n_y / n_x;
	const char *series, *than;

	while (n_than < LAB_PLAN_SERIES && c->than[n_than] != NULL) {
		n_than++;
	}
	if (pair / (n_than == 0 ? 1 : n_than) >= LAB_PLAN_SERIES) {
		return false;
	}
	series = c->series[pair / (n_than == 0 ? 1 : n_than)];
	if (series == NULL) {
		return false;
	}
	than = n_than == 0 ? NULL : c->than[pair % n_than];
	*out = (struct comparison){.series = (unsigned)series_of(p, series),
	                           .than = than == NULL ? -1 : series_of(p, than),
	                           .points = {c->x, c->y, c->each_x ? (int)x : -1, c->each_y ? (int)y : -1}};
	out->than_points = (struct points){
	    c->than_x[0] != NULL ? c->than_x : c->x, c->than_y[0] != NULL ? c->than_y : c->y,
	    c->than_x[0] != NULL ? -1 : out->points.only_x, c->than_y[0] != NULL ? -1 : out->points.only_y};
	return true;
}

/* each_x and each_y take the points that the claim names. */
static bool is_wanted(const struct lab_plan *p, const struct lab_claim *c, const struct comparison *one)
{
	return (one->points.only_x < 0 || counts(c->x, p->x.values[one->points.only_x].label)) &&
	       (one->points.only_y < 0 || counts(c->y, p->y.values[one->points.only_y].label));
}

static unsigned n_comparisons(const struct lab_plan *p, const struct lab_claim *c)
{
	struct comparison one;
	unsigned n = 0;

	for (unsigned i = 0; nth(p, c, i, &one); i++) {
		n += is_wanted(p, c, &one);
	}
	return n;
}

static const char *label_at(const struct lab_plan_axis *axis, int only, const char *const *labels)
{
	return only >= 0                                ? axis->values[only].label
	       : labels[0] != NULL && labels[1] == NULL ? labels[0]
	                                                : NULL;
}

static void take(struct lab_claim_result *out, const struct lab_plan *p, const struct comparison *one)
{
	out->series = lab_plan_label(&p->series[one->series]);
	out->than = one->than < 0 ? NULL : lab_plan_label(&p->series[one->than]);
	out->x = label_at(&p->x, one->points.only_x, one->points.x);
	out->y = label_at(&p->y, one->points.only_y, one->points.y);
	out->value = one->value;
	out->bound = one->bound;
	out->mean = one->difference.mean;
	out->error = one->difference.error;
}

struct lab_claim_result lab_claim_result(const struct lab_plan_runs *r, const struct lab_claim *c)
{
	struct lab_claim_result out = {.n = n_comparisons(r->plan, c)};
	double least[3] = {INFINITY, INFINITY, INFINITY};
	struct comparison one, closest[3];

	for (unsigned i = 0; nth(r->plan, c, i, &one); i++) {
		if (!is_wanted(r->plan, c, &one)) {
			continue;
		}
		compare(r, c, &one, out.n);
		out.n_yes += one.verdict == LAB_YES;
		out.n_no += one.verdict == LAB_NO;
		out.n_void += one.says_nothing;
		if (least[one.verdict] == INFINITY || one.slack < least[one.verdict]) {
			least[one.verdict] = one.slack;
			closest[one.verdict] = one;
		}
	}
	out.verdict = out.n_no > 0 ? LAB_NO : out.n_yes == out.n && out.n > 0 ? LAB_YES : LAB_NOT_DECIDED;
	take(&out, r->plan, &closest[out.verdict]);
	return out;
}
