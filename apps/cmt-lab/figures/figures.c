/* SPDX-License-Identifier: BSD-3-Clause */
#include "figures/figures.h"

#include <string.h>

#include "figures/plans/plans.h"

static const struct lab_plan *const papers[] = {lab_plans_arabi, lab_plans_sarwar,   lab_plans_osia,
                                                lab_plans_ocps,  lab_plans_yabandeh, lab_plans_video,
                                                lab_plans_home};

const struct lab_plan *lab_figure(unsigned i)
{
	for (size_t k = 0; k < sizeof(papers) / sizeof(papers[0]); k++) {
		for (const struct lab_plan *p = papers[k]; p->name != NULL; p++) {
			if (i-- == 0) {
				return p;
			}
		}
	}
	return NULL;
}

const struct lab_plan *lab_figure_named(const char *name)
{
	const struct lab_plan *p;

	for (unsigned i = 0; (p = lab_figure(i)) != NULL; i++) {
		if (strcmp(p->name, name) == 0) {
			return p;
		}
	}
	return NULL;
}
