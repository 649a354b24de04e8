/* SPDX-License-Identifier: BSD-3-Clause
 *
 * claim.h - a sentence of a paper, or what the project promises, as a predicate over exactly the series and
 * points that it speaks of, and what the runs say about it: yes, no, or not decided.
 *
 * A claim is a set of comparisons: each of its series against each of the others, at every point of its own
 * (each_x, each_y) or over all of them at once. Every comparison is of paired differences: seed by seed, the
 * same losses and delays under both. It is decided when the confidence interval of their mean (interval.h)
 * lies on one side of the bound; the claim holds when all of its comparisons do, and does not when one does
 * not. Intervals are so wide that all comparisons of a claim together err with 5 %. */
#ifndef LAB_CLAIM_H
#define LAB_CLAIM_H

#include <stdbool.h>

#define LAB_PLAN_VALUES  8
#define LAB_PLAN_SERIES  11
#define LAB_PLAN_METRICS 6
#define LAB_PLAN_CLAIMS  10

/* What becomes of the points of a comparison. */
enum lab_claim_of {
	LAB_CLAIM_MEAN,
	LAB_CLAIM_LEAST,
	LAB_CLAIM_MOST,
	LAB_CLAIM_ZEROS, /* percent of the points */
	LAB_CLAIM_RISE   /* from the first to the last */
};

enum lab_claim_relation {
	LAB_CLAIM_BELOW,
	LAB_CLAIM_AT_MOST,
	LAB_CLAIM_AT_LEAST,
	LAB_CLAIM_ABOVE,
	LAB_CLAIM_NEAR /* +- `within` of it */
};

struct lab_claim {
	const char *text;  /* the sentence, its own words in quotes */
	const char *test;  /* how it is tested, in words */
	const char *paper; /* the number that the paper prints; NULL = none */
	unsigned metric;
	/* Labels of the points that count; none = all. */
	const char *x[LAB_PLAN_VALUES], *y[LAB_PLAN_VALUES];
	bool each_x, each_y;
	enum lab_claim_of of;
	/* Each of `series` is below (above, near) `factor` (0 = 1) times each of `than`; without `than`,
	 * times itself at the points than_x and than_y; without those too, below `factor`. Series by label.
	 */
	const char *series[LAB_PLAN_SERIES];
	enum lab_claim_relation relation;
	const char *than[LAB_PLAN_SERIES];
	const char *than_x[LAB_PLAN_VALUES], *than_y[LAB_PLAN_VALUES];
	enum lab_claim_of than_of; /* of those points; LAB_CLAIM_MEAN = as `of` */
	unsigned than_metric;      /* of the bound; 0 = `metric` */
	double factor, within;
	/* A comparison says nothing where the series has less than so much of a metric at its points. 0 = all
	 * count. */
	double given_least;
	unsigned given_metric;
	const char *given;  /* what is then said */
	const char *reason; /* why it does not hold, if it does not; NULL = it did when this was written */
};

enum lab_verdict { LAB_NOT_DECIDED, LAB_YES, LAB_NO };
extern const char *const lab_verdict_words[3];

/* The comparison that decides a claim: of those with its verdict the closest one. */
struct lab_claim_result {
	enum lab_verdict verdict;
	unsigned n, n_yes, n_no;           /* comparisons */
	unsigned n_void;                   /* that say nothing */
	const char *series, *than, *x, *y; /* of the one that decides; NULL = none, all */
	double value, bound;               /* means over the seeds, the bound with the factor */
	double mean, error;                /* of value - bound */
};

/* One comparison: `mean` +- `error` of value - bound; LAB_CLAIM_NEAR: within +-margin. An error that is not
 * finite decides nothing. */
enum lab_verdict lab_claim_decide(enum lab_claim_relation relation, double mean, double error, double margin);

/* The bound is `factor` itself. */
bool lab_claim_is_of_a_number(const struct lab_claim *c);

struct lab_plan_runs;
struct lab_claim_result lab_claim_result(const struct lab_plan_runs *r, const struct lab_claim *c);

#endif
