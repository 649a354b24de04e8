/* SPDX-License-Identifier: BSD-3-Clause
 *
 * units.h - numbers with units as people write them in scenario files and on the command line.
 *
 * Pure. Every parser takes the whole of `text`: true and *out, or false with *out untouched. The APP_*_FORM
 * strings complete the sentence `"text" is not ...`. */
#ifndef APP_UNITS_H
#define APP_UNITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define APP_RATE_FORM        "a rate; write 400kbit, 1.6Mbit or 5M"
#define APP_TIME_FORM        "a time; write 500us, 10ms or 1.5s"
#define APP_SIZE_FORM        "a size; write 1400, 50kB, 64KiB or 5M"
#define APP_PROBABILITY_FORM "a probability; write 0.5%, 0.005 or 1e-5"
#define APP_COUNT_FORM       "a whole number"
#define APP_BOOL_FORM        "a choice; write yes or no"

/* bit, kbit, Mbit, Gbit, each also with /s; k, M, G alone are these, decimal; without a unit bit/s. */
bool app_parse_rate(const char *text, uint64_t *bps);
/* us, ms, s; without a unit seconds. */
bool app_parse_time(const char *text, uint64_t *us);
/* kB, MB, GB are decimal; KiB, MiB, GiB, and k, M, G alone, binary; without a unit bytes. */
bool app_parse_size(const char *text, uint64_t *bytes);
bool app_parse_probability(const char *text, double *probability);
bool app_parse_count(const char *text, int64_t min, int64_t max, int64_t *count);
bool app_parse_bool(const char *text, bool *value);

/* FROM-UNTIL, as 3s-8s, with FROM < UNTIL. */
bool app_parse_interval(const char *text, uint64_t *from_us, uint64_t *until_us);

/* The other way, for tables: "1.60 Mbit/s", "12.3 ms", "50.0 kB". Returns `out`. */
char *app_format_rate(double bps, char *out, size_t out_bytes);
char *app_format_time(double us, char *out, size_t out_bytes);
char *app_format_size(double bytes, char *out, size_t out_bytes);

/* Of whole seconds: "6 s", "3 min 5 s", "2 h 7 min". Returns `out`. */
char *app_format_duration(uint64_t us, char *out, size_t out_bytes);

#endif
