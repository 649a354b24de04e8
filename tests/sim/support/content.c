/* SPDX-License-Identifier: BSD-3-Clause */
#include "content.h"

#include "isolate.h"
#include "util/cmt_random.h"

/* A prime: neither the number of messages nor the size of one has it as a factor. */
enum { PERIOD = 8191, OF_HOST = 4093, OF_MESSAGE = 613 };

const uint8_t *content_of_stream(uint64_t at, size_t n)
{
	static uint8_t table[PERIOD + CONTENT_BYTES_MAX];
	static size_t filled;
	static uint64_t random;
	const size_t from = (size_t)(at % PERIOD);

	REQUIRE(n <= CONTENT_BYTES_MAX);
	for (; filled < from + n; filled++)
		table[filled] = filled < PERIOD ? (uint8_t)cmt_random_take(&random) : table[filled - PERIOD];
	return table + from;
}

const uint8_t *content_of_message(int host, uint32_t index, uint32_t at, size_t n)
{
	const uint64_t first = ((uint64_t)host * OF_HOST + (uint64_t)index * OF_MESSAGE) % PERIOD;

	return content_of_stream(first, at + n) + at;
}
