/* SPDX-License-Identifier: BSD-3-Clause
 *
 * consumer-sim.c - the least that a program does with libusrsctp-cmt-sim: a second of a network with one
 * path. */
#include <stdio.h>
#include <usrsctp_cmt_sim.h>

static void ring(struct usrsctp_cmt_sim *sim, void *at_us)
{
	*(uint64_t *)at_us = usrsctp_cmt_sim_now_us(sim);
}

int main(void)
{
	struct usrsctp_cmt_sim_config config = {.size = sizeof(config), .seed = 1};
	struct usrsctp_cmt_sim_link link = {.rate_bps = 1000000, .delay_us = 10000};
	uint64_t rung_us = 0;
	struct usrsctp_cmt_sim *sim = usrsctp_cmt_sim_new(&config);

	if (sim == NULL || usrsctp_cmt_sim_add_path(sim, &link, &link) != 0) {
		perror("usrsctp_cmt_sim_new");
		return 1;
	}
	if (usrsctp_cmt_sim_at(sim, 1000000, ring, &rung_us) != 0 ||
	    usrsctp_cmt_sim_run(sim, USRSCTP_CMT_SIM_FOREVER) != 1000000 || rung_us != 1000000) {
		fprintf(stderr, "virtual time is wrong\n");
		return 1;
	}
	return usrsctp_cmt_sim_free(sim) == 0 ? 0 : 1;
}
