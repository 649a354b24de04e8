/* SPDX-License-Identifier: BSD-3-Clause */
#include "run.h"

#include <sys/resource.h>

#include "loop/wall_clock.h"

static uint64_t us_of(const struct timeval *t)
{
	return (uint64_t)t->tv_sec * 1000000u + (uint64_t)t->tv_usec;
}

static struct run_cpu cpu_now(void)
{
	struct rusage usage;

	if (getrusage(RUSAGE_SELF, &usage) != 0) {
		return (struct run_cpu){0, 0};
	}
	return (struct run_cpu){.user_us = us_of(&usage.ru_utime), .system_us = us_of(&usage.ru_stime)};
}

void run_begin(struct run *run)
{
	run->started_us = app_wall_clock_us();
	run->cpu = cpu_now();
}

void run_free(struct run *run, bool abort)
{
	for (uint32_t i = 0; i < PERF_MAX_PARALLEL; i++) {
		flow_free(run->flows[i], abort);
	}
	samples_free(&run->latency);
	samples_free(&run->rtt);
}

bool run_is_complete(const struct run *run)
{
	for (uint32_t i = 0; i < run->test.parallel; i++) {
		if (run->flows[i] == NULL) {
			return false;
		}
	}
	return true;
}

bool run_has_ended(const struct run *run)
{
	for (uint32_t i = 0; i < run->test.parallel; i++) {
		if (run->flows[i] == NULL || !run->flows[i]->ended) {
			return false;
		}
	}
	return true;
}

bool run_was_sent(const struct run *run)
{
	for (uint32_t i = 0; i < run->test.parallel; i++) {
		if (run->flows[i] == NULL || !run->flows[i]->over) {
			return false;
		}
	}
	return true;
}

void run_read_paths(struct run *run)
{
	for (uint32_t i = 0; i < run->test.parallel; i++) {
		if (run->flows[i] != NULL && !run->flows[i]->lost) {
			app_assoc_stats_read(usrsctp_cmt_conn_socket(run->flows[i]->conn), &run->assocs[i]);
			app_encryption_read(run->flows[i]->conn, &run->encryptions[i]);
		}
	}
}

static json_t *stream_json(const struct flow *flow, const struct app_assoc_stats *assoc,
                           const struct app_encryption *encryption)
{
	json_t *const stream =
	    json_pack("{s:I, s:I, s:I, s:I, s:I}", "index", (json_int_t)flow->index, "sent_bytes",
	              (json_int_t)flow->written_bytes, "sent_messages", (json_int_t)flow->written_messages,
	              "received_bytes", (json_int_t)flow->received_bytes, "received_messages",
	              (json_int_t)flow->received_messages);

	if (stream != NULL) {
		app_assoc_stats_json(assoc, stream);
		(void)json_object_set_new(stream, "encryption", app_encryption_json(encryption));
	}
	return stream;
}

/* From the start to the end of sending, or from the first to the last byte received. */
static uint64_t duration_us(const struct run *run)
{
	uint64_t first_us = UINT64_MAX, last_us = 0;

	for (uint32_t i = 0; i < run->test.parallel; i++) {
		const struct flow *const flow = run->flows[i];

		if (flow != NULL && flow->first_us != 0) {
			first_us = flow->first_us < first_us ? flow->first_us : first_us;
			last_us = flow->last_us > last_us ? flow->last_us : last_us;
		}
	}
	if (last_us > 0) {
		return last_us - first_us;
	}
	return run->ended_us > run->started_us ? run->ended_us - run->started_us
	                                       : app_wall_clock_us() - run->started_us;
}

json_t *run_result(struct run *run, bool same_host)
{
	const struct run_cpu cpu = cpu_now();
	uint64_t sent_bytes = 0, sent = 0, received_bytes = 0, received = 0;
	json_t *const streams = json_array();

	for (uint32_t i = 0; i < run->test.parallel; i++) {
		const struct flow *const flow = run->flows[i];

		if (flow == NULL) {
			continue;
		}
		sent_bytes += flow->written_bytes;
		sent += flow->written_messages;
		received_bytes += flow->received_bytes;
		received += flow->received_messages;
		(void)json_array_append_new(streams,
		                            stream_json(flow, &run->assocs[i], &run->encryptions[i]));
	}
	return json_pack("{s:I, s:I, s:I, s:I, s:I, s:s, s:o, s:o, s:{s:I, s:I}, s:o}", "sent_bytes",
	                 (json_int_t)sent_bytes, "sent_messages", (json_int_t)sent, "received_bytes",
	                 (json_int_t)received_bytes, "received_messages", (json_int_t)received, "duration_us",
	                 (json_int_t)duration_us(run), "latency_clock",
	                 same_host ? "common" : "above_minimum", "latency",
	                 samples_json(&run->latency, !same_host), "rtt", samples_json(&run->rtt, false),
	                 "cpu", "user_us", (json_int_t)(cpu.user_us - run->cpu.user_us), "system_us",
	                 (json_int_t)(cpu.system_us - run->cpu.system_us), "streams", streams);
}
