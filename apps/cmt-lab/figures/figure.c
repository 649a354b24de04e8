/* SPDX-License-Identifier: BSD-3-Clause */
#include "figures/figure.h"

#include <errno.h>
#include <string.h>

const char *const lab_figure_recoveries[LAB_N_RECOVERIES] = {"none", "dsack", "eifel", "frto", "all"};
const char *const lab_figure_schedulers[2] = {"rr", "arrival"};

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
		        "## %s\n%s. Medians, with ranges, of %u seeds; data: `%s.csv`.\n\n![%s](%s.png)\n\n",
		        name, what, order->n_seeds, name, name, name);
	}
	return out;
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
