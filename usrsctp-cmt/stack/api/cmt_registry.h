/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_registry.h - schedulers by name: the built-in ones and those that the application registered. */
#ifndef CMT_REGISTRY_H
#define CMT_REGISTRY_H

#include "cmt_sched.h"

/* NULL when there is none of that name. */
const struct cmt_sched_ops *cmt_registry_find(const char *name);

#endif
