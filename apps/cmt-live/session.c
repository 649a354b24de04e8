/* SPDX-License-Identifier: BSD-3-Clause */
#include "session.h"

#include <stdio.h>

static void on_signal(evutil_socket_t number, short what, void *arg)
{
	const struct session *const s = arg;

	(void)number;
	(void)what;
	s->on_signal(s->arg);
}

static void on_interval(evutil_socket_t fd, short what, void *arg)
{
	const struct session *const s = arg;

	(void)fd;
	(void)what;
	s->status_line(s->arg);
}

int session_begin(struct session *s, const struct live_options *options, struct event_base *base)
{
	s->options = options;
	s->base = base;
	if (options->interval_us != 0 &&
	    (s->interval = app_tick_new(base, options->interval_us, on_interval, s)) == NULL) {
		return -1;
	}
	if (options->host != NULL) {
		return 0;
	}
	return app_signals_catch(&s->signals, base, on_signal, s);
}

void session_wait(struct session *s, struct event *timer, uint64_t us)
{
	if (app_timer_start(timer, us) != 0) {
		live_say(s->options, "no memory");
		session_end(s, APP_EXIT_FAILED);
	}
}

void session_end(struct session *s, int status)
{
	s->status = status;
	if (s->link != NULL) {
		link_rest(s->link);
	}
	if (s->options->host != NULL) {
		s->options->host->on_end(status, s->options->host->arg);
	} else {
		(void)event_base_loopbreak(s->base);
	}
}

void session_look_at_srt(struct session *s, struct srt_pipe *pipe)
{
	if (pipe != NULL) {
		srt_pipe_stats(pipe, &s->srt);
		s->has_srt = true;
	}
}

char *session_srt_text(const struct session *s, char out[SESSION_SRT_BYTES])
{
	out[0] = '\0';
	if (s->has_srt) {
		(void)snprintf(out, SESSION_SRT_BYTES, "  srt: %s, dropped %llu, lost %llu",
		               s->srt.connected ? "connected" : "no peer", (unsigned long long)s->srt.dropped,
		               (unsigned long long)s->srt.lost);
	}
	return out;
}

static json_t *srt_json(const struct srt_pipe_stats *stats)
{
	return json_pack("{s:b, s:I, s:I, s:I, s:I, s:I, s:f}", "connected", stats->connected, "connections",
	                 (json_int_t)stats->connections, "datagrams", (json_int_t)stats->datagrams, "dropped",
	                 (json_int_t)stats->dropped, "lost", (json_int_t)stats->lost, "retransmits",
	                 (json_int_t)stats->retransmits, "rtt_ms", stats->rtt_ms);
}

json_t *session_stats(const struct session *s, json_t *own, struct link *link)
{
	const struct link_stats *const stats = link_stats(link);
	json_t *const all =
	    json_pack("{s:s, s:I, s:I, s:I}", "role", s->options->sends ? "sender" : "receiver", "latency_ms",
	              (json_int_t)link_latency_ms(link), "connections", (json_int_t)stats->connections,
	              "stalled_us", (json_int_t)monitor_watch_stalled_us(&stats->watch));

	(void)json_object_update(all, own);
	json_decref(own);
	if (s->has_srt) {
		(void)json_object_set_new(all, "srt", srt_json(&s->srt));
	}
	app_assoc_stats_json(&stats->watch.now.stats, all);
	(void)json_object_set_new(all, "encryption", app_encryption_json(&stats->encryption));
	return all;
}

void session_print_stats(const struct session *s, json_t *stats)
{
	FILE *const out = s->options->to.kind == ENDPOINT_STDIO ? stderr : stdout;

	if (json_dumpf(stats, out, JSON_COMPACT | JSON_REAL_PRECISION(9)) == 0) {
		fputc('\n', out);
	}
	(void)fflush(out);
	json_decref(stats);
}

void session_free(struct session *s)
{
	app_signals_free(&s->signals);
	app_event_free(s->interval);
}
