/* SPDX-License-Identifier: BSD-3-Clause
 *
 * shared_options.h - options that mean the same in several programs, and what they do at their start. */
#ifndef APP_SHARED_OPTIONS_H
#define APP_SHARED_OPTIONS_H

#include <stddef.h>
#include <stdint.h>

#include "text/message.h"

struct event_base;

/* A timeout, of the option `name`: 1s at least. 0, or -1 with the reason. */
int app_take_timeout(const char *name, const char *value, uint64_t *us, struct app_error *error);

/* --stats: "json" is all there is. */
int app_take_stats(const char *value, struct app_error *error);

/* Prints `help`, or the version of `program`, on standard output and ends the program, unless both are NULL.
 */
void app_end_for_information(const char *help, const char *program);

/* "PROGRAM 1.2.3", of this release. Returns `out`. */
char *app_release_text(const char *program, char *out, size_t out_bytes);

/* An event base whose timers are finer than a millisecond. NULL without memory. */
struct event_base *app_new_precise_base(void);

/* Raises the limit of open descriptors as far as it goes. */
void app_raise_descriptor_limit(void);

#endif
