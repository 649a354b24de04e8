/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A panel for each metric and family of schedulers. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "gnuplot.h"
#include "palette.h"
#include "sweep.h"

#define PANEL_WIDTH  800
#define PANEL_HEIGHT 560

static const struct {
	enum lab_family family;
	const char *title;
} panels[] = {{LAB_FAMILY_QUEUE, "the head of the queue, on some path"},
              {LAB_FAMILY_AHEAD, "later data ahead on slow paths"}};
#define N_PANELS (sizeof(panels) / sizeof(panels[0]))

static bool is_in(enum lab_family panel, const char *scheduler)
{
	enum lab_family family = lab_style(scheduler)->family;

	return family == panel || family == LAB_FAMILY_EVERYWHERE;
}

/* Whether a curve belongs to a panel and has a point. */
static bool is_drawn(const struct lab_sweep_values *v, unsigned metric, unsigned panel, unsigned scheduler)
{
	for (unsigned x = 0; is_in(panels[panel].family, v->schedulers.word[scheduler]) && x < v->x.n; x++) {
		if (lab_sweep_value(v, metric, scheduler, x)->known) {
			return true;
		}
	}
	return false;
}

/* gnuplot draws no panel without a curve. */
static bool is_panel_drawn(const struct lab_sweep_values *v, unsigned metric, unsigned panel)
{
	unsigned s = 0;

	while (s < v->schedulers.n && !is_drawn(v, metric, panel, s)) {
		s++;
	}
	return s < v->schedulers.n;
}

/* The lines of the CSV that belong to a curve are neighbours. */
static void plot_curve(FILE *out, const struct lab_sweep_values *v, unsigned metric, unsigned scheduler)
{
	const struct lab_style *style = lab_style(v->schedulers.word[scheduler]);
	unsigned first = (metric * v->schedulers.n + scheduler) * v->x.n;

	fprintf(out, " \\\n  \"%s.csv\" skip 1 every ::%u::%u using ", v->sweep->name, first,
	        first + v->x.n - 1);
	if (v->sweep->ranked) {
		fprintf(out, "4:(1.0) smooth cnormal with lines");
	} else if (v->n_seeds > 1) {
		fprintf(out, "3:4:5:6 with yerrorlines pt %u ps 1.2", style->point);
	} else {
		fprintf(out, "3:4 with linespoints pt %u ps 1.2", style->point);
	}
	fprintf(out, " lc rgb \"%s\" lw %g dt %u title \"%s\",", style->colour, style->width, style->dash,
	        v->schedulers.word[scheduler]);
}

static void plot_panel(FILE *out, const struct lab_sweep_values *v, unsigned metric, unsigned panel)
{
	const struct lab_sweep_metric *m = &v->sweep->metrics[metric];

	fprintf(out, "set title \"%s\" noenhanced\n", panels[panel].title);
	if (v->sweep->ranked) {
		fprintf(out,
		        "set xlabel \"%s\"\nset ylabel \"share of the networks with no more\"\n"
		        "set xrange [0:1]\nset yrange [0:1]\n",
		        m->axis);
	} else {
		fprintf(out, "set xlabel \"%s\" noenhanced\nset ylabel \"%s\" noenhanced\n%s\n",
		        v->sweep->x_axis, m->axis,
		        m->log ? "set logscale y\nset yrange [*:*]" : "unset logscale\nset yrange [0:*]");
		fprintf(out, "set xtics (");
		for (unsigned x = 0; x < v->x.n; x++) {
			fprintf(out, "%s%s", x == 0 ? "" : ",", v->x.word[x]);
		}
		fprintf(out, ")\nset offsets graph 0.03, graph 0.03, 0, 0\n");
	}
	fprintf(out, "plot");
	for (unsigned s = 0; s < v->schedulers.n; s++) {
		if (is_drawn(v, metric, panel, s)) {
			plot_curve(out, v, metric, s);
		}
	}
	fprintf(out, "\n");
}

static int write_script(const struct lab_sweep_values *v, const char *path, struct lab_error *error)
{
	const struct lab_sweep *s = v->sweep;
	FILE *out = fopen(path, "w");

	if (out == NULL) {
		snprintf(error->text, sizeof(error->text), "%s: %s", path, strerror(errno));
		return -1;
	}
	fprintf(out,
	        "set terminal pngcairo size %u,%u font \"sans,12\"\nset output \"%s.png\"\n"
	        "set datafile separator \",\"\nset grid lc rgb \"#dddddd\"\n"
	        "set key bmargin center horizontal samplen 2.5 maxrows 3\nset bmargin 8\n"
	        "set multiplot layout %u,%zu title \"%s\\n%s\" font \"sans,14\" noenhanced\n",
	        (unsigned)(N_PANELS * PANEL_WIDTH), s->n_metrics * PANEL_HEIGHT + 60, s->name, s->n_metrics,
	        N_PANELS, s->title, s->what);
	for (unsigned m = 0; m < s->n_metrics; m++) {
		for (unsigned p = 0; p < N_PANELS; p++) {
			if (is_panel_drawn(v, m, p)) {
				plot_panel(out, v, m, p);
			}
		}
	}
	fprintf(out, "unset multiplot\n");
	if (fclose(out) != 0) {
		snprintf(error->text, sizeof(error->text), "%s: %s", path, strerror(errno));
		return -1;
	}
	return 0;
}

int lab_sweep_draw(const struct lab_sweep_values *v, const char *directory, struct lab_error *error)
{
	char folder[300], path[400], script[64];

	snprintf(folder, sizeof(folder), "%s/sweeps", directory);
	snprintf(script, sizeof(script), "%s.gnuplot", v->sweep->name);
	snprintf(path, sizeof(path), "%s/%s", folder, script);
	return write_script(v, path, error) != 0 ? -1 : lab_gnuplot(folder, script, error);
}
