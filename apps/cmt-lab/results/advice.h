/* SPDX-License-Identifier: BSD-3-Clause
 *
 * advice.h - which scheduler to use when, and where ours fall short, in words made from measured numbers. */
#ifndef LAB_ADVICE_H
#define LAB_ADVICE_H

#include <stdio.h>

#include "sweeps/sweep.h"

/* Writes Markdown from DIR/sweeps/NAME.csv and DIR/results.json; nothing when no sweep is there. A sentence
 * whose condition the numbers do not meet is left out. 0, or -1 with the reason. */
int lab_advice(const char *directory, FILE *out, struct lab_error *error);

/* Its parts, a line each; pure. */

/* A row of the table of uses: what is within 2 % of the best. False when there is no such value. */
bool lab_advice_use(const struct lab_sweep_values *v, unsigned metric, const char *x, const char *use,
                    FILE *out);

/* `text` with the values of schedulers a and b at x for {a} and {b}, if a is at least `ratio` times as good.
 * False when it is not, or not known. */
bool lab_advice_claim(const struct lab_sweep_values *v, unsigned metric, const char *x, const char *a,
                      const char *b, double ratio, const char *text, FILE *out);

/* In how many points `scheduler` is behind the best other row by more than 3 %, and where most. False when
 * nowhere. */
bool lab_advice_loss(const struct lab_sweep_values *v, unsigned metric, const char *scheduler, FILE *out);

#endif
