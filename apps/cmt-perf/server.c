/* SPDX-License-Identifier: BSD-3-Clause */
#include "server.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "loop/loop_events.h"
#include "run.h"
#include "text/units.h"

#define PROGRAM      "cmt-perf"
#define MAX_GREETING (2 * PERF_MAX_PARALLEL)

struct server {
	const struct perf_options *options;
	struct event_base *base;
	struct flow_owner owner;
	struct usrsctp_cmt_listener *listener;
	struct app_signals signals;
	struct event *reap;                  /* frees outside of the flows' callbacks */
	struct flow *greeting[MAX_GREETING]; /* have not said what they want; oldest first */
	size_t n_greeting;
	struct run *run; /* NULL = idle */
	bool answered;   /* the result is on its way */
	bool failed;     /* a connection was lost before that */
	int status;
	char host[PERF_HOST_TEXT_BYTES];
};

static void refuse(struct flow *flow, const char *text)
{
	flow_control(flow, json_pack("{s:s, s:s}", "type", "error", "text", text));
}

static void for_all(struct server *s, void (*fn)(struct flow *flow))
{
	for (uint32_t i = 0; i < s->run->test.parallel; i++) {
		if (s->run->flows[i] != NULL) {
			fn(s->run->flows[i]);
		}
	}
}

static struct run *new_run(struct server *s, const struct perf_test *test)
{
	s->run = calloc(1, sizeof(*s->run));
	if (s->run != NULL) {
		s->run->test = *test;
		s->owner.latency = &s->run->latency;
		s->owner.rtt = &s->run->rtt;
		s->answered = false;
		s->failed = false;
	}
	return s->run;
}

static void leave_greeting(struct server *s, const struct flow *flow)
{
	size_t kept = 0;

	for (size_t i = 0; i < s->n_greeting; i++) {
		if (s->greeting[i] != flow) {
			s->greeting[kept++] = s->greeting[i];
		}
	}
	s->n_greeting = kept;
}

static void on_hello(struct server *s, struct flow *flow, const json_t *message)
{
	struct perf_test test;
	struct app_error error;
	uint32_t index;

	if (perf_hello_read(message, &test, &index, &error) != 0) {
		refuse(flow, error.text);
		return;
	}
	if (s->run == NULL && new_run(s, &test) == NULL) {
		refuse(flow, "the server has no memory");
		return;
	}
	if (strcmp(s->run->test.id, test.id) != 0 || s->run->flows[index] != NULL ||
	    s->run->test.parallel != test.parallel) {
		refuse(flow, "the server is busy with another test");
		return;
	}
	leave_greeting(s, flow);
	flow->index = index;
	flow->user = s->run;
	s->run->flows[index] = flow;
	if (run_is_complete(s->run)) {
		run_begin(s->run);
		flow_control(s->run->flows[0], json_pack("{s:s, s:s}", "type", "ready", "host", s->host));
	}
}

static void answer(struct server *s)
{
	json_t *result;

	if (s->answered) {
		return;
	}
	run_read_paths(s->run);
	result = run_result(s->run, perf_same_host(s->host, s->run->test.host));
	s->answered = true;
	flow_control(s->run->flows[0], json_pack("{s:s, s:o}", "type", "result", "result", result));
}

static void start_flow(struct flow *flow)
{
	flow_start(flow, &((struct run *)flow->user)->test);
}

static void on_control(struct flow *flow, const json_t *message, void *arg)
{
	struct server *const s = arg;
	const char *const type = perf_text(message, "type");

	if (flow->user == NULL) {
		if (strcmp(type, "hello") == 0) {
			on_hello(s, flow, message);
		}
		return;
	}
	if (!run_is_complete(s->run)) {
		return;
	}
	if (!s->run->test.reverse) {
		if (strcmp(type, "end") == 0 && run_has_ended(s->run)) {
			answer(s);
		}
	} else if (strcmp(type, "go") == 0) {
		for_all(s, start_flow);
	} else if (strcmp(type, "stop") == 0) {
		for_all(s, flow_stop);
	} else if (strcmp(type, "done") == 0) {
		answer(s);
	}
}

static void on_up(struct flow *flow, void *arg)
{
	(void)flow;
	(void)arg;
}

static void on_sent(struct flow *flow, void *arg)
{
	(void)flow;
	(void)arg;
}

static void on_lost(struct flow *flow, const char *text, void *arg)
{
	struct server *const s = arg;

	if (flow->user != NULL && !s->answered && !s->failed) {
		s->failed = true;
		if (!s->options->quiet) {
			app_complain(PROGRAM, "the test was aborted: %s", text);
		}
	}
	event_active(s->reap, 0, 0);
}

static void tell_result(const struct server *s)
{
	char sent[40], received[40];
	uint64_t sent_bytes = 0, received_bytes = 0;

	for (uint32_t i = 0; i < s->run->test.parallel; i++) {
		sent_bytes += s->run->flows[i]->written_bytes;
		received_bytes += s->run->flows[i]->received_bytes;
	}
	if (!s->options->quiet) {
		app_complain(PROGRAM, "test over: %u associations, sent %s, received %s",
		             s->run->test.parallel, app_format_size((double)sent_bytes, sent, sizeof(sent)),
		             app_format_size((double)received_bytes, received, sizeof(received)));
	}
}

/* Over when it failed, or when it was answered and the client has left. */
static void reap_run(struct server *s)
{
	bool all_left = true;

	for (uint32_t i = 0; i < s->run->test.parallel; i++) {
		all_left = all_left && (s->run->flows[i] == NULL || s->run->flows[i]->lost);
	}
	if (!s->failed && !all_left) {
		return;
	}
	if (!s->failed) {
		tell_result(s);
	}
	run_free(s->run, s->failed);
	free(s->run);
	s->run = NULL;
	s->owner.latency = s->owner.rtt = NULL;
	if (s->options->one_off) {
		s->status = s->failed ? APP_EXIT_FAILED : APP_EXIT_OK;
		(void)event_base_loopbreak(s->base);
	}
}

static void on_reap(evutil_socket_t fd, short what, void *arg)
{
	struct server *const s = arg;
	size_t kept = 0;

	(void)fd;
	(void)what;
	for (size_t i = 0; i < s->n_greeting; i++) {
		if (s->greeting[i]->lost) {
			flow_free(s->greeting[i], true);
		} else {
			s->greeting[kept++] = s->greeting[i];
		}
	}
	s->n_greeting = kept;
	if (s->run != NULL) {
		reap_run(s);
	}
}

/* When too many are silent, the one that has been so for longest goes. */
static void on_accept(struct usrsctp_cmt_listener *listener, struct usrsctp_cmt_conn *conn, void *arg)
{
	struct server *const s = arg;
	struct flow *const flow = flow_new(s->base, conn, &s->owner);

	(void)listener;
	if (flow == NULL) {
		return;
	}
	if (s->n_greeting == MAX_GREETING) {
		flow_free(s->greeting[0], true);
		leave_greeting(s, s->greeting[0]);
	}
	s->greeting[s->n_greeting++] = flow;
}

static void on_signal(evutil_socket_t number, short what, void *arg)
{
	const struct server *const s = arg;

	(void)number;
	(void)what;
	(void)event_base_loopbreak(s->base);
}

static int open_server(struct server *s, struct usrsctp_cmt_event *ev, struct app_error *error)
{
	const struct usrsctp_cmt_conn_config config = app_transport_conn_config(&s->options->transport);

	s->listener = usrsctp_cmt_listen(ev, s->options->transport.port, &config, on_accept, s);
	if (s->listener == NULL) {
		app_transport_listen_error(&s->options->transport, errno, error);
		return -1;
	}
	app_secure_tell_refused(s->options->transport.keys, s->listener);
	s->reap = event_new(s->base, -1, 0, on_reap, s);
	if (s->reap == NULL || app_signals_catch(&s->signals, s->base, on_signal, s) != 0) {
		return app_error_set(error, "no memory");
	}
	return 0;
}

static void close_server(struct server *s)
{
	for (size_t i = 0; i < s->n_greeting; i++) {
		flow_free(s->greeting[i], true);
	}
	if (s->run != NULL) {
		run_free(s->run, true);
		free(s->run);
	}
	usrsctp_cmt_listener_free(s->listener);
	app_signals_free(&s->signals);
	app_event_free(s->reap);
}

int server_run(const struct perf_options *options, struct event_base *base, struct usrsctp_cmt_event *ev,
               struct monitor *monitor)
{
	struct server s = {.options = options, .base = base};
	struct app_error error;

	s.owner = (struct flow_owner){.on_control = on_control,
	                              .on_up = on_up,
	                              .on_sent = on_sent,
	                              .on_lost = on_lost,
	                              .monitor = monitor,
	                              .arg = &s};
	perf_host(s.host);
	if (open_server(&s, ev, &error) != 0) {
		app_complain(PROGRAM, "%s", error.text);
		s.status = APP_EXIT_FAILED;
	} else {
		if (!options->quiet) {
			app_transport_say_where(PROGRAM, &options->transport, ev);
		}
		(void)event_base_dispatch(base);
	}
	close_server(&s);
	return s.status;
}
