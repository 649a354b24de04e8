/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A sender chooses among all paths for SACKs in general, and keeps to the own path of a packet where that is
 * no worse for it. A receiver does what it is asked for while that address is fit. */
#include "sacks/cmt_sack_path.h"
#include "association/cmt_asoc.h"
#include "cmt_sched.h"
#include "delay/cmt_heard.h"
#include "delay/cmt_path_est.h"
#include "delay/cmt_return_delay.h"
#include "delay/cmt_return_path.h"
#include "losses/cmt_recovery.h"
#include "paths/cmt_failover.h"
#include "paths/cmt_paths.h"
#include "seams/cmt_seams.h"
#include "util/cmt_time.h"
#include "util/cmt_winfilter.h"

static struct cmt_path *wanted_return_path(struct cmt_asoc *ca)
{
	return cmt_asoc_path_by_wire_id(ca, ca->own_sack.wanted_path);
}

/* Our clock minus the peer's; CMT_UNKNOWN_US. */
static int64_t return_delay_us(const struct cmt_path *back)
{
	return back != NULL ? cmt_return_delay_expected_us(&back->back, cmt_seam_now_us()) : CMT_UNKNOWN_US;
}

static struct cmt_return_path return_path(struct cmt_asoc *ca, struct cmt_path *path)
{
	return (struct cmt_return_path){.id = path->wire_id,
	                                .usable = cmt_path_usable(ca, path->net),
	                                .starting = !path->est.startup.over,
	                                .rate_bps = cmt_path_est_rate_bps(&path->est),
	                                .min_rtt_us = cmt_winfilter_min(&path->min_rtt),
	                                .srtt_us = cmt_srtt_us(path->net),
	                                .delay = &path->back,
	                                .bar = &path->back_bar};
}

static unsigned return_paths(struct cmt_asoc *ca, struct cmt_return_path *out)
{
	unsigned n = 0;

	for (unsigned i = 0; i < ca->n_slots; i++) {
		if (ca->paths[i].net != NULL)
			out[n++] = return_path(ca, &ca->paths[i]);
	}
	return n;
}

static uint64_t newest_sack_us(const struct cmt_asoc *ca)
{
	uint64_t newest_us = 0;

	for (unsigned i = 0; i < ca->n_slots; i++) {
		if (ca->paths[i].net != NULL && ca->paths[i].back.at_us > newest_us)
			newest_us = ca->paths[i].back.at_us;
	}
	return newest_us;
}

/* No SACK at all comes though they are due: the path that was asked for them is silent. */
static void watch_silence(struct cmt_asoc *ca, uint64_t now_us)
{
	struct cmt_path *const back = wanted_return_path(ca);
	const uint64_t newest_us = newest_sack_us(ca);
	uint64_t since_us = now_us;

	for (unsigned i = 0; i < ca->n_slots && back != NULL; i++) {
		const struct cmt_path *path = &ca->paths[i];
		const uint64_t due_us =
		    path->net != NULL ? cmt_path_est_any_ack_due_us(&path->est, ca->own_sack.wanted_since_us,
		                                                    cmt_winfilter_min(&path->min_rtt))
		                      : 0;

		if (due_us != 0)
			since_us = min(since_us, max(due_us, newest_us));
	}
	if (since_us < now_us)
		cmt_return_delay_be_silent(&back->back, since_us);
}

static void choose_return_path(struct cmt_asoc *ca, uint64_t now_us)
{
	struct cmt_return_path paths[CMT_SCHED_MAX_PATHS];
	const uint16_t before = ca->own_sack.wanted_path;
	const int64_t before_us = return_delay_us(wanted_return_path(ca));
	const unsigned n = return_paths(ca, paths);

	ca->own_sack.wanted_path = cmt_return_path_choose(paths, n, before, now_us);
	if (ca->own_sack.wanted_path == before)
		return;
	ca->own_sack.wanted_since_us = now_us;
	if (before_us != CMT_UNKNOWN_US && return_delay_us(wanted_return_path(ca)) > before_us)
		cmt_recovery_on_longer_return(ca);
}

uint16_t cmt_sack_path_soonest(struct cmt_asoc *ca)
{
	struct cmt_return_path paths[CMT_SCHED_MAX_PATHS];

	choose_return_path(ca, cmt_seam_now_us());
	return cmt_return_path_soonest(paths, return_paths(ca, paths), ca->own_sack.wanted_path);
}

static uint16_t path_for(struct cmt_asoc *ca, struct cmt_path *path, uint64_t now_us)
{
	struct cmt_return_path own, asked;
	struct cmt_path *back;

	choose_return_path(ca, now_us);
	back = wanted_return_path(ca);
	if (back == NULL || back == path)
		return ca->own_sack.wanted_path;
	own = return_path(ca, path);
	asked = return_path(ca, back);
	return cmt_return_path_for_packet(&own, &asked, now_us);
}

/* What is out is acknowledged when SACKs come on another path than the silent one. */
uint16_t cmt_sack_path_for(struct cmt_asoc *ca, struct cmt_path *path)
{
	const uint64_t now_us = cmt_seam_now_us();
	const struct cmt_path *back;
	uint64_t silent_us;
	uint16_t id;

	watch_silence(ca, now_us);
	back = wanted_return_path(ca);
	silent_us = back != NULL ? back->back.silent_us : 0;
	id = path_for(ca, path, now_us);
	if (silent_us != 0 && id != back->wire_id && ca->own_sack.excused_us != silent_us) {
		const struct cmt_path *other = cmt_asoc_path_by_wire_id(ca, id);

		ca->own_sack.excused_us = silent_us;
		if (other != NULL)
			cmt_recovery_on_silent_return(
			    ca, (cmt_srtt_us(path->net) + cmt_srtt_us(other->net)) / 1000 + 1);
	}
	return id;
}

int64_t cmt_sack_path_rtt_us(struct cmt_asoc *ca, const struct cmt_path *path)
{
	const struct cmt_path *back = wanted_return_path(ca);
	int64_t forth_us = cmt_path_est_base_us(&path->est), back_us = return_delay_us(back);

	if (forth_us == CMT_UNKNOWN_US || back_us == CMT_UNKNOWN_US)
		return CMT_UNKNOWN_US;
	/* The peer's clock says both; round trips, which ours measured, bound them. */
	return cmt_min_us(forth_us + back_us, (int64_t)cmt_srtt_us(path->net) + cmt_srtt_us(back->net));
}

int64_t cmt_sack_path_detour_us(struct cmt_asoc *ca, const struct cmt_path *path)
{
	const int64_t own_us = return_delay_us(path), asked_us = return_delay_us(wanted_return_path(ca));

	return own_us == CMT_UNKNOWN_US || asked_us == CMT_UNKNOWN_US ? 0 : cmt_max_us(0, own_us - asked_us);
}

/* The address that the peer wants SACKs on, if it is fit; else the one that upstream chose. */
void cmt_sack_path_follow(struct cmt_asoc *ca, struct sctp_tmit_chunk *sack, uint64_t now_us)
{
	const struct cmt_path *path = cmt_asoc_path_of_slot(ca, cmt_heard_return_slot(&ca->heard, now_us));

	if (ca->own_sack.on != NULL) {
		cmt_refer(&sack->whoTo, ca->own_sack.on);
		return;
	}
	if (path != NULL && cmt_path_usable(ca, path->net) &&
	    sack->send_size + SCTP_MIN_OVERHEAD <= path->net->mtu)
		cmt_refer(&sack->whoTo, path->net);
}
