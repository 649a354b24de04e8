/* SPDX-License-Identifier: BSD-3-Clause */
#include "figures/figures.h"

#include <stdio.h>

#include "figures/figure_matrix.h"
#include "figures/figure_over_time.h"
#include "figures/figure_plan.h"
#include "figures/plans/plans.h"

static const struct lab_figure figures[] = {
    {"arabi-fig8", "Arabi et al., Figure 8: linked increases, two subflows, goodput over time by recovery",
     lab_figure_over_time, NULL},
    {"arabi-fig9", "Arabi et al., Figure 9: uncoupled, three subflows, goodput over time by recovery",
     lab_figure_over_time, NULL},
    {"arabi-matrix", "Arabi et al., conclusion: four congestion controls x recoveries x two scenarios",
     lab_figure_matrix, NULL},
};

static const struct lab_plan *const papers[] = {lab_plans_sarwar,   lab_plans_osia,  lab_plans_ocps,
                                                lab_plans_yabandeh, lab_plans_video, lab_plans_home};

bool lab_figure(unsigned i, struct lab_figure *out)
{
	unsigned n = sizeof(figures) / sizeof(figures[0]);

	if (i < n) {
		*out = figures[i];
		return true;
	}
	i -= n;
	for (size_t k = 0; k < sizeof(papers) / sizeof(papers[0]); k++) {
		for (const struct lab_plan *p = papers[k]; p->name != NULL; p++) {
			if (i-- == 0) {
				*out = (struct lab_figure){p->name, p->what, lab_figure_plan, p};
				return true;
			}
		}
	}
	return false;
}

static void copy(const struct lab_figure_order *order, const char *name, FILE *out)
{
	char path[400], piece[4096];
	FILE *in;
	size_t n;

	snprintf(path, sizeof(path), "%s/%s.md", order->directory, name);
	in = fopen(path, "r");
	if (in == NULL) {
		return;
	}
	fputc('\n', out);
	while ((n = fread(piece, 1, sizeof(piece), in)) > 0) {
		fwrite(piece, 1, n, out);
	}
	fclose(in);
}

int lab_figure_index(const struct lab_figure_order *order, struct lab_error *error)
{
	FILE *out = lab_figure_file(order, "figures", ".md", error);
	struct lab_figure f;

	if (out == NULL) {
		return -1;
	}
	fprintf(out, "# Figures of the papers, measured again\n"
	             "Made by `cmt-lab figures` on the real stack, in virtual time; data (CSV) come with it. "
	             "`arrival` and `auto` are "
	             "ours. \"holds\" compares\nthe series that the paper's sentence is about.\n\n");
	for (unsigned i = 0; lab_figure(i, &f); i++) {
		fprintf(out, "* [%s](#%s): %s\n", f.name, f.name, f.what);
	}
	for (unsigned i = 0; lab_figure(i, &f); i++) {
		copy(order, f.name, out);
	}
	return lab_figure_close(out, "figures", error);
}
