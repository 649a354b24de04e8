/* SPDX-License-Identifier: BSD-3-Clause */
#include "options/option_values.h"

#include <stdio.h>

#include "text/units.h"

#define LIMIT_BYTES 32

typedef bool parse_fn(const char *text, uint64_t *value);

/* How a limit is written, exactly. Returns `out`. */
typedef char *write_fn(uint64_t value, char out[LIMIT_BYTES]);

struct quantity {
	const char *form; /* completes `"VALUE" is not ...` */
	parse_fn *parse;
	write_fn *write;
};

/* In the largest of `units`, from large to small, that divides it. */
static char *write_in(uint64_t value, const char *const *names, const uint64_t *factors,
                      char out[LIMIT_BYTES])
{
	while (*factors > 1 && (value == 0 || value % *factors != 0)) {
		factors++;
		names++;
	}
	(void)snprintf(out, LIMIT_BYTES, "%llu%s", (unsigned long long)(value / *factors), *names);
	return out;
}

static char *write_size(uint64_t bytes, char out[LIMIT_BYTES])
{
	static const char *const names[] = {"GiB", "MiB", ""};
	static const uint64_t factors[] = {UINT64_C(1) << 30, UINT64_C(1) << 20, 1};

	return write_in(bytes, names, factors, out);
}

static char *write_time(uint64_t us, char out[LIMIT_BYTES])
{
	static const char *const names[] = {"s", "ms", "us"};
	static const uint64_t factors[] = {APP_SECOND_US, 1000, 1};

	return write_in(us, names, factors, out);
}

static char *write_rate(uint64_t bps, char out[LIMIT_BYTES])
{
	static const char *const names[] = {"Gbit", "Mbit", "kbit", "bit"};
	static const uint64_t factors[] = {1000000000, 1000000, 1000, 1};

	return write_in(bps, names, factors, out);
}

static const struct quantity size_quantity = {APP_SIZE_FORM, app_parse_size, write_size};
static const struct quantity time_quantity = {APP_TIME_FORM, app_parse_time, write_time};
static const struct quantity rate_quantity = {APP_RATE_FORM, app_parse_rate, write_rate};

static int take(const struct quantity *q, const char *name, const char *value, uint64_t min, uint64_t max,
                uint64_t *out, struct app_error *error)
{
	char least[LIMIT_BYTES], most[LIMIT_BYTES];
	uint64_t parsed;

	if (!q->parse(value, &parsed)) {
		return app_error_set(error, "--%s: \"%s\" is not %s", name, value, q->form);
	}
	if (parsed < min || parsed > max) {
		return max == APP_NO_LIMIT
		           ? app_error_set(error, "--%s: \"%s\" is too small; write %s or more", name, value,
		                           q->write(min, least))
		           : app_error_set(error, "--%s: \"%s\" is out of range; write %s to %s", name, value,
		                           q->write(min, least), q->write(max, most));
	}
	*out = parsed;
	return 0;
}

int app_take_size(const char *name, const char *value, uint64_t min, uint64_t max, uint64_t *bytes,
                  struct app_error *error)
{
	return take(&size_quantity, name, value, min, max, bytes, error);
}

int app_take_time(const char *name, const char *value, uint64_t min_us, uint64_t max_us, uint64_t *us,
                  struct app_error *error)
{
	return take(&time_quantity, name, value, min_us, max_us, us, error);
}

int app_take_interval(const char *name, const char *value, uint64_t min_us, uint64_t *us,
                      struct app_error *error)
{
	char least[LIMIT_BYTES];
	uint64_t parsed;

	if (!app_parse_time(value, &parsed) || (parsed != 0 && (parsed < min_us || parsed > APP_DAY_US))) {
		return app_error_set(error, "--%s: \"%s\" is neither 0 (none) nor a time from %s to a day",
		                     name, value, write_time(min_us, least));
	}
	*us = parsed;
	return 0;
}

int app_take_rate(const char *name, const char *value, uint64_t max_bps, uint64_t *bps,
                  struct app_error *error)
{
	return take(&rate_quantity, name, value, 1, max_bps, bps, error);
}

int app_take_count(const char *name, const char *value, int64_t min, int64_t max, int64_t *count,
                   struct app_error *error)
{
	return app_parse_count(value, min, max, count)
	           ? 0
	           : app_error_set(error, "--%s: \"%s\" is not a number from %lld to %lld", name, value,
	                           (long long)min, (long long)max);
}

int app_take_port(const char *name, const char *value, bool any, uint16_t *port, struct app_error *error)
{
	int64_t count;

	if (!app_parse_count(value, any ? 0 : 1, UINT16_MAX, &count)) {
		return app_error_set(error, "--%s: \"%s\" is not a port; write %s to 65535", name, value,
		                     any ? "0 (any)" : "1");
	}
	*port = (uint16_t)count;
	return 0;
}
