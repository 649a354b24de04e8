/* SPDX-License-Identifier: BSD-3-Clause */
#include "picture/run_picture.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "render/gnuplot.h"
#include "render/plot_page.h"

#define PANEL_WIDTH  560
#define PANEL_HEIGHT 270
#define PATH_COLUMNS 8 /* of each path in the CSV, behind the time */

enum panel { CARRIED, DELAYS, QUEUES, PANELS };

/* Curves of a panel; the legend has each once. */
static const struct curve {
	enum panel panel;
	int column; /* among its path's */
	const char *title, *style;
	bool others; /* left out where there are none */
} curves[] = {
    {CARRIED, 0, "what the path could carry", "with steps lc rgb \"#bbbbbb\" lw 5", false},
    {CARRIED, 1, "carried, ours", "with lines lc rgb \"#0072b2\" lw 2", false},
    {CARRIED, 2, "carried, of others", "with lines lc rgb \"#d55e00\" lw 2", true},
    {DELAYS, 3, "true delay", "with lines lc rgb \"#0072b2\" lw 2", false},
    {DELAYS, 5, "predicted delay", "with lines lc rgb \"#cc79a7\" dt 2 lw 2", false},
    {DELAYS, 4, "delay without queues", "with lines lc rgb \"#bbbbbb\" lw 3", false},
    {QUEUES, 6, "queue, ours", "with lines lc rgb \"#0072b2\" lw 2", false},
    {QUEUES, 7, "queue, of others", "with lines lc rgb \"#d55e00\" lw 2", true},
};

#define N_CURVES (sizeof(curves) / sizeof(curves[0]))

static int fail(const char *path, struct lab_error *error)
{
	snprintf(error->text, sizeof(error->text), "%.300s: %s", path, strerror(errno));
	return -1;
}

static bool has_others(const struct lab_run_bins *b)
{
	for (int p = 0; p < b->n_paths; p++) {
		for (size_t i = 0; i < b->n; i++) {
			if (b->bins[p][i].carried_bps[LAB_THEIRS] > 0) {
				return true;
			}
		}
	}
	return false;
}

static void put_value(FILE *out, double value)
{
	if (isnan(value)) {
		fputc(',', out);
	} else {
		fprintf(out, ",%.6g", value);
	}
}

static int write_csv(const struct lab_run_picture *picture, struct lab_error *error)
{
	const struct lab_run_bins *b = picture->bins;
	char path[600];
	FILE *out;

	snprintf(path, sizeof(path), "%s/%s.csv", picture->directory, picture->name);
	out = fopen(path, "w");
	if (out == NULL) {
		return fail(path, error);
	}
	fprintf(out, "time_s");
	for (int p = 1; p <= b->n_paths; p++) {
		fprintf(out,
		        ",path_%d_could_mbps,path_%d_ours_mbps,path_%d_theirs_mbps,path_%d_delay_ms,"
		        "path_%d_way_ms,path_%d_predicted_ms,path_%d_queue_ours_kb,path_%d_queue_theirs_kb",
		        p, p, p, p, p, p, p, p);
	}
	for (size_t i = 0; i < b->n; i++) {
		fprintf(out, "\n%.6g", (double)i * b->bin_us / 1e6);
		for (int p = 0; p < b->n_paths; p++) {
			const struct lab_run_bin *bin = &b->bins[p][i];
			const double values[PATH_COLUMNS] = {
			    bin->could_bps / 1e6,      bin->carried_bps[LAB_OURS] / 1e6,
			    bin->carried_bps[LAB_THEIRS] / 1e6, bin->delay_us / 1e3,
			    bin->way_us / 1e3,         bin->predicted_us / 1e3,
			    bin->queue_bytes[LAB_OURS] / 1e3,   bin->queue_bytes[LAB_THEIRS] / 1e3};

			for (size_t k = 0; k < PATH_COLUMNS; k++) {
				put_value(out, values[k]);
			}
		}
	}
	fputc('\n', out);
	return fclose(out) != 0 ? fail(path, error) : 0;
}

static void put_panel(const struct lab_plot_page *page, const struct lab_run_picture *picture, int path,
                      enum panel panel)
{
	static const char *const axes[] = {"Mbit/s", "ms", "kB"};
	char title[64];
	unsigned n = 0;

	snprintf(title, sizeof(title), "path %d", path + 1);
	lab_plot_page_panel(page, panel * (unsigned)picture->bins->n_paths + (unsigned)path,
	                    panel == CARRIED ? title : NULL, panel == QUEUES ? "s" : NULL, axes[panel]);
	for (size_t i = 0; i < N_CURVES; i++) {
		if (curves[i].panel == panel && (!curves[i].others || has_others(picture->bins))) {
			fprintf(page->out, "%s\"%s.csv\" skip 1 using 1:%d %s", n++ == 0 ? "plot " : ", \\\n  ",
			        picture->name, 2 + path * PATH_COLUMNS + curves[i].column, curves[i].style);
		}
	}
	fputc('\n', page->out);
}

static void put_legend(const struct lab_plot_page *page, bool others)
{
	unsigned n = 0;

	lab_plot_page_legend(page);
	for (size_t i = 0; i < N_CURVES; i++) {
		if (!curves[i].others || others) {
			fprintf(page->out, "%s2 %s title ", n++ == 0 ? "plot " : ", \\\n  ", curves[i].style);
			lab_plot_text(page->out, curves[i].title);
		}
	}
	fputc('\n', page->out);
}

int lab_run_picture_write(const struct lab_run_picture *picture, struct lab_error *error)
{
	const int n_paths = picture->bins->n_paths;
	char path[600], script[300];
	struct lab_plot_page page = {.name = picture->name,
	                             .title = picture->title,
	                             .claim = picture->claim,
	                             .columns = (unsigned)n_paths,
	                             .rows = PANELS,
	                             .panel_width = PANEL_WIDTH,
	                             .panel_height = PANEL_HEIGHT,
	                             .legend_entries = N_CURVES};

	if (write_csv(picture, error) != 0) {
		return -1;
	}
	snprintf(script, sizeof(script), "%s.gnuplot", picture->name);
	snprintf(path, sizeof(path), "%s/%s", picture->directory, script);
	page.out = fopen(path, "w");
	if (page.out == NULL) {
		return fail(path, error);
	}
	lab_plot_page_start(&page);
	fprintf(page.out, "set datafile separator \",\"\nset yrange [0:*]\nset xrange [0:%g]\n",
	        (double)picture->bins->n * picture->bins->bin_us / 1e6);
	for (unsigned i = 0; i < PANELS * (unsigned)n_paths; i++) {
		put_panel(&page, picture, (int)(i % (unsigned)n_paths), i / (unsigned)n_paths);
	}
	put_legend(&page, has_others(picture->bins));
	lab_plot_page_end(&page);
	return fclose(page.out) != 0 ? fail(path, error) : lab_gnuplot(picture->directory, script, error);
}
