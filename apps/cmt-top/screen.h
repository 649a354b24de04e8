/* SPDX-License-Identifier: BSD-3-Clause
 *
 * screen.h - the view on the terminal (ncurses), keys, and the help page. One per process. */
#ifndef TOP_SCREEN_H
#define TOP_SCREEN_H

#include "view.h"

struct top_screen {
	struct top_view_options view; /* as the keys say; width: the terminal's */
	size_t first;                 /* line at the top */
	bool stopped, help;
};

/* Takes the terminal. Returns 0, or -1 with the reason: there is none, or it cannot do what is needed. */
int top_screen_open(struct top_screen *s, struct app_error *error);

/* Gives it back. May be called again. */
void top_screen_close(void);

/* Draws `v`, or the help page. */
void top_screen_draw(struct top_screen *s, const struct top_view *v);

/* Takes the keys that were pressed. False: the user wants to end. */
bool top_screen_keys(struct top_screen *s, size_t n_lines);

/* After SIGWINCH. */
void top_screen_resize(struct top_screen *s);

#endif
