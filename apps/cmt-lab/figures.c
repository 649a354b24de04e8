/* SPDX-License-Identifier: BSD-3-Clause */
#include "figures.h"

#include <errno.h>
#include <string.h>

const char *const lab_figure_recoveries[LAB_N_RECOVERIES] = {"none", "dsack", "eifel", "frto", "all"};
const char *const lab_figure_schedulers[2] = {"rr", "arrival"};

static const struct lab_figure figures[] = {
    {"arabi-fig8", "Arabi et al., Figure 8: linked increases, two subflows, goodput over time by recovery",
     lab_figure_over_time},
    {"arabi-fig9", "Arabi et al., Figure 9: uncoupled, three subflows, goodput over time by recovery",
     lab_figure_over_time},
    {"arabi-matrix", "Arabi et al., conclusion: four congestion controls x recoveries x two scenarios",
     lab_figure_matrix},
};

const struct lab_figure *lab_figure(unsigned i)
{
	return i < sizeof(figures) / sizeof(figures[0]) ? &figures[i] : NULL;
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
