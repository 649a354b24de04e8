/* SPDX-License-Identifier: BSD-3-Clause */
#include <netinet/in.h>
#include <string.h>

#include "base/json_put.h"
#include "run/result.h"

struct peers {
	struct sctp_cmt_path_stats stats[SCTP_CMT_MAX_PATHS];
	size_t n;
};

static bool same_address(const struct sockaddr_storage *a, const struct sockaddr_storage *b)
{
	if (a->ss_family != b->ss_family) {
		return false;
	}
	if (a->ss_family == AF_INET6) {
		return memcmp(&((const struct sockaddr_in6 *)a)->sin6_addr,
		              &((const struct sockaddr_in6 *)b)->sin6_addr, sizeof(struct in6_addr)) == 0;
	}
	return a->ss_family == AF_INET && ((const struct sockaddr_in *)a)->sin_addr.s_addr ==
	                                      ((const struct sockaddr_in *)b)->sin_addr.s_addr;
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

/* Whether another path leads to the same address of the receiver. */
static bool is_shared(const struct lab_scenario *s, int path)
{
	for (int p = 0; p < s->n_paths; p++) {
		if (p != path && lab_end_path(s, p, 1) == lab_end_path(s, path, 1)) {
			return true;
		}
	}
	return lab_end_nat(s, path, 1) != 0;
}

/* By the receiver's address; where several paths lead there by the sender's, too. */
static const struct sctp_cmt_path_stats *stats_of(const struct lab_endpoints *e, const struct peers *peers,
                                                  int path)
{
	const bool shared = is_shared(&e->run->scenario, path);
	struct sockaddr_storage local, remote;

	if (usrsctp_cmt_sim_address(e->sim, 0, path, 0, &local) != 0 ||
	    usrsctp_cmt_sim_public_address(e->sim, 1, path, 0, &remote, NULL) != 0) {
		return NULL;
	}
	for (size_t i = 0; i < peers->n; i++) {
		if (same_address(&peers->stats[i].remote, &remote) &&
		    (!shared || same_address(&peers->stats[i].local, &local))) {
			return &peers->stats[i];
		}
	}
	return NULL;
}

static uint64_t dropped(const struct usrsctp_cmt_sim_link_stats *s)
{
	return s->dropped_queue_pkts + s->dropped_loss_pkts + s->dropped_down_pkts + s->dropped_mtu_pkts +
	       s->dropped_bit_error_pkts + s->dropped_policer_pkts + s->dropped_aqm_pkts;
}

/* What the network saw. */
static void put_network(json_t *o, const struct lab_endpoints *e, const struct lab_measure *m, int path,
                        double all_tx_bytes)
{
	const struct lab_measure_path *seen = &m->paths[path];
	struct lab_measure_queue queue = lab_measure_queue(m, path, false);
	struct lab_measure_queue settled = lab_measure_queue(m, path, true);
	struct usrsctp_cmt_sim_link_stats forward = {0};
	uint64_t reuse_us;

	usrsctp_cmt_sim_link_stats(e->sim, path, 0, &forward);
	put_int(o, "tx_packets", seen->sent_pkts);
	put_int(o, "tx_bytes", seen->sent_bytes);
	put_real(o, "share", all_tx_bytes == 0 ? 0 : (double)seen->sent_bytes / all_tx_bytes);
	put_int(o, "drops", seen->dropped_pkts[0]);
	put_int(o, "back_drops", seen->dropped_pkts[1]);
	put_int(o, "ce_marks", forward.marked_pkts + forward.shared_marked_pkts);
	put_int(o, "queue_max_pkts", forward.queue_max_pkts);
	put_real(o, "queue_mean_us", queue.pkts == 0 ? 0 : (double)queue.wait_us / (double)queue.pkts);
	json_object_set_new(o, "queue_settled_mean_us",
	                    settled.pkts == 0 ? json_null()
	                                      : json_real((double)settled.wait_us / (double)settled.pkts));
	json_object_set_new(o, "fwd_delay_mean_us",
	                    seen->arrivals == 0
	                        ? json_null()
	                        : json_real((double)seen->delay_us_sum / (double)seen->arrivals));
	json_object_set_new(o, "reuse_delay_us",
	                    lab_outages_reuse_us(&seen->outages, &reuse_us)
	                        ? json_integer((json_int_t)reuse_us)
	                        : json_null());
	put_int(o, "retransmits", seen->retransmits);
}

static json_t *known(bool is_known, uint64_t value)
{
	return is_known ? json_integer((json_int_t)value) : json_null();
}

/* What the sender knows; NULL stands for a path that it has not. */
static void put_sender(json_t *o, const struct sctp_cmt_path_stats *stats)
{
	bool have = stats != NULL;

	json_object_set_new(o, "cwnd_bytes", known(have, have ? stats->cwnd_bytes : 0));
	json_object_set_new(o, "srtt_us", known(have, have ? stats->srtt_us : 0));
	json_object_set_new(o, "spurious_dsack", known(have, have ? stats->spurious_dsack : 0));
	json_object_set_new(o, "spurious_eifel", known(have, have ? stats->spurious_eifel : 0));
	json_object_set_new(o, "spurious_frto", known(have, have ? stats->spurious_frto : 0));
	json_object_set_new(o, "undone", known(have, have ? stats->undone : 0));
	json_object_set_new(o, "probes", known(have, have ? stats->probes : 0));
	json_object_set_new(o, "timeouts", known(have, have ? stats->timeouts : 0));
}

static json_t *path_result(const struct lab_endpoints *e, struct lab_measure *m, const struct peers *peers,
                           int path, double all_tx_bytes)
{
	const struct usrsctp_cmt_sim_link *link = &e->run->scenario.links[path][0];
	const struct sctp_cmt_path_stats *stats = stats_of(e, peers, path);
	struct lab_samples *errors =
	    lab_prediction_errors(&m->prediction, stats == NULL ? (uint16_t)(path + 1) : stats->path_id);
	json_t *o = json_object();

	put_int(o, "id", (uint64_t)path + 1);
	put_int(o, "rate_bps", link->rate_bps);
	put_int(o, "delay_us", link->delay_us);
	put_network(o, e, m, path, all_tx_bytes);
	json_object_set_new(o, "fwd_delay_error_p95_us",
	                    known(errors != NULL, errors == NULL ? 0 : lab_samples_percentile(errors, 95)));
	put_sender(o, stats);
	return o;
}

json_t *lab_result_paths(const struct lab_endpoints *e, struct lab_measure *m)
{
	struct peers peers;
	double all_tx_bytes = 0;
	json_t *paths = json_array();

	read_path_stats(e, &peers);
	for (int p = 0; p < e->run->scenario.n_paths; p++) {
		all_tx_bytes += (double)m->paths[p].sent_bytes;
	}
	for (int p = 0; p < e->run->scenario.n_paths; p++) {
		json_array_append_new(paths, path_result(e, m, &peers, p, all_tx_bytes));
	}
	return paths;
}

json_t *lab_result_shared_links(const struct lab_endpoints *e)
{
	const struct lab_scenario *s = &e->run->scenario;
	json_t *out = json_array();

	for (int i = 0; i < s->n_shared; i++) {
		struct usrsctp_cmt_sim_link_stats forward = {0}, backward = {0};
		int link = USRSCTP_CMT_SIM_MAX_PATHS + i;
		json_t *o = json_object();
		uint64_t passed;

		usrsctp_cmt_sim_link_stats(e->sim, link, 0, &forward);
		usrsctp_cmt_sim_link_stats(e->sim, link, 1, &backward);
		passed = forward.sent_pkts - dropped(&forward);
		put_text(o, "name", s->shared_names[i]);
		put_int(o, "rate_bps", s->links[link][0].rate_bps);
		put_int(o, "delay_us", s->links[link][0].delay_us);
		put_int(o, "tx_packets", forward.sent_pkts);
		put_int(o, "drops", dropped(&forward));
		put_int(o, "back_drops", dropped(&backward));
		put_int(o, "ce_marks", forward.marked_pkts);
		put_int(o, "queue_max_pkts", forward.queue_max_pkts);
		put_real(o, "queue_mean_us",
		         passed == 0 ? 0 : (double)forward.queue_wait_us_sum / (double)passed);
		json_array_append_new(out, o);
	}
	return out;
}

json_t *lab_result_competitors(const struct lab_competitors *c)
{
	char text[APP_POLICY_TEXT_BYTES];
	json_t *out = json_array();

	for (unsigned i = 0; i < c->n; i++) {
		const char *failure = lab_competitor_failure(c, i);
		json_t *o = json_object();

		put_int(o, "path", (uint64_t)c->runs[i].only_path + 1);
		put_text(o, "scheduler", c->runs[i].scheduler);
		put_text(o, "cc", app_policy_text(&c->runs[i].cc, text));
		put_text(o, "recovery", app_policy_text(&c->runs[i].recovery, text));
		put_text(o, "law", lab_law_name(c->runs[i].scenario.competitors[i].law));
		put_real(o, "goodput_bps", lab_competitor_goodput_bps(c, i));
		if (failure != NULL) {
			put_text(o, "failure", failure);
		}
		json_array_append_new(out, o);
	}
	return out;
}
