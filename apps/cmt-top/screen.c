/* SPDX-License-Identifier: BSD-3-Clause */
#include "screen.h"

#include <curses.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { PAIR_GOOD = 1, PAIR_WAIT, PAIR_BAD };

static SCREEN *terminal;

int top_screen_open(struct top_screen *s, struct app_error *error)
{
	const char *const type = getenv("TERM");

	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO)) {
		return app_error_set(error, "standard output is not a terminal; write --once for a table");
	}
	(void)setlocale(LC_CTYPE, "");
	terminal = newterm(NULL, stdout, stdin);
	if (terminal == NULL) {
		return app_error_set(
		    error,
		    "TERM: \"%s\" is not a terminal that ncurses knows; write TERM=xterm, or "
		    "--once for a table",
		    type != NULL ? type : "");
	}
	(void)cbreak();
	(void)noecho();
	(void)keypad(stdscr, TRUE);
	(void)nodelay(stdscr, TRUE);
	(void)curs_set(0);
	if (has_colors() && getenv("NO_COLOR") == NULL && start_color() == OK) {
		const short background = use_default_colors() == OK ? -1 : COLOR_BLACK;

		(void)init_pair(PAIR_GOOD, COLOR_GREEN, background);
		(void)init_pair(PAIR_WAIT, COLOR_YELLOW, background);
		(void)init_pair(PAIR_BAD, COLOR_RED, background);
	}
	s->view.width = (size_t)COLS;
	return 0;
}

void top_screen_close(void)
{
	/* The process ends: delscreen() would only free, and trips over memory that ncurses did not get. */
	if (terminal != NULL && !isendwin()) {
		(void)endwin();
	}
}

void top_screen_resize(struct top_screen *s)
{
	struct winsize size;

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 0 && size.ws_col > 0) {
		(void)resizeterm(size.ws_row, size.ws_col);
	}
	s->view.width = (size_t)COLS;
}

/* Without colours the pairs look like the rest. */
static attr_t look_of(enum top_line_kind kind)
{
	switch (kind) {
	case TOP_PLAIN: return A_NORMAL;
	case TOP_PROGRAM: return A_REVERSE;
	case TOP_COLUMNS: return A_DIM;
	case TOP_ASSOC: return A_BOLD;
	case TOP_GOOD: return (attr_t)COLOR_PAIR(PAIR_GOOD);
	case TOP_WAIT: return (attr_t)COLOR_PAIR(PAIR_WAIT);
	case TOP_BAD: return (attr_t)COLOR_PAIR(PAIR_BAD) | A_BOLD;
	}
	return A_NORMAL;
}

static void put_line(int row, attr_t look, const char *text)
{
	(void)move(row, 0);
	(void)attrset((int)look);
	(void)addnstr(text, (int)app_fitting_bytes(text, (size_t)COLS));
	if ((look & A_REVERSE) != 0) {
		(void)chgat(-1, A_REVERSE, 0, NULL);
	}
	(void)attrset(A_NORMAL);
}

static void draw_help(void)
{
	const char *line = top_help;

	for (int row = 0; row < LINES - 1 && *line != '\0'; row++) {
		const size_t len = strcspn(line, "\n");

		(void)mvaddnstr(row, 0, line, (int)(len < (size_t)COLS ? len : (size_t)COLS));
		line += len + (line[len] == '\n');
	}
}

static void draw_foot(const struct top_screen *s)
{
	static const char *const orders[] = {
	    [TOP_BY_ID] = "id", [TOP_BY_RATE] = "rate", [TOP_BY_FAILED] = "failed", [TOP_BY_NAME] = "name"};
	char text[200];

	(void)snprintf(text, sizeof(text), "q end  h help  sort: %s (i r f n)%s%s", orders[s->view.order],
	               s->view.only_failed ? "  only failed (p)" : "", s->stopped ? "  stopped (space)" : "");
	put_line(LINES - 1, A_REVERSE, text);
}

void top_screen_draw(struct top_screen *s, const struct top_view *v)
{
	const size_t rows = LINES > 1 ? (size_t)LINES - 1 : 0;
	const size_t last = v->n > rows ? v->n - rows : 0;

	s->first = s->first < last ? s->first : last;
	(void)erase();
	if (s->help) {
		draw_help();
	} else {
		for (size_t row = 0; row < rows && s->first + row < v->n; row++) {
			const struct top_line *const line = &v->lines[s->first + row];

			put_line((int)row, look_of(line->kind), line->text);
		}
	}
	draw_foot(s);
	(void)refresh();
}

static void scroll_by(struct top_screen *s, size_t up, size_t down)
{
	s->first = s->first > up ? s->first - up : 0;
	s->first += down;
}

bool top_screen_keys(struct top_screen *s, size_t n_lines)
{
	const size_t page = LINES > 2 ? (size_t)LINES - 2 : 1;

	for (int key; (key = getch()) != ERR;) {
		switch (key) {
		case 'q': return false;
		case 'i': s->view.order = TOP_BY_ID; break;
		case 'r': s->view.order = TOP_BY_RATE; break;
		case 'f': s->view.order = TOP_BY_FAILED; break;
		case 'n': s->view.order = TOP_BY_NAME; break;
		case 'p': s->view.only_failed = !s->view.only_failed; break;
		case ' ': s->stopped = !s->stopped; break;
		case 'h':
		case '?': s->help = !s->help; break;
		case KEY_UP: scroll_by(s, 1, 0); break;
		case KEY_DOWN: scroll_by(s, 0, 1); break;
		case KEY_PPAGE: scroll_by(s, page, 0); break;
		case KEY_NPAGE: scroll_by(s, 0, page); break;
		case KEY_HOME: s->first = 0; break;
		case KEY_END: s->first = n_lines; break;
		default: break;
		}
	}
	return true;
}
