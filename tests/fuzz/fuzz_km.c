/* SPDX-License-Identifier: BSD-3-Clause
 *
 * fuzz_km.c - libFuzzer target: what two sides offer each other (DTLS Key Management parameters), and what
 * comes of it.
 *
 * The first byte says where the first parameter ends. Oracles: no byte behind it is read (blocks of exact
 * size); coding gives back what was read, but for flags that nobody knows; on error nothing is written; both
 * sides come to the same method and to different roles, or to the same error cause.
 *
 * edges: 50 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "wire/cmt_km.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { FLAGS_AT = 8, ALL_FLAGS = CMT_KM_CLIENT | CMT_KM_SERVER | CMT_KM_RESTART };

static void require(int condition)
{
	if (!condition)
		abort();
}

/* Whether it is one. */
static int read_parameter(const uint8_t *data, size_t len, struct cmt_km *out)
{
	uint8_t *bytes = malloc(len > 0 ? len : 1), coded[CMT_KM_MAX_BYTES];
	struct cmt_km untouched;
	int n;

	if (bytes == NULL)
		return 0;
	if (len > 0)
		memcpy(bytes, data, len);
	memset(&untouched, 0xa5, sizeof(untouched));
	memcpy(out, &untouched, sizeof(*out));
	n = cmt_km_decode(bytes, len, out);
	if (n < 0) {
		require(memcmp(out, &untouched, sizeof(*out)) == 0);
	} else {
		require(out->n_methods > 0 && out->n_methods <= CMT_KM_METHODS_MAX && (size_t)n <= len);
		require(cmt_km_encode(out, coded) == (size_t)n);
		bytes[FLAGS_AT] &= ALL_FLAGS;
		require(memcmp(coded, bytes, (size_t)n) == 0);
	}
	free(bytes);
	return n > 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct cmt_km_agreement a = {.method = 0}, b = {.method = 0};
	struct cmt_km one, other;
	size_t first;
	int cause;

	if (size == 0)
		return 0;
	first = data[0] < size ? data[0] : size - 1;
	if (!read_parameter(data + 1, first, &one) ||
	    !read_parameter(data + 1 + first, size - 1 - first, &other))
		return 0;
	cause = cmt_km_agree(&one, &other, &a);
	require(cmt_km_agree(&other, &one, &b) == cause);
	if (cause == 0)
		require(a.method == b.method && a.is_server != b.is_server);
	else
		require(cause >= CMT_KM_CAUSE_NO_COMMON_METHOD && cause <= CMT_KM_CAUSE_ROLES);
	return 0;
}
