/* SPDX-License-Identifier: BSD-3-Clause */
#include "text/units.h"

#include <inttypes.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct unit {
	const char *suffix;
	double factor;
};

/* A letter alone is decimal in a rate and binary in a size, as iperf3 has it. */
static const struct unit rate_units[] = {
    {"", 1},    {"bit", 1},    {"bit/s", 1},    {"k", 1e3}, {"K", 1e3},    {"kbit", 1e3},   {"kbit/s", 1e3},
    {"M", 1e6}, {"Mbit", 1e6}, {"Mbit/s", 1e6}, {"G", 1e9}, {"Gbit", 1e9}, {"Gbit/s", 1e9}, {NULL, 0}};
static const struct unit time_units[] = {{"", 1e6}, {"us", 1}, {"ms", 1e3}, {"s", 1e6}, {NULL, 0}};
static const struct unit size_units[] = {
    {"", 1},          {"B", 1},          {"kB", 1e3},         {"KB", 1e3},   {"MB", 1e6},
    {"GB", 1e9},      {"k", 1024},       {"K", 1024},         {"KiB", 1024}, {"M", 1048576},
    {"MiB", 1048576}, {"G", 1073741824}, {"GiB", 1073741824}, {NULL, 0}};
static const struct unit probability_units[] = {{"", 1}, {"%", 0.01}, {NULL, 0}};

/* A number without sign, and what follows it. Letters such as in "inf" or "0x" are no part of a number. */
static bool parse_number(const char *text, double *number, const char **rest)
{
	char *end;

	if ((*text < '0' || *text > '9') && *text != '.') {
		return false;
	}
	if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
		return false;
	}
	errno = 0;
	*number = strtod(text, &end);
	*rest = end;
	return end != text && errno == 0;
}

static bool parse_with_unit(const char *text, const struct unit *units, double *value)
{
	const char *rest;
	double number;

	if (!parse_number(text, &number, &rest)) {
		return false;
	}
	for (const struct unit *u = units; u->suffix != NULL; u++) {
		if (strcmp(rest, u->suffix) == 0) {
			*value = number * u->factor;
			return true;
		}
	}
	return false;
}

/* Above 2^53 a double no longer counts in ones; nothing in a scenario is that large. */
static bool parse_whole(const char *text, const struct unit *units, uint64_t *out)
{
	double value;

	if (!parse_with_unit(text, units, &value) || value > 9007199254740992.0) {
		return false;
	}
	*out = (uint64_t)llround(value);
	return true;
}

bool app_parse_rate(const char *text, uint64_t *bps)
{
	return parse_whole(text, rate_units, bps);
}

bool app_parse_time(const char *text, uint64_t *us)
{
	return parse_whole(text, time_units, us);
}

bool app_parse_size(const char *text, uint64_t *bytes)
{
	return parse_whole(text, size_units, bytes);
}

bool app_parse_probability(const char *text, double *probability)
{
	double value;

	if (!parse_with_unit(text, probability_units, &value) || value > 1.0) {
		return false;
	}
	*probability = value;
	return true;
}

bool app_parse_count(const char *text, int64_t min, int64_t max, int64_t *count)
{
	const char *digits = *text == '-' || *text == '+' ? text + 1 : text;
	char *end;
	long long value;

	if (*digits < '0' || *digits > '9') {
		return false;
	}
	errno = 0;
	value = strtoll(text, &end, 10);
	if (*end != '\0' || errno != 0 || value < min || value > max) {
		return false;
	}
	*count = value;
	return true;
}

bool app_parse_bool(const char *text, bool *value)
{
	if (strcmp(text, "yes") == 0 || strcmp(text, "true") == 0 || strcmp(text, "1") == 0) {
		*value = true;
		return true;
	}
	if (strcmp(text, "no") == 0 || strcmp(text, "false") == 0 || strcmp(text, "0") == 0) {
		*value = false;
		return true;
	}
	return false;
}

bool app_parse_interval(const char *text, uint64_t *from_us, uint64_t *until_us)
{
	const char *dash = strchr(text, '-');
	char first[32];
	uint64_t from, until;

	if (dash == NULL || (size_t)(dash - text) >= sizeof(first)) {
		return false;
	}
	memcpy(first, text, (size_t)(dash - text));
	first[dash - text] = '\0';
	if (!app_parse_time(first, &from) || !app_parse_time(dash + 1, &until) || from >= until) {
		return false;
	}
	*from_us = from;
	*until_us = until;
	return true;
}

char *app_format_rate(double bps, char *out, size_t out_bytes)
{
	if (bps >= 1e9) {
		snprintf(out, out_bytes, "%.3f Gbit/s", bps / 1e9);
	} else if (bps >= 1e6) {
		snprintf(out, out_bytes, "%.3f Mbit/s", bps / 1e6);
	} else {
		snprintf(out, out_bytes, "%.1f kbit/s", bps / 1e3);
	}
	return out;
}

char *app_format_time(double us, char *out, size_t out_bytes)
{
	if (us >= 1e6) {
		snprintf(out, out_bytes, "%.2f s", us / 1e6);
	} else if (us >= 1e3) {
		snprintf(out, out_bytes, "%.1f ms", us / 1e3);
	} else {
		snprintf(out, out_bytes, "%.0f us", us);
	}
	return out;
}

char *app_format_size(double bytes, char *out, size_t out_bytes)
{
	if (bytes >= 1e6) {
		snprintf(out, out_bytes, "%.2f MB", bytes / 1e6);
	} else if (bytes >= 1e4) {
		snprintf(out, out_bytes, "%.1f kB", bytes / 1e3);
	} else {
		snprintf(out, out_bytes, "%.0f B", bytes);
	}
	return out;
}

char *app_format_duration(uint64_t us, char *out, size_t out_bytes)
{
	const uint64_t s = us / 1000000;

	if (s < 60) {
		snprintf(out, out_bytes, "%" PRIu64 " s", s);
	} else if (s < 3600) {
		snprintf(out, out_bytes, "%" PRIu64 " min %" PRIu64 " s", s / 60, s % 60);
	} else {
		snprintf(out, out_bytes, "%" PRIu64 " h %" PRIu64 " min", s / 3600, s / 60 % 60);
	}
	return out;
}
