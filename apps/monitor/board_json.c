/* SPDX-License-Identifier: BSD-3-Clause */
#include "board_json.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

static void put_int(json_t *o, const char *key, uint64_t value)
{
	(void)json_object_set_new(o, key, json_integer((json_int_t)value));
}

/* Whole bits per second; shares and times to the microsecond. */
static void put_rate(json_t *o, const char *key, double bps)
{
	(void)json_object_set_new(o, key, json_integer((json_int_t)llround(bps)));
}

static void put_real(json_t *o, const char *key, double value)
{
	(void)json_object_set_new(o, key, json_real(round(value * 1e6) / 1e6));
}

static void put_text(json_t *o, const char *key, const char *text)
{
	(void)json_object_set_new(o, key, text[0] != '\0' ? json_string(text) : json_null());
}

static void put_delay(json_t *o, const char *key, int64_t us)
{
	(void)json_object_set_new(o, key, us == SCTP_CMT_UNKNOWN_US ? json_null() : json_integer(us));
}

static double seconds(uint64_t from_us, uint64_t until_us)
{
	return until_us > from_us ? (double)(until_us - from_us) / 1e6 : 0;
}

static json_t *path_json(const struct monitor_assoc *a, size_t i, uint64_t now_us)
{
	const struct sctp_cmt_path_stats *const p = &a->now.stats.paths[i];
	const struct monitor_change change = monitor_path_change(&a->before, &a->now, i);
	json_t *const o = app_path_stats_json(p);

	put_real(o, "state_s", seconds(a->now.since_us[i], now_us));
	put_rate(o, "send_rate_bps", change.send_bps);
	put_rate(o, "receive_rate_bps", change.receive_bps);
	put_real(o, "share", change.share);
	put_real(o, "loss", change.loss);
	put_delay(o, "fwd_delay_uncertainty_us", p->fwd_delay_uncertainty_us);
	put_delay(o, "queue_us", p->queue_us);
	put_int(o, "flight_bytes", p->flight_bytes);
	put_int(o, "received_bytes", p->received_bytes);
	put_int(o, "lost_chunks", p->lost_chunks);
	put_int(o, "timeouts", p->timeouts);
	put_int(o, "probes", p->probes);
	put_int(o, "undone", p->undone);
	put_int(o, "failures", p->failures);
	return o;
}

static json_t *assoc_json(const struct monitor_assoc *a, uint64_t now_us)
{
	const struct sctp_cmt_stats *const s = &a->now.stats.all;
	const struct monitor_change change = monitor_assoc_change(&a->before, &a->now);
	json_t *const o = json_object(), *const paths = json_array();

	put_int(o, "id", a->id);
	put_text(o, "name", a->name);
	put_real(o, "age_s", seconds(a->opened_us, now_us));
	put_text(o, "scheduler", s->scheduler);
	put_text(o, "cc", s->cc);
	put_text(o, "recovery", s->recovery);
	(void)json_object_set_new(o, "extension", json_boolean(s->extension));
	(void)json_object_set_new(o, "encryption", app_encryption_json(&a->encryption));
	put_rate(o, "send_rate_bps", change.send_bps);
	put_rate(o, "receive_rate_bps", change.receive_bps);
	put_real(o, "loss", change.loss);
	put_real(o, "stalled_s", (double)monitor_stalled_us(&a->now, now_us) / 1e6);
	put_int(o, "sent_bytes", monitor_sent_bytes(&a->now));
	put_int(o, "received_bytes", monitor_received_bytes(&a->now));
	put_int(o, "send_queue_bytes", s->send_queue_bytes);
	put_int(o, "send_buffer_bytes", a->now.send_buffer_bytes);
	put_int(o, "receive_queue_bytes", s->receive_queue_bytes);
	put_int(o, "held_bytes", s->held_bytes);
	put_int(o, "receive_buffer_bytes", a->now.receive_buffer_bytes);
	put_int(o, "peer_window_bytes", a->now.peer_window_bytes);
	put_int(o, "retransmits", app_assoc_stats_retransmits(&a->now.stats));
	put_int(o, "copies", s->copies);
	put_int(o, "illegal_decisions", s->illegal_decisions);
	if (a->figures != NULL) {
		(void)json_object_set_new(o, "figures", a->figures(a->figures_arg));
	}
	for (size_t i = 0; i < a->now.stats.n_paths; i++) {
		(void)json_array_append_new(paths, path_json(a, i, now_us));
	}
	(void)json_object_set_new(o, "paths", paths);
	return o;
}

static void put_port(json_t *o, const char *key, uint16_t port)
{
	(void)json_object_set_new(o, key, port != 0 ? json_integer(port) : json_null());
}

static json_t *event_json(const struct monitor_event *e)
{
	json_t *const o = json_object();

	put_int(o, "number", e->number);
	(void)json_object_set_new(o, "at_s", json_real(round(e->at_s * 1e3) / 1e3));
	put_text(o, "event", monitor_event_name(e->kind));
	put_int(o, "association", e->association);
	put_text(o, "name", e->name);
	put_int(o, "path", e->path_id);
	put_text(o, "local", e->local);
	put_port(o, "local_port", e->local_port);
	put_text(o, "interface", e->interface);
	put_text(o, "remote", e->remote);
	put_port(o, "remote_port", e->remote_port);
	return o;
}

/* Oldest first. */
static json_t *events_json(const struct monitor_board *b)
{
	json_t *const list = json_array();
	const uint64_t kept = b->n_events < MONITOR_EVENTS ? b->n_events : MONITOR_EVENTS;

	for (uint64_t i = b->n_events - kept; i < b->n_events; i++) {
		(void)json_array_append_new(list, event_json(&b->events[i % MONITOR_EVENTS]));
	}
	return list;
}

struct ranked {
	const struct monitor_assoc *assoc;
	size_t failed;
	double bps;
};

static size_t failed_paths(const struct monitor_assoc *a)
{
	size_t n = 0;

	for (size_t i = 0; i < a->now.stats.n_paths; i++) {
		n += a->now.stats.paths[i].state == SCTP_CMT_PATH_FAILED;
	}
	return n;
}

static int by_interest(const void *left, const void *right)
{
	const struct ranked *const a = left, *const b = right;

	if ((a->failed > 0) != (b->failed > 0)) {
		return a->failed > 0 ? -1 : 1;
	}
	if (a->bps > b->bps || a->bps < b->bps) {
		return a->bps > b->bps ? -1 : 1;
	}
	return a->assoc->id < b->assoc->id ? -1 : a->assoc->id > b->assoc->id;
}

static int by_id(const void *left, const void *right)
{
	const struct ranked *const a = left, *const b = right;

	return a->assoc->id < b->assoc->id ? -1 : a->assoc->id > b->assoc->id;
}

/* Fills `list` and `total`. Returns how many can be shown: those that were read once. */
static size_t rank(const struct monitor_board *b, struct ranked *list, json_t *total)
{
	size_t n = 0, paths = 0, failed = 0;
	double send_bps = 0, receive_bps = 0;

	for (const struct monitor_assoc *a = b->assocs; a != NULL; a = a->next) {
		const struct monitor_change change = monitor_assoc_change(&a->before, &a->now);

		if (a->now.at_us == 0) {
			continue;
		}
		list[n] = (struct ranked){
		    .assoc = a, .failed = failed_paths(a), .bps = change.send_bps + change.receive_bps};
		paths += a->now.stats.n_paths;
		failed += list[n++].failed;
		send_bps += change.send_bps;
		receive_bps += change.receive_bps;
	}
	put_int(total, "associations", n);
	put_int(total, "opened", b->n_opened);
	put_int(total, "paths", paths);
	put_int(total, "failed_paths", failed);
	put_rate(total, "send_rate_bps", send_bps);
	put_rate(total, "receive_rate_bps", receive_bps);
	return n;
}

json_t *monitor_board_json(const struct monitor_board *b, const struct monitor_json_request *request)
{
	struct ranked *const list = calloc(b->n_assocs + 1, sizeof(*list));
	json_t *const o = json_object(), *const total = json_object(), *const assocs = json_array();
	size_t n;

	if (list == NULL || o == NULL) {
		free(list);
		json_decref(o);
		json_decref(total);
		json_decref(assocs);
		return NULL;
	}
	n = rank(b, list, total);
	if (request->max_assocs != 0 && n > request->max_assocs) {
		qsort(list, n, sizeof(*list), by_interest);
		n = request->max_assocs;
	}
	qsort(list, n, sizeof(*list), by_id);
	for (size_t i = 0; i < n; i++) {
		(void)json_array_append_new(assocs, assoc_json(list[i].assoc, request->now_us));
	}
	free(list);
	put_text(o, "program", b->program);
	put_int(o, "pid", (uint64_t)getpid());
	(void)json_object_set_new(o, "now_s", json_real(round(request->calendar_s * 1e3) / 1e3));
	put_real(o, "uptime_s", seconds(b->started_us, request->now_us));
	put_real(o, "period_s", request->period_s);
	(void)json_object_set_new(o, "total", total);
	(void)json_object_set_new(o, "associations", assocs);
	(void)json_object_set_new(o, "events", events_json(b));
	return o;
}
