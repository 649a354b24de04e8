/* SPDX-License-Identifier: BSD-3-Clause */
#include "figures.h"

#include <errno.h>
#include <string.h>

const char *const lab_figure_recoveries[LAB_N_RECOVERIES] = {"none", "dsack", "eifel", "frto", "all"};
const char *const lab_figure_schedulers[2] = {"rr", "arrival"};

static const struct lab_figure figures[] = {
    {"arabi-fig8", "Arabi et al., Figure 8: linked increases, two subflows, goodput over time by recovery",
     lab_figure_over_time, NULL},
    {"arabi-fig9", "Arabi et al., Figure 9: uncoupled, three subflows, goodput over time by recovery",
     lab_figure_over_time, NULL},
    {"arabi-matrix", "Arabi et al., conclusion: four congestion controls x recoveries x two scenarios",
     lab_figure_matrix, NULL},
};

static const struct lab_plan *const papers[] = {lab_plans_sarwar, lab_plans_osia, lab_plans_ocps,
                                                lab_plans_yabandeh, lab_plans_video};

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

FILE *lab_figure_file(const struct lab_figure_order *order, const char *name, const char *suffix,
                      struct lab_error *error)
{
	char path[400];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s%s", order->directory, name, suffix);
	file = fopen(path, "w");
	if (file == NULL) {
		snprintf(error->text, sizeof(error->text), "%s: %s", path, strerror(errno));
	}
	return file;
}

int lab_figure_close(FILE *file, const char *name, struct lab_error *error)
{
	if (fclose(file) == 0) {
		return 0;
	}
	snprintf(error->text, sizeof(error->text), "%s: %s", name, strerror(errno));
	return -1;
}

FILE *lab_figure_page(const struct lab_figure_order *order, const char *name, const char *what,
                      struct lab_error *error)
{
	FILE *out = lab_figure_file(order, name, ".md", error);

	if (out != NULL) {
		fprintf(out,
		        "## %s\n%s. Medians, with ranges, of %u seeds; [data](%s.csv).\n\n![%s](%s.png)\n\n",
		        name, what, order->n_seeds, name, name, name);
	}
	return out;
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
	             "Made by `cmt-lab figures` on the real stack, in virtual time. `arrival` and `auto` are "
	             "ours. \"holds\" compares\nthe series that the paper's sentence is about.\n\n");
	for (unsigned i = 0; lab_figure(i, &f); i++) {
		fprintf(out, "* [%s](#%s): %s\n", f.name, f.name, f.what);
	}
	for (unsigned i = 0; lab_figure(i, &f); i++) {
		copy(order, f.name, out);
	}
	return lab_figure_close(out, "figures", error);
}

void lab_figure_script_head(FILE *out, const char *name, unsigned width, unsigned height)
{
	static const char *const colours[LAB_N_RECOVERIES] = {"#888888", "#56b4e9", "#d55e00", "#009e73",
	                                                      "#7b4fa3"};

	fprintf(out, "set terminal pngcairo size %u,%u font \"sans,12\"\nset output \"%s.png\"\n", width,
	        height, name);
	for (unsigned i = 0; i < LAB_N_RECOVERIES; i++) {
		fprintf(out, "set linetype %u lc rgb \"%s\" lw 2\n", i + 1, colours[i]);
	}
	fprintf(out, "set grid ytics lc rgb \"#dddddd\"\nset datafile separator \",\"\n");
}
