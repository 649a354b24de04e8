/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Our socket options: usrsctp_setsockopt() and usrsctp_getsockopt() take them and pass everything else on to
 * upstream's functions, which the build renames. usrsctp.h and upstream's internals cannot be included
 * together, so the public types come through cmt_sockopt_api.c: this file works on sockets and associations,
 * that one on what the application hands over. */
#include "api/cmt_sockopt.h"
#include "api/cmt_assocs.h"
#include "association/cmt_asoc.h"
#include "cmt_sched.h"
#include "delay/cmt_clock.h"
#include "delay/cmt_rate.h"
#include "paths/cmt_control.h"
#include "paths/cmt_failover.h"
#include "paths/cmt_paths.h"
#include "paths/cmt_source.h"
#include "paths/cmt_tuple.h"
#include "recovery/cmt_detect.h"
#include "send/cmt_needed.h"
#include "send/cmt_view.h"
#include "util/cmt_time.h"
#include "util/cmt_winfilter.h"
#include "watch/cmt_hint.h"

static int apply_delay_error(struct cmt_asoc *ca, void *arg)
{
	ca->config.delay_error_pct = *(const int32_t *)arg;
	return 0;
}

int cmt_sockopt_set_delay_error(struct socket *so, uint32_t assoc_id, int32_t percent)
{
	struct sctp_inpcb *inp = (struct sctp_inpcb *)so->so_pcb;

	if (inp == NULL || percent < -100 || percent > 1000)
		return EINVAL;
	return cmt_with_assoc(inp, assoc_id, apply_delay_error, &percent);
}

/* By the values of the option. */
static const enum cmt_extension extensions[] = {CMT_EXTENSION_NEVER, CMT_EXTENSION_ALWAYS,
                                                CMT_EXTENSION_AUTO};
enum { N_EXTENSIONS = sizeof(extensions) / sizeof(extensions[0]) };

int cmt_sockopt_set_extension(struct socket *so, uint32_t value)
{
	struct sctp_inpcb *inp = (struct sctp_inpcb *)so->so_pcb;

	if (inp == NULL || value >= N_EXTENSIONS)
		return EINVAL;
	SCTP_INP_WLOCK(inp);
	inp->cmt.extension = extensions[value];
	SCTP_INP_WUNLOCK(inp);
	return 0;
}

int cmt_sockopt_get_extension(struct socket *so, uint32_t *value)
{
	struct sctp_inpcb *inp = (struct sctp_inpcb *)so->so_pcb;

	if (inp == NULL)
		return EINVAL;
	SCTP_INP_RLOCK(inp);
	for (*value = 0; extensions[*value] != inp->cmt.extension; (*value)++)
		;
	SCTP_INP_RUNLOCK(inp);
	return 0;
}

/* By the values of the option. */
static const enum cmt_init_addresses init_addresses[] = {CMT_INIT_ADDRESSES_NONE, CMT_INIT_ADDRESSES_ALL,
                                                         CMT_INIT_ADDRESSES_AUTO};
enum { N_INIT_ADDRESSES = sizeof(init_addresses) / sizeof(init_addresses[0]) };

int cmt_sockopt_set_init_addresses(struct socket *so, uint32_t value)
{
	struct sctp_inpcb *inp = (struct sctp_inpcb *)so->so_pcb;

	if (inp == NULL || value >= N_INIT_ADDRESSES)
		return EINVAL;
	SCTP_INP_WLOCK(inp);
	inp->cmt.init_addresses = init_addresses[value];
	SCTP_INP_WUNLOCK(inp);
	return 0;
}

int cmt_sockopt_get_init_addresses(struct socket *so, uint32_t *value)
{
	struct sctp_inpcb *inp = (struct sctp_inpcb *)so->so_pcb;

	if (inp == NULL)
		return EINVAL;
	SCTP_INP_RLOCK(inp);
	for (*value = 0; init_addresses[*value] != inp->cmt.init_addresses; (*value)++)
		;
	SCTP_INP_RUNLOCK(inp);
	return 0;
}

static void copy_address(struct sockaddr_storage *out, const union sctp_sockstore *address)
{
	memset(out, 0, sizeof(*out));
	memcpy(out, address, sizeof(*address));
}

static void describe_state(struct cmt_asoc *ca, const struct sctp_nets *net, struct cmt_sockopt_path *out)
{
	out->unconfirmed = !cmt_tuple_is_confirmed(net);
	out->failed = !cmt_path_is_active(net);
	out->standby = !out->failed && !cmt_path_usable(ca, net);
}

static void describe_path(struct cmt_asoc *ca, const struct cmt_path *path, const struct cmt_path_view *view,
                          struct cmt_sockopt_path *out)
{
	const struct sctp_nets *net = path->net;
	int64_t uncertainty_us = 0;
	int64_t offset_us = cmt_clock_offset_us(&ca->clock, &uncertainty_us);
	int64_t base_us = cmt_winfilter_min(&path->est.base);
	const struct cmt_ends ends = cmt_source_ends(ca, path);

	*out = (struct cmt_sockopt_path){
	    .path_id = path->wire_id,
	    .bottleneck = cmt_control_bottleneck(ca, path),
	    .srtt_us = view->srtt_us,
	    .cwnd_bytes = net->cwnd,
	    .flight_bytes = cmt_flight_bytes(path),
	    .mtu_bytes = net->mtu,
	    .rate_bps = cmt_rate_bps(&path->est.rate),
	    .fwd_delay_us = CMT_UNKNOWN_US,
	    .fwd_delay_base_us = CMT_UNKNOWN_US,
	    .fwd_delay_uncertainty_us = uncertainty_us,
	    .queue_us = view->queue_us,
	    .sent_pkts = path->counts.sent_pkts,
	    .sent_bytes = path->counts.sent_bytes,
	    .acked_bytes = path->counts.acked_bytes,
	    .lost_bytes = path->counts.lost_bytes,
	    .spurious_bytes = path->counts.spurious_bytes,
	    .lost_chunks = path->counts.lost_chunks,
	    .spurious_chunks = path->counts.spurious_chunks,
	    .retransmits = path->counts.retransmits,
	    .spurious_dsack = path->counts.spurious_by[CMT_DETECT_DSACK],
	    .spurious_eifel = path->counts.spurious_by[CMT_DETECT_EIFEL],
	    .spurious_frto = path->counts.spurious_by[CMT_DETECT_FRTO],
	    .undone = path->counts.undone,
	    .probes = path->counts.probes,
	    .timeouts = path->counts.timeouts,
	    .failures = path->counts.failures,
	    .received_bytes = net->cmt_received_bytes,
	    .samples = path->est.samples,
	    .samples_rejected = path->est.rejected,
	};
	if (offset_us != CMT_UNKNOWN_US && path->est.newest_sample_us != CMT_UNKNOWN_US)
		out->fwd_delay_us = path->est.newest_sample_us - offset_us;
	if (offset_us != CMT_UNKNOWN_US && base_us != CMT_UNKNOWN_US)
		out->fwd_delay_base_us = base_us - offset_us;
	copy_address(&out->remote, &ends.remote);
	copy_address(&out->local, &ends.local);
	describe_state(ca, net, out);
}

static uint16_t port_of(const struct sockaddr *address)
{
	return address->sa_family == AF_INET ? ((const struct sockaddr_in *)address)->sin_port
	                                     : ((const struct sockaddr_in6 *)address)->sin6_port;
}

static bool is_end(const struct sockaddr *wanted, union sctp_sockstore *end)
{
	return end->sa.sa_family == wanted->sa_family &&
	       sctp_cmpaddr(&end->sa, (struct sockaddr *)(uintptr_t)wanted) != 0 &&
	       (port_of(wanted) == 0 || port_of(wanted) == port_of(&end->sa));
}

/* With a local end a path is its four-tuple, without one the address that upstream knows it by. */
static bool is_path(const struct cmt_asoc *ca, const struct cmt_path *path,
                    const struct cmt_sockopt_ends *ends)
{
	struct cmt_ends have;

	if (ends->local == NULL)
		return path->net->ro._l_addr.sa.sa_family == ends->remote->sa_family &&
		       sctp_cmpaddr(&path->net->ro._l_addr.sa, (struct sockaddr *)(uintptr_t)ends->remote) !=
		           0;
	have = cmt_source_ends(ca, path);
	return is_end(ends->remote, &have.remote) && is_end(ends->local, &have.local);
}

struct use_of_path {
	const struct cmt_sockopt_ends *ends;
	const struct cmt_sockopt_use *set; /* NULL: get */
	struct cmt_sockopt_use got;
};

static int use_path(struct cmt_asoc *ca, void *arg)
{
	struct use_of_path *u = arg;

	cmt_asoc_sync_paths(ca);
	for (unsigned i = 0; i < ca->n_slots; i++) {
		struct cmt_path *path = &ca->paths[i];

		if (path->net == NULL || !is_path(ca, path, u->ends))
			continue;
		if (u->set != NULL) {
			path->net->cmt_use = (struct cmt_use){.backup = u->set->backup,
			                                      .weight_pct = u->set->weight_pct,
			                                      .cost = u->set->cost,
			                                      .cap_bps = u->set->cap_bps};
			cmt_path_heed_use(path);
			ca->replan = true;
		}
		u->got = (struct cmt_sockopt_use){.backup = path->net->cmt_use.backup,
		                                  .weight_pct = path->pace.weight_pct,
		                                  .cost = path->net->cmt_use.cost,
		                                  .cap_bps = path->pace.cap_bps};
		return 0;
	}
	return ENOENT;
}

int cmt_sockopt_set_use(struct socket *so, uint32_t assoc_id, const struct cmt_sockopt_ends *ends,
                        const struct cmt_sockopt_use *use)
{
	struct sctp_inpcb *inp = (struct sctp_inpcb *)so->so_pcb;
	struct use_of_path u = {.ends = ends, .set = use};

	return inp == NULL ? EINVAL : cmt_with_assoc(inp, assoc_id, use_path, &u);
}

int cmt_sockopt_get_use(struct socket *so, uint32_t assoc_id, const struct cmt_sockopt_ends *ends,
                        struct cmt_sockopt_use *use)
{
	struct sctp_inpcb *inp = (struct sctp_inpcb *)so->so_pcb;
	struct use_of_path u = {.ends = ends};
	int error = inp == NULL ? EINVAL : cmt_with_assoc(inp, assoc_id, use_path, &u);

	*use = u.got;
	return error;
}

static int copy_paths(struct cmt_asoc *ca, void *arg)
{
	struct cmt_sockopt_paths *out = arg;
	struct cmt_path_view views[CMT_SCHED_MAX_PATHS];
	struct cmt_view view;
	uint64_t total = 0;

	cmt_asoc_sync_paths(ca);
	cmt_view_fill(ca, &view, views);
	out->n = view.n_paths;
	for (unsigned i = 0; i < view.n_paths; i++) {
		describe_path(ca, &ca->paths[views[i].id], &views[i], &out->paths[i]);
		total += out->paths[i].sent_bytes;
	}
	for (unsigned i = 0; i < out->n && total > 0; i++)
		out->paths[i].share_ppm = (uint32_t)(out->paths[i].sent_bytes * 1000000u / total);
	return 0;
}

int cmt_sockopt_get_paths(struct socket *so, uint32_t assoc_id, struct cmt_sockopt_paths *out)
{
	struct sctp_inpcb *inp = (struct sctp_inpcb *)so->so_pcb;

	return inp == NULL ? EINVAL : cmt_with_assoc(inp, assoc_id, copy_paths, out);
}

/* By what waits, not by what is out: applications that ask often keep that short. */
static uint64_t unsent_bytes(const struct sctp_association *asoc)
{
	const struct sctp_tmit_chunk *chk;
	const struct sctp_stream_queue_pending *sp;
	uint64_t bytes = 0;

	TAILQ_FOREACH(chk, &asoc->send_queue, sctp_next)
	{
		bytes += chk->book_size;
	}
	for (unsigned i = 0; i < asoc->streamoutcnt; i++) {
		TAILQ_FOREACH(sp, &asoc->strmout[i].outqueue, next)
		{
			bytes += sp->length;
		}
	}
	return bytes;
}

static int copy_stats(struct cmt_asoc *ca, void *arg)
{
	struct cmt_sockopt_stats *out = arg;
	struct cmt_sched_report report = {.periods = 0};
	const struct sctp_nets *net;

	cmt_asoc_sync_paths(ca);
	if (ca->sched != NULL && ca->sched->report != NULL)
		ca->sched->report(ca->sched_state, &report);
	*out = (struct cmt_sockopt_stats){
	    .extension = cmt_asoc_negotiated(ca),
	    .decisions = ca->counts.decisions,
	    .waits = ca->counts.waits,
	    .illegal_decisions = ca->counts.illegal_decisions,
	    .sent_ahead_units = ca->counts.sent_ahead_units,
	    .malformed_chunks = ca->counts.malformed_chunks,
	    .samples_of_no_path = ca->counts.samples_of_no_path,
	    .send_queue_bytes = ca->stcb->asoc.total_output_queue_size,
	    .unsent_bytes = unsent_bytes(&ca->stcb->asoc),
	    .copies = ca->counts.copies,
	    .planned_copies = ca->counts.planned_copies,
	    .receive_queue_bytes = ca->stcb->asoc.sb_cc,
	    .held_bytes = (uint64_t)ca->stcb->asoc.size_on_reasm_queue + ca->stcb->asoc.size_on_all_streams,
	    .sched_periods = report.periods,
	    .sched_prefetch_bytes = report.prefetch_bytes,
	    .sched_timeout_ppm = report.timeout_ppm,
	    .scheduler = ca->config.sched != NULL ? ca->config.sched->name : "stock",
	    .cc = ca->cc.ops != NULL && ca->sched != NULL ? ca->cc.ops->name : "stock",
	    .recovery = ca->config.recovery->name,
	};
	TAILQ_FOREACH(net, &ca->stcb->asoc.nets, sctp_next)
	{
		if (net->cmt_slot != 0)
			out->paths++;
		else
			out->paths_ignored++;
	}
	return 0;
}

int cmt_sockopt_get_stats(struct socket *so, uint32_t assoc_id, struct cmt_sockopt_stats *out)
{
	struct sctp_inpcb *inp = (struct sctp_inpcb *)so->so_pcb;

	return inp == NULL ? EINVAL : cmt_with_assoc(inp, assoc_id, copy_stats, out);
}

struct needed {
	uint64_t rate_bps;
	uint32_t in_us;
};

static int apply_needed(struct cmt_asoc *ca, void *arg)
{
	const struct needed *needed = arg;

	cmt_needed_set(ca, needed->rate_bps, needed->in_us);
	return 0;
}

int cmt_sockopt_set_needed(struct socket *so, uint32_t assoc_id, uint64_t rate_bps, uint32_t in_us)
{
	struct sctp_inpcb *inp = (struct sctp_inpcb *)so->so_pcb;
	struct needed needed = {.rate_bps = rate_bps, .in_us = in_us};

	return inp == NULL ? EINVAL : cmt_with_assoc(inp, assoc_id, apply_needed, &needed);
}

struct capacity_within {
	uint64_t budget_us;
	struct cmt_capacity_hint *out;
};

static int copy_capacity(struct cmt_asoc *ca, void *arg)
{
	const struct capacity_within *within = arg;

	cmt_hint_get(ca, within->budget_us, within->out);
	return 0;
}

int cmt_sockopt_get_capacity(struct socket *so, uint32_t assoc_id, uint64_t budget_us,
                             struct cmt_capacity_hint *out)
{
	struct sctp_inpcb *inp = (struct sctp_inpcb *)so->so_pcb;
	struct capacity_within within = {.budget_us = budget_us, .out = out};

	return inp == NULL ? EINVAL : cmt_with_assoc(inp, assoc_id, copy_capacity, &within);
}
