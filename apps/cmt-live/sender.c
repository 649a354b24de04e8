/* SPDX-License-Identifier: BSD-3-Clause */
#include "sender.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "backlog.h"
#include "link.h"
#include "loop/wall_clock.h"
#include "repair_code.h"
#include "repair_out.h"
#include "session.h"
#include "source.h"
#include "stream_rate.h"
#include "target_file.h"
#include "text/units.h"

#define PROGRAM "cmt-live"

/* What the stack has accepted it sends, old or not: so it gets what the paths carry in a quarter of the
 * budget, and the rest waits here, where it can be dropped. */
#define STACK_SHARE     4
#define STACK_MIN_BYTES 32768u
#define PUMP_AGAIN_US   4000

struct sender {
	struct session session;
	struct backlog backlog;
	struct source *source;
	struct link *link;
	struct event *timer;
	struct target_file target;
	struct repair_out *repair; /* NULL = built without */
	uint64_t looked_us;        /* at the paths, for repair */
	uint64_t stream;
	struct stream_rate rate;
	uint64_t sent, sent_bytes;
	bool source_ended, finishing;
	int source_error;
	struct {
		uint64_t sent_bytes, repair_bytes, at_us;
	} shown; /* by the last status line */
};

static uint64_t budget_us(const struct sender *s)
{
	return UINT64_C(1000) * link_latency_ms(s->link);
}

static bool repairs(const struct sender *s)
{
	return s->repair != NULL && link_repairs(s->link);
}

static void pump_again(struct sender *s)
{
	session_wait(&s->session, s->timer, PUMP_AGAIN_US);
}

/* 1: sent, 0: no room. */
static int send_first(struct sender *s, struct backlog_entry *entry, uint64_t now_us)
{
	const uint64_t left_us = budget_us(s) - (now_us - entry->time_us);
	const int sent = link_send(s->link, entry->message, entry->bytes, (uint32_t)(left_us / 1000));

	if (sent == 1) {
		s->sent++;
		s->sent_bytes += entry->bytes - LIVE_DATA_HEADER_BYTES;
		if (repairs(s)) {
			repair_out_add(s->repair, &(struct repair_datagram){
			                              .seq = entry->seq,
			                              .time_us = entry->time_us,
			                              .payload = entry->message + LIVE_DATA_HEADER_BYTES,
			                              .bytes = entry->bytes - LIVE_DATA_HEADER_BYTES});
		}
		backlog_take(&s->backlog, entry);
	}
	return sent;
}

/* How much the stack gets now; a datagram goes whatever its size when the stack holds nothing. */
static size_t stack_room(const struct sender *s)
{
	uint64_t rate_bps, limit_bytes;
	size_t unsent_bytes;

	link_load(s->link, &unsent_bytes, &rate_bps);
	limit_bytes = (uint64_t)((double)rate_bps / 8 * (double)budget_us(s) / 1e6 / STACK_SHARE);
	limit_bytes = limit_bytes > STACK_MIN_BYTES ? limit_bytes : STACK_MIN_BYTES;
	if (unsent_bytes == 0 && limit_bytes < LIVE_MAX_MESSAGE_BYTES) {
		return LIVE_MAX_MESSAGE_BYTES;
	}
	return limit_bytes > unsent_bytes ? (size_t)limit_bytes - unsent_bytes : 0;
}

/* As far as there is room, and no datagram waits for it. */
static void pump_repair(struct sender *s, size_t room, uint64_t now_us)
{
	const struct repair_out_message *first;
	uint8_t message[LIVE_MAX_REPAIR_BYTES];

	while ((first = repair_out_first(s->repair)) != NULL) {
		const size_t len = live_repair_encode(first->bytes, first->len, message);

		if (first->dead_us <= now_us) {
			repair_out_take(s->repair, false);
		} else if (room >= len && link_send(s->link, message, len,
		                                    (uint32_t)((first->dead_us - now_us) / 1000)) == 1) {
			room -= len;
			repair_out_take(s->repair, true);
		} else {
			return;
		}
	}
}

static void look_at_paths(struct sender *s, uint64_t now_us)
{
	if (now_us - s->looked_us >= REPAIR_MEASURE_BUCKET_US) {
		const struct link_stats *const stats = link_stats(s->link);

		s->looked_us = now_us;
		repair_out_look(s->repair,
		                &(struct repair_seen){.sent = s->sent,
		                                      .unsent = s->backlog.dropped + stats->abandoned_unsent,
		                                      .told = stats->told,
		                                      .missed = stats->peer.lost + stats->peer.restored,
		                                      .paths = stats->watch.now.stats.paths,
		                                      .n_paths = stats->watch.now.stats.n_paths},
		                now_us);
	}
}

/* Datagrams, then their repair. */
static void pump_link(struct sender *s, uint64_t now_us)
{
	struct backlog_entry *entry = backlog_first(&s->backlog);
	size_t room;

	if (repairs(s)) {
		look_at_paths(s, now_us);
		repair_out_run(s->repair, now_us);
	}
	if (entry == NULL && (!repairs(s) || repair_out_first(s->repair) == NULL)) {
		return;
	}
	room = stack_room(s);
	if (entry != NULL) {
		link_tell_needed(s->link, s->rate.rate_bps, budget_us(s) - (now_us - entry->time_us), now_us);
	}
	while (entry != NULL && room >= entry->bytes) {
		room -= entry->bytes;
		if (send_first(s, entry, now_us) != 1) {
			return;
		}
		entry = backlog_first(&s->backlog);
	}
	if (entry == NULL && repairs(s)) {
		pump_repair(s, room, now_us);
	}
}

/* Until something can be done for repair; UINT64_MAX = nothing is to be done. */
static uint64_t repair_wait_us(const struct sender *s, uint64_t now_us)
{
	uint64_t wake_us;

	if (!repairs(s)) {
		return UINT64_MAX;
	}
	if (repair_out_first(s->repair) != NULL) {
		return PUMP_AGAIN_US;
	}
	wake_us = repair_out_wake_us(s->repair);
	if (wake_us == UINT64_MAX) {
		return UINT64_MAX;
	}
	return wake_us > now_us ? wake_us - now_us : 0;
}

static void pump(struct sender *s)
{
	const uint64_t now_us = app_wall_clock_us();
	uint64_t wait_us;

	backlog_expire(&s->backlog, budget_us(s), now_us);
	if (s->source_ended && backlog_first(&s->backlog) == NULL && repairs(s)) {
		repair_out_end(s->repair);
	}
	if (link_is_ready(s->link)) {
		pump_link(s, now_us);
	}
	wait_us = repair_wait_us(s, now_us);
	if (backlog_first(&s->backlog) != NULL) {
		pump_again(s);
	} else if (wait_us != UINT64_MAX) {
		session_wait(&s->session, s->timer, wait_us);
	} else if (s->source_ended && !s->finishing) {
		if (link_is_ready(s->link)) {
			s->finishing = link_finish(s->link, s->backlog.next_seq) == 1;
			pump_again(s);
		} else {
			live_say(s->session.options, "the stream is over, and there is no connection");
			session_end(&s->session, APP_EXIT_FAILED);
		}
	}
}

static void on_timer(evutil_socket_t fd, short what, void *arg)
{
	(void)fd;
	(void)what;
	pump(arg);
}

static void on_datagram(const void *bytes, size_t len, void *arg)
{
	struct sender *const s = arg;

	const uint64_t now_us = app_wall_clock_us();

	stream_rate_add(&s->rate, len + LIVE_DATA_HEADER_BYTES, now_us);
	backlog_add(&s->backlog, bytes, len, now_us);
	pump(s);
}

static void on_source_end(int error, void *arg)
{
	struct sender *const s = arg;

	s->source_error = error;
	s->source_ended = true;
	if (error != 0) {
		live_say(s->session.options, "standard input: %s", strerror(error));
	}
	pump_again(s);
}

static void hello(struct live_message *out, void *arg)
{
	const struct sender *const s = arg;
	const struct backlog_entry *const first = backlog_first(&s->backlog);
	uint32_t waiting = 0;

	/* What still waits will be sent, as far as it is in time. */
	for (const struct backlog_entry *e = first; e != NULL; e = TAILQ_NEXT(e, link)) {
		waiting++;
	}
	out->seq = s->backlog.next_seq - waiting;
	out->stream = s->stream;
}

static void on_ready(uint32_t latency_ms, const struct live_message *theirs, void *arg)
{
	struct sender *const s = arg;

	(void)latency_ms;
	(void)theirs;
	if (s->repair != NULL) {
		repair_out_begin(s->repair, budget_us(s));
	}
	pump(s);
}

static void on_message(const struct live_message *message, void *arg)
{
	(void)message;
	(void)arg;
}

static void tell_target(struct sender *s, const struct live_target *target)
{
	const struct live_host *const host = s->session.options->host;

	target_file_write(&s->target, target);
	if (host != NULL && host->on_target != NULL) {
		host->on_target(target, host->arg);
	}
}

static void on_capacity(const struct usrsctp_cmt_capacity_change *change, void *arg)
{
	struct sender *const s = arg;
	const struct target_share share = {.datagram_bytes = s->sent_bytes,
	                                   .message_bytes = s->sent_bytes + s->sent * LIVE_DATA_HEADER_BYTES};

	const struct live_target target = live_target_of(change, &share);

	tell_target(s, &target);
}

static void on_down(bool finished, void *arg)
{
	struct sender *const s = arg;
	const struct live_target nothing = {.direction = -1, .latency_ms = s->session.options->latency_ms};

	tell_target(s, &nothing);
	if (!s->finishing) {
		return;
	}
	if (!finished) {
		live_say(
		    s->session.options,
		    "the stream is over, but the connection was lost before the other side confirmed it");
	}
	session_end(&s->session, finished && s->source_error == 0 ? APP_EXIT_OK : APP_EXIT_FAILED);
}

static void status(struct live_status *out, void *arg)
{
	const struct sender *const s = arg;

	out->sent = s->sent;
	out->expired = s->backlog.dropped;
}

static void on_give_up(void *arg)
{
	struct sender *const s = arg;

	live_say(s->session.options, "no connection within --timeout");
	session_end(&s->session, APP_EXIT_FAILED);
}

/* The first one ends the stream, the second one the program. */
static void on_signal(void *arg)
{
	sender_stop(arg);
}

void sender_stop(struct sender *s)
{
	if (s->source_ended || !link_is_ready(s->link)) {
		session_end(&s->session, APP_EXIT_OK);
		return;
	}
	session_look_at_srt(&s->session, source_srt(s->source));
	source_free(s->source);
	s->source = NULL;
	s->source_ended = true;
	pump(s);
}

static struct repair_out_counts repair_counts(const struct sender *s)
{
	return s->repair != NULL ? repair_out_counts(s->repair) : (struct repair_out_counts){.messages = 0};
}

static double share_of(uint64_t part, uint64_t all)
{
	return all > 0 ? (double)part / (double)all : 0;
}

static void status_line(void *arg)
{
	struct sender *const s = arg;
	const uint64_t now_us = app_wall_clock_us();
	const struct link_stats *const stats = link_stats(s->link);
	const struct repair_out_counts repair = repair_counts(s);
	char rate[40], state[LINK_STATE_BYTES], paths[MONITOR_WATCH_TEXT_BYTES], srt[SESSION_SRT_BYTES];

	session_look_at_srt(&s->session, source_srt(s->source));
	fprintf(
	    stderr,
	    "%s: %s  sent %llu (%s)  repair %.1f %%  expired %llu  abandoned in flight %llu  receiver: lost "
	    "%llu, late %llu  %s%s\n",
	    PROGRAM, link_state(s->link, state), (unsigned long long)s->sent,
	    app_format_rate((double)(s->sent_bytes - s->shown.sent_bytes) * 8e6 /
	                        (double)(now_us - s->shown.at_us),
	                    rate, sizeof(rate)),
	    100 * share_of(repair.bytes - s->shown.repair_bytes, s->sent_bytes - s->shown.sent_bytes),
	    (unsigned long long)s->backlog.dropped, (unsigned long long)stats->abandoned,
	    (unsigned long long)stats->peer.lost, (unsigned long long)stats->peer.late,
	    link_paths(s->link, paths), session_srt_text(&s->session, srt));
	s->shown.sent_bytes = s->sent_bytes;
	s->shown.repair_bytes = repair.bytes;
	s->shown.at_us = now_us;
}

json_t *sender_stats(struct sender *s)
{
	const struct repair_out_counts repair = repair_counts(s);
	const struct link_stats *const stats = link_stats(s->link);

	session_look_at_srt(&s->session, source_srt(s->source));
	return session_stats(
	    &s->session,
	    json_pack("{s:I, s:I, s:I, s:I, s:I, s:{s:I, s:I, s:I, s:I}, s:{s:I, s:I, s:I, s:f, s:f}}",
	              "datagrams", (json_int_t)s->backlog.datagrams, "sent", (json_int_t)s->sent,
	              "sent_bytes", (json_int_t)s->sent_bytes, "expired", (json_int_t)s->backlog.dropped,
	              "abandoned", (json_int_t)stats->abandoned, "receiver", "delivered",
	              (json_int_t)stats->peer.delivered, "lost", (json_int_t)stats->peer.lost, "late",
	              (json_int_t)stats->peer.late, "twice", (json_int_t)stats->peer.twice, "repair",
	              "messages", (json_int_t)repair.messages, "bytes", (json_int_t)repair.bytes, "dropped",
	              (json_int_t)repair.dropped, "overhead", share_of(repair.bytes, s->sent_bytes), "loss",
	              repair.loss.missed),
	    s->link);
}

/* Who wants none does not pay for it. */
static bool wants_target(const struct live_options *o)
{
	return o->target_file != NULL || (o->host != NULL && o->host->on_target != NULL);
}

static int begin(struct sender *s, const struct live_options *options, struct event_base *base,
                 struct usrsctp_cmt_event *ev, struct app_error *error)
{
	const struct link_events of_link = {.hello = hello,
	                                    .on_ready = on_ready,
	                                    .on_message = on_message,
	                                    .on_down = on_down,
	                                    .status = status,
	                                    .on_capacity = wants_target(options) ? on_capacity : NULL,
	                                    .on_give_up = on_give_up,
	                                    .arg = s};
	const struct source_events of_source = {
	    .on_datagram = on_datagram, .on_end = on_source_end, .arg = s};

	if (target_file_open(&s->target, options->target_file, options->latency_ms, error) != 0) {
		return -1;
	}
	s->timer = evtimer_new(base, on_timer, s);
	s->repair = repair_out_new();
	if (s->timer == NULL || (s->repair == NULL && repair_code_available()) ||
	    session_begin(&s->session, options, base) != 0 ||
	    getrandom(&s->stream, sizeof(s->stream), 0) != (ssize_t)sizeof(s->stream)) {
		return app_error_set(error, "no memory");
	}
	s->link = link_new(base, ev, options, &of_link, error);
	s->session.link = s->link;
	if (s->link == NULL) {
		return -1;
	}
	s->source = source_new(base, options, &of_source, error);
	return s->source != NULL ? 0 : -1;
}

struct sender *sender_new(const struct live_options *options, struct event_base *base,
                          struct usrsctp_cmt_event *ev, struct app_error *error)
{
	struct sender *const s = calloc(1, sizeof(*s));

	if (s == NULL) {
		app_error_set(error, "no memory");
		return NULL;
	}
	s->session = (struct session){.on_signal = on_signal, .status_line = status_line, .arg = s};
	s->shown.at_us = app_wall_clock_us();
	backlog_init(&s->backlog);
	if (begin(s, options, base, ev, error) == 0) {
		return s;
	}
	(void)sender_free(s);
	return NULL;
}

int sender_free(struct sender *s)
{
	const int status_code = s->session.status;

	source_free(s->source);
	link_free(s->link, NULL);
	backlog_free(&s->backlog);
	repair_out_free(s->repair);
	app_event_free(s->timer);
	session_free(&s->session);
	free(s);
	return status_code;
}

int sender_run(const struct live_options *options, struct event_base *base, struct usrsctp_cmt_event *ev)
{
	struct app_error error;
	struct sender *const s = sender_new(options, base, ev, &error);

	if (s == NULL) {
		app_complain(PROGRAM, "%s", error.text);
		return APP_EXIT_FAILED;
	}
	(void)event_base_dispatch(base);
	if (options->stats_json) {
		session_print_stats(&s->session, sender_stats(s));
	}
	return sender_free(s);
}
