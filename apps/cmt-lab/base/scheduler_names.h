/* SPDX-License-Identifier: BSD-3-Clause
 *
 * scheduler_names.h - what the lab calls the schedulers that it compares: the library's, and what is measured
 * beside them. */
#ifndef LAB_SCHEDULER_NAMES_H
#define LAB_SCHEDULER_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#define LAB_STOCK     "stock"     /* upstream's own CMT; on a single path: upstream without CMT */
#define LAB_BEST_PATH "best path" /* what tables and pictures call plain SCTP on the best single path */

#define LAB_MAX_SCHEDULERS 24

/* Whether `name` is LAB_STOCK or a scheduler of the library; the names in `list` otherwise. */
bool lab_is_scheduler(const char *name, char *list, size_t list_bytes);

/* The i-th name, LAB_STOCK first; NULL past the last. */
const char *lab_scheduler_name(unsigned i);

#endif
