/* SPDX-License-Identifier: BSD-3-Clause */
#include "receiver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "link.h"
#include "loop/wall_clock.h"
#include "release.h"
#include "repair_in.h"
#include "session.h"
#include "sink.h"
#include "text/units.h"
#include "time_base.h"

#define PROGRAM "cmt-live"

#define HELD_MAX_BYTES (256u << 20)
#define END_LOOK_US    10000

struct datagram {
	uint32_t seq;
	size_t bytes;
	uint8_t payload[];
};

struct receiver {
	struct session session;
	struct link *link;
	struct sink *sink;
	struct event *timer, *ending;
	struct release release;
	struct release_counts before; /* of earlier streams */
	struct time_base base;
	struct repair_in *repair;
	bool streaming; /* a stream was announced and is not over */
	uint64_t stream;
	uint64_t latency_us;
	size_t held_bytes;
	uint64_t delivered_bytes;
	uint64_t restored;  /* delivered by repair alone */
	uint64_t overflow;  /* datagrams for which there was no room or memory */
	uint64_t latest_us; /* most that a datagram was given out behind its time */
	struct {
		uint64_t released, bytes, lost, at_us;
	} shown;
};

static struct release_counts counts(const struct receiver *r)
{
	return (struct release_counts){.released = r->before.released + r->release.counts.released,
	                               .lost = r->before.lost + r->release.counts.lost,
	                               .late = r->before.late + r->release.counts.late,
	                               .twice = r->before.twice + r->release.counts.twice};
}

static void give_out(struct receiver *r, const struct release_item *item, uint64_t now_us)
{
	struct datagram *const d = item->data;
	const uint64_t due_us = time_base_at_us(&r->base, item->time_us, r->latency_us);

	if (now_us > due_us && now_us - due_us > r->latest_us) {
		r->latest_us = now_us - due_us;
	}
	sink_write(r->sink, d->payload, d->bytes);
	r->delivered_bytes += d->bytes;
	r->restored += repair_in_is_restored(r->repair, d->seq);
	r->held_bytes -= d->bytes;
	free(d);
}

/* With --once: ends when the sender knows and the output has everything. */
static void end_when_done(struct receiver *r)
{
	if (!link_is_connected(r->link) && sink_is_empty(r->sink)) {
		session_end(&r->session, APP_EXIT_OK);
	} else {
		session_wait(&r->session, r->ending, END_LOOK_US);
	}
}

static void on_ending(evutil_socket_t fd, short what, void *arg)
{
	(void)fd;
	(void)what;
	end_when_done(arg);
}

static void stream_is_over(struct receiver *r)
{
	r->streaming = false;
	(void)evtimer_del(r->timer);
	if (r->session.options->once) {
		end_when_done(r);
	}
}

/* Gives out what is due, and waits for what will be. */
static void pump(struct receiver *r)
{
	const uint64_t now_us = app_wall_clock_us();
	const uint64_t due_us = time_base_due_us(&r->base, now_us, r->latency_us);
	struct release_item item;
	uint64_t wake_us;

	if (!r->streaming) {
		return;
	}
	while (release_take(&r->release, due_us, &item)) {
		give_out(r, &item, now_us);
	}
	if (release_is_over(&r->release)) {
		stream_is_over(r);
		return;
	}
	wake_us = release_wake_us(&r->release);
	if (wake_us != RELEASE_NEVER_US) {
		session_wait(&r->session, r->timer, wake_us > due_us ? wake_us - due_us : 0);
	}
}

static void on_timer(evutil_socket_t fd, short what, void *arg)
{
	(void)fd;
	(void)what;
	pump(arg);
}

/* Nothing more comes of the present stream: what is there leaves at once, in order. */
static void end_stream(struct receiver *r)
{
	const uint64_t now_us = app_wall_clock_us();
	struct release_item item;

	if (!r->streaming) {
		return;
	}
	while (release_take(&r->release, RELEASE_NEVER_US, &item)) {
		give_out(r, &item, now_us);
	}
	r->before = counts(r);
	r->release.counts = (struct release_counts){0};
	r->streaming = false;
}

static void on_ready(uint32_t latency_ms, const struct live_message *hello, void *arg)
{
	struct receiver *const r = arg;

	r->latency_us = UINT64_C(1000) * latency_ms;
	if (r->streaming && hello->stream == r->stream) {
		return; /* it goes on: what was not sent meanwhile is missing */
	}
	end_stream(r);
	r->before = counts(r);
	release_init(&r->release, hello->seq, r->session.options->early);
	repair_in_forget(r->repair);
	time_base_init(&r->base);
	r->stream = hello->stream;
	r->streaming = true;
}

/* Takes a copy of the payload. */
static void hold(struct receiver *r, const struct repair_datagram *datagram, uint64_t now_us)
{
	struct datagram *const d =
	    r->held_bytes + datagram->bytes <= HELD_MAX_BYTES ? malloc(sizeof(*d) + datagram->bytes) : NULL;
	struct release_item item;

	if (d == NULL) {
		r->overflow++;
		return;
	}
	d->seq = datagram->seq;
	d->bytes = datagram->bytes;
	memcpy(d->payload, datagram->payload, d->bytes);
	while (release_make_room(&r->release, datagram->seq, &item)) {
		give_out(r, &item, now_us);
	}
	if (release_put(&r->release, datagram->seq, datagram->time_us, d) == RELEASE_HELD) {
		r->held_bytes += d->bytes;
	} else {
		free(d);
	}
}

/* What is restored says nothing of the paths' delay. */
static void on_restored(const struct repair_datagram *datagram, void *arg)
{
	hold(arg, datagram, app_wall_clock_us());
}

static void take_data(struct receiver *r, const struct live_message *message)
{
	const uint64_t now_us = app_wall_clock_us();
	const struct repair_datagram datagram = {.seq = message->seq,
	                                         .time_us = message->time_us,
	                                         .payload = message->payload,
	                                         .bytes = message->payload_bytes};

	time_base_add(&r->base, now_us, message->time_us);
	hold(r, &datagram, now_us);
	if (link_repairs(r->link)) {
		repair_in_datagram(r->repair, &datagram);
	}
}

static void on_message(const struct live_message *message, void *arg)
{
	struct receiver *const r = arg;

	if (!r->streaming) {
		return;
	}
	if (message->type == LIVE_END) {
		release_end(&r->release, message->seq, time_base_due_us(&r->base, app_wall_clock_us(), 0));
	} else if (message->type == LIVE_REPAIR) {
		repair_in_message(r->repair, &message->of_repair);
	} else {
		take_data(r, message);
	}
	pump(r);
}

/* Finished: everything has come, what is missing will not. */
static void on_down(bool finished, void *arg)
{
	struct receiver *const r = arg;

	if (finished && r->streaming) {
		r->release.end_time_us = 0;
		pump(r);
	}
}

static void hello(struct live_message *out, void *arg)
{
	(void)out;
	(void)arg;
}

static void status(struct live_status *out, void *arg)
{
	const struct receiver *const r = arg;
	const struct release_counts c = counts(r);

	out->delivered = c.released;
	out->lost = c.lost;
	out->late = c.late;
	out->twice = c.twice;
	out->restored = r->restored;
}

static void on_give_up(void *arg)
{
	struct receiver *const r = arg;

	live_say(r->session.options, "no connection within --timeout");
	session_end(&r->session, APP_EXIT_FAILED);
}

static void on_sink_failed(int error, void *arg)
{
	struct receiver *const r = arg;

	live_say(r->session.options, "standard output: %s", strerror(error));
	session_end(&r->session, APP_EXIT_FAILED);
}

static void on_signal(void *arg)
{
	receiver_stop(arg);
}

void receiver_stop(struct receiver *r)
{
	end_stream(r);
	session_end(&r->session, APP_EXIT_OK);
}

static void status_line(void *arg)
{
	struct receiver *const r = arg;
	const struct release_counts c = counts(r);
	const uint64_t now_us = app_wall_clock_us();
	char rate[40], held[40], state[LINK_STATE_BYTES], paths[MONITOR_WATCH_TEXT_BYTES],
	    srt[SESSION_SRT_BYTES];

	session_look_at_srt(&r->session, sink_srt(r->sink));
	fprintf(stderr, "%s: %s  delivered %llu (%s)  lost %llu  late %llu  restored %llu  held %s  %s%s\n",
	        PROGRAM, link_state(r->link, state), (unsigned long long)c.released,
	        app_format_rate((double)(r->delivered_bytes - r->shown.bytes) * 8e6 /
	                            (double)(now_us - r->shown.at_us),
	                        rate, sizeof(rate)),
	        (unsigned long long)c.lost, (unsigned long long)c.late, (unsigned long long)r->restored,
	        app_format_size((double)r->held_bytes, held, sizeof(held)), link_paths(r->link, paths),
	        session_srt_text(&r->session, srt));
	r->shown.bytes = r->delivered_bytes;
	r->shown.at_us = now_us;
}

json_t *receiver_stats(struct receiver *r)
{
	const struct release_counts c = counts(r);
	const struct repair_in_counts repair = repair_in_counts(r->repair);
	double drift_ppm = 0;
	const bool known = time_base_drift_ppm(&r->base, &drift_ppm);

	session_look_at_srt(&r->session, sink_srt(r->sink));
	return session_stats(
	    &r->session,
	    json_pack("{s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:o, s:{s:I, s:I, s:I, s:I}}", "release",
	              r->session.options->early ? "early" : "deadline", "delivered", (json_int_t)c.released,
	              "delivered_bytes", (json_int_t)r->delivered_bytes, "lost", (json_int_t)c.lost, "late",
	              (json_int_t)c.late, "twice", (json_int_t)c.twice, "overflow", (json_int_t)r->overflow,
	              "output_dropped", (json_int_t)sink_dropped(r->sink), "behind_deadline_max_us",
	              (json_int_t)r->latest_us, "clock_drift_ppm", known ? json_real(drift_ppm) : json_null(),
	              "repair", "messages", (json_int_t)repair.messages, "restored", (json_int_t)r->restored,
	              "needless", (json_int_t)repair.needless, "unusable", (json_int_t)repair.unusable),
	    r->link);
}

static int begin(struct receiver *r, const struct live_options *options, struct event_base *base,
                 struct usrsctp_cmt_event *ev, struct app_error *error)
{
	const struct link_events of_link = {.hello = hello,
	                                    .on_ready = on_ready,
	                                    .on_message = on_message,
	                                    .on_down = on_down,
	                                    .status = status,
	                                    .on_give_up = on_give_up,
	                                    .arg = r};

	r->timer = evtimer_new(base, on_timer, r);
	r->ending = evtimer_new(base, on_ending, r);
	r->repair = repair_in_new(on_restored, r);
	if (r->repair == NULL || r->timer == NULL || r->ending == NULL ||
	    session_begin(&r->session, options, base) != 0) {
		return app_error_set(error, "no memory");
	}
	r->sink = sink_new(base, options, on_sink_failed, r, error);
	if (r->sink == NULL) {
		return -1;
	}
	r->link = link_new(base, ev, options, &of_link, error);
	r->session.link = r->link;
	return r->link != NULL ? 0 : -1;
}

struct receiver *receiver_new(const struct live_options *options, struct event_base *base,
                              struct usrsctp_cmt_event *ev, struct app_error *error)
{
	struct receiver *const r = calloc(1, sizeof(*r));

	if (r == NULL) {
		app_error_set(error, "no memory");
		return NULL;
	}
	r->session = (struct session){.on_signal = on_signal, .status_line = status_line, .arg = r};
	r->shown.at_us = app_wall_clock_us();
	if (begin(r, options, base, ev, error) == 0) {
		return r;
	}
	(void)receiver_free(r);
	return NULL;
}

int receiver_free(struct receiver *r)
{
	const int status_code = r->session.status;

	if (r->sink != NULL) {
		end_stream(r);
	}
	link_free(r->link, "the receiver is shutting down");
	sink_free(r->sink);
	repair_in_free(r->repair);
	app_event_free(r->timer);
	app_event_free(r->ending);
	session_free(&r->session);
	free(r);
	return status_code;
}

int receiver_run(const struct live_options *options, struct event_base *base, struct usrsctp_cmt_event *ev)
{
	struct app_error error;
	struct receiver *const r = receiver_new(options, base, ev, &error);

	if (r == NULL) {
		app_complain(PROGRAM, "%s", error.text);
		return APP_EXIT_FAILED;
	}
	(void)event_base_dispatch(base);
	end_stream(r);
	if (options->stats_json) {
		session_print_stats(&r->session, receiver_stats(r));
	}
	return receiver_free(r);
}
