/* SPDX-License-Identifier: BSD-3-Clause
 *
 * fuzz_transfer_message.c - libFuzzer target: any bytes into the parser of cmt-send's and cmt-recv's control
 * messages.
 *
 * Oracles: what was decoded survives coding and decoding again; a name that was accepted stays below its
 * folder; whatever is refused is refused with a sentence.
 * links: cmt_transfer */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "transfer_message.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int condition)
{
	if (!condition)
		abort();
}

static void check_name(const char *name)
{
	const char *component = name;

	require(name[0] != '/' && name[0] != '\0');
	while (component != NULL) {
		size_t len = strcspn(component, "/");

		require(len > 0 && len <= TRANSFER_COMPONENT_MAX_BYTES);
		require(!(len == 1 && component[0] == '.'));
		require(!(len == 2 && component[0] == '.' && component[1] == '.'));
		component = component[len] == '/' ? component + len + 1 : NULL;
	}
	for (const char *c = name; *c != '\0'; c++) {
		require((unsigned char)*c >= 0x20 && *c != 0x7f);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct transfer_message m, again;
	struct app_error error = {""};
	/* Of exact size, so that reading beyond it is seen. */
	char *json = malloc(size > 0 ? size : 1), *coded;
	size_t len;

	if (json == NULL)
		return 0;
	if (size > 0)
		memcpy(json, data, size);
	if (transfer_decode(json, size, &m, &error) != 0) {
		require(error.text[0] != '\0');
		free(json);
		return 0;
	}
	free(json);
	if ((m.has & TRANSFER_F_NAME) != 0)
		check_name(m.name);
	coded = transfer_encode(&m, &len);
	require(coded != NULL);
	require(transfer_decode(coded, len, &again, &error) == 0);
	require(memcmp(&m, &again, sizeof(m)) == 0);
	free(coded);
	return 0;
}
