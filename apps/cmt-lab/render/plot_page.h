/* SPDX-License-Identifier: BSD-3-Clause
 *
 * plot_page.h - a gnuplot script for a page of panels: heading, what the paper claims, panels in rows, one
 * legend for all.
 *
 * Writes to a file; nothing is global. */
#ifndef LAB_PLOT_PAGE_H
#define LAB_PLOT_PAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct lab_plot_page {
	FILE *out;
	const char *name; /* the picture is NAME.png */
	const char *title, *claim;
	unsigned columns, rows;
	unsigned panel_width, panel_height; /* pixels, with tics and titles of axes */
	unsigned legend_entries;            /* 0 = no legend */
	/* For the functions below: */
	unsigned width, height, head, foot;
};

/* The head of the script; chooses the size of the page. */
void lab_plot_page_start(struct lab_plot_page *page);

/* Before the `plot` of panel i, counted along rows. An axis may be NULL. */
void lab_plot_page_panel(const struct lab_plot_page *page, unsigned i, const char *title, const char *x,
                         const char *y);

/* After lab_plot_page_panel(): a small text between the panel's title and the panel, in two lines at most; ""
 * is nothing. */
void lab_plot_page_note(const struct lab_plot_page *page, const char *text);

/* After the panels: the caller's `plot` draws nothing but the key, for x and y from 0 to 1. */
void lab_plot_page_legend(const struct lab_plot_page *page);

void lab_plot_page_end(const struct lab_plot_page *page);

/* A string for gnuplot, in quotes. */
void lab_plot_text(FILE *out, const char *text);

/* Breaks `text` at blanks so that no line is longer than `columns` unless a word is. Returns the number of
 * lines. */
unsigned lab_plot_wrap(const char *text, size_t columns, char *out, size_t out_bytes);

/* The colour alone, and colour, dash, width and, with `points`, point: the same in every figure. Series that
 * are no scheduler of the library, and those unknown here, are black. `darker`: percent, for several curves
 * of one scheduler. */
void lab_plot_colour(FILE *out, const char *scheduler, int darker);
void lab_plot_style(FILE *out, const char *scheduler, int darker, bool points);

#endif
