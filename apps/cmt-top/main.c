/* SPDX-License-Identifier: BSD-3-Clause */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "fetch.h"
#include "loop/loop_events.h"
#include "screen.h"
#include "text/units.h"

#define PROGRAM       "cmt-top"
#define DEFAULT_WIDTH 200

struct program {
	const struct top_options *options;
	struct event_base *base;
	struct event *tick, *keys;
	struct app_signals signals;
	struct top_target targets[TOP_MAX_TARGETS];
	struct top_screen screen;
	struct top_view view;
};

static void fill_view(struct program *p)
{
	top_view_clear(&p->view);
	for (size_t i = 0; i < p->options->n_targets; i++) {
		const struct top_target *const t = &p->targets[i];

		top_view_add(&p->view, &p->screen.view, t->name, t->stats, t->error.text);
	}
}

static void draw(struct program *p)
{
	fill_view(p);
	top_screen_draw(&p->screen, &p->view);
}

static bool is_complete(const struct program *p)
{
	for (size_t i = 0; i < p->options->n_targets; i++) {
		if (p->targets[i].asked) {
			return false;
		}
	}
	return true;
}

static void on_changed(struct top_target *target, void *arg)
{
	struct program *const p = arg;

	(void)target;
	if (!p->options->once && !p->options->json) {
		draw(p);
	} else if (is_complete(p)) {
		(void)event_base_loopbreak(p->base);
	}
}

static void fetch_all(struct program *p)
{
	for (size_t i = 0; i < p->options->n_targets; i++) {
		top_fetch(&p->targets[i], p->base);
	}
}

static void on_tick(evutil_socket_t fd, short what, void *arg)
{
	struct program *const p = arg;

	(void)fd;
	(void)what;
	if (!p->screen.stopped) {
		fetch_all(p);
	}
}

static void on_keys(evutil_socket_t fd, short what, void *arg)
{
	struct program *const p = arg;
	int waiting = 0;

	(void)what;
	/* A terminal that is gone is readable and has nothing. */
	if (ioctl(fd, FIONREAD, &waiting) != 0 || waiting == 0 || !top_screen_keys(&p->screen, p->view.n)) {
		(void)event_base_loopbreak(p->base);
		return;
	}
	draw(p);
}

static void on_signal(evutil_socket_t number, short what, void *arg)
{
	struct program *const p = arg;

	(void)what;
	if (number == SIGWINCH) {
		top_screen_resize(&p->screen);
		draw(p);
	} else {
		(void)event_base_loopbreak(p->base);
	}
}

static int add_events(struct program *p)
{
	p->tick = app_tick_new(p->base, p->options->interval_us, on_tick, p);
	p->keys = event_new(p->base, STDIN_FILENO, EV_READ | EV_PERSIST, on_keys, p);
	if (p->tick == NULL || p->keys == NULL || event_add(p->keys, NULL) != 0 ||
	    app_signals_catch(&p->signals, p->base, on_signal, p) != 0) {
		return -1;
	}
	app_signals_add(&p->signals, SIGHUP);
	app_signals_add(&p->signals, SIGWINCH);
	return 0;
}

static int watch(struct program *p)
{
	struct app_error error = {"no memory"};

	if (top_screen_open(&p->screen, &error) != 0 || add_events(p) != 0) {
		top_screen_close();
		app_complain(PROGRAM, "%s", error.text);
		return APP_EXIT_FAILED;
	}
	draw(p);
	fetch_all(p);
	(void)event_base_dispatch(p->base);
	top_screen_close();
	return APP_EXIT_OK;
}

static size_t width(void)
{
	const char *const columns = getenv("COLUMNS");
	struct winsize size;
	int64_t count;

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
		return size.ws_col;
	}
	return columns != NULL && app_parse_count(columns, 20, 1000, &count) ? (size_t)count : DEFAULT_WIDTH;
}

static void print_json(const struct program *p)
{
	for (size_t i = 0; i < p->options->n_targets; i++) {
		if (p->targets[i].answers) {
			(void)json_dumpf(p->targets[i].stats, stdout, JSON_COMPACT | JSON_REAL_PRECISION(15));
			printf("\n");
		}
	}
}

static int print_once(struct program *p)
{
	int status = APP_EXIT_OK;

	fetch_all(p);
	if (!is_complete(p)) {
		(void)event_base_dispatch(p->base);
	}
	for (size_t i = 0; i < p->options->n_targets; i++) {
		if (!p->targets[i].answers) {
			app_complain(PROGRAM, "%s", p->targets[i].error.text);
			p->targets[i].error.text[0] = '\0';
			status = APP_EXIT_FAILED;
		}
	}
	p->screen.view.width = width();
	fill_view(p);
	if (p->options->json) {
		print_json(p);
		return status;
	}
	for (size_t i = 0; i < p->view.n; i++) {
		printf("%s\n", p->view.lines[i].text);
	}
	return status;
}

static void close_all(struct program *p)
{
	for (size_t i = 0; i < p->options->n_targets; i++) {
		top_target_free(&p->targets[i]);
	}
	app_signals_free(&p->signals);
	app_event_free(p->tick);
	app_event_free(p->keys);
	if (p->base != NULL) {
		event_base_free(p->base);
	}
	top_view_free(&p->view);
}

int main(int argc, char **argv)
{
	struct top_options options;
	struct program p = {.options = &options};
	int status = top_options_parse(&options, argc, argv);

	if (status != 0) {
		return status;
	}
	(void)signal(SIGPIPE, SIG_IGN);
	p.base = event_base_new();
	p.screen.view.order = options.order;
	for (size_t i = 0; i < options.n_targets; i++) {
		p.targets[i] = (struct top_target){
		    .name = options.names[i], .at = options.targets[i], .changed = on_changed, .arg = &p};
	}
	if (p.base == NULL) {
		app_complain(PROGRAM, "no memory");
		status = APP_EXIT_FAILED;
	} else {
		status = options.once || options.json ? print_once(&p) : watch(&p);
	}
	close_all(&p);
	return status;
}
