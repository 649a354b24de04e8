/* SPDX-License-Identifier: BSD-3-Clause */
#include "loop/progress.h"

#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "loop/wall_clock.h"
#include "text/message.h"

#define FIRST_DRAW_US 1000000u
#define REDRAW_US     100000u
#define BAR_MAX       40u
#define BAR_STEP      10u /* so that it does not change its length with every figure */
#define FRAME         3u  /* " [" and "]" */
#define USUAL_COLUMNS 80u
#define TITLE_COLUMNS 24u
#define LINE_BYTES    1200u

struct app_progress_bar app_progress_bar_start(const char *title)
{
	return (struct app_progress_bar){
	    .title = title, .terminal = isatty(STDERR_FILENO) == 1, .started_us = app_wall_clock_us()};
}

void app_progress_line(const char *title, double done, const char *note, size_t columns, char *out,
                       size_t out_bytes)
{
	static const char full[] = "########################################";
	const int title_bytes = (int)app_fitting_bytes(title, TITLE_COLUMNS);
	char tail[LINE_BYTES];
	size_t used, bar;

	done = done > 1 ? 1 : done;
	if (done < 0) {
		snprintf(tail, sizeof(tail), "%s", note);
	} else {
		snprintf(tail, sizeof(tail), " %3d %%%s", (int)(done * 100), note);
	}
	used = app_columns(title, TITLE_COLUMNS) + app_columns(tail, sizeof(tail)) + FRAME;
	bar = done < 0 || used >= columns ? 0 : (columns - used) / BAR_STEP * BAR_STEP;
	bar = bar < BAR_MAX ? bar : BAR_MAX;
	if (bar > 0) {
		snprintf(out, out_bytes, "%.*s [%-*.*s]%s", title_bytes, title, (int)bar,
		         (int)(done * (double)bar), full, tail);
	} else {
		snprintf(out, out_bytes, "%.*s%s", title_bytes, title, tail);
	}
	out[app_fitting_bytes(out, columns)] = '\0';
}

static size_t terminal_columns(void)
{
	struct winsize size;

	return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : USUAL_COLUMNS;
}

void app_progress_bar_show(struct app_progress_bar *bar, double done, const char *note)
{
	uint64_t now = app_wall_clock_us();
	char line[LINE_BYTES];

	if (!bar->terminal || now - bar->started_us < FIRST_DRAW_US || now - bar->drawn_us < REDRAW_US) {
		return;
	}
	/* A line that fills the last column wraps on some terminals. */
	app_progress_line(bar->title, done, note, terminal_columns() - 1, line, sizeof(line));
	fprintf(stderr, "\r%s\033[K", line);
	fflush(stderr);
	bar->drawn_us = now;
	bar->drawn = true;
}

void app_progress_bar_end(struct app_progress_bar *bar)
{
	if (bar->drawn) {
		fprintf(stderr, "\r\033[K");
		fflush(stderr);
		bar->drawn = false;
	}
}
