/* SPDX-License-Identifier: BSD-3-Clause */
#include "setup/lab_run.h"

#include <stdio.h>
#include <sys/stat.h>

#define SHIFT_MAX_US          370
#define SHIFT_IN_FULL_FROM_US 10000

/* Without random loss, runs of several seeds would be the same run: seed 1 has the delays as written, every
 * other one is a little longer on each path: by less than 3.7 % and SHIFT_MAX_US. */
static uint64_t delay_shift_us(uint64_t seed, int path, uint64_t delay_us)
{
	uint64_t mixed = (seed + (uint64_t)path * 0x10001) * UINT64_C(0x9e3779b97f4a7c15);
	uint64_t shift_us = (mixed >> 32) % SHIFT_MAX_US;

	if (seed == 1) {
		return 0;
	}
	return delay_us < SHIFT_IN_FULL_FROM_US ? shift_us * delay_us / SHIFT_IN_FULL_FROM_US : shift_us;
}

void lab_run_links(const struct lab_run *run, int link, struct usrsctp_cmt_sim_link links[2])
{
	uint64_t shift_us = link < USRSCTP_CMT_SIM_MAX_PATHS
	                        ? delay_shift_us(run->seed, link, run->scenario.links[link][0].delay_us)
	                        : 0;

	for (int d = 0; d < 2; d++) {
		links[d] = run->scenario.links[link][d];
		links[d].delay_us += shift_us;
	}
}

void lab_run_keys_file(const struct lab_run *run, char name[LAB_KEYS_FILE_BYTES])
{
	name[0] = '\0';
	if (run->scenario.encrypted && run->pcap[0] != '\0') {
		snprintf(name, LAB_KEYS_FILE_BYTES, "%s.keys", run->pcap);
	}
}

uint64_t lab_run_bytes(const struct lab_scenario *s)
{
	struct stat st;

	if (s->source.kind == LAB_SOURCE_FILE && stat(s->source.file, &st) == 0 && st.st_size > 0) {
		return (uint64_t)st.st_size;
	}
	return s->bytes;
}
