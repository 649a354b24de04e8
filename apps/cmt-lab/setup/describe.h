/* SPDX-License-Identifier: BSD-3-Clause
 *
 * describe.h - a scenario as JSON, for programs that run it on something else than the simulator.
 *
 * Pure. docs/lab.md lists the keys. */
#ifndef LAB_DESCRIBE_H
#define LAB_DESCRIBE_H

#include <jansson.h>

#include "setup/lab_run.h"

/* The load, the links with the seed's shift of delays, what they allow at best, and every later state of a
 * link. The caller owns it. */
json_t *lab_describe(const struct lab_run *run);

#endif
