/* SPDX-License-Identifier: BSD-3-Clause
 *
 * fuzz_perf_message.c - libFuzzer target: any bytes as a control message between cmt-perf's client and
 * server.
 *
 * Oracles: a test that was accepted is within its limits and survives coding and decoding again; what is
 * refused is refused with a sentence. runs: 300000
 * links: cmt_perf_parts */
#include <string.h>

#include "perf_test.h"
#include "support/fuzz.h"

static void check_hello(const json_t *message)
{
	struct perf_test test, again;
	struct app_error error = {""};
	uint32_t index, index_again;
	json_t *coded;

	if (perf_hello_read(message, &test, &index, &error) != 0) {
		REQUIRE(error.text[0] != '\0');
		return;
	}
	REQUIRE(test.parallel >= 1 && test.parallel <= PERF_MAX_PARALLEL && index < test.parallel);
	REQUIRE(test.msg_bytes >= PERF_MIN_MSG_BYTES && test.msg_bytes <= PERF_MAX_MSG_BYTES);
	REQUIRE((test.duration_us == 0) != (test.bytes == 0) && test.duration_us <= PERF_MAX_DURATION_US);
	coded = perf_hello(&test, index);
	REQUIRE(coded != NULL && perf_hello_read(coded, &again, &index_again, &error) == 0);
	REQUIRE(index_again == index && memcmp(&test, &again, sizeof(test)) == 0);
	json_decref(coded);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	json_t *const message =
	    size <= PERF_MAX_CONTROL_BYTES ? json_loadb((const char *)data, size, 0, NULL) : NULL;

	if (json_is_object(message)) {
		REQUIRE(perf_text(message, "type") != NULL);
		REQUIRE(perf_number(message, "bytes", 1000) <= 1000);
		check_hello(message);
	}
	json_decref(message);
	return 0;
}
