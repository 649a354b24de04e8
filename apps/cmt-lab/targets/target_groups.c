/* SPDX-License-Identifier: BSD-3-Clause */
#include "targets/targets.h"

const struct lab_target_group *lab_target_group(size_t i)
{
	/* The lengths of the tables are not constant expressions. */
	static struct lab_target_group groups[] = {
	    {.name = "scheduling",
	     .title = "Scheduling",
	     .points_by = LAB_BY_DELAY_ERROR,
	     .lcm = true,
	     .targets = lab_scheduling_targets},
	    {.name = "recovery",
	     .title = "Congestion control, loss and failure",
	     .points_by = LAB_BY_CONTROL,
	     .targets = lab_recovery_targets},
	    {.name = "schedulers",
	     .title = "Schedulers of the papers, and the automatic choice",
	     .points_by = LAB_BY_SCHEDULER,
	     .targets = lab_scheduler_targets},
	    {.name = "film",
	     .title = "A film of 6 Mbit/s over links that carry 8",
	     .points_by = LAB_BY_SCHEDULER,
	     .targets = lab_video_targets},
	    {.name = "paths",
	     .title = "Uplinks behind NATs that come, go and change",
	     .points_by = LAB_BY_SCHEDULER,
	     .targets = lab_path_targets},
	    {.name = "links",
	     .title = "Links that change and are shared",
	     .points_by = LAB_BY_SCHEDULER,
	     .targets = lab_link_targets},
	};

	groups[0].n = lab_n_scheduling_targets;
	groups[1].n = lab_n_recovery_targets;
	groups[2].n = lab_n_scheduler_targets;
	groups[3].n = lab_n_video_targets;
	groups[4].n = lab_n_path_targets;
	groups[5].n = lab_n_link_targets;
	return i < sizeof(groups) / sizeof(groups[0]) ? &groups[i] : NULL;
}
