/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tsn_log.h - what became of each TSN, told by the tap: how often it was sent, lost, and how often it
 * arrived. Pure; direction 0 (client to server) only. */
#ifndef SIM_TSN_LOG_H
#define SIM_TSN_LOG_H

#include <usrsctp_cmt_sim.h>

enum { TSN_LOG_MAX = 16384 };

struct tsn_log {
	bool started;
	uint32_t first_tsn;
	uint32_t forwarded_tsn; /* FORWARD-TSN: the highest so far */
	uint32_t passed_unsent; /* TSNs that it had passed before they were sent */
	uint8_t sent[TSN_LOG_MAX], dropped[TSN_LOG_MAX], arrived[TSN_LOG_MAX];
	uint32_t data_pkts;
};

/* To be called with every packet of the tap. */
void tsn_log_packet(struct tsn_log *log, const struct usrsctp_cmt_sim_packet *packet);

/* TSNs that arrived more than once although no copy was lost: retransmitted without need. */
uint32_t tsn_log_spurious(const struct tsn_log *log);

/* Transmissions beyond the first, and copies lost. */
uint32_t tsn_log_retransmissions(const struct tsn_log *log);
uint32_t tsn_log_losses(const struct tsn_log *log);

#endif
