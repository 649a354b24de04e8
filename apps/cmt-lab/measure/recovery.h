/* SPDX-License-Identifier: BSD-3-Clause
 *
 * recovery.h - how long after a change of the network the application gets what the network then carries.
 *
 * Pure but for the list of changes. */
#ifndef LAB_RECOVERY_H
#define LAB_RECOVERY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/samples.h"
#include "measure/windows.h"
#include "scenario/ceiling.h"

#define LAB_RECOVERED         0.95     /* of the new rate */
#define LAB_RECOVERY_SLICE_US 50000u   /* width of the windows that it is read from */
#define LAB_RECOVERY_HOLD_US  1000000u /* for so long on average: a burst behind a pause is none */
#define LAB_NOT_RECOVERED_US  UINT64_MAX

/* The application got `slices`, counted from the start. From the change at from_us, which holds until
 * until_us, the time to the first moment from which on a second brings LAB_RECOVERED of `rate_bps`, to the
 * next slice; LAB_NOT_RECOVERED_US when no second before until_us does. */
uint64_t lab_recovery_us(const struct lab_windows *slices, uint64_t from_us, uint64_t until_us,
                         double rate_bps);

/* When the scenario's links or ends change in `span`, of the simulation; of changes that follow each other
 * in less than a second the last one. Ascending. The caller frees it. */
struct lab_samples lab_recovery_changes(const struct lab_scenario *s, struct lab_span span);

/* Over all changes in the span: the longest; one that is never recovered from counts for as long as it holds,
 * and in `missed`. */
struct lab_recoveries {
	unsigned changes, missed;
	uint64_t longest_us;
};
struct lab_recoveries lab_recoveries(const struct lab_scenario *s, int only_path, bool extension,
                                     const struct lab_windows *slices, struct lab_span span);

#endif
