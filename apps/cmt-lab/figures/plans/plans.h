/* SPDX-License-Identifier: BSD-3-Clause
 *
 * plans.h - the figures of each paper as plans: what runs, what the paper claims, and when a claim holds. */
#ifndef LAB_PLANS_H
#define LAB_PLANS_H

#include "figures/plan.h"

/* The plans of one paper; `name` NULL past the last. */
extern const struct lab_plan lab_plans_arabi[], lab_plans_sarwar[], lab_plans_osia[], lab_plans_ocps[],
    lab_plans_yabandeh[], lab_plans_video[], lab_plans_home[];

#endif
