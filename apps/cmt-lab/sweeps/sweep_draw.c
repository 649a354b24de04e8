/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A panel for each metric and family of schedulers. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "render/gnuplot.h"
#include "render/plot_page.h"
#include "sweeps/sweep.h"

#define PANEL_WIDTH  760
#define PANEL_HEIGHT 440
#define NEXT         ", \\\n  "

/* Those that are in neither list are in every panel: what the others are compared with. */
static const struct {
	const char *title, *schedulers;
} panels[] = {{"the head of the queue, on some path", "rr cwnd flow minrtt blest ecf redundant"},
              {"later data ahead on slow paths", "lcm osia bulk fps f2p fps+ocps f2p+ocps"}};
enum { N_PANELS = sizeof(panels) / sizeof(panels[0]) };

static bool is_listed(unsigned panel, const char *scheduler)
{
	struct lab_words words = lab_words_split(panels[panel].schedulers);
	bool found = lab_sweep_find(&words, scheduler) >= 0;

	lab_words_free(&words);
	return found;
}

static bool is_in(unsigned panel, const char *scheduler)
{
	return is_listed(panel, scheduler) || !is_listed(1 - panel, scheduler);
}

/* Whether a curve belongs to a panel and has a point. */
static bool is_drawn(const struct lab_sweep_values *v, unsigned metric, unsigned panel, unsigned scheduler)
{
	for (unsigned x = 0; is_in(panel, v->schedulers.word[scheduler]) && x < v->x.n; x++) {
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

static bool has_bars(const struct lab_sweep_values *v)
{
	return v->n_seeds > 1 && !v->sweep->ranked;
}

static void put_style(const struct lab_sweep_values *v, unsigned scheduler, FILE *out)
{
	fprintf(out, " with %s ",
	        v->sweep->ranked ? "lines"
	        : v->n_seeds > 1 ? "yerrorlines"
	                         : "linespoints");
	lab_plot_style(out, v->schedulers.word[scheduler], 0, !v->sweep->ranked);
}

/* The lines of the CSV that belong to a curve are neighbours. */
static void put_curve(const struct lab_sweep_values *v, unsigned metric, unsigned scheduler, FILE *out)
{
	unsigned first = (metric * v->schedulers.n + scheduler) * v->x.n;

	fprintf(out, "\"%s.csv\" skip 1 every ::%u::%u using %s", v->sweep->name, first, first + v->x.n - 1,
	        v->sweep->ranked ? "4:(1.0) smooth cnormal"
	        : has_bars(v)    ? "3:4:5:6"
	                         : "3:4");
	put_style(v, scheduler, out);
}

static void put_axes(const struct lab_sweep_values *v, unsigned metric, FILE *out)
{
	if (v->sweep->ranked) {
		fprintf(out, "set xrange [0:1]\nset yrange [0:1]\n");
		return;
	}
	fprintf(out, "%s\nset offsets graph 0.03, graph 0.03, 0, 0\nset xtics (",
	        v->sweep->metrics[metric].log ? "set logscale y\nset format y \"%.0s%c\"\nset yrange [*:*]"
	                                      : "unset logscale\nset yrange [0:*]");
	for (unsigned x = 0; x < v->x.n; x++) {
		fprintf(out, "%s%s", x == 0 ? "" : ",", v->x.word[x]);
	}
	fprintf(out, ")\n");
}

static void put_panel(const struct lab_plot_page *page, const struct lab_sweep_values *v, unsigned metric,
                      unsigned panel)
{
	const struct lab_sweep_metric *m = &v->sweep->metrics[metric];
	bool ranked = v->sweep->ranked;
	unsigned n = 0;

	lab_plot_page_panel(page, metric * N_PANELS + panel, panels[panel].title,
	                    ranked ? m->axis : v->sweep->x_axis,
	                    ranked ? "share of the networks with no more" : m->axis);
	put_axes(v, metric, page->out);
	/* What is in every panel lies on top. */
	for (unsigned i = 0; i < 2 * v->schedulers.n; i++) {
		unsigned s = i % v->schedulers.n;
		bool on_top = i >= v->schedulers.n;

		if (is_drawn(v, metric, panel, s) && on_top != is_listed(panel, v->schedulers.word[s])) {
			fprintf(page->out, "%s", n++ == 0 ? "plot " : NEXT);
			put_curve(v, metric, s, page->out);
		}
	}
	fprintf(page->out, "\n");
}

static void put_legend(const struct lab_plot_page *page, const struct lab_sweep_values *v)
{
	fprintf(page->out, "unset logscale\nunset offsets\n");
	lab_plot_page_legend(page);
	for (unsigned s = 0; s < v->schedulers.n; s++) {
		fprintf(page->out, "%s'+' using 1:(2)%s", s == 0 ? "plot " : NEXT,
		        has_bars(v) ? ":(2):(2)" : "");
		put_style(v, s, page->out);
		fprintf(page->out, " title ");
		lab_plot_text(page->out, v->schedulers.word[s]);
	}
	fprintf(page->out, "\n");
}

static int write_script(const struct lab_sweep_values *v, const char *path, struct lab_error *error)
{
	const struct lab_sweep *s = v->sweep;
	struct lab_plot_page page = {.out = fopen(path, "w"),
	                             .name = s->name,
	                             .title = s->title,
	                             .claim = s->what,
	                             .columns = N_PANELS,
	                             .rows = s->n_metrics,
	                             .panel_width = PANEL_WIDTH,
	                             .panel_height = PANEL_HEIGHT,
	                             .legend_entries = v->schedulers.n};

	if (page.out == NULL) {
		snprintf(error->text, sizeof(error->text), "%s: %s", path, strerror(errno));
		return -1;
	}
	lab_plot_page_start(&page);
	fprintf(page.out, "set datafile separator \",\"\n");
	for (unsigned m = 0; m < s->n_metrics; m++) {
		for (unsigned p = 0; p < N_PANELS; p++) {
			if (is_panel_drawn(v, m, p)) {
				put_panel(&page, v, m, p);
			}
		}
	}
	put_legend(&page, v);
	lab_plot_page_end(&page);
	if (fclose(page.out) != 0) {
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
