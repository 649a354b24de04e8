/* SPDX-License-Identifier: BSD-3-Clause */
#include "commands/commands.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/samples.h"
#include "batch/jobs.h"
#include "picture/run_viewer.h"
#include "setup/options.h"
#include "text/units.h"

/* What --html writes. */
struct page {
	const char *name, *qlog;
	FILE *file;    /* NULL = none is asked for */
	bool own_qlog; /* --qlog was not asked for */
};

static double number(const json_t *o, const char *key)
{
	return json_number_value(json_object_get(o, key));
}

static void print_paths(const json_t *paths)
{
	char rate[32], delay[32], queue[32], srtt[32], true_delay[32];
	const json_t *p;
	size_t i;

	printf("\n%4s %14s %9s %7s %8s %6s %10s %10s %10s %9s %11s\n", "path", "rate", "delay", "share",
	       "packets", "drops", "queue", "true delay", "srtt", "retrans.", "error p95");
	json_array_foreach(paths, i, p)
	{
		const json_t *error = json_object_get(p, "fwd_delay_error_p95_us");
		char text[32];

		printf("%4.0f %14s %9s %6.1f%% %8.0f %6.0f %10s %10s %10s %9.0f %11s\n", number(p, "id"),
		       app_format_rate(number(p, "rate_bps"), rate, sizeof(rate)),
		       app_format_time(number(p, "delay_us"), delay, sizeof(delay)), 100 * number(p, "share"),
		       number(p, "tx_packets"), number(p, "drops"),
		       app_format_time(number(p, "queue_mean_us"), queue, sizeof(queue)),
		       app_format_time(number(p, "fwd_delay_mean_us"), true_delay, sizeof(true_delay)),
		       app_format_time(number(p, "srtt_us"), srtt, sizeof(srtt)), number(p, "retransmits"),
		       json_is_null(error) ? "-"
		                           : app_format_time(json_number_value(error), text, sizeof(text)));
	}
}

static void print_competitors(const json_t *r)
{
	const json_t *c;
	char text[32];
	size_t i;

	json_array_foreach(json_object_get(r, "competitors"), i, c)
	{
		const char *failure = json_string_value(json_object_get(c, "failure"));

		printf("  competitor   %s on path %.0f with %s%s%s\n",
		       app_format_rate(number(c, "goodput_bps"), text, sizeof(text)), number(c, "path"),
		       json_string_value(json_object_get(c, "cc")),
		       failure == NULL ? "" : ", FAILED: ", failure == NULL ? "" : failure);
	}
}

static void print_encryption(const json_t *r)
{
	if (json_is_true(json_object_get(r, "encrypted"))) {
		printf("  encryption   %.0f packets protected, %.0f in the clear\n",
		       number(r, "protected_packets"), number(r, "clear_packets"));
	}
}

static void print_marks(const json_t *r)
{
	if (number(r, "ce_marks") > 0) {
		printf("  ecn          %.0f marked", number(r, "ce_marks"));
		if (json_is_number(json_object_get(r, "ecn_echoes"))) {
			printf(", %.0f echoes, window cut %.0f times", number(r, "ecn_echoes"),
			       number(r, "ecn_reductions"));
		}
		printf("\n");
	}
}

static void print_result(const json_t *r)
{
	const char *failure = json_string_value(json_object_get(r, "failure"));
	char a[32], b[32], c[32];

	printf("%s, %s, seed %.0f, receive buffer %s\n", json_string_value(json_object_get(r, "scenario")),
	       json_string_value(json_object_get(r, "scheduler")), number(r, "seed"),
	       app_format_size(number(r, "rcvbuf_bytes"), a, sizeof(a)));
	printf(
	    "  delivered    %s in %s, %s%s%s\n", app_format_size(number(r, "bytes_delivered"), a, sizeof(a)),
	    app_format_time(number(r, "duration_us"), b, sizeof(b)),
	    failure == NULL ? "every byte intact and in order" : "FAILED: ", failure == NULL ? "" : failure,
	    "");
	printf("  goodput      %s in %s, %.1f %% of the ceiling of %s\n",
	       app_format_rate(number(r, "goodput_bps"), a, sizeof(a)),
	       app_format_time(number(r, "goodput_span_us"), c, sizeof(c)), 100 * number(r, "goodput_ratio"),
	       app_format_rate(number(r, "ceiling_bps"), b, sizeof(b)));
	printf("  buffer       %s mean, %s max (receive window needed: %s)\n",
	       app_format_size(number(r, "rcvbuf_mean_bytes"), a, sizeof(a)),
	       app_format_size(number(r, "rcvbuf_max_bytes"), b, sizeof(b)),
	       app_format_size(number(r, "w_min_bytes"), c, sizeof(c)));
	printf("  first byte   after %s (bound of in-order sending: %s)\n",
	       app_format_time(number(r, "bpt_us"), a, sizeof(a)),
	       app_format_time(number(r, "bpt_bound_us"), b, sizeof(b)));
	printf("  latency      %s median, %s p95", app_format_time(number(r, "latency_p50_us"), a, sizeof(a)),
	       app_format_time(number(r, "latency_p95_us"), b, sizeof(b)));
	printf(", longest silence %s\n", app_format_time(number(r, "max_delivery_gap_us"), a, sizeof(a)));
	printf("  loss         %.0f dropped, %.0f retransmitted (%.0f spurious)", number(r, "drops"),
	       number(r, "retransmits"), number(r, "spurious_retransmits"));
	if (json_is_number(json_object_get(r, "timeouts"))) {
		printf(", %.0f timeouts", number(r, "timeouts"));
	}
	printf("\n");
	printf("  order        %.2f %% reordered, extent %.0f max, %.0f times three duplicate acks\n",
	       100 * number(r, "reordered_ratio"), number(r, "reorder_extent_max"),
	       number(r, "three_dupack_events"));
	print_encryption(r);
	print_marks(r);
	print_competitors(r);
	print_paths(json_object_get(r, "paths"));
}

/* Events that only the page needs. 0 with the name of an empty file, or -1. */
static int make_qlog(char *name, size_t name_bytes)
{
	const char *folder = getenv("TMPDIR");
	int fd;

	snprintf(name, name_bytes, "%.200s/cmt-lab-XXXXXX",
	         folder == NULL || *folder == '\0' ? "/tmp" : folder);
	fd = mkstemp(name);
	return fd < 0 ? -1 : close(fd);
}

/* The page is opened before the run, so that a name that cannot be written fails at once. */
static int open_page(struct lab_options *o, struct page *page)
{
	*page = (struct page){.name = o->html};
	if (o->html[0] == '\0') {
		return 0;
	}
	page->own_qlog = o->run.qlog[0] == '\0';
	if (page->own_qlog && make_qlog(o->run.qlog, sizeof(o->run.qlog)) != 0) {
		fprintf(stderr, "cmt-lab: --html: %s: %s\n", o->run.qlog, strerror(errno));
		return LAB_EXIT_USAGE;
	}
	page->qlog = o->run.qlog;
	page->file = fopen(o->html, "w");
	if (page->file == NULL) {
		fprintf(stderr, "cmt-lab: --html %s: %s\n", o->html, strerror(errno));
		if (page->own_qlog) {
			unlink(page->qlog);
		}
		return LAB_EXIT_USAGE;
	}
	return 0;
}

static int fill_page(const struct page *page, struct lab_error *error)
{
	FILE *qlog = fopen(page->qlog, "r");
	int status;

	if (qlog == NULL) {
		snprintf(error->text, sizeof(error->text), "%s: %s", page->qlog, strerror(errno));
		return -1;
	}
	status = lab_run_viewer_write(page->file, qlog, LAB_RUN_VIEWER_MAX_BYTES, error);
	fclose(qlog);
	return status;
}

/* 0, or LAB_EXIT_USAGE after a message. Without a run there is no page; what is not a file, as a pipe, stays.
 */
static int close_page(struct page *page, bool ran)
{
	struct lab_error error = {.text = ""};
	struct stat st;
	bool is_file, failed;

	if (page->file == NULL) {
		return 0;
	}
	is_file = fstat(fileno(page->file), &st) == 0 && S_ISREG(st.st_mode);
	failed = ran && fill_page(page, &error) != 0;
	if (fclose(page->file) != 0 && ran && !failed) {
		snprintf(error.text, sizeof(error.text), "%s", strerror(errno));
		failed = true;
	}
	if (page->own_qlog) {
		unlink(page->qlog);
	}
	if ((failed || !ran) && is_file) {
		unlink(page->name);
	}
	if (failed) {
		fprintf(stderr, "cmt-lab: --html %s: %s\n", page->name, error.text);
	}
	return failed ? LAB_EXIT_USAGE : 0;
}

int lab_cmd_run(int argc, char **argv)
{
	static struct lab_options options;
	struct lab_job *job;
	struct lab_error error;
	struct page page;
	int status;

	if (lab_options_parse(&options, argc, argv,
	                      LAB_OPT_LOAD | LAB_OPT_SEED | LAB_OPT_ONE | LAB_OPT_HTML | LAB_OPT_JSON,
	                      lab_help_run) != 0 ||
	    lab_options_load(&options) != 0) {
		return LAB_EXIT_USAGE;
	}
	strcpy(options.run.scheduler,
	       options.n_schedulers == 0 ? USRSCTP_CMT_DEFAULT_SCHEDULER : options.schedulers[0]);
	if (open_page(&options, &page) != 0) {
		return LAB_EXIT_USAGE;
	}
	job = lab_grow(NULL, 1, sizeof(*job));
	*job = (struct lab_job){.run = options.run};
	lab_jobs_run(job, 1, options.run.scenario.name);
	status = lab_jobs_error(job, 1, &error);
	if (status != 0) {
		fprintf(stderr, "cmt-lab: %s\n", error.text);
	} else {
		if (options.json) {
			json_dumpf(job->result, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(10));
			putchar('\n');
		} else {
			print_result(job->result);
		}
		status = !lab_result_intact(job->result);
	}
	if (close_page(&page, status != LAB_EXIT_USAGE) != 0) {
		status = LAB_EXIT_USAGE;
	}
	lab_jobs_free(job, 1);
	return status;
}
