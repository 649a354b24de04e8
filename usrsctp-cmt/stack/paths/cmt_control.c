/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Congestion control of scheduled associations: our controls (core/cc) hang in the association's own copy of
 * upstream's function table. Upstream's window of a path stays the one that counts; it is read before each
 * event and written after it. Where the application chose another of upstream's modules or its coupled modes,
 * those decide about windows, and our loss detection tells them. */
#include "paths/cmt_control.h"
#include "association/cmt_asoc.h"
#include "cc/cmt_cc.h"
#include "cmt_sched.h"
#include "delay/cmt_bottlenecks.h"
#include "delay/cmt_path_est.h"
#include "delay/cmt_rate.h"
#include "losses/cmt_recovery.h"
#include "paths/cmt_paths.h"
#include "sacks/cmt_sack_path.h"
#include "seams/cmt_seams.h"
#include "util/cmt_time.h"
#include "util/cmt_winfilter.h"

#include <errno.h>
#include <stdlib.h>

extern const struct sctp_cc_functions sctp_cc_functions[];

static const struct sctp_cc_functions *upstreams(const struct cmt_asoc *ca)
{
	return &sctp_cc_functions[ca->stcb->asoc.congestion_control_module];
}

static bool ours(const struct cmt_asoc *ca)
{
	return ca->cc.ops != NULL && ca->stcb->asoc.congestion_control_module == SCTP_CC_RFC2581 &&
	       ca->stcb->asoc.sctp_cmt_on_off == SCTP_CMT_BASE;
}

/* `least_us` may be of SACKs that took a shorter return path than they do now. */
static uint32_t quiet_us(struct cmt_asoc *ca, const struct cmt_path *path, int64_t least_us)
{
	int64_t rtt_us = cmt_max_us(least_us, cmt_sack_path_rtt_us(ca, path));

	return rtt_us == CMT_UNKNOWN_US ? 0 : (uint32_t)(rtt_us + cmt_path_est_jitter_floor_us(&path->est));
}

static uint32_t mss_bytes(struct sctp_tcb *stcb, const struct sctp_nets *net)
{
	const uint32_t overhead = cmt_header_bytes(net) + (uint32_t)cmt_data_packet_overhead(stcb);

	return net->mtu > overhead ? net->mtu - overhead : 1;
}

/* A bit for the slot of each. */
static uint8_t shared_with(const struct cmt_asoc *ca, const struct cmt_path *path)
{
	return ca->bottlenecks != NULL ? ca->bottlenecks->paths[cmt_path_id(ca, path)].shared_with : 0;
}

static void read_path(struct cmt_asoc *ca, const struct cmt_path *path)
{
	const struct sctp_nets *net = path->net;
	struct cmt_cc_path *p = &ca->cc.paths[cmt_path_id(ca, path)];
	int64_t rtt_us = cmt_winfilter_min(&path->min_rtt);

	p->mss_bytes = mss_bytes(ca->stcb, net);
	p->srtt_us = cmt_srtt_us(net);
	p->min_rtt_us = rtt_us == CMT_UNKNOWN_US ? 0 : (uint32_t)rtt_us;
	p->quiet_us = quiet_us(ca, path, rtt_us);
	p->rate_bps = cmt_rate_bps(&path->est.rate);
	p->full = path->est.startup.over;
	p->growing = cmt_path_est_is_growing(&path->est);
	p->queue_us = cmt_path_est_standing_queue_us(&path->est);
	p->cwnd_bytes = net->cwnd;
	p->shared_with = shared_with(ca, path);
	cmt_cc_see_others(p, cmt_path_est_others_us(&path->est, cmt_seam_now_us()));
}

static void write_path(const struct cmt_asoc *ca, struct cmt_path *path)
{
	const struct cmt_cc_path *p = &ca->cc.paths[cmt_path_id(ca, path)];

	path->net->cwnd = p->cwnd_bytes;
	path->net->ssthresh = p->ssthresh_bytes;
	path->control.initial_window = false;
}

static void on_acked_bytes(struct cmt_asoc *ca, struct cmt_path *path, uint32_t bytes)
{
	unsigned i = cmt_path_id(ca, path);
	bool news = path->est.samples != path->control.samples;
	uint32_t cwnd = path->net->cwnd;

	path->control.samples = path->est.samples;
	cmt_cc_on_ack(&ca->cc, i,
	              &(struct cmt_cc_ack){.now_us = cmt_seam_now_us(),
	                                   .bytes = bytes,
	                                   .number = path->recovery.rack.now.number,
	                                   .next_number = path->est.log.next,
	                                   .delay_us = news ? path->est.newest_sample_us : CMT_UNKNOWN_US,
	                                   .cwnd_limited = cmt_cc_was_limited(&ca->cc.paths[i],
	                                                                      path->control.peak_flight_bytes,
	                                                                      path->control.paced)});
	write_path(ca, path);
	if (path->net->cwnd == cwnd)
		return;
	path->control.peak_flight_bytes = cmt_flight_bytes(path);
	path->control.paced = false;
}

/* A lone path, as most associations have it, needs no memory for that. */
static struct cmt_bottlenecks *bottlenecks(struct cmt_asoc *ca)
{
	if (ca->bottlenecks == NULL && ca->n_slots > 1)
		ca->bottlenecks = calloc(1, sizeof(*ca->bottlenecks));
	return ca->bottlenecks;
}

void cmt_control_forget_path(struct cmt_asoc *ca, const struct cmt_path *path)
{
	if (ca->bottlenecks != NULL)
		cmt_bottlenecks_forget(ca->bottlenecks, cmt_path_id(ca, path));
}

uint16_t cmt_control_bottleneck(const struct cmt_asoc *ca, const struct cmt_path *path)
{
	const uint8_t others = shared_with(ca, path);
	uint16_t least = path->wire_id;

	for (unsigned i = 0; i < ca->n_slots; i++) {
		if ((others >> i & 1) != 0 && ca->paths[i].wire_id < least)
			least = ca->paths[i].wire_id;
	}
	return least;
}

void cmt_control_on_echo(struct cmt_asoc *ca, const struct cmt_path *path, uint64_t sent_us, bool behind_loss,
                         uint64_t now_us)
{
	struct cmt_bottlenecks *const b = bottlenecks(ca);

	if (b != NULL)
		cmt_bottlenecks_on_echo(b, cmt_path_id(ca, path), sent_us, path->est.newest_sample_us);
	cmt_cc_on_delay(&ca->cc, cmt_path_id(ca, path),
	                &(struct cmt_cc_delay){.now_us = now_us,
	                                       .delay_us = path->est.newest_sample_us,
	                                       .behind_loss = behind_loss});
}

/* A base that varies has a queue of others in it: nothing is to be filled. */
void cmt_control_on_longer_route(struct cmt_asoc *ca, struct cmt_path *path, int64_t rtt_us)
{
	if (!ours(ca) || path->est.route.varies)
		return;
	read_path(ca, path);
	cmt_cc_on_longer_route(&ca->cc, cmt_path_id(ca, path), cmt_path_est_held_bytes(&path->est, rtt_us),
	                       path->est.log.next);
	write_path(ca, path);
}

static void read_paths(struct cmt_asoc *ca)
{
	for (unsigned i = 0; i < ca->n_slots; i++) {
		if (ca->paths[i].net != NULL)
			read_path(ca, &ca->paths[i]);
	}
}

void cmt_cc_copies_acked(struct cmt_asoc *ca, struct cmt_path *path)
{
	if (!ours(ca))
		return;
	read_paths(ca);
	on_acked_bytes(ca, path, path->copy.acked_bytes);
	path->copy.acked_bytes = 0;
}

/* Upstream's modules hear of copies with the next SACK. */
static void add_copies(struct cmt_asoc *ca)
{
	for (unsigned i = 0; i < ca->n_slots; i++) {
		if (ca->paths[i].net != NULL)
			ca->paths[i].net->net_ack += ca->paths[i].copy.acked_bytes;
		ca->paths[i].copy.acked_bytes = 0;
	}
}

static void after_sack(struct sctp_tcb *stcb, struct sctp_association *asoc, int accum_moved, int reneged_all,
                       int will_exit)
{
	struct cmt_asoc *ca = stcb->asoc.cmt;

	if (ours(ca)) {
		read_paths(ca);
		for (unsigned i = 0; i < ca->n_slots; i++) {
			if (ca->paths[i].net != NULL && ca->paths[i].net->net_ack > 0)
				on_acked_bytes(ca, &ca->paths[i], ca->paths[i].net->net_ack);
		}
	} else {
		add_copies(ca);
		upstreams(ca)->sctp_cwnd_update_after_sack(stcb, asoc, accum_moved, reneged_all, will_exit);
	}
	cmt_recovery_on_sack_end(ca);
}

/* Where a SACK acknowledges nothing new after_sack() is left out. */
static void after_fast_retransmit(struct sctp_tcb *stcb, struct sctp_association *asoc)
{
	(void)asoc;
	cmt_recovery_on_sack_end(stcb->asoc.cmt);
}

/* Upstream's modules look for a mark in net_ack, which holds the acknowledged bytes until then. */
static void tell_upstreams(struct cmt_asoc *ca, const struct cmt_path *path)
{
	uint32_t acked[CMT_SCHED_MAX_PATHS] = {0};

	for (unsigned i = 0; i < ca->n_slots; i++) {
		struct sctp_nets *net = ca->paths[i].net;

		if (net == NULL)
			continue;
		acked[i] = net->net_ack;
		net->net_ack = net == path->net ? 1 : 0;
	}
	upstreams(ca)->sctp_cwnd_update_after_fr(ca->stcb, &ca->stcb->asoc);
	for (unsigned i = 0; i < ca->n_slots; i++) {
		if (ca->paths[i].net != NULL)
			ca->paths[i].net->net_ack = acked[i];
	}
}

bool cmt_control_reduce(struct cmt_asoc *ca, struct cmt_path *path, const struct cmt_cc_loss *loss)
{
	uint32_t cwnd = path->net->cwnd;
	bool reduced;

	if (!ours(ca)) {
		tell_upstreams(ca, path);
		return path->net->cwnd < cwnd;
	}
	read_path(ca, path);
	reduced = cmt_cc_on_loss(&ca->cc, cmt_path_id(ca, path), loss);
	write_path(ca, path);
	return reduced;
}

void cmt_cc_timed_out(struct cmt_asoc *ca, struct cmt_path *path, const struct cmt_cc_loss *loss)
{
	if (!ours(ca)) {
		upstreams(ca)->sctp_cwnd_update_after_timeout(ca->stcb, path->net);
		return;
	}
	read_path(ca, path);
	cmt_cc_on_timeout(&ca->cc, cmt_path_id(ca, path), loss);
	write_path(ca, path);
}

void cmt_cc_undone(struct cmt_asoc *ca, struct cmt_path *path)
{
	if (!ours(ca))
		return;
	read_path(ca, path);
	cmt_cc_undo(&ca->cc, cmt_path_id(ca, path), cmt_flight_bytes(path));
	write_path(ca, path);
}

static void after_timeout(struct sctp_tcb *stcb, struct sctp_nets *net)
{
	struct cmt_asoc *ca = stcb->asoc.cmt;
	struct cmt_path *path;

	cmt_asoc_sync_paths(ca);
	path = cmt_asoc_path(ca, net);
	if (path != NULL)
		cmt_recovery_on_timeout(ca, path);
	else
		upstreams(ca)->sctp_cwnd_update_after_timeout(stcb, net);
}

/* The window of a path that failed is one packet since its timeout. */
static void exit_potentially_failed(struct sctp_tcb *stcb, struct sctp_nets *net)
{
	(void)stcb;
	(void)net;
}

/* Until something is acknowledged or lost there; packet sizes change meanwhile (RFC 9002, section 7.2). */
static void give_initial_windows(const struct cmt_asoc *ca)
{
	for (unsigned i = 0; i < ca->n_slots; i++) {
		const struct cmt_path *path = &ca->paths[i];

		if (path->net != NULL && path->control.initial_window)
			path->net->cwnd =
			    cmt_cc_initial_window_bytes(&ca->cc, mss_bytes(ca->stcb, path->net));
	}
}

void cmt_control_begin(struct cmt_asoc *ca)
{
	const struct sctp_association *asoc = &ca->stcb->asoc;

	ca->acked_before = asoc->last_acked_seq + 1 != asoc->init_seq_number;
	for (unsigned i = 0; i < ca->n_slots; i++)
		ca->paths[i].control.initial_window = !ca->acked_before;
	cmt_cc_attach(ca);
}

void cmt_cc_attach(struct cmt_asoc *ca)
{
	struct sctp_cc_functions *functions = &ca->stcb->asoc.cc_functions;

	functions->sctp_cwnd_update_tsn_acknowledged = cmt_recovery_on_acked;
	functions->sctp_cwnd_update_after_sack = after_sack;
	functions->sctp_cwnd_update_after_fr = after_fast_retransmit;
	functions->sctp_cwnd_update_after_timeout = after_timeout;
	functions->sctp_cwnd_update_exit_pf =
	    ours(ca) ? exit_potentially_failed : upstreams(ca)->sctp_cwnd_update_exit_pf;
	if (ours(ca))
		give_initial_windows(ca);
}

void cmt_cc_detach(struct cmt_asoc *ca)
{
	ca->stcb->asoc.cc_functions = *upstreams(ca);
}

int cmt_asoc_set_cc(struct cmt_asoc *ca, const char *name, const char *options)
{
	const struct cmt_cc_ops *ops = cmt_cc_find(name);

	if (strcmp(name, "stock") == 0 && options[0] == '\0') {
		ca->cc.ops = NULL;
	} else if (ops == NULL || cmt_cc_set(&ca->cc, ops, options) != 0) {
		return EINVAL;
	}
	ca->config.cc = ca->cc.ops;
	snprintf(ca->config.cc_options, sizeof(ca->config.cc_options), "%s", options);
	if (ca->sched != NULL)
		cmt_cc_attach(ca);
	return 0;
}
