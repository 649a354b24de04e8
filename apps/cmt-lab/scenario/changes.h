/* SPDX-License-Identifier: BSD-3-Clause
 *
 * changes.h - the list of what changes in the course of a run, as long as one likes.
 *
 * Scenarios are copied as plain data, and may have the beginning of their lists in common: an entry never
 * changes, and lists last as long as the process. Not thread safe. */
#ifndef LAB_CHANGES_H
#define LAB_CHANGES_H

#include "scenario/scenario.h"

/* Puts a copy at the end of the scenario's list. */
void lab_changes_add(struct lab_scenario *s, const struct lab_change *change);

/* The scenario's changes by time, those of one time in the order in which they were given; the caller frees
 * it. */
const struct lab_change **lab_changes_by_time(const struct lab_scenario *s);

#endif
