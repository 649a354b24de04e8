/* SPDX-License-Identifier: BSD-3-Clause
 *
 * usrsctp_setsockopt() and usrsctp_getsockopt(): our options in the structures of usrsctp_cmt.h; all others
 * are upstream's. */
#include <usrsctp_cmt.h>

#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "api/cmt_dtls_sockopt.h"
#include "api/cmt_policy.h"
#include "api/cmt_sockopt.h"
#include "util/cmt_limits.h"

_Static_assert(sizeof(((struct cmt_sockopt_policy *)0)->name) == SCTP_CMT_POLICY_NAME_MAX &&
                   sizeof(((struct cmt_sockopt_policy *)0)->options) == SCTP_CMT_POLICY_OPTIONS_MAX,
               "get_policy() copies whole fields");

_Static_assert(SCTP_CMT_MAX_PATHS == CMT_MAX_PATHS, "applications have room for as many");

static int fail_unless_zero(int error)
{
	if (error == 0)
		return 0;
	errno = error;
	return -1;
}

static int set_policy(struct socket *so, enum cmt_sockopt_policy_kind kind, const void *value, socklen_t len)
{
	struct sctp_cmt_policy policy;

	if (len < sizeof(policy))
		return EINVAL;
	memcpy(&policy, value, sizeof(policy));
	if (policy.size < sizeof(policy) || memchr(policy.name, 0, sizeof(policy.name)) == NULL ||
	    memchr(policy.options, 0, sizeof(policy.options)) == NULL)
		return EINVAL;
	return cmt_sockopt_set_policy(so, kind, policy.assoc_id, policy.name, policy.options);
}

enum {
	FIRST_PATH_BYTES = offsetof(struct sctp_cmt_path, weight),
	SECOND_PATH_BYTES = offsetof(struct sctp_cmt_path, local),
	CAP_MIN_BPS = 1000
};

/* Takes over what the application's structure has, the rest of `path` stays; false when it is shorter than
 * the first release's. */
static bool read_path(struct sctp_cmt_path *path, const void *value, size_t len)
{
	if (len < FIRST_PATH_BYTES)
		return false;
	memcpy(path, value, FIRST_PATH_BYTES);
	if (path->size < FIRST_PATH_BYTES || path->size > len)
		return false;
	/* In between is the padding of the first release. */
	if (path->size >= sizeof(*path))
		memcpy(path, value, sizeof(*path));
	else if (path->size >= SECOND_PATH_BYTES)
		memcpy(path, value, SECOND_PATH_BYTES);
	return true;
}

static struct cmt_sockopt_ends ends_of(const struct sctp_cmt_path *path)
{
	return (struct cmt_sockopt_ends){
	    .remote = (const struct sockaddr *)&path->address,
	    .local = path->local.ss_family != AF_UNSPEC ? (const struct sockaddr *)&path->local : NULL};
}

static int set_path(struct socket *so, const void *value, socklen_t len)
{
	struct sctp_cmt_path path = {.size = 0};
	struct cmt_sockopt_ends ends;
	struct cmt_sockopt_use use;
	int error;

	if (!read_path(&path, value, len) || path.backup > 1 || path.weight > 100 ||
	    (path.cap_bps != 0 && path.cap_bps < CAP_MIN_BPS))
		return EINVAL;
	ends = ends_of(&path);
	error = cmt_sockopt_get_use(so, path.assoc_id, &ends, &use);
	if (error != 0)
		return error;
	use.backup = path.backup == 1;
	if (path.size >= SECOND_PATH_BYTES) {
		use.weight_pct = path.weight == 0 ? 100 : path.weight;
		use.cost = path.cost;
		use.cap_bps = path.cap_bps;
	}
	return cmt_sockopt_set_use(so, path.assoc_id, &ends, &use);
}

static int get_path(struct socket *so, void *value, socklen_t *len)
{
	struct sctp_cmt_path path = {.size = 0};
	struct cmt_sockopt_ends ends;
	struct cmt_sockopt_use use;
	int error;

	if (!read_path(&path, value, *len))
		return EINVAL;
	ends = ends_of(&path);
	error = cmt_sockopt_get_use(so, path.assoc_id, &ends, &use);
	path.backup = use.backup;
	path.weight = use.weight_pct;
	path.cost = use.cost;
	path.cap_bps = use.cap_bps;
	*len = (socklen_t)(path.size < sizeof(path) ? path.size : sizeof(path));
	memcpy(value, &path, *len);
	return error;
}

enum { NEEDED_IN_MAX_US = 1000000000 };
#define NEEDED_MAX_BPS UINT64_C(1000000000000)

static int set_needed(struct socket *so, const void *value, socklen_t len)
{
	struct sctp_cmt_needed needed;

	if (len < sizeof(needed))
		return EINVAL;
	memcpy(&needed, value, sizeof(needed));
	if (needed.size < sizeof(needed) || needed.rate_bps > NEEDED_MAX_BPS ||
	    needed.in_us > NEEDED_IN_MAX_US)
		return EINVAL;
	return cmt_sockopt_set_needed(so, needed.assoc_id, needed.rate_bps, needed.in_us);
}

static int set_value(struct socket *so, int option, const void *value, socklen_t len)
{
	struct sctp_assoc_value v;

	if (len < sizeof(v))
		return EINVAL;
	memcpy(&v, value, sizeof(v));
	switch (option) {
	case SCTP_CMT_DELAY_ERROR: return cmt_sockopt_set_delay_error(so, v.assoc_id, (int32_t)v.assoc_value);
	case SCTP_CMT_EXTENSION: return cmt_sockopt_set_extension(so, v.assoc_value);
	case SCTP_CMT_INIT_ADDRESSES: return cmt_sockopt_set_init_addresses(so, v.assoc_value);
	/* Upstream knows the delayed acknowledgement algorithm of CMT process-wide only. */
	case SCTP_CMT_USE_DAC: return usrsctp_sysctl_set_sctp_cmt_use_dac(v.assoc_value) == 0 ? 0 : EINVAL;
	default: return ENOPROTOOPT;
	}
}

static int get_value(struct socket *so, int option, void *value, socklen_t *len)
{
	struct sctp_assoc_value v;
	int error = 0;

	if (*len < sizeof(v))
		return EINVAL;
	memcpy(&v, value, sizeof(v));
	if (option == SCTP_CMT_EXTENSION) {
		error = cmt_sockopt_get_extension(so, &v.assoc_value);
	} else if (option == SCTP_CMT_INIT_ADDRESSES) {
		error = cmt_sockopt_get_init_addresses(so, &v.assoc_value);
	} else {
		v.assoc_value = usrsctp_sysctl_get_sctp_cmt_use_dac();
	}
	memcpy(value, &v, sizeof(v));
	*len = sizeof(v);
	return error;
}

int usrsctp_setsockopt(struct socket *so, int level, int option, const void *value, socklen_t len)
{
	int error;

	if (so == NULL || value == NULL || level != IPPROTO_SCTP)
		return cmt_upstream_setsockopt(so, level, option, value, len);
	switch (option) {
	case SCTP_CMT_SCHEDULER: return fail_unless_zero(set_policy(so, CMT_POLICY_SCHEDULER, value, len));
	case SCTP_CMT_CC: return fail_unless_zero(set_policy(so, CMT_POLICY_CC, value, len));
	case SCTP_CMT_RECOVERY: return fail_unless_zero(set_policy(so, CMT_POLICY_RECOVERY, value, len));
	case SCTP_CMT_PATH: return fail_unless_zero(set_path(so, value, len));
	case SCTP_CMT_NEEDED: return fail_unless_zero(set_needed(so, value, len));
	case SCTP_CMT_DELAY_ERROR:
	case SCTP_CMT_EXTENSION:
	case SCTP_CMT_INIT_ADDRESSES:
	case SCTP_CMT_USE_DAC: return fail_unless_zero(set_value(so, option, value, len));
	default:
		return cmt_dtls_setsockopt(so, option, value, len, &error)
		           ? fail_unless_zero(error)
		           : cmt_upstream_setsockopt(so, level, option, value, len);
	}
}

static int get_policy(struct socket *so, enum cmt_sockopt_policy_kind kind, void *value, socklen_t *len)
{
	struct sctp_cmt_policy policy;
	struct cmt_sockopt_policy found;
	int error;

	if (*len < sizeof(policy))
		return EINVAL;
	memcpy(&policy, value, sizeof(policy));
	error = cmt_sockopt_get_policy(so, kind, policy.assoc_id, &found);
	if (error != 0)
		return error;
	memcpy(policy.name, found.name, sizeof(policy.name));
	memcpy(policy.options, found.options, sizeof(policy.options));
	policy.size = sizeof(policy);
	memcpy(value, &policy, sizeof(policy));
	*len = sizeof(policy);
	return 0;
}

static void publish_path(const struct cmt_sockopt_path *p, struct sctp_cmt_path_stats *out)
{
	*out = (struct sctp_cmt_path_stats){
	    .size = sizeof(*out),
	    .path_id = p->path_id,
	    .state = p->unconfirmed ? SCTP_CMT_PATH_UNCONFIRMED
	             : p->failed    ? SCTP_CMT_PATH_FAILED
	             : p->standby   ? SCTP_CMT_PATH_STANDBY
	                            : SCTP_CMT_PATH_ACTIVE,
	    .local = p->local,
	    .remote = p->remote,
	    .srtt_us = p->srtt_us,
	    .cwnd_bytes = p->cwnd_bytes,
	    .flight_bytes = p->flight_bytes,
	    .mtu_bytes = p->mtu_bytes,
	    .rate_bps = p->rate_bps,
	    .fwd_delay_us = p->fwd_delay_us,
	    .fwd_delay_base_us = p->fwd_delay_base_us,
	    .fwd_delay_uncertainty_us = p->fwd_delay_uncertainty_us,
	    .queue_us = p->queue_us,
	    .sent_pkts = p->sent_pkts,
	    .sent_bytes = p->sent_bytes,
	    .acked_bytes = p->acked_bytes,
	    .lost_bytes = p->lost_bytes,
	    .spurious_bytes = p->spurious_bytes,
	    .lost_chunks = p->lost_chunks,
	    .spurious_chunks = p->spurious_chunks,
	    .retransmits = p->retransmits,
	    .share_ppm = p->share_ppm,
	    .samples = p->samples,
	    .samples_rejected = p->samples_rejected,
	    .spurious_dsack = p->spurious_dsack,
	    .spurious_eifel = p->spurious_eifel,
	    .spurious_frto = p->spurious_frto,
	    .undone = p->undone,
	    .probes = p->probes,
	    .timeouts = p->timeouts,
	    .failures = p->failures,
	    .received_bytes = p->received_bytes,
	    .bottleneck = p->bottleneck,
	};
}

/* Sizes of the structures as they were first published: programs built against older headers pass those. */
enum {
	PATH_STATS_BYTES_FIRST = offsetof(struct sctp_cmt_path_stats, spurious_dsack),
	STATS_BYTES_FIRST = offsetof(struct sctp_cmt_stats, send_queue_bytes)
};

static size_t smaller(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* The elements of the caller's array are as long as its header says. */
static int get_paths(struct socket *so, void *value, socklen_t *len)
{
	struct sctp_cmt_path_stats first = {.size = 0};
	struct cmt_sockopt_paths found = {.n = 0};
	size_t filled = 0;
	int error;

	memcpy(&first, value, smaller(*len, sizeof(first)));
	if (first.size < PATH_STATS_BYTES_FIRST || *len < first.size)
		return EINVAL;
	error = cmt_sockopt_get_paths(so, first.assoc_id, &found);
	for (unsigned i = 0; error == 0 && i < found.n && filled + first.size <= *len; i++) {
		struct sctp_cmt_path_stats out;

		publish_path(&found.paths[i], &out);
		out.size = smaller(first.size, sizeof(out));
		memcpy((uint8_t *)value + filled, &out, out.size);
		filled += first.size;
	}
	*len = (socklen_t)filled;
	return error;
}

static void copy_name(char out[SCTP_CMT_POLICY_NAME_MAX], const char *name)
{
	strncpy(out, name, SCTP_CMT_POLICY_NAME_MAX - 1);
	out[SCTP_CMT_POLICY_NAME_MAX - 1] = '\0';
}

static int get_stats(struct socket *so, void *value, socklen_t *len)
{
	struct sctp_cmt_stats out = {.size = 0};
	struct cmt_sockopt_stats found;
	int error;

	memcpy(&out, value, smaller(*len, sizeof(out)));
	if (out.size < STATS_BYTES_FIRST || *len < out.size)
		return EINVAL;
	error = cmt_sockopt_get_stats(so, out.assoc_id, &found);
	if (error != 0)
		return error;
	out.size = smaller(out.size, sizeof(out));
	out.extension = found.extension;
	out.paths = found.paths;
	out.paths_ignored = found.paths_ignored;
	out.decisions = found.decisions;
	out.waits = found.waits;
	out.illegal_decisions = found.illegal_decisions;
	out.sent_ahead_units = found.sent_ahead_units;
	out.malformed_chunks = found.malformed_chunks;
	out.samples_of_no_path = found.samples_of_no_path;
	copy_name(out.scheduler, found.scheduler);
	copy_name(out.cc, found.cc);
	copy_name(out.recovery, found.recovery);
	out.copies = found.copies;
	out.planned_copies = found.planned_copies;
	out.send_queue_bytes = found.send_queue_bytes;
	out.receive_queue_bytes = found.receive_queue_bytes;
	out.held_bytes = found.held_bytes;
	out.sched_periods = found.sched_periods;
	out.sched_prefetch_bytes = found.sched_prefetch_bytes;
	out.sched_timeout_ppm = found.sched_timeout_ppm;
	out.unsent_bytes = found.unsent_bytes;
	memcpy(value, &out, out.size);
	*len = (socklen_t)out.size;
	return 0;
}

enum { CAPACITY_LATENCY_US = 300000 };

_Static_assert((int)SCTP_CMT_CAPACITY_UNKNOWN == (int)CMT_CAPACITY_UNKNOWN &&
                   (int)SCTP_CMT_CAPACITY_PROBING == (int)CMT_CAPACITY_PROBING &&
                   (int)SCTP_CMT_CAPACITY_MEASURED == (int)CMT_CAPACITY_MEASURED,
               "get_capacity() copies the value");

static int get_capacity(struct socket *so, void *value, socklen_t *len)
{
	struct sctp_cmt_capacity out;
	struct cmt_capacity_hint found;
	int error;

	if (*len < sizeof(out))
		return EINVAL;
	memcpy(&out, value, sizeof(out));
	if (out.size < sizeof(out))
		return EINVAL;
	error = cmt_sockopt_get_capacity(so, out.assoc_id,
	                                 out.latency_us != 0 ? out.latency_us : CAPACITY_LATENCY_US, &found);
	if (error != 0)
		return error;
	out.size = sizeof(out);
	out.certainty = (uint16_t)found.certainty;
	out.target_bps = found.bps;
	out.carried_bps = found.carried_bps;
	out.limit_bps = found.limit_bps;
	memcpy(value, &out, sizeof(out));
	*len = sizeof(out);
	return 0;
}

static int get_dtls(struct socket *so, int level, int option, void *value, socklen_t *len)
{
	size_t bytes = *len;
	int error;

	if (!cmt_dtls_getsockopt(so, option, value, &bytes, &error))
		return cmt_upstream_getsockopt(so, level, option, value, len);
	*len = (socklen_t)bytes;
	return fail_unless_zero(error);
}

int usrsctp_getsockopt(struct socket *so, int level, int option, void *value, socklen_t *len)
{
	if (so == NULL || value == NULL || len == NULL || level != IPPROTO_SCTP)
		return cmt_upstream_getsockopt(so, level, option, value, len);
	switch (option) {
	case SCTP_CMT_SCHEDULER: return fail_unless_zero(get_policy(so, CMT_POLICY_SCHEDULER, value, len));
	case SCTP_CMT_CC: return fail_unless_zero(get_policy(so, CMT_POLICY_CC, value, len));
	case SCTP_CMT_RECOVERY: return fail_unless_zero(get_policy(so, CMT_POLICY_RECOVERY, value, len));
	case SCTP_CMT_PATH: return fail_unless_zero(get_path(so, value, len));
	case SCTP_CMT_PATH_STATS: return fail_unless_zero(get_paths(so, value, len));
	case SCTP_CMT_EXTENSION:
	case SCTP_CMT_INIT_ADDRESSES:
	case SCTP_CMT_USE_DAC: return fail_unless_zero(get_value(so, option, value, len));
	case SCTP_CMT_CAPACITY: return fail_unless_zero(get_capacity(so, value, len));
	case SCTP_CMT_STATS: return fail_unless_zero(get_stats(so, value, len));
	default: return get_dtls(so, level, option, value, len);
	}
}
