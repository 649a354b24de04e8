/* SPDX-License-Identifier: BSD-3-Clause */
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include <event2/event.h>

#include "display.h"
#include "loop/loop_events.h"
#include "loop/wall_clock.h"
#include "monitor.h"
#include "options.h"
#include "sender.h"

#define PROGRAM "cmt-send"
#define DRAW_US 250000

struct program {
	const struct send_options *options;
	struct event_base *base;
	struct usrsctp_cmt_event *ev;
	struct monitor *monitor;
	struct event *draw;
	struct app_signals signals;
	struct entries entries;
	struct sender *sender;
	struct transfer_display display;
	bool incomplete; /* something was left out that should have been sent */
};

static void say(const char *text, void *arg)
{
	struct program *p = arg;

	transfer_display_end(&p->display);
	app_complain(PROGRAM, "%s", text);
}

static void on_skip(const char *text, bool wanted, void *arg)
{
	struct program *p = arg;

	p->incomplete = p->incomplete || wanted;
	say(text, arg);
}

static void on_ended(struct sender *sender, void *arg)
{
	struct program *p = arg;

	(void)sender;
	event_base_loopbreak(p->base);
}

static void on_draw(evutil_socket_t fd, short what, void *arg)
{
	struct program *p = arg;

	(void)fd;
	(void)what;
	transfer_display_show(&p->display,
	                      &(struct transfer_progress){.done_bytes = sender_done_bytes(p->sender),
	                                                  .total_bytes = p->entries.bytes,
	                                                  .total_known = p->entries.bytes_known,
	                                                  .watch = sender_watch(p->sender)},
	                      app_wall_clock_us());
}

static void on_signal(evutil_socket_t number, short what, void *arg)
{
	struct program *p = arg;

	(void)what;
	if (number == SIGUSR1) {
		sender_say_state(p->sender);
		return;
	}
	sender_abort(p->sender, "stopped by a signal; send again with --resume to continue");
}

static int add_events(struct program *p)
{
	p->draw = p->options->quiet ? NULL : app_tick_new(p->base, DRAW_US, on_draw, p);
	if ((p->draw == NULL && !p->options->quiet) ||
	    app_signals_catch(&p->signals, p->base, on_signal, p) != 0) {
		return -1;
	}
	app_signals_add(&p->signals, SIGUSR1);
	return 0;
}

static int list_files(struct program *p, struct app_error *error)
{
	const struct send_options *o = p->options;

	for (int i = 0; i < o->n_operands; i++) {
		if (entries_add(&p->entries, o->operands[i], o->name, on_skip, p, error) != 0) {
			return -1;
		}
	}
	return entries_complete(&p->entries, error);
}

static int transfer(struct program *p, const struct app_addresses *peer, struct app_error *error)
{
	const struct usrsctp_cmt_conn_config conn = app_transport_conn_config(&p->options->transport);
	const struct sender_config config = {.base = p->base,
	                                     .ev = p->ev,
	                                     .monitor = p->monitor,
	                                     .peer = peer,
	                                     .conn = &conn,
	                                     .entries = &p->entries,
	                                     .resume = p->options->resume,
	                                     .msg_bytes = p->options->transport.msg_bytes,
	                                     .timeout_us = p->options->timeout_us,
	                                     .say = say,
	                                     .note = p->options->quiet ? NULL : say,
	                                     .verbose = p->options->verbose,
	                                     .ended = on_ended,
	                                     .arg = p};

	p->sender = sender_new(&config, error);
	if (p->sender == NULL || add_events(p) != 0) {
		return -1;
	}
	event_base_dispatch(p->base);
	return 0;
}

/* The exit status. */
static int conclude(struct program *p)
{
	const struct transfer_report *report = sender_report(p->sender);
	char text[200];

	transfer_display_end(&p->display);
	if (p->options->stats_json) {
		transfer_report_json(report, stdout);
	}
	if (!p->options->quiet) {
		app_complain(PROGRAM, "%s", transfer_report_text(report, text, sizeof(text)));
	}
	return report->error.text[0] == '\0' && !p->incomplete ? APP_EXIT_OK : APP_EXIT_FAILED;
}

static void close_all(struct program *p)
{
	sender_free(p->sender);
	monitor_free(p->monitor);
	app_signals_free(&p->signals);
	app_event_free(p->draw);
	usrsctp_cmt_event_free(p->ev);
	if (p->base != NULL) {
		event_base_free(p->base);
	}
	entries_free(&p->entries);
}

int main(int argc, char **argv)
{
	struct send_options options;
	struct program p = {.options = &options};
	struct app_addresses peer;
	struct app_error error = {"no memory"};
	int rc = send_options_parse(&options, argc, argv);

	if (rc == 0) {
		rc = app_transport_secure(&options.transport, PROGRAM, options.quiet);
	}
	if (rc != 0) {
		return rc;
	}
	signal(SIGPIPE, SIG_IGN);
	p.display = transfer_display_start("sending");
	p.base = event_base_new();
	rc = APP_EXIT_FAILED;
	if (p.base == NULL || app_transport_peer(&options.transport, &peer, &error) != 0 ||
	    list_files(&p, &error) != 0 ||
	    (p.ev = app_transport_open(&options.transport, p.base, &error)) == NULL ||
	    monitor_new(&p.monitor, p.base, &options.transport.admin, PROGRAM, &error) != 0 ||
	    transfer(&p, &peer, &error) != 0) {
		app_complain(PROGRAM, "%s", error.text);
	} else {
		rc = conclude(&p);
	}
	close_all(&p);
	app_transport_unsecure(&options.transport);
	return rc;
}
