/* SPDX-License-Identifier: BSD-3-Clause */
#include "targets.h"

const struct lab_target_group *lab_target_group(size_t i)
{
	/* The lengths of the tables are not constant expressions. */
	static struct lab_target_group groups[] = {
	    {.name = "scheduling",
	     .title = "Scheduling",
	     .points_by = "delay error",
	     .lcm = true,
	     .targets = lab_scheduling_targets},
	    {.name = "recovery",
	     .title = "Congestion control, loss and failure",
	     .points_by = "control",
	     .targets = lab_recovery_targets},
	};

	groups[0].n = lab_n_scheduling_targets;
	groups[1].n = lab_n_recovery_targets;
	return i < sizeof(groups) / sizeof(groups[0]) ? &groups[i] : NULL;
}
