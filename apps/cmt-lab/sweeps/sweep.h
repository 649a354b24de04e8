/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sweep.h - one thing that varies, and how every scheduler does.
 *
 * A sweep is data. lab_sweep_run() makes its values, which live in a CSV file; table, picture and section of
 * the results are made from them. */
#ifndef LAB_SWEEP_H
#define LAB_SWEEP_H

#include "base/words.h"
#include "batch/summary.h"
#include "setup/lab_run.h"

#define LAB_SWEEP_METRICS 2

struct lab_sweep_metric {
	const char *key;  /* as lab_summarise() takes it */
	const char *axis; /* what it is, with its unit */
	double unit;      /* the key's value is divided by it; 0 = by the ceiling without CMT-TIMESTAMP */
	bool less, log;   /* less is better; logarithmic axis */
	bool aside;       /* to be behind in this alone is not a loss */
};

struct lab_sweep {
	const char *name, *title, *what;
	const char *scenario; /* '@' stands for the value of x, here and in `set` */
	const char *x, *x_axis;
	const char *set; /* as lab_run_settings() takes it */
	struct lab_sweep_metric metrics[LAB_SWEEP_METRICS];
	unsigned n_metrics, n_seeds;
	double transfer_s; /* at the ceiling */
	bool ranked;       /* x is only a number: the distribution over all x is shown */
};

/* NULL past the last. */
const struct lab_sweep *lab_sweep(size_t i);
const struct lab_sweep *lab_sweep_by_name(const char *name);

/* Stock CMT, every scheduler of the library, LAB_BEST_PATH; in this order. */
struct lab_sweep_values {
	const struct lab_sweep *sweep;
	struct lab_words x, schedulers;
	unsigned n_seeds;
	bool quick;
	struct lab_summary *values; /* metric by metric, scheduler by scheduler, x by x */
};

struct lab_summary *lab_sweep_value(const struct lab_sweep_values *v, unsigned metric, unsigned scheduler,
                                    unsigned x);

/* The number of a word; -1 = not there. */
int lab_sweep_find(const struct lab_words *words, const char *word);

/* Who has the best value of a metric at x, scheduler `but` left out (-1 = nobody): its number, -1 = none
 * known. */
int lab_sweep_best(const struct lab_sweep_values *v, unsigned metric, unsigned x, int but);

/* How much better a is than b: above 1 = better, whether less or more is. 0 = not known. */
double lab_sweep_against(const struct lab_sweep_values *v, unsigned metric, unsigned a, unsigned b,
                         unsigned x);

/* The run at x, all but its scheduler; transfers last `part` of their time. 0, or -1 with the reason. */
int lab_sweep_point(const struct lab_sweep *s, const char *x, double part, struct lab_run *run,
                    struct lab_error *error);

/* Makes the runs. `n_seeds` 0 = the sweep's own. `quick`: one seed unless said, transfers a quarter as long,
 * ten networks. 0; 1 when a run failed or its bytes did, after a message on stderr: its values are unknown;
 * -1 with the reason. Free with lab_sweep_free() in every case. */
int lab_sweep_run(const struct lab_sweep *s, unsigned n_seeds, bool quick, struct lab_sweep_values *out,
                  struct lab_error *error);

/* DIR/sweeps/NAME.csv: metric,scheduler,x,median,min,max,seeds,quick. 0, or -1 with the reason. */
int lab_sweep_write(const struct lab_sweep_values *v, const char *directory, struct lab_error *error);
/* 1 when there is no such file. */
int lab_sweep_read(const struct lab_sweep *s, const char *directory, struct lab_sweep_values *out,
                   struct lab_error *error);

/* DIR/sweeps/NAME.gnuplot and .png. The CSV must be there. */
int lab_sweep_draw(const struct lab_sweep_values *v, const char *directory, struct lab_error *error);

/* The section of the results, without its heading. */
void lab_sweep_markdown(const struct lab_sweep_values *v, FILE *out);

void lab_sweep_free(struct lab_sweep_values *v);

#endif
