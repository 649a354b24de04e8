/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/result.h"

#include <inttypes.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>

#include "base/json_put.h"
#include "measure/recovery.h"
#include "scenario/ceiling.h"

/* ITU-T G.114: what does not disturb a conversation, one way. */
#define ON_TIME_US 150000u

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

/* Of every second that the transfer filled. */
static json_t *windows(const struct lab_measure *m)
{
	json_t *out = json_array();
	size_t n = (size_t)(lab_measure_duration_us(m) / LAB_WINDOW_US);

	for (size_t i = 0; i < n; i++) {
		double bps = (double)lab_windows_bytes(&m->windows, i) * 8e6 / LAB_WINDOW_US;

		json_array_append_new(out, json_real(bps));
	}
	return out;
}

/* Of the packets of all paths. */
static double mean_delay_us(const struct lab_measure *m)
{
	double sum = 0, n = 0;

	for (int p = 0; p < USRSCTP_CMT_SIM_MAX_PATHS; p++) {
		sum += (double)m->paths[p].delay_us_sum;
		n += (double)m->paths[p].arrivals;
	}
	return n == 0 ? 0 : sum / n;
}

static void put_player(json_t *o, const struct lab_scenario *s, const struct lab_player *p)
{
	bool played = s->play_bps != 0 && p->started;

	json_object_set_new(o, "play_wait_us",
	                    p->started ? json_integer((json_int_t)p->wait_us) : json_null());
	json_object_set_new(o, "play_startup_us",
	                    played ? json_integer((json_int_t)p->startup_us) : json_null());
	json_object_set_new(o, "play_stalls", played ? json_integer((json_int_t)p->stalls) : json_null());
	json_object_set_new(o, "play_stalled_us",
	                    played ? json_integer((json_int_t)p->stalled_us) : json_null());
}

/* The best of the paths that may be used, in that time. */
static double best_path_ceiling_bps(const struct lab_run *run, bool extension, struct lab_span span)
{
	double most = 0;

	for (int p = 0; p < run->scenario.n_paths; p++) {
		double bps = lab_ceiling_over_bps(&run->scenario, p, extension, span);

		most = bps > most ? bps : most;
	}
	return most;
}

/* Of what changes while the sender has something to send. */
static void put_recoveries(json_t *o, const struct lab_run *run, const struct lab_measure *m)
{
	struct lab_recoveries r = {.changes = 0};

	if (run->scenario.source.kind == LAB_SOURCE_BULK || run->scenario.source.kind == LAB_SOURCE_FILE) {
		r = lab_recoveries(&run->scenario, run->only_path, m->timestamps, &m->slices,
		                   lab_measure_span(m));
	}
	json_object_set_new(o, "recovery_us",
	                    r.changes == 0 ? json_null() : json_integer((json_int_t)r.longest_us));
	json_object_set_new(o, "recoveries_missed", r.changes == 0 ? json_null() : json_integer(r.missed));
}

static void put_goodput(json_t *o, const struct lab_endpoints *e, const struct lab_measure *m)
{
	const struct lab_scenario *s = &e->run->scenario;
	const struct lab_span span = lab_measure_span(m);
	double goodput_bps = lab_measure_goodput_bps(m);
	double ceiling_bps = lab_ceiling_over_bps(s, e->run->only_path, m->timestamps, span);

	put_int(o, "bytes_delivered", m->read_bytes);
	put_int(o, "duration_us", lab_measure_duration_us(m));
	put_text(o, "integrity", e->corrupt ? "corrupt" : e->finished ? "ok" : "incomplete");
	if (e->failure.text[0] != '\0') {
		put_text(o, "failure", e->failure.text);
	}
	put_real(o, "capacity_bps", lab_capacity_bps(s, e->run->only_path));
	put_real(o, "ceiling_bps", ceiling_bps);
	put_real(o, "goodput_bps", goodput_bps);
	put_int(o, "goodput_span_us", span.until_us - span.from_us);
	put_real(o, "goodput_ratio", ceiling_bps == 0 ? 0 : goodput_bps / ceiling_bps);
	put_real(o, "best_path_ceiling_bps", best_path_ceiling_bps(e->run, m->timestamps, span));
	put_recoveries(o, e->run, m);
	lab_result_put_metered(o, s, m);
	put_real(o, "w_min_bytes", lab_w_min_bytes(s, e->run->only_path));
	json_object_set_new(o, "bpt_us",
	                    m->first_read_us == 0
	                        ? json_null()
	                        : json_integer((json_int_t)(m->first_read_us - m->first_send_us)));
	put_player(o, s, &m->player);
	json_object_set_new(o, "in_order_lag_us",
	                    m->lag.most_us == 0 ? json_null() : json_integer((json_int_t)m->lag.most_us));
	json_object_set_new(o, "bpt_settled_us",
	                    m->pause.most_us == 0 ? json_null() : json_integer((json_int_t)m->pause.most_us));
	put_real(o, "fwd_delay_mean_us", mean_delay_us(m));
	put_real(o, "bpt_bound_us", lab_bpt_bound_us(s, e->run->only_path));
	json_object_set_new(o, "goodput_windows_bps", windows(m));
}

static json_t *sum_of_paths(const json_t *paths, const char *key)
{
	json_int_t sum = 0;
	const json_t *path;
	size_t i;

	json_array_foreach(paths, i, path)
	{
		sum += json_integer_value(json_object_get(path, key));
	}
	return json_integer(sum);
}

/* The stack's own counters are of all associations together; what paths count is of one. */
static void put_stack_counters(json_t *o, const json_t *paths, bool alone)
{
	struct sctpstat stack;

	usrsctp_get_stat(&stack);
	json_object_set_new(o, "fast_retransmits",
	                    alone ? json_integer((json_int_t)stack.sctps_sendfastretrans) : json_null());
	json_object_set_new(o, "ce_marks", sum_of_paths(paths, "ce_marks"));
	json_object_set_new(o, "ecn_echoes",
	                    alone ? json_integer((json_int_t)stack.sctps_recvecne) : json_null());
	json_object_set_new(o, "ecn_reductions",
	                    alone ? json_integer((json_int_t)stack.sctps_ecnereducedcwnd) : json_null());
	json_object_set_new(o, "timeouts",
	                    alone ? json_integer((json_int_t)stack.sctps_timodata)
	                          : sum_of_paths(paths, "timeouts"));
}

static uint64_t all_drops(const struct lab_measure *m)
{
	uint64_t sum = 0;

	for (int p = 0; p < USRSCTP_CMT_SIM_MAX_PATHS; p++) {
		sum += m->paths[p].dropped_pkts[0] + m->paths[p].dropped_pkts[1];
	}
	return sum;
}

static uint64_t all_packets(const struct lab_measure *m)
{
	uint64_t sum = 0;

	for (int p = 0; p < USRSCTP_CMT_SIM_MAX_PATHS; p++) {
		sum += m->paths[p].sent_pkts;
	}
	return sum;
}

/* Without redundant transmissions, which are neither spurious nor retransmissions. */
static uint64_t beside_copies(uint64_t transmissions, uint64_t planned_copies)
{
	return transmissions > planned_copies ? transmissions - planned_copies : 0;
}

static void put_recovery(json_t *o, const struct lab_measure *m, const json_t *paths, bool alone,
                         uint64_t planned_copies)
{
	const struct lab_reordering *r = &m->tsns.reordering;
	uint64_t packets = all_packets(m);
	uint64_t spurious = beside_copies(m->tsns.spurious_retransmits, planned_copies);

	put_real(o, "rcvbuf_mean_bytes", lab_timed_level_mean(&m->buffer));
	put_int(o, "rcvbuf_max_bytes", (uint64_t)m->buffer.max);
	json_object_set_new(o, "rcvbuf_settled_max_bytes",
	                    m->settled_buffer.from_us == 0 ? json_null()
	                                                   : json_integer(m->settled_buffer.max));
	put_int(o, "planned_copies", planned_copies);
	put_int(o, "retransmits", beside_copies(m->tsns.retransmits, planned_copies));
	put_stack_counters(o, paths, alone);
	put_int(o, "spurious_retransmits", spurious);
	put_real(o, "spurious_ratio", packets == 0 ? 0 : (double)spurious / (double)packets);
	put_int(o, "dup_tsns", m->tsns.duplicates);
	put_int(o, "drops", all_drops(m));
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
	put_real(o, "on_time_ratio", lab_samples_share(&m->latency_us, ON_TIME_US));
	put_int(o, "max_delivery_gap_us", m->max_gap_us);
}

static void put_competitors(json_t *o, const struct lab_measure *m, const struct lab_competitors *c)
{
	double sum_bps = 0, goodput_bps = lab_measure_goodput_bps(m);

	for (unsigned i = 0; i < c->n; i++) {
		sum_bps += lab_competitor_goodput_bps(c, i);
	}
	json_object_set_new(o, "competitor_goodput_bps", c->n == 0 ? json_null() : json_real(sum_bps / c->n));
	json_object_set_new(o, "competitor_ratio",
	                    sum_bps > 0 ? json_real(goodput_bps / (sum_bps / c->n)) : json_null());
	json_object_set_new(o, "competitors", lab_result_competitors(c));
}

static void put_encryption(json_t *o, const struct lab_measure *m)
{
	json_object_set_new(o, "encrypted", json_boolean(m->encrypted));
	json_object_set_new(o, "protected_packets",
	                    m->encrypted ? json_integer((json_int_t)m->protected_pkts) : json_null());
	json_object_set_new(o, "clear_packets",
	                    m->encrypted ? json_integer((json_int_t)m->clear_pkts) : json_null());
}

/* What an encoder was told, beside what the links could carry. */
static void put_hints(json_t *o, const struct lab_endpoints *e, const struct lab_measure *m)
{
	const bool told = e->run->scenario.source.kind == LAB_SOURCE_ENCODER;
	struct lab_hints_verdict v = {.changes = 0};

	if (told) {
		v = lab_hints_judge(&e->hints, &e->run->scenario, m->timestamps, lab_measure_span(m));
	}
	json_object_set_new(o, "hint_of_ceiling", told ? json_real(v.of_ceiling) : json_null());
	json_object_set_new(o, "hint_above_us",
	                    told ? json_integer((json_int_t)v.above_longest_us) : json_null());
	json_object_set_new(o, "hint_settled_us",
	                    v.changes > 0 ? json_integer((json_int_t)v.settled_us) : json_null());
	json_object_set_new(o, "hints_not_settled",
	                    v.changes > 0 ? json_integer(v.not_settled) : json_null());
}

json_t *lab_result(const struct lab_endpoints *e, struct lab_measure *m, const struct lab_competitors *c)
{
	struct sctp_cmt_stats stats = {.size = sizeof(stats)};
	socklen_t len = sizeof(stats);
	bool have_stats = usrsctp_getsockopt(e->sender, IPPROTO_SCTP, SCTP_CMT_STATS, &stats, &len) == 0;
	json_t *o = json_object(), *paths = lab_result_paths(e, m);
	char hash[24];

	put_setting(o, e->run);
	json_object_set_new(o, "extension", json_boolean(m->timestamps));
	put_encryption(o, m);
	put_hints(o, e, m);
	put_goodput(o, e, m);
	put_recovery(o, m, paths, c->n == 0, have_stats ? stats.planned_copies : 0);
	put_latency(o, m);
	put_int(o, "illegal_decisions", have_stats ? stats.illegal_decisions : 0);
	put_int(o, "sched_periods", have_stats ? stats.sched_periods : 0);
	put_int(o, "sched_prefetch_bytes", have_stats ? stats.sched_prefetch_bytes : 0);
	put_int(o, "sched_timeout_ppm", have_stats ? stats.sched_timeout_ppm : 0);
	snprintf(hash, sizeof(hash), "%016" PRIx64, usrsctp_cmt_sim_trace_hash(e->sim));
	put_text(o, "trace_hash", hash);
	put_competitors(o, m, c);
	json_object_set_new(o, "paths", paths);
	json_object_set_new(o, "shared_links", lab_result_shared_links(e));
	return o;
}
