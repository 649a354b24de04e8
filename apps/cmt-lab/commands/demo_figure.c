/* SPDX-License-Identifier: BSD-3-Clause */
#include "commands/demo_figure.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "measure/trace_bins.h"
#include "render/gnuplot.h"

#define BINS 250 /* per curve: more than the panel shows, fewer than the packets */

static int read_curve(FILE *in, double delivered[BINS], double buffer[BINS], double *bin_us)
{
	struct lab_trace_bins bins = {.column = "delivered_bytes", .value = LAB_TRACE_SINCE, .n = BINS};
	double end_us = lab_trace_end_us(in);

	*bin_us = bins.bin_us = end_us == 0 ? 1 : end_us / BINS;
	if (lab_trace_bins_read(in, &bins, delivered) != 0) {
		return -1;
	}
	bins.column = "rcvbuf_bytes";
	bins.value = LAB_TRACE_MEAN;
	return lab_trace_bins_read(in, &bins, buffer);
}

/* Reads a run's trace and writes time (s), delivered (MB) and mean occupancy (kB) per bin. */
static int write_curve(const char *trace, const char *path, struct lab_error *error)
{
	double delivered[BINS], buffer[BINS], bin_us;
	FILE *in = fopen(trace, "r"), *out = in == NULL ? NULL : fopen(path, "w");

	if (out == NULL || read_curve(in, delivered, buffer, &bin_us) != 0) {
		snprintf(error->text, sizeof(error->text), "%s: %s", in == NULL ? trace : path,
		         strerror(errno));
		return -1;
	}
	fclose(in);
	fprintf(out, "# time (s), delivered in order (MB), receive buffer, mean (kB)\n0 0 0\n");
	for (int b = 0; b < BINS; b++) {
		fprintf(out, "%.6f %.6f %.6f\n", (b + 1) * bin_us / 1e6, delivered[b] / 1e6, buffer[b] / 1e3);
	}
	if (fclose(out) != 0) {
		snprintf(error->text, sizeof(error->text), "%s: %s", path, strerror(errno));
		return -1;
	}
	return 0;
}

static void plot_panel(FILE *out, const struct lab_figure_column *column, unsigned c, int value)
{
	fprintf(
	    out,
	    "set title \"%s\" font \"sans,11\"\nset offsets 0,0,%s,0\nset ylabel \"%s\"\nset key %s\nplot",
	    value == 2 ? column->title : "", value == 2 ? "0" : "graph 0.3",
	    value == 2 ? "delivered in order (MB)" : "receive-buffer occupancy (kB, mean)",
	    value == 2 ? "bottom right" : "top right");
	for (unsigned i = 0; i < column->n_curves; i++) {
		fprintf(out, "%s \"demo-%u-%u.dat\" using 1:%d with lines lt %u title \"%s\"",
		        i == 0 ? "" : ",", c + 1, i + 1, value, i + 1, column->curves[i].label);
	}
	fprintf(out, "\n");
}

static int write_script(const char *path, const struct lab_figure_column *columns, unsigned n_columns,
                        struct lab_error *error)
{
	FILE *out = fopen(path, "w");

	if (out == NULL) {
		snprintf(error->text, sizeof(error->text), "%s: %s", path, strerror(errno));
		return -1;
	}
	fprintf(out,
	        "set terminal pngcairo size 1400,1000 font \"sans,13\"\nset output \"demo.png\"\n"
	        "set linetype 1 lc rgb \"#999999\" lw 2\nset linetype 2 lc rgb \"#000000\" lw 2 dt 2\n"
	        "set linetype 3 lc rgb \"#56b4e9\" lw 3.5\nset linetype 4 lc rgb \"#d55e00\" lw 2\n"
	        "set grid lc rgb \"#dddddd\"\nset xlabel \"time (s)\"\nset yrange [0:*]\nset xrange [0:*]\n"
	        "set multiplot layout 2,%u columnsfirst margins 0.07,0.98,0.07,0.94 spacing 0.09,0.10\n",
	        n_columns);
	for (unsigned c = 0; c < n_columns; c++) {
		plot_panel(out, &columns[c], c, 2);
		plot_panel(out, &columns[c], c, 3);
	}
	fprintf(out, "unset multiplot\n");
	fclose(out);
	return 0;
}

int lab_figure_draw(const char *directory, const struct lab_figure_column *columns, unsigned n_columns,
                    struct lab_error *error)
{
	char path[400];

	for (unsigned c = 0; c < n_columns; c++) {
		for (unsigned i = 0; i < columns[c].n_curves; i++) {
			snprintf(path, sizeof(path), "%s/demo-%u-%u.dat", directory, c + 1, i + 1);
			if (write_curve(columns[c].curves[i].trace, path, error) != 0) {
				return -1;
			}
		}
	}
	snprintf(path, sizeof(path), "%s/demo.gnuplot", directory);
	if (write_script(path, columns, n_columns, error) != 0) {
		return -1;
	}
	return lab_gnuplot(directory, "demo.gnuplot", error);
}
