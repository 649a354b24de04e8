/* SPDX-License-Identifier: BSD-3-Clause */
#include "perf_test.h"

#include <stdio.h>
#include <string.h>

void perf_host(char out[PERF_HOST_TEXT_BYTES])
{
	FILE *const file = fopen("/proc/sys/kernel/random/boot_id", "r");

	out[0] = '\0';
	if (file == NULL) {
		return;
	}
	if (fgets(out, PERF_HOST_TEXT_BYTES, file) == NULL) {
		out[0] = '\0';
	}
	out[strcspn(out, "\n")] = '\0';
	(void)fclose(file);
}

bool perf_same_host(const char *a, const char *b)
{
	return a[0] != '\0' && strcmp(a, b) == 0;
}

json_t *perf_hello(const struct perf_test *test, uint32_t index)
{
	return json_pack("{s:s, s:i, s:s, s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:b}", "type", "hello",
	                 "version", PERF_VERSION, "id", test->id, "host", test->host, "index",
	                 (json_int_t)index, "parallel", (json_int_t)test->parallel, "msg_bytes",
	                 (json_int_t)test->msg_bytes, "duration_us", (json_int_t)test->duration_us, "bytes",
	                 (json_int_t)test->bytes, "rate_bps", (json_int_t)test->rate_bps, "reverse",
	                 test->reverse);
}

const char *perf_text(const json_t *message, const char *key)
{
	const char *const text = json_string_value(json_object_get(message, key));

	return text != NULL ? text : "";
}

uint64_t perf_number(const json_t *message, const char *key, uint64_t max)
{
	const json_int_t value = json_integer_value(json_object_get(message, key));

	return value < 0 || (uint64_t)value > max ? 0 : (uint64_t)value;
}

int perf_hello_read(const json_t *message, struct perf_test *test, uint32_t *index, struct app_error *error)
{
	const uint64_t version = perf_number(message, "version", UINT32_MAX);

	if (version != PERF_VERSION) {
		return app_error_set(error, "the client speaks version %llu of the protocol, the server %d",
		                     (unsigned long long)version, PERF_VERSION);
	}
	*test = (struct perf_test){
	    .parallel = (uint32_t)perf_number(message, "parallel", PERF_MAX_PARALLEL),
	    .msg_bytes = (uint32_t)perf_number(message, "msg_bytes", PERF_MAX_MSG_BYTES),
	    .duration_us = perf_number(message, "duration_us", PERF_MAX_DURATION_US),
	    .bytes = perf_number(message, "bytes", INT64_MAX),
	    .rate_bps = perf_number(message, "rate_bps", INT64_MAX),
	    .reverse = json_is_true(json_object_get(message, "reverse")),
	};
	*index = (uint32_t)perf_number(message, "index", PERF_MAX_PARALLEL);
	if (test->parallel == 0 || *index >= test->parallel || test->msg_bytes < PERF_MIN_MSG_BYTES ||
	    (test->duration_us == 0) == (test->bytes == 0) ||
	    strlen(perf_text(message, "id")) >= sizeof(test->id) ||
	    strlen(perf_text(message, "host")) >= sizeof(test->host)) {
		return app_error_set(error, "the client asks for a test that is out of range");
	}
	(void)snprintf(test->id, sizeof(test->id), "%s", perf_text(message, "id"));
	(void)snprintf(test->host, sizeof(test->host), "%s", perf_text(message, "host"));
	return 0;
}
