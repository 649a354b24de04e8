/* SPDX-License-Identifier: BSD-3-Clause
 *
 * scenario_parts.h - what the files that read scenarios share.
 *
 * Functions return 0, or -1 with `KEY: why` in the error. */
#ifndef LAB_SCENARIO_PARTS_H
#define LAB_SCENARIO_PARTS_H

#include <stddef.h>

#include "scenario/scenario.h"

/* -1, so that a function can end with them: "KEY: WHY" and "KEY: "VALUE" is not FORM". */
int lab_refuse(struct lab_error *error, const char *key, const char *why);
int lab_refuse_form(struct lab_error *error, const char *key, const char *value, const char *form);

int lab_take_text(char *out, size_t out_bytes, const char *key, const char *value, struct lab_error *error);

/* A key without a prefix. */
int lab_set_load_key(struct lab_scenario *s, const char *key, const char *value, struct lab_error *error);

/* "competitor" (CC@PATH, none), "competitor.KEY" and "competitor.N.KEY". */
int lab_set_competitor(struct lab_scenario *s, const char *key, const char *value, struct lab_error *error);
int lab_check_competitors(const struct lab_scenario *s, struct lab_error *error);

/* A path's backup, weight, cost or cap: whether `key` (all of it: `name`) is one of them, and `*rc`. */
bool lab_set_path_use(struct lab_path_use *use, const char *key, const char *name, const char *value,
                      struct lab_error *error, int *rc);

/* "nat.NAME.KEY" */
int lab_set_nat(struct lab_scenario *s, const char *key, const char *value, struct lab_error *error);

/* A path's from, to, from_nat, to_nat, from_absent, to_absent: whether `key` is one of them; sets it, `name`
 * being all of it. */
bool lab_is_end_key(const char *key);
int lab_set_end(struct lab_scenario *s, int path, const char *key, const char *name, const char *value,
                struct lab_error *error);
bool lab_ends_change(const struct lab_scenario *s); /* in the course of a run */
int lab_check_ends(const struct lab_scenario *s, struct lab_error *error);

/* Keys of a path that are none of a link: those, how it is used, and via. */
bool lab_is_path_key(const char *key);

/* The name of link number `link`: "path.2" or "link.NAME". Returns `out`. */
const char *lab_link_name(const struct lab_scenario *s, int link, char *out, size_t out_bytes);

#endif
