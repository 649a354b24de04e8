/* SPDX-License-Identifier: BSD-3-Clause */
#include "view.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "text/units.h"

#define SHOWN_EVENTS 5
#define NAME_BYTES   160
#define CELL_BYTES   64

void top_view_clear(struct top_view *v)
{
	v->n = 0;
}

void top_view_free(struct top_view *v)
{
	free(v->lines);
	*v = (struct top_view){.n = 0};
}

/* Without memory the line is left out. */
static void add(struct top_view *v, enum top_line_kind kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void add(struct top_view *v, enum top_line_kind kind, const char *format, ...)
{
	struct top_line *line;
	va_list args;

	if (v->n == v->room) {
		const size_t room = v->room > 0 ? 2 * v->room : 64;
		struct top_line *const lines = realloc(v->lines, room * sizeof(*lines));

		if (lines == NULL) {
			return;
		}
		v->lines = lines;
		v->room = room;
	}
	line = &v->lines[v->n++];
	line->kind = kind;
	va_start(args, format);
	(void)vsnprintf(line->text, sizeof(line->text), format, args);
	va_end(args);
}

static double number(const json_t *o, const char *key)
{
	return json_number_value(json_object_get(o, key));
}

static const char *text(const json_t *o, const char *key, char out[NAME_BYTES])
{
	const char *const value = json_string_value(json_object_get(o, key));

	return value != NULL ? app_printable(value, out, NAME_BYTES) : NULL;
}

static bool is_failed(const json_t *path)
{
	const char *const state = json_string_value(json_object_get(path, "state"));

	return state != NULL && strcmp(state, "failed") == 0;
}

static size_t failed_paths(const json_t *assoc)
{
	const json_t *path;
	size_t i, n = 0;

	json_array_foreach(json_object_get(assoc, "paths"), i, path)
	{
		n += is_failed(path);
	}
	return n;
}

/* --- cells of a path's line --- */

typedef void cell_fn(const json_t *path, char *out);

static void put_text(const json_t *path, const char *key, char *out)
{
	char shown[NAME_BYTES];
	const char *const value = text(path, key, shown);

	(void)snprintf(out, CELL_BYTES, "%s", value != NULL ? value : "-");
}

static void put_time(const json_t *path, const char *key, char *out)
{
	const json_t *const value = json_object_get(path, key);

	if (json_is_number(value)) {
		(void)app_format_time(json_number_value(value), out, CELL_BYTES);
	} else {
		(void)snprintf(out, CELL_BYTES, "-");
	}
}

static void put_percent(const json_t *path, const char *key, char *out)
{
	const double value = 100 * number(path, key);

	(void)snprintf(out, CELL_BYTES, value > 0 && value < 9.95 ? "%.1f %%" : "%.0f %%", value);
}

/* "10.1.0.1:9899", "[2001:db8::1]:9899", "10.1.0.1" without a port, "?" */
static void put_end(const json_t *o, const char *address_key, const char *port_key, char out[NAME_BYTES])
{
	char shown[NAME_BYTES];
	const char *const address = text(o, address_key, shown);
	const double port = number(o, port_key);

	if (address == NULL || port <= 0) {
		(void)snprintf(out, NAME_BYTES, "%.64s", address != NULL ? address : "?");
	} else {
		(void)snprintf(out, NAME_BYTES, strchr(address, ':') != NULL ? "[%.64s]:%.0f" : "%.64s:%.0f",
		               address, port);
	}
}

static void put_to(const json_t *o, char out[NAME_BYTES])
{
	put_end(o, "remote", "remote_port", out);
}

/* "10.1.0.1:9899 (wlan0)" */
static void put_from(const json_t *o, char out[NAME_BYTES])
{
	char local[NAME_BYTES], interface[NAME_BYTES];
	const char *const name = text(o, "interface", interface);

	put_end(o, "local", "local_port", local);
	(void)snprintf(out, NAME_BYTES, name != NULL ? "%.80s (%.64s)" : "%.80s", local, name);
}

static void put_remote(const json_t *path, char *out)
{
	char remote[NAME_BYTES];

	put_to(path, remote);
	(void)snprintf(out, CELL_BYTES, "%.*s", (int)app_fitting_bytes(remote, CELL_BYTES - 1), remote);
}

static void put_local(const json_t *path, char *out)
{
	char local[NAME_BYTES];

	if (json_is_string(json_object_get(path, "local"))) {
		put_from(path, local);
	} else {
		(void)snprintf(local, sizeof(local), "-");
	}
	(void)snprintf(out, CELL_BYTES, "%.*s", (int)app_fitting_bytes(local, CELL_BYTES - 1), local);
}

static void put_state(const json_t *path, char *out)
{
	if (is_failed(path)) {
		(void)snprintf(out, CELL_BYTES, "FAILED %.0f s", number(path, "state_s"));
	} else {
		put_text(path, "state", out);
	}
}

static void put_send(const json_t *path, char *out)
{
	(void)app_format_rate(number(path, "send_rate_bps"), out, CELL_BYTES);
}

static void put_receive(const json_t *path, char *out)
{
	(void)app_format_rate(number(path, "receive_rate_bps"), out, CELL_BYTES);
}

static void put_share(const json_t *path, char *out)
{
	put_percent(path, "share", out);
}

static void put_delay(const json_t *path, char *out)
{
	put_time(path, "fwd_delay_us", out);
}

static void put_base(const json_t *path, char *out)
{
	put_time(path, "fwd_delay_base_us", out);
}

static void put_srtt(const json_t *path, char *out)
{
	put_time(path, "srtt_us", out);
}

static void put_queue(const json_t *path, char *out)
{
	put_time(path, "queue_us", out);
}

static void put_flight(const json_t *path, char *out)
{
	(void)app_format_size(number(path, "flight_bytes"), out, CELL_BYTES);
}

static void put_cwnd(const json_t *path, char *out)
{
	(void)app_format_size(number(path, "cwnd_bytes"), out, CELL_BYTES);
}

static void put_loss(const json_t *path, char *out)
{
	put_percent(path, "loss", out);
}

static void put_lost(const json_t *path, char *out)
{
	(void)snprintf(out, CELL_BYTES, "%.0f/%.0f", number(path, "lost_chunks"),
	               number(path, "spurious_chunks"));
}

static void put_failures(const json_t *path, char *out)
{
	(void)snprintf(out, CELL_BYTES, "%.0f", number(path, "failures"));
}

/* `rank`: the highest go first when the line is too long. Negative width: to the left. */
static const struct column {
	const char *name;
	int width; /* at least */
	unsigned rank;
	cell_fn *put;
} columns[] = {
    {"TO", -15, 0, put_remote}, {"FROM", -15, 8, put_local},     {"STATE", -12, 0, put_state},
    {"SEND", 13, 0, put_send},  {"RECEIVE", 13, 1, put_receive}, {"SHARE", 6, 2, put_share},
    {"DELAY", 9, 4, put_delay}, {"BASE", 9, 7, put_base},        {"RTT", 9, 7, put_srtt},
    {"QUEUE", 9, 5, put_queue}, {"FLIGHT", 9, 9, put_flight},    {"CWND", 9, 6, put_cwnd},
    {"LOSS", 6, 3, put_loss},   {"LOST/SPUR", 11, 8, put_lost},  {"FAIL", 5, 5, put_failures},
};
#define N_COLUMNS   (sizeof(columns) / sizeof(columns[0]))
#define N_ADDRESSES 2u /* the first columns; as wide as the longest address */
#define MAX_RANK    9u

struct layout {
	int widths[N_COLUMNS];
	unsigned rank; /* those above are left out */
};

static size_t line_width(const struct layout *l, unsigned rank)
{
	size_t sum = 1;

	for (size_t i = 0; i < N_COLUMNS; i++) {
		sum += columns[i].rank <= rank ? (size_t)abs(l->widths[i]) + 1 : 0;
	}
	return sum;
}

static struct layout layout(const json_t *assocs, size_t width)
{
	struct layout l = {.rank = MAX_RANK};
	char cell[CELL_BYTES];
	const json_t *assoc, *path;
	size_t i, k;

	for (i = 0; i < N_COLUMNS; i++) {
		l.widths[i] = columns[i].width;
	}
	json_array_foreach(assocs, i, assoc)
	{
		json_array_foreach(json_object_get(assoc, "paths"), k, path)
		{
			for (size_t c = 0; c < N_ADDRESSES; c++) {
				columns[c].put(path, cell);
				l.widths[c] =
				    -(int)strlen(cell) < l.widths[c] ? -(int)strlen(cell) : l.widths[c];
			}
		}
	}
	while (l.rank > 0 && line_width(&l, l.rank) > width) {
		l.rank--;
	}
	return l;
}

static void append(char *line, const char *cell, int width)
{
	const size_t at = strlen(line);

	(void)snprintf(line + at, TOP_LINE_BYTES - at, " %*s", width, cell);
}

static void add_columns(struct top_view *v, const struct layout *l)
{
	char line[TOP_LINE_BYTES] = " ";

	for (size_t i = 0; i < N_COLUMNS; i++) {
		if (columns[i].rank <= l->rank) {
			append(line, columns[i].name, l->widths[i]);
		}
	}
	add(v, TOP_COLUMNS, "%s", line);
}

static enum top_line_kind kind_of(const char *state)
{
	if (state == NULL) {
		return TOP_WAIT;
	}
	return strcmp(state, "failed") == 0                                 ? TOP_BAD
	       : strcmp(state, "active") == 0 || strcmp(state, "back") == 0 ? TOP_GOOD
	                                                                    : TOP_WAIT;
}

static void add_path(struct top_view *v, const struct layout *l, const json_t *path)
{
	char line[TOP_LINE_BYTES] = " ", cell[CELL_BYTES];

	for (size_t i = 0; i < N_COLUMNS; i++) {
		if (columns[i].rank <= l->rank) {
			columns[i].put(path, cell);
			append(line, cell, l->widths[i]);
		}
	}
	add(v, kind_of(json_string_value(json_object_get(path, "state"))), "%s", line);
}

static const char *duration(double s, char out[CELL_BYTES])
{
	return app_format_duration(s > 0 && s < 1e12 ? (uint64_t)(s * 1e6) : 0, out, CELL_BYTES);
}

static const char *count(double n, const char *what, char out[CELL_BYTES])
{
	(void)snprintf(out, CELL_BYTES, "%.0f %s%s", n, what, n > 0.5 && n < 1.5 ? "" : "s");
	return out;
}

/* ", SUITE"; nothing of programs that do not tell. */
static const char *suite_text(const json_t *encryption, char out[NAME_BYTES])
{
	char suite[NAME_BYTES];
	const char *const told = text(encryption, "suite", suite);

	(void)snprintf(out, NAME_BYTES, "%s%.100s", told != NULL || json_is_null(encryption) ? ", " : "",
	               told != NULL               ? told
	               : json_is_null(encryption) ? "in the clear"
	                                          : "");
	return out;
}

static void add_peer(struct top_view *v, const json_t *encryption)
{
	char fingerprint[NAME_BYTES], name[NAME_BYTES];
	const char *const known = text(encryption, "fingerprint", fingerprint);
	const char *const named = text(encryption, "name", name);

	if (json_is_true(json_object_get(encryption, "passphrase"))) {
		add(v, TOP_PLAIN, "   the peer has the passphrase");
	} else if (known != NULL) {
		add(v, TOP_PLAIN, "   the peer is %s%s%s%s", known, named != NULL ? " (" : "",
		    named != NULL ? named : "", named != NULL ? ")" : "");
	}
}

static void add_assoc(struct top_view *v, const struct layout *l, const json_t *assoc)
{
	char name[NAME_BYTES], scheduler[NAME_BYTES], cc[NAME_BYTES], age[CELL_BYTES];
	char rates[2][CELL_BYTES], sizes[6][CELL_BYTES];
	const char *const named = text(assoc, "name", name);
	const double stalled_s = number(assoc, "stalled_s");
	char stalled[CELL_BYTES + 20] = "", time[CELL_BYTES], suite[NAME_BYTES];
	const json_t *const encryption = json_object_get(assoc, "encryption");
	const json_t *path;
	size_t i;

	if (stalled_s > 0) {
		(void)snprintf(stalled, sizeof(stalled), ", STALLED for %s", duration(stalled_s, time));
	}
	add(v, TOP_ASSOC, "#%.0f %s%s%s, %s, %s%s: sends %s, receives %s%s", number(assoc, "id"),
	    named != NULL ? named : "", named != NULL ? "  " : "", text(assoc, "scheduler", scheduler),
	    text(assoc, "cc", cc), duration(number(assoc, "age_s"), age), suite_text(encryption, suite),
	    app_format_rate(number(assoc, "send_rate_bps"), rates[0], CELL_BYTES),
	    app_format_rate(number(assoc, "receive_rate_bps"), rates[1], CELL_BYTES), stalled);
	json_array_foreach(json_object_get(assoc, "paths"), i, path)
	{
		add_path(v, l, path);
	}
	add(v, TOP_PLAIN, "   to send %s of %s; received %s unread, %s out of order, of %s; peer's window %s",
	    app_format_size(number(assoc, "send_queue_bytes"), sizes[0], CELL_BYTES),
	    app_format_size(number(assoc, "send_buffer_bytes"), sizes[1], CELL_BYTES),
	    app_format_size(number(assoc, "receive_queue_bytes"), sizes[2], CELL_BYTES),
	    app_format_size(number(assoc, "held_bytes"), sizes[3], CELL_BYTES),
	    app_format_size(number(assoc, "receive_buffer_bytes"), sizes[4], CELL_BYTES),
	    app_format_size(number(assoc, "peer_window_bytes"), sizes[5], CELL_BYTES));
	add_peer(v, encryption);
}

static int by_id(const json_t *a, const json_t *b)
{
	return (number(a, "id") > number(b, "id")) - (number(a, "id") < number(b, "id"));
}

static double rate_of(const json_t *a)
{
	return number(a, "send_rate_bps") + number(a, "receive_rate_bps");
}

static int by_rate(const void *left, const void *right)
{
	const json_t *const a = *(json_t *const *)left, *const b = *(json_t *const *)right;
	const int order = (rate_of(a) < rate_of(b)) - (rate_of(a) > rate_of(b));

	return order != 0 ? order : by_id(a, b);
}

static int by_failed(const void *left, const void *right)
{
	const json_t *const a = *(json_t *const *)left, *const b = *(json_t *const *)right;
	const size_t n = failed_paths(a), m = failed_paths(b);

	return n != m ? (n < m) - (n > m) : by_id(a, b);
}

static int by_name(const void *left, const void *right)
{
	const json_t *const a = *(json_t *const *)left, *const b = *(json_t *const *)right;
	const char *const x = json_string_value(json_object_get(a, "name"));
	const char *const y = json_string_value(json_object_get(b, "name"));
	const int order = strcmp(x != NULL ? x : "", y != NULL ? y : "");

	return order != 0 ? order : by_id(a, b);
}

static int by_number(const void *left, const void *right)
{
	return by_id(*(json_t *const *)left, *(json_t *const *)right);
}

static void add_assocs(struct top_view *v, const struct top_view_options *o, const json_t *assocs)
{
	static int (*const orders[])(const void *, const void *) = {[TOP_BY_ID] = by_number,
	                                                            [TOP_BY_RATE] = by_rate,
	                                                            [TOP_BY_FAILED] = by_failed,
	                                                            [TOP_BY_NAME] = by_name};
	const struct layout l = layout(assocs, o->width);
	const size_t n = json_array_size(assocs);
	const json_t **const list = calloc(n + 1, sizeof(*list));

	if (list == NULL) {
		return;
	}
	for (size_t i = 0; i < n; i++) {
		list[i] = json_array_get(assocs, i);
	}
	qsort(list, n, sizeof(*list), orders[o->order]);
	if (n > 0) {
		add_columns(v, &l);
	}
	for (size_t i = 0; i < n; i++) {
		if (!o->only_failed || failed_paths(list[i]) > 0) {
			add_assoc(v, &l, list[i]);
		}
	}
	free(list);
}

/* The newest ones, newest first. */
static void add_events(struct top_view *v, const json_t *events)
{
	const size_t n = json_array_size(events);

	for (size_t i = 0; i < n && i < SHOWN_EVENTS; i++) {
		const json_t *const e = json_array_get(events, n - 1 - i);
		const double at_s = number(e, "at_s");
		const time_t at = at_s > 0 && at_s < 1e12 ? (time_t)at_s : 0;
		char what[NAME_BYTES], local[NAME_BYTES], remote[NAME_BYTES], name[NAME_BYTES], clock[20];
		const char *const event = text(e, "event", what);
		const char *const named = text(e, "name", name);
		struct tm tm;

		put_from(e, local);
		put_to(e, remote);
		(void)strftime(clock, sizeof(clock), "%H:%M:%S", localtime_r(&at, &tm));
		add(v, kind_of(event), "%s  path %s: %s to %s, #%.0f%s%s", clock, event != NULL ? event : "?",
		    local, remote, number(e, "association"), named != NULL ? " " : "",
		    named != NULL ? named : "");
	}
}

void top_view_add(struct top_view *v, const struct top_view_options *o, const char *name, const json_t *stats,
                  const char *error)
{
	const json_t *const total = json_object_get(stats, "total");
	char program[NAME_BYTES], up[CELL_BYTES], send[CELL_BYTES], receive[CELL_BYTES], failed[CELL_BYTES];
	char assocs[CELL_BYTES], paths[CELL_BYTES];
	const char *const named = text(stats, "program", program);

	if (error[0] != '\0') {
		add(v, TOP_BAD, "%s; retrying", error);
	}
	if (stats == NULL) {
		return;
	}
	(void)snprintf(failed, sizeof(failed), ", %.0f FAILED", number(total, "failed_paths"));
	add(v, TOP_PROGRAM, "%s at %s, up %s: %s, %s%s, sends %s, receives %s", named != NULL ? named : "?",
	    name, duration(number(stats, "uptime_s"), up),
	    count(number(total, "associations"), "association", assocs),
	    count(number(total, "paths"), "path", paths), number(total, "failed_paths") > 0 ? failed : "",
	    app_format_rate(number(total, "send_rate_bps"), send, CELL_BYTES),
	    app_format_rate(number(total, "receive_rate_bps"), receive, CELL_BYTES));
	add_events(v, json_object_get(stats, "events"));
	add_assocs(v, o, json_object_get(stats, "associations"));
}
