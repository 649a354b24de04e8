/* SPDX-License-Identifier: BSD-3-Clause
 *
 * fuzz_scenario.c - libFuzzer target: any text as a scenario file of cmt-lab, and as an inline scenario.
 *
 * Oracles: what was accepted is a network that the simulator takes; what is refused is refused with a
 * sentence. runs: 60000
 * links: cmt_lab_parts */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "scenario/scenario.h"
#include "support/fuzz.h"

static void check(int result, const struct lab_scenario *s, const struct lab_error *error)
{
	if (result != 0) {
		REQUIRE(error->text[0] != '\0');
		return;
	}
	REQUIRE(s->n_paths >= 1 && s->n_paths <= USRSCTP_CMT_SIM_MAX_PATHS);
	REQUIRE(s->n_shared <= LAB_MAX_SHARED);
	REQUIRE(s->msg_bytes >= 1 && s->msg_bytes <= LAB_MAX_MSG_BYTES);
	for (int path = 0; path < s->n_paths; path++) {
		for (unsigned direction = 0; direction < 2; direction++) {
			const struct usrsctp_cmt_sim_link *link = &s->links[path][direction];

			REQUIRE(link->rate_bps > 0);
			REQUIRE(link->loss >= 0 && link->loss <= 1 && link->corrupt >= 0 &&
			        link->corrupt <= 1);
		}
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct lab_scenario scenario;
	struct lab_error error = {""};
	char path[64], *text;
	int file = memfd_create("scenario", MFD_CLOEXEC);

	REQUIRE(file >= 0 && write(file, data, size) == (ssize_t)size);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", file);
	check(lab_scenario_load_file(&scenario, path, &error), &scenario, &error);
	close(file);
	text = malloc(size + 1);
	REQUIRE(text != NULL);
	memcpy(text, data, size);
	text[size] = '\0';
	error.text[0] = '\0';
	check(lab_scenario_load_inline(&scenario, text, &error), &scenario, &error);
	free(text);
	return 0;
}
