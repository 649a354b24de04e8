/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Our socket options: usrsctp_setsockopt() and usrsctp_getsockopt() take them and pass everything else on to
 * upstream's functions, which the build renames. usrsctp.h and upstream's internals cannot be included
 * together, so the public types come through cmt_sockopt_api.c: this file works on sockets and associations,
 * that one on what the application hands over. */
#include "cmt_sockopt.h"

#include "cmt_asoc.h"
#include "cmt_hooks.h"
#include "cmt_registry.h"

typedef int asoc_fn(struct cmt_asoc *ca, void *arg);

/* Calls `fn` for one association, locked. 0 or an errno; ENOENT when there is none. */
static int with_assoc(struct sctp_inpcb *inp, uint32_t assoc_id, asoc_fn *fn, void *arg)
{
	struct sctp_tcb *stcb;
	struct cmt_asoc *ca;
	int error;

	if ((inp->sctp_flags & (SCTP_PCB_FLAGS_TCPTYPE | SCTP_PCB_FLAGS_IN_TCPPOOL)) != 0) {
		SCTP_INP_RLOCK(inp);
		stcb = LIST_FIRST(&inp->sctp_asoc_list);
		if (stcb != NULL)
			SCTP_TCB_LOCK(stcb);
		SCTP_INP_RUNLOCK(inp);
	} else if (assoc_id > SCTP_ALL_ASSOC) {
		stcb = sctp_findassociation_ep_asocid(inp, assoc_id, 1);
	} else {
		stcb = NULL;
	}
	if (stcb == NULL)
		return ENOENT;
	ca = cmt_asoc_get(stcb);
	error = ca != NULL ? fn(ca, arg) : ENOMEM;
	SCTP_TCB_UNLOCK(stcb);
	return error;
}

static int with_all_assocs(struct sctp_inpcb *inp, asoc_fn *fn, void *arg)
{
	struct sctp_tcb *stcb;
	int error = 0;

	SCTP_INP_RLOCK(inp);
	LIST_FOREACH(stcb, &inp->sctp_asoc_list, sctp_tcblist)
	{
		struct cmt_asoc *ca;

		SCTP_TCB_LOCK(stcb);
		ca = cmt_asoc_get(stcb);
		error = ca != NULL ? fn(ca, arg) : ENOMEM;
		SCTP_TCB_UNLOCK(stcb);
		if (error != 0)
			break;
	}
	SCTP_INP_RUNLOCK(inp);
	return error;
}

struct policy {
	const struct cmt_sched_ops *sched;
	const char *options;
};

static int apply_policy(struct cmt_asoc *ca, void *arg)
{
	const struct policy *p = arg;
	int error = cmt_asoc_set_sched(ca, p->sched, p->options);

	if (error == 0 && p->sched != NULL && ca->stcb->asoc.sctp_cmt_on_off == SCTP_CMT_OFF)
		ca->stcb->asoc.sctp_cmt_on_off = SCTP_CMT_BASE;
	return error;
}

static void set_default(struct sctp_inpcb *inp, const struct policy *p)
{
	SCTP_INP_WLOCK(inp);
	inp->cmt.sched = p->sched;
	snprintf(inp->cmt.options, sizeof(inp->cmt.options), "%s", p->options);
	if (p->sched != NULL && inp->sctp_cmt_on_off == SCTP_CMT_OFF)
		inp->sctp_cmt_on_off = SCTP_CMT_BASE;
	SCTP_INP_WUNLOCK(inp);
}

/* Tries the options on memory of their own, so that nothing changes when they are bad. */
static int check_policy(const struct policy *p)
{
	uint64_t state[CMT_SCHED_STATE_MAX / sizeof(uint64_t)];

	if (p->sched == NULL || p->sched->init == NULL)
		return p->options[0] == '\0' ? 0 : EINVAL;
	memset(state, 0, sizeof(state));
	return p->sched->init(state, p->options) == 0 ? 0 : EINVAL;
}

int cmt_sockopt_set_scheduler(struct socket *so, uint32_t assoc_id, const char *name, const char *options)
{
	struct sctp_inpcb *inp = (struct sctp_inpcb *)so->so_pcb;
	struct policy p = {.options = options};
	bool one_to_one;
	int error;

	if (inp == NULL)
		return EINVAL;
	if (strcmp(name, "stock") != 0) {
		p.sched = cmt_registry_find(name);
		if (p.sched == NULL)
			return EINVAL;
	}
	error = check_policy(&p);
	if (error != 0)
		return error;
	one_to_one = (inp->sctp_flags & (SCTP_PCB_FLAGS_TCPTYPE | SCTP_PCB_FLAGS_IN_TCPPOOL)) != 0;
	if (one_to_one) {
		error = with_assoc(inp, assoc_id, apply_policy, &p);
		if (error == 0 || error == ENOENT)
			set_default(inp, &p);
		return error == ENOENT ? 0 : error;
	}
	if (assoc_id > SCTP_ALL_ASSOC)
		return with_assoc(inp, assoc_id, apply_policy, &p);
	if (assoc_id == SCTP_CURRENT_ASSOC || assoc_id == SCTP_ALL_ASSOC)
		error = with_all_assocs(inp, apply_policy, &p);
	if (error == 0 && (assoc_id == SCTP_FUTURE_ASSOC || assoc_id == SCTP_ALL_ASSOC))
		set_default(inp, &p);
	return error;
}

static int copy_policy(struct cmt_asoc *ca, void *arg)
{
	struct cmt_sockopt_policy *out = arg;

	snprintf(out->name, sizeof(out->name), "%s", ca->sched != NULL ? ca->sched->name : "stock");
	snprintf(out->options, sizeof(out->options), "%s", ca->sched_options);
	return 0;
}

int cmt_sockopt_get_scheduler(struct socket *so, uint32_t assoc_id, struct cmt_sockopt_policy *out)
{
	struct sctp_inpcb *inp = (struct sctp_inpcb *)so->so_pcb;
	int error;

	if (inp == NULL)
		return EINVAL;
	error = with_assoc(inp, assoc_id, copy_policy, out);
	if (error != ENOENT)
		return error;
	SCTP_INP_RLOCK(inp);
	snprintf(out->name, sizeof(out->name), "%s", inp->cmt.sched != NULL ? inp->cmt.sched->name : "stock");
	snprintf(out->options, sizeof(out->options), "%s", inp->cmt.options);
	SCTP_INP_RUNLOCK(inp);
	return 0;
}

static int apply_delay_error(struct cmt_asoc *ca, void *arg)
{
	ca->delay_error_pct = *(const int32_t *)arg;
	return 0;
}

int cmt_sockopt_set_delay_error(struct socket *so, uint32_t assoc_id, int32_t percent)
{
	struct sctp_inpcb *inp = (struct sctp_inpcb *)so->so_pcb;

	if (inp == NULL || percent < -100 || percent > 1000)
		return EINVAL;
	return with_assoc(inp, assoc_id, apply_delay_error, &percent);
}

int cmt_sockopt_set_extension(struct socket *so, bool on)
{
	struct sctp_inpcb *inp = (struct sctp_inpcb *)so->so_pcb;

	if (inp == NULL)
		return EINVAL;
	SCTP_INP_WLOCK(inp);
	inp->cmt.no_extension = !on;
	SCTP_INP_WUNLOCK(inp);
	return 0;
}

int cmt_sockopt_get_extension(struct socket *so, bool *on)
{
	struct sctp_inpcb *inp = (struct sctp_inpcb *)so->so_pcb;

	if (inp == NULL)
		return EINVAL;
	SCTP_INP_RLOCK(inp);
	*on = !inp->cmt.no_extension;
	SCTP_INP_RUNLOCK(inp);
	return 0;
}

static void copy_address(struct sockaddr_storage *out, const union sctp_sockstore *address)
{
	memset(out, 0, sizeof(*out));
	if (address->sa.sa_family == AF_INET6)
		memcpy(out, &address->sin6, sizeof(address->sin6));
	else if (address->sa.sa_family == AF_INET)
		memcpy(out, &address->sin, sizeof(address->sin));
}

static void describe_state(const struct cmt_asoc *ca, const struct sctp_nets *net,
                           struct cmt_sockopt_path *out)
{
	out->unconfirmed = (net->dest_state & SCTP_ADDR_UNCONFIRMED) != 0;
	out->usable = cmt_path_usable(ca, net);
}

static void describe_path(const struct cmt_asoc *ca, const struct cmt_path *path,
                          const struct cmt_path_view *view, struct cmt_sockopt_path *out)
{
	const struct sctp_nets *net = path->net;
	int64_t uncertainty_us = 0;
	int64_t offset_us = cmt_clock_offset_us(&ca->clock, &uncertainty_us);
	int64_t base_us = cmt_winfilter_min(&path->est.base);

	*out = (struct cmt_sockopt_path){
	    .path_id = path->wire_id,
	    .srtt_us = view->srtt_us,
	    .cwnd_bytes = net->cwnd,
	    .flight_bytes = net->flight_size,
	    .mtu_bytes = net->mtu,
	    .rate_bps = cmt_rate_bps(&path->est.rate),
	    .fwd_delay_us = CMT_UNKNOWN_US,
	    .fwd_delay_base_us = CMT_UNKNOWN_US,
	    .fwd_delay_uncertainty_us = uncertainty_us,
	    .queue_us = view->queue_us,
	    .sent_pkts = path->sent_pkts,
	    .sent_bytes = path->sent_bytes,
	    .acked_bytes = path->acked_bytes,
	    .lost_bytes = path->lost_bytes,
	    .spurious_bytes = path->spurious_bytes,
	    .lost_pkts = path->lost_pkts,
	    .spurious_pkts = path->spurious_pkts,
	    .retransmits = path->retransmits,
	    .samples = path->est.samples,
	    .samples_rejected = path->est.rejected,
	};
	if (offset_us != CMT_UNKNOWN_US && path->est.newest_sample_us != CMT_UNKNOWN_US)
		out->fwd_delay_us = path->est.newest_sample_us - offset_us;
	if (offset_us != CMT_UNKNOWN_US && base_us != CMT_UNKNOWN_US)
		out->fwd_delay_base_us = base_us - offset_us;
	copy_address(&out->remote, &net->ro._l_addr);
	if (net->ro._s_addr != NULL)
		copy_address(&out->local, &net->ro._s_addr->address);
	describe_state(ca, net, out);
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

	return inp == NULL ? EINVAL : with_assoc(inp, assoc_id, copy_paths, out);
}

static int copy_stats(struct cmt_asoc *ca, void *arg)
{
	struct cmt_sockopt_stats *out = arg;
	const struct sctp_nets *net;

	cmt_asoc_sync_paths(ca);
	*out = (struct cmt_sockopt_stats){
	    .extension = cmt_asoc_negotiated(ca),
	    .decisions = ca->decisions,
	    .waits = ca->waits,
	    .illegal_decisions = ca->illegal_decisions,
	    .sent_ahead_units = ca->sent_ahead_units,
	    .malformed_chunks = ca->malformed_chunks,
	    .samples_of_no_path = ca->samples_of_no_path,
	    .send_queue_bytes = ca->stcb->asoc.total_output_queue_size,
	    .receive_queue_bytes = ca->stcb->asoc.sb_cc,
	    .scheduler = ca->sched != NULL ? ca->sched->name : "stock",
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

	return inp == NULL ? EINVAL : with_assoc(inp, assoc_id, copy_stats, out);
}
