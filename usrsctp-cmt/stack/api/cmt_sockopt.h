/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_sockopt.h - between the socket options as applications see them (cmt_sockopt_api.c, which includes
 * usrsctp.h) and the stack (cmt_sockopt.c, which includes upstream's internals). The two cannot meet in one
 * file.
 *
 * All functions return 0 or a positive errno; ENOENT = no such association. They take the locks they need. */
#ifndef CMT_SOCKOPT_H
#define CMT_SOCKOPT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

#include "cmt_sched.h"
#include "delay/cmt_capacity_hint.h"

struct socket;

struct cmt_sockopt_path {
	uint16_t path_id, bottleneck;
	bool unconfirmed, failed, standby;
	struct sockaddr_storage local, remote;
	uint32_t srtt_us, cwnd_bytes, flight_bytes, mtu_bytes, share_ppm;
	uint64_t rate_bps;
	int64_t fwd_delay_us, fwd_delay_base_us, fwd_delay_uncertainty_us, queue_us;
	uint64_t sent_pkts, sent_bytes, acked_bytes, lost_bytes, spurious_bytes;
	uint64_t lost_chunks, spurious_chunks, retransmits, samples, samples_rejected;
	uint64_t spurious_dsack, spurious_eifel, spurious_frto, undone, probes, timeouts, failures;
	uint64_t received_bytes;
};

struct cmt_sockopt_paths {
	unsigned n;
	struct cmt_sockopt_path paths[CMT_SCHED_MAX_PATHS];
};

struct cmt_sockopt_stats {
	bool extension;
	uint16_t paths, paths_ignored;
	uint64_t decisions, waits, illegal_decisions, sent_ahead_units, malformed_chunks, samples_of_no_path;
	uint64_t send_queue_bytes, receive_queue_bytes, copies, planned_copies, held_bytes, unsent_bytes;
	uint64_t sched_periods, sched_prefetch_bytes, sched_timeout_ppm;
	const char *scheduler, *cc, *recovery;
};

/* Which path; ports that are 0 are any. */
struct cmt_sockopt_ends {
	const struct sockaddr *remote;
	const struct sockaddr *local; /* NULL: the first of those to `remote` */
};

/* What SCTP_CMT_PATH sets. */
struct cmt_sockopt_use {
	bool backup;
	uint32_t weight_pct, cost;
	uint64_t cap_bps;
};

int cmt_sockopt_set_delay_error(struct socket *so, uint32_t assoc_id, int32_t percent);
/* SCTP_CMT_EXTENSION_... */
int cmt_sockopt_set_extension(struct socket *so, uint32_t value);
int cmt_sockopt_get_extension(struct socket *so, uint32_t *value);
/* SCTP_CMT_INIT_ADDRESSES_... */
int cmt_sockopt_set_init_addresses(struct socket *so, uint32_t value);
int cmt_sockopt_get_init_addresses(struct socket *so, uint32_t *value);
int cmt_sockopt_set_use(struct socket *so, uint32_t assoc_id, const struct cmt_sockopt_ends *ends,
                        const struct cmt_sockopt_use *use);
int cmt_sockopt_get_use(struct socket *so, uint32_t assoc_id, const struct cmt_sockopt_ends *ends,
                        struct cmt_sockopt_use *use);
int cmt_sockopt_get_paths(struct socket *so, uint32_t assoc_id, struct cmt_sockopt_paths *out);
int cmt_sockopt_get_stats(struct socket *so, uint32_t assoc_id, struct cmt_sockopt_stats *out);

int cmt_sockopt_set_needed(struct socket *so, uint32_t assoc_id, uint64_t rate_bps, uint32_t in_us);

int cmt_sockopt_get_capacity(struct socket *so, uint32_t assoc_id, uint64_t budget_us,
                             struct cmt_capacity_hint *out);

/* Upstream's functions, renamed by the build. */
int cmt_upstream_setsockopt(struct socket *so, int level, int option, const void *value, socklen_t len);
int cmt_upstream_getsockopt(struct socket *so, int level, int option, void *value, socklen_t *len);

#endif
