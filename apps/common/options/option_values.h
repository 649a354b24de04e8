/* SPDX-License-Identifier: BSD-3-Clause
 *
 * option_values.h - the value of an option: what units.h makes of it, within the option's limits.
 *
 * Pure. Each function takes the whole of `value`, of the option --NAME: 0, or -1 with a sentence that names
 * the option, the value and what is accepted; then *out is untouched. */
#ifndef APP_OPTION_VALUES_H
#define APP_OPTION_VALUES_H

#include <stdbool.h>
#include <stdint.h>

#include "text/message.h"

#define APP_SECOND_US UINT64_C(1000000)
#define APP_DAY_US    (86400 * APP_SECOND_US)
#define APP_NO_LIMIT  UINT64_MAX

/* min to max; max may be APP_NO_LIMIT. */
int app_take_size(const char *name, const char *value, uint64_t min, uint64_t max, uint64_t *bytes,
                  struct app_error *error);
int app_take_time(const char *name, const char *value, uint64_t min_us, uint64_t max_us, uint64_t *us,
                  struct app_error *error);

/* Between reports: min_us to a day, or 0, which means none. */
int app_take_interval(const char *name, const char *value, uint64_t min_us, uint64_t *us,
                      struct app_error *error);

/* 1 bit/s to max_bps. */
int app_take_rate(const char *name, const char *value, uint64_t max_bps, uint64_t *bps,
                  struct app_error *error);
int app_take_count(const char *name, const char *value, int64_t min, int64_t max, int64_t *count,
                   struct app_error *error);

/* 1 to 65535; with `any` 0 too. */
int app_take_port(const char *name, const char *value, bool any, uint16_t *port, struct app_error *error);

#endif
