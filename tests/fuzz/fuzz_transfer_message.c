/* SPDX-License-Identifier: BSD-3-Clause
 *
 * fuzz_transfer_message.c - libFuzzer target: any bytes into the parser of cmt-send's and cmt-recv's control
 * messages.
 *
 * Oracles: what was decoded survives coding and decoding again; a name that was accepted stays below its
 * folder; whatever is refused is refused with a sentence.
 * links: cmt_transfer */
#include <stdlib.h>
#include <string.h>

#include "support/fuzz.h"
#include "transfer_message.h"

static void check_name(const char *name)
{
	const char *component = name;

	REQUIRE(name[0] != '/' && name[0] != '\0');
	while (component != NULL) {
		size_t len = strcspn(component, "/");

		REQUIRE(len > 0 && len <= TRANSFER_COMPONENT_MAX_BYTES);
		REQUIRE(!(len == 1 && component[0] == '.'));
		REQUIRE(!(len == 2 && component[0] == '.' && component[1] == '.'));
		component = component[len] == '/' ? component + len + 1 : NULL;
	}
	for (const char *c = name; *c != '\0'; c++) {
		REQUIRE((unsigned char)*c >= 0x20 && *c != 0x7f);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct transfer_message m, again;
	struct app_error error = {""};
	char *coded;
	size_t len;

	if (transfer_decode((const char *)data, size, &m, &error) != 0) {
		REQUIRE(error.text[0] != '\0');
		return 0;
	}
	if ((m.has & TRANSFER_F_NAME) != 0)
		check_name(m.name);
	coded = transfer_encode(&m, &len);
	REQUIRE(coded != NULL);
	REQUIRE(transfer_decode(coded, len, &again, &error) == 0);
	REQUIRE(memcmp(&m, &again, sizeof(m)) == 0);
	free(coded);
	return 0;
}
