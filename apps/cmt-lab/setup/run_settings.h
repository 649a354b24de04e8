/* SPDX-License-Identifier: BSD-3-Clause
 *
 * run_settings.h - what tables of targets, sweeps and figures change of a run, as text:
 * "path.2.delay=25ms cc=linked rcvbuf=2W". */
#ifndef LAB_RUN_SETTINGS_H
#define LAB_RUN_SETTINGS_H

#include "setup/lab_run.h"

/* Every KEY=VALUE of `settings`, separated by blanks, in order. NULL = none. Beside the keys of a scenario:
 *   rcvbuf=1.5W     times W_min of the network as it is by then, three packets at least
 *   load=75%        a source with constant rate, relative to the ceiling with CMT-TIMESTAMP
 *   paths=3         only the first of them
 *   only_path=2     one alone, from 1
 *   delay_error=50  percent
 *   cc=NAME, recovery=NAME, scheduler=NAME, options=TEXT of the scheduler
 * 0, or -1 with the reason. */
int lab_run_settings(struct lab_run *run, const char *settings, struct lab_error *error);

/* A transfer that lasts so long at the ceiling, but no more than so many bytes, instead of what the scenario
 * says. A source with constant rate sends for so long. */
void lab_run_set_transfer(struct lab_scenario *s, double seconds, double most_bytes);

#endif
