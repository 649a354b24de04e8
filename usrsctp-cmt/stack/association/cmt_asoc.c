/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Life of an association's state: creation, paths, scheduler, restart, end. */
#include "association/cmt_asoc.h"
#include "watch/cmt_trace.h"

#include <netinet/sctp_timer.h>

/* Enough for a greeting: most associations of a server say little. cmt_send.c asks for more. */
enum { RECORDS_START = 16, LOOP_BUCKET_US = 60000000, MIN_RTO_MS = 200 };

uint32_t cmt_asoc_stamp(const struct cmt_asoc *ca, uint64_t now_us)
{
	uint16_t port = ntohs(ca->stcb->sctp_ep->sctp_lport);

	return (uint32_t)cmt_seam_stamp_us(port, now_us) + ca->stamp_offset_us;
}

struct cmt_asoc *cmt_asoc_get(struct sctp_tcb *stcb)
{
	const struct cmt_endpoint *defaults = &stcb->sctp_ep->cmt;
	struct cmt_asoc *ca = stcb->asoc.cmt;

	if (ca != NULL)
		return ca;
	ca = calloc(1, sizeof(*ca));
	if (ca == NULL)
		return NULL;
	ca->stcb = stcb;
	ca->next_wire_id = 1;
	ca->a_rwnd_bytes = UINT32_MAX;
	cmt_seam_read_random(&ca->stamp_offset_us, sizeof(ca->stamp_offset_us));
	cmt_clock_init(&ca->clock);
	ca->recovery = defaults->recovery != NULL ? defaults->recovery : cmt_recovery_policy(0);
	(void)cmt_asoc_set_cc(ca, defaults->cc[0] != '\0' ? defaults->cc : cmt_cc_builtin(0)->name,
	                      defaults->cc_options);
	stcb->asoc.cmt = ca;
	if (defaults->sched != NULL && stcb->asoc.sctp_cmt_on_off > 0)
		(void)cmt_asoc_set_sched(ca, defaults->sched, defaults->options);
	return ca;
}

static void release_path(struct cmt_asoc *ca, struct cmt_path *path)
{
	CMT_TRACE(PATH, cmt_trace_path(ca, path, true));
	cmt_cc_close(&ca->cc, cmt_path_id(ca, path));
	free(path->records);
	free(path->copies.list);
	*path = (struct cmt_path){.net = NULL};
}

static void forget_path(struct cmt_asoc *ca, struct cmt_path *path)
{
	if (ca->sched != NULL && ca->sched->on_path != NULL && path->usable)
		ca->sched->on_path(ca->sched_state, cmt_path_id(ca, path), false, cmt_seam_now_us());
	release_path(ca, path);
	ca->replan = true;
}

static bool open_path(struct cmt_asoc *ca, struct cmt_path *path, struct sctp_nets *net)
{
	struct cmt_sent_record *records = calloc(RECORDS_START, sizeof(*records));

	if (records == NULL)
		return false;
	*path = (struct cmt_path){.net = net,
	                          .wire_id = ca->next_wire_id++,
	                          .records = records,
	                          .pace = {.weight_pct = 100},
	                          .probe_at_us = CMT_NEVER_US,
	                          .opened_mtu = net->mtu,
	                          .copy_from_tsn = ca->stcb->asoc.last_acked_seq + 1};
	cmt_rack_init(&path->rack);
	cmt_path_est_init(&path->est, records, RECORDS_START);
	cmt_winfilter_init(&path->loop, LOOP_BUCKET_US);
	cmt_return_delay_init(&path->back);
	net->cmt_slot = (uint8_t)(cmt_path_id(ca, path) + 1);
	cmt_cc_open(&ca->cc, cmt_path_id(ca, path), net->cwnd, net->mtu);
	if (ca->n_slots < net->cmt_slot)
		ca->n_slots = net->cmt_slot;
	CMT_TRACE(PATH, cmt_trace_path(ca, path, false));
	return true;
}

void cmt_asoc_sync_paths(struct cmt_asoc *ca)
{
	struct sctp_nets *net;

	TAILQ_FOREACH(net, &ca->stcb->asoc.nets, sctp_next)
	{
		for (unsigned i = 0; i < CMT_SCHED_MAX_PATHS && net->cmt_slot == 0; i++) {
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
	atomic_add_int(&net->ref_count, 1);
	if (*to != NULL)
		sctp_free_remote_addr(*to);
	*to = net;
}
#pragma GCC diagnostic pop

/* For the round trips that were measured already, too. */
static void lower_min_rto(struct sctp_association *asoc)
{
	struct sctp_nets *net;

	TAILQ_FOREACH(net, &asoc->nets, sctp_next)
	{
		if (net->RTO_measured && net->RTO == asoc->minrto)
			net->RTO = max((uint32_t)(net->lastsa >> SCTP_RTT_SHIFT) + (uint32_t)net->lastsv,
			               MIN_RTO_MS);
	}
	asoc->minrto = MIN_RTO_MS;
}

/* Pacing and the schedulers' bound on the queue take the place of the burst limit, which would end output
 * before every path was asked. A lower bound for T3 that the application did not choose gives way to one that
 * suits paths that replace each other. */
static void take_over(struct cmt_asoc *ca)
{
	struct sctp_association *asoc = &ca->stcb->asoc;

	ca->saved_max_burst = asoc->max_burst;
	asoc->max_burst = 0;
	ca->saved_min_rto_ms = asoc->minrto;
	if (asoc->minrto == SCTPCTL_RTO_MIN_DEFAULT)
		lower_min_rto(asoc);
	cmt_cc_attach(ca);
}

void cmt_asoc_engage(struct cmt_asoc *ca)
{
	if (ca->sched == NULL && ca->chosen != NULL &&
	    (ca->stcb->asoc.numnets >= 2 || cmt_asoc_negotiated(ca))) {
		take_over(ca);
		ca->sched = ca->chosen;
		ca->replan = true;
	}
	ca->stcb->asoc.cmt_long_queues = ca->sched != NULL || cmt_asoc_negotiated(ca);
}

static void give_back(struct cmt_asoc *ca)
{
	struct sctp_association *asoc = &ca->stcb->asoc;

	asoc->max_burst = ca->saved_max_burst;
	if (asoc->minrto == MIN_RTO_MS)
		asoc->minrto = ca->saved_min_rto_ms;
	cmt_cc_detach(ca);
	cmt_wake_cancel(ca);
	cmt_index_reset(ca);
}

int cmt_asoc_set_sched(struct cmt_asoc *ca, const struct cmt_sched_ops *sched, const char *options)
{
	void *state = NULL;

	if (sched != NULL) {
		state = calloc(1, sched->state_bytes > 0 ? sched->state_bytes : 1);
		if (state == NULL)
			return ENOMEM;
		if ((sched->init == NULL && options[0] != '\0') ||
		    (sched->init != NULL && sched->init(state, options) != 0)) {
			free(state);
			return EINVAL;
		}
	}
	if (ca->sched != NULL && sched == NULL)
		give_back(ca);
	free(ca->sched_state);
	ca->chosen = sched;
	ca->sched_state = state;
	if (ca->sched != NULL)
		ca->sched = sched;
	cmt_asoc_engage(ca);
	snprintf(ca->sched_options, sizeof(ca->sched_options), "%s", sched != NULL ? options : "");
	ca->replan = true;
	for (unsigned i = 0; i < ca->n_slots; i++)
		ca->paths[i].usable = false;
	return 0;
}

static void forget_paths(struct cmt_asoc *ca)
{
	struct sctp_nets *net;

	for (unsigned i = 0; i < ca->n_slots; i++) {
		if (ca->paths[i].net != NULL)
			forget_path(ca, &ca->paths[i]);
	}
	TAILQ_FOREACH(net, &ca->stcb->asoc.nets, sctp_next)
	net->cmt_slot = 0;
}

void cmt_on_restart(struct sctp_tcb *stcb)
{
	struct cmt_asoc *ca = stcb->asoc.cmt;

	if (ca == NULL)
		return;
	forget_paths(ca);
	ca->peer_timestamps = ca->peer_echo = false;
	ca->heard = (struct cmt_heard){.pkts = 0};
	ca->sack_order = (struct cmt_sack_order){.known = false};
	cmt_index_reset(ca);
	if (ca->resent != NULL)
		cmt_resent_reset(ca->resent);
	ca->n_claims = 0;
	ca->n_reported = 0;
	ca->suspects = false;
	cmt_clock_init(&ca->clock);
	ca->next_wire_id = 1;
	ca->replan = true;
	cmt_seam_read_random(&ca->stamp_offset_us, sizeof(ca->stamp_offset_us));
	cmt_asoc_engage(ca);
}

void cmt_on_closing(struct sctp_tcb *stcb)
{
	if (stcb->asoc.cmt == NULL)
		return;
	stcb->asoc.cmt->closing = true;
	cmt_wake_cancel(stcb->asoc.cmt);
}

void cmt_free(struct sctp_tcb *stcb)
{
	struct cmt_asoc *ca = stcb->asoc.cmt;

	if (ca == NULL)
		return;
	cmt_wake_cancel(ca);
	forget_paths(ca);
	cmt_trace_ended(ca);
	cmt_index_reset(ca);
	free(ca->sched_state);
	free(ca->resent);
	free(ca);
	stcb->asoc.cmt = NULL;
}
