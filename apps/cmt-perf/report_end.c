/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The end of a report. The server's result is a peer's word: what is missing in it counts as 0. */
#include <stdio.h>
#include <time.h>

#include "report.h"
#include "text/units.h"

#define VERSION_TEXT(major, minor, patch) #major "." #minor "." #patch
#define VERSION(major, minor, patch)      "cmt-perf " VERSION_TEXT(major, minor, patch)

static uint64_t number(const json_t *object, const char *key)
{
	return perf_number(object, key, INT64_MAX);
}

static json_t *sum_json(const json_t *result, const char *what)
{
	char bytes_key[20], messages_key[20];
	const uint64_t us = number(result, "duration_us");
	uint64_t bytes;

	(void)snprintf(bytes_key, sizeof(bytes_key), "%s_bytes", what);
	(void)snprintf(messages_key, sizeof(messages_key), "%s_messages", what);
	bytes = number(result, bytes_key);
	return json_pack("{s:I, s:I, s:f, s:f}", "bytes", (json_int_t)bytes, "messages",
	                 (json_int_t)number(result, messages_key), "duration_s", (double)us / 1e6, "rate_bps",
	                 us > 0 ? (double)bytes * 8e6 / (double)us : 0.0);
}

/* Percent of one processor, and ns for each byte of payload. */
static json_t *cpu_json(const json_t *result, uint64_t us, uint64_t bytes)
{
	const json_t *const cpu = json_object_get(result, "cpu");
	const uint64_t user_us = number(cpu, "user_us"), system_us = number(cpu, "system_us");
	const double both_us = (double)user_us + (double)system_us;

	return json_pack("{s:I, s:I, s:f, s:f}", "user_us", (json_int_t)user_us, "system_us",
	                 (json_int_t)system_us, "percent", us > 0 ? both_us * 100 / (double)us : 0.0,
	                 "ns_per_byte", bytes > 0 ? both_us * 1000 / (double)bytes : 0.0);
}

static json_t *copy_of(const json_t *object, const char *key)
{
	json_t *const value = json_object_get(object, key);

	return value != NULL ? json_incref(value) : json_null();
}

static json_t *end_json(const json_t *sender, const json_t *receiver)
{
	const uint64_t sent_us = number(sender, "duration_us"), received_us = number(receiver, "duration_us");

	return json_pack("{s:o, s:o, s:s, s:o, s:o, s:{s:o, s:o}, s:o, s:o}", "sum_sent",
	                 sum_json(sender, "sent"), "sum_received", sum_json(receiver, "received"),
	                 "latency_clock", perf_text(receiver, "latency_clock"), "latency",
	                 copy_of(receiver, "latency"), "rtt", copy_of(sender, "rtt"), "cpu", "sender",
	                 cpu_json(sender, sent_us, number(sender, "sent_bytes")), "receiver",
	                 cpu_json(receiver, received_us, number(receiver, "received_bytes")), "streams",
	                 copy_of(sender, "streams"), "receiver_streams", copy_of(receiver, "streams"));
}

static json_t *start_json(const struct report *report, const struct perf_test *test)
{
	const struct app_transport *const transport = &report->options->transport;
	json_t *const peer = json_array();
	char text[APP_ADDRESS_TEXT_BYTES];

	for (size_t i = 0; i < report->peer->n; i++) {
		(void)json_array_append_new(
		    peer, json_string(app_address_text(&report->peer->list[i], text, sizeof(text))));
	}
	return json_pack(
	    "{s:s, s:I, s:o, s:i, s:s, s:b, s:{s:s, s:I, s:I, s:I, s:I, s:I, s:b, s:s, s:I, s:I}}", "version",
	    VERSION(USRSCTP_CMT_VERSION_MAJOR, USRSCTP_CMT_VERSION_MINOR, USRSCTP_CMT_VERSION_PATCH),
	    "timestamp_s", (json_int_t)time(NULL), "connecting_to", peer, "port", transport->port, "id",
	    test->id, "same_host", report->same_host, "test_start", "protocol",
	    transport->raw ? "SCTP" : "SCTP/UDP", "parallel", (json_int_t)test->parallel, "msg_bytes",
	    (json_int_t)test->msg_bytes, "duration_us", (json_int_t)test->duration_us, "bytes",
	    (json_int_t)test->bytes, "rate_bps", (json_int_t)test->rate_bps, "reverse", test->reverse,
	    "scheduler", transport->scheduler, "sndbuf_bytes", (json_int_t)transport->sndbuf_bytes,
	    "rcvbuf_bytes", (json_int_t)transport->rcvbuf_bytes);
}

static void print_sum(const char *title, const json_t *sum, const json_t *cpu)
{
	char size[40], rate[40];

	printf("%-9s %-10s in %.2f s, %s; processor %.0f %% (user %.2f s, system %.2f s), %.2f ns a byte\n",
	       title, app_format_size((double)number(sum, "bytes"), size, sizeof(size)),
	       json_real_value(json_object_get(sum, "duration_s")),
	       app_format_rate(json_real_value(json_object_get(sum, "rate_bps")), rate, sizeof(rate)),
	       json_real_value(json_object_get(cpu, "percent")), (double)number(cpu, "user_us") / 1e6,
	       (double)number(cpu, "system_us") / 1e6, json_real_value(json_object_get(cpu, "ns_per_byte")));
}

static void print_percentiles(const char *title, const json_t *samples, const char *note)
{
	static const char *const keys[] = {"min_us", "p50_us", "p95_us", "p99_us", "max_us"};
	static const char *const names[] = {"min", "p50", "p95", "p99", "max"};
	char text[40];

	printf("%-9s", title);
	if (number(samples, "count") == 0) {
		puts(" no samples");
		return;
	}
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		const double us = (double)json_integer_value(json_object_get(samples, keys[i]));

		printf(" %s %s%s", names[i], app_format_time(us, text, sizeof(text)), i < 4 ? "," : "");
	}
	printf(" (%llu message%s%s)\n", (unsigned long long)number(samples, "count"),
	       number(samples, "count") == 1 ? "" : "s", note);
}

static void print_end(const json_t *end)
{
	const json_t *const cpu = json_object_get(end, "cpu");

	puts("");
	print_sum("sender", json_object_get(end, "sum_sent"), json_object_get(cpu, "sender"));
	print_sum("receiver", json_object_get(end, "sum_received"), json_object_get(cpu, "receiver"));
	print_percentiles("latency", json_object_get(end, "latency"),
	                  perf_text(end, "latency_clock")[0] == 'c' ? ", one way"
	                                                            : ", one way, above the minimum");
	print_percentiles("echo", json_object_get(end, "rtt"), ", round trip");
}

static void print_json(struct report *report, const struct run *run, json_t *end, const char *error)
{
	json_t *const intervals = report->intervals != NULL ? json_incref(report->intervals) : json_array();
	json_t *const all = json_pack("{s:o, s:o, s:o}", "start", start_json(report, &run->test), "intervals",
	                              intervals, "end", end);

	if (all != NULL && error[0] != '\0') {
		(void)json_object_set_new(all, "error", json_string(error));
	}
	if (all == NULL || json_dumpf(all, stdout, JSON_INDENT(1) | JSON_REAL_PRECISION(9)) != 0) {
		app_complain("cmt-perf", "no memory for the report");
	}
	puts("");
	json_decref(all);
}

void report_end(struct report *report, struct run *run, bool started, const char *error)
{
	json_t *local, *end;
	const json_t *const remote = report->remote;

	if (!started && !report->options->json) {
		return;
	}
	local = run_result(run, report->same_host);
	end = !started            ? json_object()
	      : run->test.reverse ? end_json(remote, local)
	                          : end_json(local, remote);
	if (report->options->json) {
		print_json(report, run, json_incref(end), error);
	} else {
		print_end(end);
	}
	json_decref(end);
	json_decref(local);
	(void)fflush(stdout);
}

void report_free(struct report *report)
{
	json_decref(report->remote);
	json_decref(report->intervals);
}
