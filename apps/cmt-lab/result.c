/* SPDX-License-Identifier: BSD-3-Clause */
#include "result.h"

#include <inttypes.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>

#include "ceiling.h"

struct peers {
	struct sctp_cmt_path_stats stats[SCTP_CMT_MAX_PATHS];
	size_t n;
};

static void put_int(json_t *o, const char *key, uint64_t value)
{
	json_object_set_new(o, key, json_integer((json_int_t)value));
}

static void put_real(json_t *o, const char *key, double value)
{
	json_object_set_new(o, key, json_real(value));
}

static void put_text(json_t *o, const char *key, const char *value)
{
	json_object_set_new(o, key, json_string(value));
}

/* The simulated path that leads to this address of the receiver, or -1. */
static int path_of(const struct sockaddr_storage *remote)
{
	const struct sockaddr_in *v4 = (const struct sockaddr_in *)remote;
	const struct sockaddr_in6 *v6 = (const struct sockaddr_in6 *)remote;

	if (remote->ss_family == AF_INET) {
		return (int)((ntohl(v4->sin_addr.s_addr) >> 16) & 0xff) - 1;
	}
	return remote->ss_family == AF_INET6 ? v6->sin6_addr.s6_addr[3] - 1 : -1;
}

static void read_path_stats(const struct lab_endpoints *e, struct peers *out)
{
	socklen_t len = sizeof(out->stats);

	memset(out, 0, sizeof(*out));
	out->stats[0].size = sizeof(out->stats[0]);
	if (usrsctp_getsockopt(e->sender, IPPROTO_SCTP, SCTP_CMT_PATH_STATS, out->stats, &len) == 0) {
		out->n = len / sizeof(out->stats[0]);
	}
}

static const struct sctp_cmt_path_stats *stats_of(const struct peers *peers, int path)
{
	for (size_t i = 0; i < peers->n; i++) {
		if (path_of(&peers->stats[i].remote) == path) {
			return &peers->stats[i];
		}
	}
	return NULL;
}

static uint64_t dropped(const struct usrsctp_cmt_sim_link_stats *s)
{
	return s->dropped_queue_pkts + s->dropped_loss_pkts + s->dropped_down_pkts + s->dropped_mtu_pkts +
	       s->dropped_bit_error_pkts;
}

static void put_link(json_t *o, const struct lab_endpoints *e, int path, double all_tx_bytes)
{
	struct usrsctp_cmt_sim_link_stats forward = {0}, backward = {0};
	uint64_t passed;

	usrsctp_cmt_sim_link_stats(e->sim, path, 0, &forward);
	usrsctp_cmt_sim_link_stats(e->sim, path, 1, &backward);
	passed = forward.sent_pkts -
	         (dropped(&forward) < forward.sent_pkts ? dropped(&forward) : forward.sent_pkts);
	put_int(o, "tx_packets", forward.sent_pkts);
	put_int(o, "tx_bytes", forward.sent_bytes);
	put_real(o, "share", all_tx_bytes == 0 ? 0 : (double)forward.sent_bytes / all_tx_bytes);
	put_int(o, "drops", dropped(&forward));
	put_int(o, "back_drops", dropped(&backward));
	put_int(o, "queue_max_pkts", forward.queue_max_pkts);
	put_real(o, "queue_mean_us", passed == 0 ? 0 : (double)forward.queue_wait_us_sum / (double)passed);
}

static json_t *path_result(const struct lab_endpoints *e, struct lab_measure *m, const struct peers *peers,
                           int path, double all_tx_bytes)
{
	const struct usrsctp_cmt_sim_link *link = &e->run->scenario.links[path][0];
	const struct sctp_cmt_path_stats *stats = stats_of(peers, path);
	const struct lab_measure_path *seen = &m->paths[path];
	struct lab_samples *errors =
	    lab_prediction_errors(&m->prediction, stats == NULL ? (uint16_t)(path + 1) : stats->path_id);
	json_t *o = json_object();

	put_int(o, "id", (uint64_t)path + 1);
	put_int(o, "rate_bps", link->rate_bps);
	put_int(o, "delay_us", link->delay_us);
	put_link(o, e, path, all_tx_bytes);
	json_object_set_new(o, "fwd_delay_mean_us",
	                    seen->arrivals == 0
	                        ? json_null()
	                        : json_real((double)seen->delay_us_sum / (double)seen->arrivals));
	json_object_set_new(o, "fwd_delay_error_p95_us",
	                    errors == NULL ? json_null()
	                                   : json_integer((json_int_t)lab_samples_percentile(errors, 95)));
	json_object_set_new(o, "cwnd_bytes", stats == NULL ? json_null() : json_integer(stats->cwnd_bytes));
	json_object_set_new(o, "srtt_us", stats == NULL ? json_null() : json_integer(stats->srtt_us));
	put_int(o, "retransmits", seen->retransmits);
	return o;
}

static json_t *paths_result(const struct lab_endpoints *e, struct lab_measure *m, uint64_t *drops)
{
	struct usrsctp_cmt_sim_link_stats s;
	struct peers peers;
	double all_tx_bytes = 0;
	json_t *paths = json_array();

	read_path_stats(e, &peers);
	for (int p = 0; p < e->run->scenario.n_paths; p++) {
		for (int d = 0; d < 2; d++) {
			if (usrsctp_cmt_sim_link_stats(e->sim, p, d, &s) == 0) {
				*drops += dropped(&s);
				all_tx_bytes += d == 0 ? (double)s.sent_bytes : 0;
			}
		}
	}
	for (int p = 0; p < e->run->scenario.n_paths; p++) {
		json_array_append_new(paths, path_result(e, m, &peers, p, all_tx_bytes));
	}
	return paths;
}

static void put_setting(json_t *o, const struct lab_run *run)
{
	char text[APP_POLICY_TEXT_BYTES];

	put_text(o, "scenario", run->scenario.name);
	put_text(o, "scheduler", run->scheduler);
	put_text(o, "options", run->options);
	put_text(o, "cc", app_policy_text(&run->cc, text));
	put_text(o, "recovery", app_policy_text(&run->recovery, text));
	put_int(o, "seed", run->seed);
	json_object_set_new(o, "only_path",
	                    run->only_path < 0 ? json_null() : json_integer(run->only_path + 1));
	json_object_set_new(o, "delay_error_pct", json_integer(run->delay_error_pct));
	put_int(o, "rcvbuf_bytes", run->scenario.rcvbuf_bytes);
	put_int(o, "sndbuf_bytes", lab_sndbuf_bytes(&run->scenario, run->only_path));
	put_int(o, "msg_bytes", run->scenario.msg_bytes);
}

static void put_goodput(json_t *o, const struct lab_endpoints *e, const struct lab_measure *m)
{
	const struct lab_scenario *s = &e->run->scenario;
	uint64_t duration_us = lab_measure_duration_us(m);
	double goodput_bps = duration_us == 0 ? 0 : (double)m->read_bytes * 8e6 / (double)duration_us;
	double ceiling_bps = lab_ceiling_bps(s, e->run->only_path, m->timestamps);

	put_int(o, "bytes_delivered", m->read_bytes);
	put_int(o, "duration_us", duration_us);
	put_text(o, "integrity", e->finished && !e->corrupt ? "ok" : "corrupt");
	if (e->failure.text[0] != '\0') {
		put_text(o, "failure", e->failure.text);
	}
	put_real(o, "capacity_bps", lab_capacity_bps(s, e->run->only_path));
	put_real(o, "ceiling_bps", ceiling_bps);
	put_real(o, "goodput_bps", goodput_bps);
	put_real(o, "goodput_ratio", ceiling_bps == 0 ? 0 : goodput_bps / ceiling_bps);
	put_real(o, "best_path_ceiling_bps", lab_best_path_ceiling_bps(s, m->timestamps, NULL));
	put_real(o, "w_min_bytes", lab_w_min_bytes(s, e->run->only_path));
	json_object_set_new(o, "bpt_us",
	                    m->first_read_us == 0
	                        ? json_null()
	                        : json_integer((json_int_t)(m->first_read_us - m->first_send_us)));
	put_real(o, "bpt_bound_us", lab_bpt_bound_us(s, e->run->only_path));
}

static void put_recovery(json_t *o, const struct lab_measure *m, uint64_t drops)
{
	const struct lab_reordering *r = &m->tsns.reordering;
	struct sctpstat stack;

	usrsctp_get_stat(&stack);
	put_real(o, "rcvbuf_mean_bytes", lab_timed_level_mean(&m->buffer));
	put_int(o, "rcvbuf_max_bytes", (uint64_t)m->buffer.max);
	put_int(o, "retransmits", m->tsns.retransmits);
	put_int(o, "fast_retransmits", stack.sctps_sendfastretrans);
	put_int(o, "timeouts", stack.sctps_timodata);
	put_int(o, "spurious_retransmits", m->tsns.spurious_retransmits);
	put_int(o, "dup_tsns", m->tsns.duplicates);
	put_int(o, "drops", drops);
	put_int(o, "three_dupack_events", r->n_reordered);
	put_real(o, "reordered_ratio", r->arrivals == 0 ? 0 : (double)r->reordered / (double)r->arrivals);
	put_int(o, "reorder_extent_max", r->extent_max);
}

static void put_latency(json_t *o, struct lab_measure *m)
{
	put_int(o, "latency_p50_us", lab_samples_percentile(&m->latency_us, 50));
	put_int(o, "latency_p95_us", lab_samples_percentile(&m->latency_us, 95));
	put_int(o, "latency_p99_us", lab_samples_percentile(&m->latency_us, 99));
	put_int(o, "latency_max_us", lab_samples_percentile(&m->latency_us, 100));
	put_int(o, "max_delivery_gap_us", m->max_gap_us);
}

json_t *lab_result(const struct lab_endpoints *e, struct lab_measure *m)
{
	struct sctp_cmt_stats stats = {.size = sizeof(stats)};
	socklen_t len = sizeof(stats);
	bool have_stats = usrsctp_getsockopt(e->sender, IPPROTO_SCTP, SCTP_CMT_STATS, &stats, &len) == 0;
	json_t *o = json_object(), *paths;
	uint64_t drops = 0;
	char hash[24];

	paths = paths_result(e, m, &drops);
	put_setting(o, e->run);
	json_object_set_new(o, "extension", json_boolean(m->timestamps));
	put_goodput(o, e, m);
	put_recovery(o, m, drops);
	put_latency(o, m);
	put_int(o, "illegal_decisions", have_stats ? stats.illegal_decisions : 0);
	snprintf(hash, sizeof(hash), "%016" PRIx64, usrsctp_cmt_sim_trace_hash(e->sim));
	put_text(o, "trace_hash", hash);
	json_object_set_new(o, "paths", paths);
	return o;
}
