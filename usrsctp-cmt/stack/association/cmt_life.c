/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Life of an association's state. */
#include "association/cmt_life.h"
#include "association/cmt_asoc.h"
#include "association/cmt_wake.h"
#include "cc/cmt_cc.h"
#include "cmt_hooks.h"
#include "delay/cmt_clock.h"
#include "losses/cmt_gaps.h"
#include "losses/cmt_outstanding.h"
#include "paths/cmt_control.h"
#include "paths/cmt_held.h"
#include "paths/cmt_paths.h"
#include "protection/cmt_protection.h"
#include "recovery/cmt_detect.h"
#include "sacks/cmt_tracked.h"
#include "seams/cmt_seams.h"
#include "send/cmt_index.h"
#include "watch/cmt_trace.h"

#include <netinet/sctp_timer.h>

enum { MIN_RTO_MS = 200 };

/* As if nothing had been sent or received yet, with what the application chose. The scheduler is left to
 * the caller. Requires that `ca` is zeroed. */
static void begin(struct cmt_asoc *ca, struct sctp_tcb *stcb, const struct cmt_config *config)
{
	ca->stcb = stcb;
	ca->config = *config;
	ca->next_wire_id = 1;
	ca->replan = true;
	ca->sack.a_rwnd_bytes = UINT32_MAX;
	cmt_seam_read_random(&ca->stamp_offset_us, sizeof(ca->stamp_offset_us));
	cmt_clock_init(&ca->clock);
	if (config->cc != NULL)
		(void)cmt_cc_set(&ca->cc, config->cc, config->cc_options);
}

struct cmt_asoc *cmt_asoc_get(struct sctp_tcb *stcb)
{
	const struct cmt_endpoint *defaults = &stcb->sctp_ep->cmt;
	const struct cmt_config config = {.recovery = defaults->recovery != NULL ? defaults->recovery
	                                                                         : cmt_recovery_policy(0)};
	struct cmt_asoc *ca = stcb->asoc.cmt;

	if (ca != NULL)
		return ca;
	ca = calloc(1, sizeof(*ca));
	if (ca == NULL)
		return NULL;
	begin(ca, stcb, &config);
	(void)cmt_asoc_set_cc(ca, defaults->cc[0] != '\0' ? defaults->cc : cmt_cc_builtin(0)->name,
	                      defaults->cc_options);
	stcb->asoc.cmt = ca;
	if (defaults->sched != NULL && stcb->asoc.sctp_cmt_on_off > 0)
		(void)cmt_asoc_set_sched(ca, defaults->sched, defaults->options);
	return ca;
}

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

	ca->saved.max_burst = asoc->max_burst;
	asoc->max_burst = 0;
	ca->saved.min_rto_ms = asoc->minrto;
	if (asoc->minrto == SCTPCTL_RTO_MIN_DEFAULT)
		lower_min_rto(asoc);
	cmt_control_begin(ca);
}

void cmt_asoc_engage(struct cmt_asoc *ca)
{
	if (ca->sched == NULL && ca->config.sched != NULL &&
	    (ca->stcb->asoc.numnets >= 2 || cmt_asoc_negotiated(ca))) {
		take_over(ca);
		ca->sched = ca->config.sched;
		ca->replan = true;
	}
	cmt_tracked_limit_queues(ca);
}

static void give_back(struct cmt_asoc *ca)
{
	struct sctp_association *asoc = &ca->stcb->asoc;

	asoc->max_burst = ca->saved.max_burst;
	if (asoc->minrto == MIN_RTO_MS)
		asoc->minrto = ca->saved.min_rto_ms;
	cmt_cc_detach(ca);
	cmt_wake_cancel(ca);
	cmt_index_reset(ca);
}

/* What is out is upstream's from now on. Not behind a restart: its chunks have been freed. */
static void forget_chunks(struct cmt_asoc *ca)
{
	cmt_gaps_forget(ca);
	for (unsigned i = 0; i < ca->n_slots; i++)
		cmt_outstanding_forget_path(ca, &ca->paths[i]);
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
	if (ca->sched != NULL && sched == NULL) {
		give_back(ca);
		forget_chunks(ca);
	}
	free(ca->sched_state);
	ca->config.sched = sched;
	ca->sched_state = state;
	if (ca->sched != NULL)
		ca->sched = sched;
	cmt_asoc_engage(ca);
	snprintf(ca->config.sched_options, sizeof(ca->config.sched_options), "%s",
	         sched != NULL ? options : "");
	ca->replan = true;
	for (unsigned i = 0; i < ca->n_slots; i++)
		ca->paths[i].fitness.usable = false;
	return 0;
}

/* What the state refers to, but for the scheduler's memory. */
static void release(struct cmt_asoc *ca)
{
	cmt_wake_cancel(ca);
	cmt_held_drop(&ca->held, NULL);
	cmt_outstanding_free(ca);
	cmt_asoc_forget_paths(ca);
	cmt_index_reset(ca);
	free(ca->gaps);
	free(ca->bottlenecks);
	free(ca->spurious.resent);
}

/* In the memory that it has. Its options were fine before. */
static void begin_sched(const struct cmt_asoc *ca)
{
	const struct cmt_sched_ops *sched = ca->config.sched;

	if (sched == NULL)
		return;
	memset(ca->sched_state, 0, sched->state_bytes);
	if (sched->init != NULL)
		(void)sched->init(ca->sched_state, ca->config.sched_options);
}

void cmt_on_restart(struct sctp_tcb *stcb)
{
	struct cmt_asoc *ca = stcb->asoc.cmt;
	struct cmt_config config;
	struct cmt_counts counts;
	uint64_t trace_id;
	void *sched_state;

	if (ca == NULL)
		return;
	if (ca->sched != NULL)
		give_back(ca);
	release(ca);
	config = ca->config;
	counts = ca->counts;
	trace_id = ca->trace_id;
	sched_state = ca->sched_state;
	memset(ca, 0, sizeof(*ca));
	begin(ca, stcb, &config);
	ca->counts = counts;
	ca->trace_id = trace_id;
	ca->sched_state = sched_state;
	begin_sched(ca);
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

	cmt_protection_free(stcb);
	if (ca == NULL)
		return;
	release(ca);
	cmt_trace_ended(ca);
	free(ca->sched_state);
	free(ca);
	stcb->asoc.cmt = NULL;
}
