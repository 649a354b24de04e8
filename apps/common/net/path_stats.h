/* SPDX-License-Identifier: BSD-3-Clause
 *
 * path_stats.h - what an association did on its paths, for --stats json and for progress bars. */
#ifndef APP_PATH_STATS_H
#define APP_PATH_STATS_H

#include <stddef.h>
#include <stdint.h>

#include <jansson.h>
#include <usrsctp_cmt.h>

#include "net/addresses.h"
#include "net/interfaces.h"

/* A copy that outlives the association. */
struct app_assoc_stats {
	struct sctp_cmt_path_stats paths[SCTP_CMT_MAX_PATHS];
	size_t n_paths;
	struct sctp_cmt_stats all;
};

/* The peer's first address as text, for messages; "?" when the association is gone. Returns `out`. */
char *app_assoc_peer_text(struct socket *so, char *out, size_t out_bytes);

/* Reads them from `so`. What cannot be read (the association is gone) stays 0. */
void app_assoc_stats_read(struct socket *so, struct app_assoc_stats *out);

uint64_t app_assoc_stats_retransmits(const struct app_assoc_stats *stats);

/* "unconfirmed", "active", "failed" or "standby". */
const char *app_path_state_name(uint16_t state);

/* "path 2 (wlan0)": its id, and the interface of its local address where that is known; with the peer's end
 * where several paths have the same interface, "path 2 (eth0 -> 203.0.113.5:9899)". Returns `out`. */
#define APP_PATH_LABEL_BYTES (APP_INTERFACE_BYTES + APP_ENDPOINT_TEXT_BYTES + 24)
char *app_path_label(const struct app_assoc_stats *stats, size_t path, char out[APP_PATH_LABEL_BYTES]);

/* The peer's ends of the paths, "203.0.113.5:40001, 203.0.113.5:40002", each once; "?" without a path.
 * Returns `out`. */
char *app_assoc_stats_peer(const struct app_assoc_stats *stats, char *out, size_t out_bytes);

/* id, local, interface, remote (null = not known), local_port and remote_port (UDP; null = none), state,
 * srtt_us, cwnd_bytes, mtu_bytes, rate_bps, fwd_delay_us and fwd_delay_base_us (null = not measured),
 * sent_packets, sent_bytes, share (0 to 1), acked_bytes, lost_bytes, retransmits and spurious_chunks. */
json_t *app_path_stats_json(const struct sctp_cmt_path_stats *path);

/* Sets "scheduler", "retransmits", "illegal_decisions" and "paths" in `object`. */
void app_assoc_stats_json(const struct app_assoc_stats *stats, json_t *object);

/* The paths' shares of the bytes sent, as "62/38 %"; "" when nothing was sent. Returns `out`. */
char *app_assoc_stats_shares(const struct app_assoc_stats *stats, char *out, size_t out_bytes);

#endif
