/* SPDX-License-Identifier: BSD-3-Clause
 *
 * fuzz_wire.c - libFuzzer target: any bytes into both decoders.
 *
 * Build with -fsanitize=fuzzer,address,undefined. Oracles: no byte outside the chunk is read (blocks of exact
 * size); what was decoded survives coding and decoding again; coding gives back the bytes read, flags and
 * length apart; on error nothing is written. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "wire/cmt_wire.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int condition)
{
	if (!condition)
		abort();
}

static void check_timestamp(const uint8_t *chunk, size_t len)
{
	struct cmt_timestamp ts, again, untouched;
	uint8_t coded[CMT_TIMESTAMP_BYTES];

	memset(&untouched, 0xa5, sizeof(untouched));
	ts = untouched;
	if (cmt_timestamp_decode(chunk, len, &ts) != 0) {
		require(memcmp(&ts, &untouched, sizeof(ts)) == 0);
		return;
	}
	require(cmt_timestamp_encode(&ts, coded) == sizeof(coded));
	require(memcmp(coded + 4, chunk + 4, sizeof(coded) - 4) == 0);
	require(cmt_timestamp_decode(coded, sizeof(coded), &again) == 0);
	require(memcmp(&ts, &again, sizeof(ts)) == 0);
}

static void check_echo(const uint8_t *chunk, size_t len)
{
	struct cmt_echo echo, again, untouched;
	uint8_t coded[CMT_ECHO_MAX_BYTES];
	size_t coded_bytes;

	memset(&untouched, 0xa5, sizeof(untouched));
	echo = untouched;
	again = untouched;
	if (cmt_echo_decode(chunk, len, &echo) != 0) {
		require(memcmp(&echo, &untouched, sizeof(echo)) == 0);
		return;
	}
	require(echo.n_entries <= CMT_ECHO_MAX_ENTRIES);
	coded_bytes = cmt_echo_encode(&echo, coded);
	require(coded_bytes == CMT_ECHO_FIXED_BYTES + echo.n_entries * CMT_ECHO_ENTRY_BYTES);
	require(memcmp(coded + 4, chunk + 4, coded_bytes - 4) == 0);
	require(cmt_echo_decode(coded, coded_bytes, &again) == 0);
	require(memcmp(&echo, &again, sizeof(echo)) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t *chunk = malloc(size > 0 ? size : 1);

	if (chunk == NULL)
		return 0;
	if (size > 0)
		memcpy(chunk, data, size);
	check_timestamp(chunk, size);
	check_echo(chunk, size);
	(void)cmt_path_id_of_chunks(chunk, size);
	/* Every input reaches both parsers, whatever its first octet. */
	if (size > 0) {
		chunk[0] = CHUNK_TIMESTAMP;
		check_timestamp(chunk, size);
		chunk[0] = CHUNK_ECHO;
		check_echo(chunk, size);
	}
	free(chunk);
	return 0;
}
