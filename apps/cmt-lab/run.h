/* SPDX-License-Identifier: BSD-3-Clause
 *
 * run.h - one transfer over one scenario under one scheduler.
 *
 * lab_run_here() uses the stack's global state, so a process makes one run; jobs.h gives each its own. */
#ifndef LAB_RUN_H
#define LAB_RUN_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "policy.h"
#include "scenario.h"

#define LAB_STOCK "stock" /* upstream's own CMT; on a single path: upstream without CMT */

struct lab_run {
	struct lab_scenario scenario;
	char scheduler[32];
	char options[224];
	struct app_policy cc, recovery;
	uint64_t seed;
	int delay_error_pct;
	int only_path;                         /* from 0; -1 = all */
	char pcap[256], trace[256], qlog[256]; /* "" = none */
};

/* The shared place where a run tells how far it is, in thousandths. */
typedef volatile uint32_t lab_progress;

/* Returns the result: the keys of docs/lab.md, or {"error": TEXT, "exit": STATUS} when the run could not
 * start. The caller owns it. */
json_t *lab_run_here(const struct lab_run *run, lab_progress *progress);

/* Both directions of a link, forward first, as this run has them: with the seed's shift of a path's delays.
 */
void lab_run_links(const struct lab_run *run, int link, struct usrsctp_cmt_sim_link links[2]);

/* The number of bytes that the run transfers, the size of its file included; 0 = as long as it lasts. */
uint64_t lab_run_bytes(const struct lab_scenario *s);

#endif
