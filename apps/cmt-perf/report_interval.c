/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <string.h>

#include "loop/wall_clock.h"
#include "report.h"
#include "text/units.h"

enum { PATH_TEXT_BYTES = 2 * APP_ENDPOINT_TEXT_BYTES + 8 };

/* "192.168.1.2:40001 -> 198.51.100.1:5201" */
static void describe(const struct report_path *path, char out[PATH_TEXT_BYTES])
{
	char local[APP_ENDPOINT_TEXT_BYTES], remote[APP_ENDPOINT_TEXT_BYTES];

	(void)snprintf(out, PATH_TEXT_BYTES, "%s -> %s", app_endpoint_text(&path->local, local),
	               app_endpoint_text(&path->remote, remote));
}

static bool is_same(const struct report_path *a, const struct report_path *b)
{
	char text[PATH_TEXT_BYTES], other[PATH_TEXT_BYTES];

	if (a->path_id != 0 || b->path_id != 0) {
		return a->path_id == b->path_id;
	}
	describe(a, text);
	describe(b, other);
	return strcmp(text, other) == 0;
}

/* The one in `paths` that is `like`; a new one with nothing counted; NULL: no room. */
static struct report_path *path_like(struct report_paths *paths, const struct report_path *like)
{
	for (size_t i = 0; i < paths->n; i++) {
		if (is_same(&paths->list[i], like)) {
			return &paths->list[i];
		}
	}
	if (paths->n == sizeof(paths->list) / sizeof(paths->list[0])) {
		return NULL;
	}
	paths->list[paths->n] =
	    (struct report_path){.path_id = like->path_id, .local = like->local, .remote = like->remote};
	return &paths->list[paths->n++];
}

void report_paths_sum(const struct run *run, struct report_paths *out)
{
	memset(out, 0, sizeof(*out));
	for (uint32_t i = 0; i < run->test.parallel; i++) {
		for (size_t k = 0; k < run->assocs[i].n_paths; k++) {
			const struct sctp_cmt_path_stats *const stats = &run->assocs[i].paths[k];
			const struct report_path like = {.path_id =
			                                     run->test.parallel == 1 ? stats->path_id : 0,
			                                 .local = stats->local,
			                                 .remote = stats->remote};
			struct report_path *const path = path_like(out, &like);

			if (path == NULL) {
				continue;
			}
			path->sent_bytes += stats->sent_bytes;
			path->acked_bytes += stats->acked_bytes;
			path->srtt_us += stats->srtt_us;
			path->n_srtt++;
			if (stats->fwd_delay_us != SCTP_CMT_UNKNOWN_US) {
				path->fwd_delay_us += stats->fwd_delay_us;
				path->n_fwd_delay++;
			}
		}
	}
}

/* What a path did since the last report. */
struct path_change {
	const struct report_path *path;
	uint64_t acked_bytes;
	double rate_bps, share; /* share: of the bytes sent, 0 to 1 */
	uint64_t srtt_us;
	int64_t fwd_delay_us; /* SCTP_CMT_UNKNOWN_US = not known */
};

static struct path_change change_of(const struct report_path *now, struct report_paths *before,
                                    uint64_t sent_bytes, uint64_t us)
{
	const struct report_path *const then = path_like(before, now);
	const uint64_t acked = now->acked_bytes - (then != NULL ? then->acked_bytes : 0);
	const uint64_t sent = now->sent_bytes - (then != NULL ? then->sent_bytes : 0);
	const struct path_change change = {.path = now,
	                                   .acked_bytes = acked,
	                                   .rate_bps = (double)acked * 8e6 / (double)us,
	                                   .share = sent_bytes > 0 ? (double)sent / (double)sent_bytes : 0,
	                                   .srtt_us = now->n_srtt > 0 ? now->srtt_us / now->n_srtt : 0,
	                                   .fwd_delay_us = now->n_fwd_delay > 0
	                                                       ? now->fwd_delay_us / now->n_fwd_delay
	                                                       : SCTP_CMT_UNKNOWN_US};

	return change;
}

static json_t *change_json(const struct path_change *change)
{
	char local[APP_ADDRESS_TEXT_BYTES] = "", remote[APP_ADDRESS_TEXT_BYTES];

	if (change->path->local.ss_family != AF_UNSPEC) {
		(void)app_address_text(&change->path->local, local, sizeof(local));
	}
	return json_pack(
	    "{s:s*, s:i, s:s, s:i, s:I, s:f, s:f, s:I, s:o}", "local", local[0] != '\0' ? local : NULL,
	    "local_port", app_address_port(&change->path->local), "remote",
	    app_address_text(&change->path->remote, remote, sizeof(remote)), "remote_port",
	    app_address_port(&change->path->remote), "acked_bytes", (json_int_t)change->acked_bytes,
	    "rate_bps", change->rate_bps, "share", change->share, "srtt_us", (json_int_t)change->srtt_us,
	    "fwd_delay_us",
	    change->fwd_delay_us != SCTP_CMT_UNKNOWN_US ? json_integer((json_int_t)change->fwd_delay_us)
	                                                : json_null());
}

static void print_change(const struct path_change *change)
{
	char path[PATH_TEXT_BYTES], rate[40], srtt[40], delay[40] = "-";

	describe(change->path, path);
	if (change->fwd_delay_us != SCTP_CMT_UNKNOWN_US) {
		(void)app_format_time((double)change->fwd_delay_us, delay, sizeof(delay));
	}
	printf("    %-38s %14s %4.0f %%  srtt %-9s delay %s\n", path,
	       app_format_rate(change->rate_bps, rate, sizeof(rate)), change->share * 100,
	       app_format_time((double)change->srtt_us, srtt, sizeof(srtt)), delay);
}

/* Delivered so far: acknowledged, or received. */
static uint64_t delivered_bytes(const struct run *run)
{
	uint64_t bytes = 0;

	for (uint32_t i = 0; i < run->test.parallel; i++) {
		bytes += run->test.reverse ? run->flows[i]->received_bytes : flow_acked_bytes(run->flows[i]);
	}
	return bytes;
}

static json_t *paths_of_interval(struct report *report, const struct run *run, uint64_t us, bool print)
{
	json_t *const list = json_array();
	struct report_paths now;
	uint64_t sent_bytes = 0;

	report_paths_sum(run, &now);
	for (size_t i = 0; i < now.n; i++) {
		const struct report_path *const then = path_like(&report->paths, &now.list[i]);

		sent_bytes += now.list[i].sent_bytes - (then != NULL ? then->sent_bytes : 0);
	}
	for (size_t i = 0; i < now.n; i++) {
		const struct path_change change = change_of(&now.list[i], &report->paths, sent_bytes, us);

		if (print) {
			print_change(&change);
		}
		(void)json_array_append_new(list, change_json(&change));
	}
	report->paths = now;
	return list;
}

void report_interval(struct report *report, struct run *run)
{
	const uint64_t now_us = app_wall_clock_us(), bytes = delivered_bytes(run);
	const uint64_t from_us = report->at_us != 0 ? report->at_us : run->started_us;
	const uint64_t us = now_us > from_us ? now_us - from_us : 1;
	const double from_s = (double)(from_us - run->started_us) / 1e6;
	const double rate_bps = (double)(bytes - report->bytes) * 8e6 / (double)us;
	char size[40], rate[40];
	json_t *paths;

	if (!report->options->json) {
		printf("%6.2f - %6.2f s  %-10s  %s\n", from_s, from_s + (double)us / 1e6,
		       app_format_size((double)(bytes - report->bytes), size, sizeof(size)),
		       app_format_rate(rate_bps, rate, sizeof(rate)));
	}
	/* Only the sender knows its paths. */
	paths = run->test.reverse ? json_array() : paths_of_interval(report, run, us, !report->options->json);
	(void)fflush(stdout);
	if (report->intervals == NULL) {
		report->intervals = json_array();
	}
	(void)json_array_append_new(report->intervals,
	                            json_pack("{s:{s:f, s:f, s:I, s:f}, s:o}", "sum", "start_s", from_s,
	                                      "end_s", from_s + (double)us / 1e6, "bytes",
	                                      (json_int_t)(bytes - report->bytes), "rate_bps", rate_bps,
	                                      "paths", paths));
	report->at_us = now_us;
	report->bytes = bytes;
}
