/* SPDX-License-Identifier: BSD-3-Clause */
#include "progress.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "wall_clock.h"

#define FIRST_DRAW_US 1000000u
#define REDRAW_US     100000u
#define WIDTH         40

struct app_progress_bar app_progress_bar_start(const char *title)
{
	return (struct app_progress_bar){
	    .title = title, .terminal = isatty(STDERR_FILENO) == 1, .started_us = app_wall_clock_us()};
}

void app_progress_bar_show(struct app_progress_bar *bar, double done, const char *note)
{
	static const char full[] = "########################################";
	uint64_t now = app_wall_clock_us();
	int filled;

	if (!bar->terminal || now - bar->started_us < FIRST_DRAW_US || now - bar->drawn_us < REDRAW_US) {
		return;
	}
	if (done >= 0) {
		done = done > 1 ? 1 : done;
		filled = (int)(done * WIDTH);
		fprintf(stderr, "\r%-24.24s [%-*.*s] %3d %%%s\033[K", bar->title, WIDTH, filled, full,
		        (int)(done * 100), note);
	} else {
		fprintf(stderr, "\r%-24.24s%s\033[K", bar->title, note);
	}
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
