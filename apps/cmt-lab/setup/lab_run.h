/* SPDX-License-Identifier: BSD-3-Clause
 *
 * lab_run.h - what is to run, as plain data: a scenario, a scheduler, controls and a seed.
 *
 * Touches nothing but the file that a source names, for its size. */
#ifndef LAB_LAB_RUN_H
#define LAB_LAB_RUN_H

#include <stdint.h>

#include "options/policy.h"
#include "scenario/scenario.h"

struct lab_run {
	struct lab_scenario scenario;
	char scheduler[32];
	char options[224];
	struct app_policy cc, recovery;
	uint64_t seed;
	int delay_error_pct;
	int only_path;                         /* from 0; -1 = all */
	char pcap[256], trace[256], qlog[256]; /* "" = none; beside pcap the keys, lab_run_keys_file() */
	char packets[300];                     /* packet_log.h; "" = none */
};

/* Both directions of a link, forward first, as this run has them: with the seed's shift of a path's delays.
 */
void lab_run_links(const struct lab_run *run, int link, struct usrsctp_cmt_sim_link links[2]);

/* Where the keys of what is captured go: the capture's name with .keys behind it, where the run is encrypted;
 * else "". */
#define LAB_KEYS_FILE_BYTES 264
void lab_run_keys_file(const struct lab_run *run, char name[LAB_KEYS_FILE_BYTES]);

/* The number of bytes that the run transfers, the size of its file included; 0 = as long as it lasts. */
uint64_t lab_run_bytes(const struct lab_scenario *s);

#endif
