/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/packet_log.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/samples.h"
#include "rates.h"

#define FLYING_PKTS 65536 /* on their way at a time; more than any scenario has */
#define UNKNOWN     (-1)

void lab_packet_log_start(struct lab_packet_log *log, FILE *file)
{
	*log = (struct lab_packet_log){.file = file};
	if (file == NULL) {
		return;
	}
	log->flying = lab_grow(NULL, FLYING_PKTS, sizeof(*log->flying));
	memset(log->flying, 0, FLYING_PKTS * sizeof(*log->flying));
	fputs(LAB_PACKET_LOG_HEAD, file);
}

static uint64_t link_delay_us(struct usrsctp_cmt_sim *sim, int link, uint64_t at_us)
{
	struct usrsctp_cmt_sim_link config;

	return usrsctp_cmt_sim_get_link(sim, link, 0, &config) != 0
	           ? 0
	           : config.delay_us + simnet_delays_at_us(config.delays, at_us);
}

static void write_last(struct lab_packet_log *log)
{
	const struct lab_logged_packet *p = &log->last;

	if (log->waits) {
		fprintf(log->file,
		        "%d,%d,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRId64 "\n", p->path,
		        p->ours, p->bytes, p->sent_us, p->way_us, p->arrived_us, p->predicted_us);
	}
	log->waits = false;
}

void lab_packet_log_event(struct lab_packet_log *log, struct usrsctp_cmt_sim *sim,
                          const struct usrsctp_cmt_sim_packet *p, int via, bool ours)
{
	struct lab_flying_packet *f;

	if (log->file == NULL) {
		return;
	}
	write_last(log);
	f = &log->flying[p->serial % FLYING_PKTS];
	if (p->event == USRSCTP_CMT_SIM_SENT) {
		*f = (struct lab_flying_packet){p->serial, p->at_us, link_delay_us(sim, p->path, p->at_us)};
		f->way_us += via == 0 ? 0 : link_delay_us(sim, via, p->at_us);
	} else if (p->event == USRSCTP_CMT_SIM_DELIVERED && f->serial == p->serial) {
		log->last = (struct lab_logged_packet){.path = p->path,
		                                       .ours = ours,
		                                       .bytes = p->wire_bytes,
		                                       .sent_us = f->sent_us,
		                                       .way_us = f->way_us,
		                                       .arrived_us = p->at_us,
		                                       .predicted_us = UNKNOWN};
		log->waits = true;
	}
}

void lab_packet_log_prediction(struct lab_packet_log *log, int64_t error_us)
{
	if (log->waits) {
		log->last.predicted_us = (int64_t)log->last.arrived_us + error_us;
	}
}

void lab_packet_log_stop(struct lab_packet_log *log)
{
	if (log->file != NULL) {
		write_last(log);
	}
	free(log->flying);
	*log = (struct lab_packet_log){.file = NULL};
}

bool lab_packet_log_read(FILE *in, struct lab_logged_packet *out)
{
	int ours;
	bool read = fscanf(in,
	                   "%d,%d,%" SCNu64 ",%" SCNu64 ",%" SCNu64 ",%" SCNu64 ",%" SCNd64 "\n", &out->path,
	                   &ours, &out->bytes, &out->sent_us, &out->way_us, &out->arrived_us,
	                   &out->predicted_us) == 7;

	out->ours = ours != 0;
	return read;
}
