/* SPDX-License-Identifier: BSD-3-Clause */
#include "render/plot_page.h"

#include <string.h>

#include "base/scheduler_names.h"

#define SIDE_PX     14
#define TITLE_PX    34
#define LINE_PX     18
#define LEGEND_PX   22 /* a row */
#define ENTRY_PX    190
#define CHAR_PX     7.8 /* of the claim's font, on average */
#define LEFT_PX     78  /* tics and title of the y axis */
#define BOTTOM_PX   58
#define TOP_PX      58  /* title of the panel, and its note */
#define NOTE_PX     6.2 /* a character of it */
#define RIGHT_PX    18
#define LEAST_WIDTH 900

void lab_plot_text(FILE *out, const char *text)
{
	fputc('"', out);
	for (; *text != '\0'; text++) {
		if (*text == '\n') {
			fputs("\\n", out);
			continue;
		}
		if (*text == '"' || *text == '\\') {
			fputc('\\', out);
		}
		fputc(*text, out);
	}
	fputc('"', out);
}

unsigned lab_plot_wrap(const char *text, size_t columns, char *out, size_t out_bytes)
{
	size_t line = 0, at = 0;
	unsigned lines = 1;

	while (*text != '\0' && at + 1 < out_bytes) {
		size_t word = strcspn(text, " ");

		if (line > 0 && line + 1 + word > columns) {
			out[at++] = '\n';
			line = 0;
			lines++;
		} else if (line > 0) {
			out[at++] = ' ';
			line++;
		}
		for (size_t i = 0; i < word && at + 1 < out_bytes; i++) {
			out[at++] = text[i];
		}
		line += word;
		text += word;
		text += strspn(text, " ");
	}
	out[at] = '\0';
	return lines;
}

/* Okabe and Ito's and Tol's colours, which people who see few colours can tell apart; variants of one idea
 * share a colour and differ in their dashes. Curves that often coincide differ in width. */
static const struct {
	const char *name; /* of a scheduler or a recovery */
	unsigned rgb;
	int dash, point;
	double width;
} styles[] = {
    {"stock", 0x000000, 2, 1, 2},         {"rr", 0x888888, 1, 4, 2},
    {"cwnd", 0xe69f00, 1, 8, 2},          {"flow", 0x009e73, 1, 10, 2},
    {"lcm", 0x56b4e9, 1, 6, 5},           {"osia", 0x0072b2, 1, 12, 3},
    {"bulk", 0x882255, 1, 14, 3},         {"fps", 0x44aa99, 2, 4, 2},
    {"fps+ocps", 0x44aa99, 1, 5, 2},      {"f2p", 0x332288, 2, 8, 2},
    {"f2p+ocps", 0x332288, 1, 9, 2},      {"minrtt", 0x117733, 1, 2, 2},
    {"blest", 0xaa4499, 1, 3, 2},         {"ecf", 0xddcc77, 1, 1, 2},
    {"redundant", 0x661100, 1, 2, 2},     {"none", 0x888888, 1, 4, 2},
    {"dsack", 0x56b4e9, 1, 6, 4},         {"eifel", 0xd55e00, 1, 8, 2.5},
    {"frto", 0x009e73, 2, 12, 2},         {"all", 0x7b4fa3, 4, 13, 2},
    {"arrival", 0xd55e00, 1, 7, 2.5},     {"auto", 0xcc79a7, 4, 13, 2},
    {LAB_BEST_PATH, 0x8c510a, 3, 2, 2.5},
};

static unsigned darkened(unsigned rgb, int darker)
{
	unsigned keep = 100u - (unsigned)darker, r = rgb >> 16, g = rgb >> 8 & 255, b = rgb & 255;

	return (r * keep / 100) << 16 | (g * keep / 100) << 8 | b * keep / 100;
}

static size_t style_of(const char *scheduler)
{
	size_t i = 0, n = sizeof(styles) / sizeof(styles[0]);

	while (i < n && strcmp(styles[i].name, scheduler) != 0) {
		i++;
	}
	return i == n ? 0 : i;
}

void lab_plot_colour(FILE *out, const char *scheduler, int darker)
{
	fprintf(out, "lc rgb \"#%06x\"", darkened(styles[style_of(scheduler)].rgb, darker));
}

void lab_plot_style(FILE *out, const char *scheduler, int darker, bool points)
{
	size_t i = style_of(scheduler);

	lab_plot_colour(out, scheduler, darker);
	fprintf(out, " dt %d lw %g", styles[i].dash, darker == 0 ? styles[i].width : 2);
	if (points) {
		fprintf(out, " pt %d ps 1", styles[i].point);
	}
}

void lab_plot_page_start(struct lab_plot_page *page)
{
	char claim[1200];
	unsigned lines, in_a_row;
	FILE *out = page->out;

	page->width = page->columns * page->panel_width + 2 * SIDE_PX;
	page->width = page->width < LEAST_WIDTH ? LEAST_WIDTH : page->width;
	lines =
	    lab_plot_wrap(page->claim, (size_t)((page->width - 2 * SIDE_PX) / CHAR_PX), claim, sizeof(claim));
	page->head = TITLE_PX + lines * LINE_PX + 8;
	in_a_row = (page->width - 2 * SIDE_PX) / ENTRY_PX;
	page->foot = (page->legend_entries + in_a_row - 1) / in_a_row * LEGEND_PX +
	             (page->legend_entries > 0 ? 14 : 0);
	page->height = page->head + page->rows * page->panel_height + page->foot;
	fprintf(out,
	        "set terminal pngcairo noenhanced size %u,%u font \"sans,11\"\nset output \"%s.png\"\n"
	        "set multiplot\nset grid ytics lt 1 lw 1 lc rgb \"#dddddd\"\n"
	        "set label 1001 at screen %.5f,%.5f left font \"sans,15\" ",
	        page->width, page->height, page->name, (double)SIDE_PX / page->width,
	        1 - 20.0 / page->height);
	lab_plot_text(out, page->title);
	fprintf(out, "\nset label 1002 at screen %.5f,%.5f left tc rgb \"#333333\" ",
	        (double)SIDE_PX / page->width, 1 - (TITLE_PX + 10.0) / page->height);
	lab_plot_text(out, claim);
	fputc('\n', out);
	fprintf(out, "unset key\n");
}

static void put_axis(FILE *out, const char *axis, const char *title)
{
	if (title == NULL) {
		fprintf(out, "unset %s\n", axis);
		return;
	}
	fprintf(out, "set %s ", axis);
	lab_plot_text(out, title);
	fputc('\n', out);
}

void lab_plot_page_panel(const struct lab_plot_page *page, unsigned i, const char *title, const char *x,
                         const char *y)
{
	double w = page->width, h = page->height;
	double width = (w - 2 * SIDE_PX) / page->columns;
	double left = SIDE_PX + i % page->columns * width;
	double top = page->head + i / page->columns * (double)page->panel_height;
	FILE *out = page->out;

	if (i == 1) {
		fprintf(out, "unset label 1001\nunset label 1002\n");
	}
	fprintf(out,
	        "set lmargin at screen %.5f\nset rmargin at screen %.5f\n"
	        "set tmargin at screen %.5f\nset bmargin at screen %.5f\nset title offset 0,1.2 ",
	        (left + LEFT_PX) / w, (left + width - RIGHT_PX) / w, 1 - (top + TOP_PX) / h,
	        1 - (top + page->panel_height - BOTTOM_PX) / h);
	lab_plot_text(out, title == NULL ? "" : title);
	fputc('\n', out);
	put_axis(out, "xlabel", x);
	put_axis(out, "ylabel", y);
}

void lab_plot_page_note(const struct lab_plot_page *page, const char *text)
{
	char lines[500];
	size_t columns = (size_t)((page->panel_width - LEFT_PX) / NOTE_PX);

	lab_plot_wrap(text, columns, lines, sizeof(lines));
	fprintf(page->out, "set label 1003 at graph 0,1 left offset 0,%s font \"sans,8\" tc rgb \"#555555\" ",
	        strchr(lines, '\n') == NULL ? "0.6" : "1.2");
	lab_plot_text(page->out, lines);
	fputc('\n', page->out);
}

void lab_plot_page_legend(const struct lab_plot_page *page)
{
	double foot = (double)page->foot / page->height, side = (double)SIDE_PX / page->width;

	fprintf(
	    page->out,
	    "unset label 1001\nunset label 1002\nunset label 1003\nunset title\nunset xlabel\nunset "
	    "ylabel\nunset border\n"
	    "unset tics\nunset grid\nunset logscale\nset lmargin at screen %.5f\nset rmargin at screen %.5f\n"
	    "set tmargin at screen %.5f\nset bmargin at screen 0.001\nset xrange [0:1]\nset yrange [0:1]\n"
	    "set key at screen 0.5,%.5f center center horizontal Left reverse samplen 3 width 2\n",
	    side, 1 - side, foot, foot / 2);
}

void lab_plot_page_end(const struct lab_plot_page *page)
{
	fprintf(page->out, "unset multiplot\n");
}
