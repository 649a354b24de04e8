/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A slot is taken when an address is first seen with state of ours, and is free again when the address goes;
 * addresses beyond the last slot stay upstream's. */
#include "paths/cmt_paths.h"
#include "paths/cmt_control.h"
#include "paths/cmt_tuple.h"
#include "association/cmt_asoc.h"
#include "cc/cmt_cc.h"
#include "cc/cmt_pace.h"
#include "cmt_sched.h"
#include "delay/cmt_path_est.h"
#include "delay/cmt_return_delay.h"
#include "delay/cmt_sentlog.h"
#include "losses/cmt_outstanding.h"
#include "recovery/cmt_rack.h"
#include "seams/cmt_seams.h"
#include "util/cmt_time.h"
#include "util/cmt_winfilter.h"
#include "watch/cmt_trace.h"

#include <netinet/sctp_timer.h>

/* Enough for a greeting: most associations of a server say little. send/cmt_number.c asks for more. */
enum { RECORDS_START = 8 };

static void release_path(struct cmt_asoc *ca, struct cmt_path *path)
{
	CMT_TRACE(PATH, cmt_trace_path(ca, path, true));
	cmt_cc_close(&ca->cc, cmt_path_id(ca, path));
	cmt_control_forget_path(ca, path);
	cmt_outstanding_forget_path(ca, path);
	free(path->records);
	free(path->capacity);
	free(path->copy.out.list);
	*path = (struct cmt_path){.net = NULL};
}

static void forget_path(struct cmt_asoc *ca, struct cmt_path *path)
{
	if (ca->sched != NULL && ca->sched->on_path != NULL && path->fitness.usable)
		ca->sched->on_path(ca->sched_state, cmt_path_id(ca, path), false, cmt_seam_now_us());
	release_path(ca, path);
	ca->replan = true;
	cmt_asoc_look_anew(ca);
	cmt_asoc_reconsider(ca);
}

void cmt_path_heed_use(struct cmt_path *path)
{
	const struct cmt_use *use = &path->net->cmt_use;

	path->pace.weight_pct = use->weight_pct != 0 ? use->weight_pct : 100;
	path->pace.cap_bps = use->cap_bps;
}

static bool open_path(struct cmt_asoc *ca, struct cmt_path *path, struct sctp_nets *net)
{
	struct cmt_sent_record *records = calloc(RECORDS_START, sizeof(*records));

	if (records == NULL)
		return false;
	*path = (struct cmt_path){.net = net,
	                          .wire_id = ca->next_wire_id++,
	                          .records = records,
	                          .recovery = {.probe_at_us = CMT_NEVER_US},
	                          .control = {.initial_window = !ca->acked_before},
	                          .pmtud = {.opened_mtu = net->mtu},
	                          .copy = {.from_tsn = ca->stcb->asoc.last_acked_seq + 1}};
	cmt_path_heed_use(path);
	cmt_rack_init(&path->recovery.rack);
	cmt_path_est_init(&path->est, records, RECORDS_START);
	cmt_winfilter_init(&path->min_rtt, CMT_BASE_BUCKET_US);
	cmt_return_delay_init(&path->back);
	net->cmt_slot = (uint8_t)(cmt_path_id(ca, path) + 1);
	cmt_cc_open(&ca->cc, cmt_path_id(ca, path), net->cwnd, net->mtu);
	if (ca->n_slots < net->cmt_slot)
		ca->n_slots = net->cmt_slot;
	cmt_asoc_look_anew(ca);
	CMT_TRACE(PATH, cmt_trace_path(ca, path, false));
	return true;
}

void cmt_asoc_sync_paths(struct cmt_asoc *ca)
{
	struct sctp_nets *net;

	TAILQ_FOREACH(net, &ca->stcb->asoc.nets, sctp_next)
	{
		for (unsigned i = 0; i < CMT_SCHED_MAX_PATHS && net->cmt_slot == 0; i++) {
			if (cmt_tuple_is_candidate(net))
				break;
			if (ca->paths[i].net == NULL && !open_path(ca, &ca->paths[i], net))
				break;
		}
	}
}

void cmt_asoc_forget_path(struct cmt_asoc *ca, const struct sctp_nets *net)
{
	struct cmt_path *path = cmt_asoc_path(ca, net);

	if (path != NULL)
		forget_path(ca, path);
}

void cmt_asoc_forget_paths(struct cmt_asoc *ca)
{
	struct sctp_nets *net;

	for (unsigned i = 0; i < ca->n_slots; i++) {
		if (ca->paths[i].net != NULL)
			forget_path(ca, &ca->paths[i]);
	}
	TAILQ_FOREACH(net, &ca->stcb->asoc.nets, sctp_next)
	net->cmt_slot = 0;
}

struct cmt_path *cmt_asoc_path(struct cmt_asoc *ca, const struct sctp_nets *net)
{
	if (net == NULL || net->cmt_slot == 0 || ca->paths[net->cmt_slot - 1].net != net)
		return NULL;
	return &ca->paths[net->cmt_slot - 1];
}

struct cmt_path *cmt_asoc_path_of_slot(struct cmt_asoc *ca, uint8_t slot)
{
	return slot != 0 && ca->paths[slot - 1].net != NULL ? &ca->paths[slot - 1] : NULL;
}

struct cmt_path *cmt_asoc_path_by_wire_id(struct cmt_asoc *ca, uint16_t wire_id)
{
	for (unsigned i = 0; i < ca->n_slots; i++) {
		if (ca->paths[i].net != NULL && ca->paths[i].wire_id == wire_id)
			return &ca->paths[i];
	}
	return NULL;
}

/* Upstream's macro clears flags of 16 bits with a mask of 32. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wsign-conversion"
void cmt_refer(struct sctp_nets **to, struct sctp_nets *net)
{
	if (net != NULL)
		atomic_add_int(&net->ref_count, 1);
	if (*to != NULL)
		sctp_free_remote_addr(*to);
	*to = net;
}
#pragma GCC diagnostic pop

uint32_t cmt_srtt_us(const struct sctp_nets *net)
{
	const uint32_t smoothed_ms = (uint32_t)(net->lastsa >> SCTP_RTT_SHIFT);

	/* Below a millisecond upstream smoothes to nothing. */
	return smoothed_ms > 0 ? smoothed_ms * 1000u : (uint32_t)net->rtt;
}

void cmt_srtt_restart(struct sctp_nets *net, int64_t rtt_us)
{
	const int rtt_ms = (int)(rtt_us / 1000);

	if (rtt_ms <= net->lastsa >> SCTP_RTT_SHIFT)
		return;
	net->lastsa = rtt_ms << SCTP_RTT_SHIFT;
	net->lastsv = (rtt_ms / 2) << SCTP_RTT_VAR_SHIFT;
}

uint64_t cmt_limit_bps(const struct cmt_path *path)
{
	return cmt_pace_limit_bps(&path->pace, cmt_path_est_is_settled(&path->est));
}

uint32_t cmt_header_bytes(const struct sctp_nets *net)
{
	switch (net->ro._l_addr.sa.sa_family) {
	case AF_INET: return SCTP_MIN_V4_OVERHEAD;
	case AF_INET6: return SCTP_MIN_OVERHEAD;
	default: return sizeof(struct sctphdr); /* AF_CONN: the application carries SCTP packets */
	}
}
