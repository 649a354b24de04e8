/* SPDX-License-Identifier: BSD-3-Clause
 *
 * run.h - one transfer over one scenario under one scheduler.
 *
 * lab_run_here() uses the stack's global state, so a process makes one run; jobs.h gives each its own. */
#ifndef LAB_RUN_H
#define LAB_RUN_H

#include <jansson.h>
#include <stdint.h>

#include "setup/lab_run.h"

/* The shared place where a run tells how far it is, in thousandths. */
typedef volatile uint32_t lab_progress;

/* Returns the result: the keys of docs/lab.md, or {"error": TEXT, "exit": STATUS} when the run could not
 * start. The caller owns it. */
json_t *lab_run_here(const struct lab_run *run, lab_progress *progress);

#endif
