/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How the sender is told to use a path: backup = yes, weight = 50%, cost = 2, cap = 1Mbit. */
#include "scenario/scenario_parts.h"

#include <string.h>

#include "text/units.h"

enum { WEIGHT_MAX = 100, COST_MAX = 1000, CAP_MIN_BPS = 1000 };

bool lab_is_path_key(const char *key)
{
	return lab_is_end_key(key) || strcmp(key, "via") == 0 || strcmp(key, "backup") == 0 ||
	       strcmp(key, "weight") == 0 || strcmp(key, "cost") == 0 || strcmp(key, "cap") == 0;
}

static bool take_count(const char *value, int64_t min, int64_t max, uint64_t *out)
{
	int64_t count;
	bool good = app_parse_count(value, min, max, &count);

	*out = good ? (uint64_t)count : *out;
	return good;
}

static bool take_cap(const char *value, uint64_t *bps)
{
	uint64_t cap_bps;
	bool good = app_parse_rate(value, &cap_bps) && cap_bps >= CAP_MIN_BPS;

	*bps = good ? cap_bps : *bps;
	return good;
}

bool lab_set_path_use(struct lab_path_use *use, const char *key, const char *name, const char *value,
                      struct lab_error *error, int *rc)
{
	const char *form;
	bool good;

	if (strcmp(key, "backup") == 0) {
		good = app_parse_bool(value, &use->backup);
		form = APP_BOOL_FORM;
	} else if (strcmp(key, "weight") == 0) {
		good = take_count(value, 1, WEIGHT_MAX, &use->weight);
		form = "a weight; write a number of percent, 1 to 100";
	} else if (strcmp(key, "cost") == 0) {
		good = take_count(value, 0, COST_MAX, &use->cost);
		form = "a cost; write a whole number, 0 to 1000";
	} else if (strcmp(key, "cap") == 0) {
		good = take_cap(value, &use->cap_bps);
		form = "a cap; write a rate from 1kbit, as 400kbit or 1.6Mbit";
	} else {
		return false;
	}
	*rc = good ? 0 : lab_refuse_form(error, name, value, form);
	return true;
}
