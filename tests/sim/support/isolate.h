/* SPDX-License-Identifier: BSD-3-Clause
 *
 * isolate.h - one scenario per process: a scenario runs in a child, which hands back a plain structure.
 *
 * cmocka's assertions do not work in the child; REQUIRE ends it instead, and the parent's test fails. */
#ifndef SIM_ISOLATE_H
#define SIM_ISOLATE_H

#include <stdbool.h>
#include <stddef.h>

/* Ends the child with the place and text of the condition on stderr. */
#define REQUIRE(condition)                                                                                   \
	do {                                                                                                 \
		if (!(condition))                                                                            \
			isolate_fail(__FILE__, __LINE__, #condition);                                        \
	} while (0)
_Noreturn void isolate_fail(const char *file, int line, const char *condition);

/* Whether use of freed memory ends a scenario: under AddressSanitizer. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ISOLATE_WATCHES_MEMORY 1
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define ISOLATE_WATCHES_MEMORY 1
#endif
#ifndef ISOLATE_WATCHES_MEMORY
#define ISOLATE_WATCHES_MEMORY 0
#endif

/* Runs scenario(job, outcome) in a child; `outcome` comes back as the child left it, zeroed at its start.
 * Fails the running cmocka test when the child does not end well. */
typedef void isolate_scenario(const void *job, void *outcome);
void isolate_run(isolate_scenario *scenario, const void *job, void *outcome, size_t outcome_bytes);

/* The same outside of cmocka: whether the child ended well, within `limit_s` of real time (0: no limit). */
bool isolate_ends_well(isolate_scenario *scenario, const void *job, void *outcome, size_t outcome_bytes,
                       unsigned limit_s);

/* The same for scenarios that a defect crashes or hangs: whether the child ended well, within
 * ISOLATE_HANGS_SECONDS. */
enum { ISOLATE_HANGS_SECONDS = 5 };
bool isolate_survives(isolate_scenario *scenario, const void *job, void *outcome, size_t outcome_bytes);

#endif
