/* SPDX-License-Identifier: BSD-3-Clause */
#include "scenario/trace_file.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/samples.h"

#define RATES_FORM                                                                                           \
	"SECONDS,BIT/S, or the millisecond in which a packet may leave; times ascend, and the first of "     \
	"SECONDS is 0"
#define DELAYS_FORM   "SECONDS,MILLISECONDS; times ascend, and the first one is 0"
#define LONGEST_S     1e5 /* times and delays */
#define FASTEST_BPS   1e15
#define US_PER_MS     1000u
#define LONE_POINT_US 1000000u /* a period for what never changes */

enum kind { RATES, DELAYS };

struct trace {
	struct trace *next;
	char *path;
	enum kind kind;
	struct usrsctp_cmt_sim_point *points;
	size_t n, room;
	union {
		struct usrsctp_cmt_sim_rates rates;
		struct usrsctp_cmt_sim_delays delays;
	} is;
};

static struct trace *all_traces;

static void add_point(struct trace *t, uint64_t at_us, uint64_t value)
{
	if (t->n == t->room) {
		t->room = t->room == 0 ? 64 : 2 * t->room;
		t->points = lab_grow(t->points, t->room, sizeof(t->points[0]));
	}
	t->points[t->n++] = (struct usrsctp_cmt_sim_point){.at_us = at_us, .value = value};
}

/* A number of 0 .. most at the front of `text`; *rest is what follows. */
static bool take_number(const char *text, double most, double *out, const char **rest)
{
	char *end;

	if ((*text < '0' || *text > '9') && *text != '.') {
		return false;
	}
	*out = strtod(text, &end);
	*rest = end;
	return end != text && *out >= 0 && *out <= most;
}

static bool is_end(const char *text)
{
	return text[strspn(text, " \t\r\n")] == '\0';
}

static bool take_pair(struct trace *t, const char *line)
{
	bool delay = t->kind == DELAYS;
	double seconds, value;
	uint64_t at_us;

	if (!take_number(line, LONGEST_S, &seconds, &line) || *line != ',' ||
	    !take_number(line + 1, delay ? LONGEST_S : FASTEST_BPS, &value, &line) || !is_end(line)) {
		return false;
	}
	at_us = (uint64_t)llround(seconds * 1e6);
	if (t->n == 0 ? at_us != 0 : at_us <= t->points[t->n - 1].at_us) {
		return false;
	}
	add_point(t, at_us, (uint64_t)llround(delay ? value * 1e3 : value));
	return true;
}

/* Opportunities of one millisecond are one point. */
static bool take_opportunity(struct trace *t, const char *line)
{
	uint64_t at_us;
	double ms;

	if (!take_number(line, LONGEST_S * 1e3, &ms, &line) || !is_end(line) || ms != floor(ms)) {
		return false;
	}
	at_us = (uint64_t)ms * US_PER_MS;
	if (t->n > 0 && at_us < t->points[t->n - 1].at_us) {
		return false;
	}
	if (t->n > 0 && at_us == t->points[t->n - 1].at_us) {
		t->points[t->n - 1].value += LAB_TRACE_PACKET_BYTES;
	} else {
		add_point(t, at_us, LAB_TRACE_PACKET_BYTES);
	}
	return true;
}

static bool take_line(struct trace *t, const char *line)
{
	if (t->kind == RATES && t->n == 0) {
		t->is.rates.opportunities = strchr(line, ',') == NULL;
	}
	return t->kind == RATES && t->is.rates.opportunities ? take_opportunity(t, line) : take_pair(t, line);
}

/* 0, or the number of the first line that is none. */
static unsigned read_lines(struct trace *t, FILE *file)
{
	char line[200];

	for (unsigned number = 1; fgets(line, sizeof(line), file) != NULL; number++) {
		if (!is_end(line) && line[0] != '#' && !take_line(t, line)) {
			return number;
		}
	}
	return 0;
}

static uint64_t period_of_pairs(const struct trace *t)
{
	uint64_t last_us = t->points[t->n - 1].at_us;

	return t->n == 1 ? LONE_POINT_US : 2 * last_us - t->points[t->n - 2].at_us;
}

/* What is there at 0 ms when it begins again is there at the end. */
static void close_opportunities(struct trace *t)
{
	t->is.rates.period_us = t->points[t->n - 1].at_us;
	if (t->points[0].at_us == 0 && t->n > 1) {
		t->points[t->n - 1].value += t->points[0].value;
		memmove(t->points, t->points + 1, --t->n * sizeof(t->points[0]));
	}
	t->is.rates.n = t->n;
	t->is.rates.points = t->points;
}

static bool carries(const struct trace *t)
{
	for (size_t i = 0; i < t->n; i++) {
		if (t->points[i].value > 0) {
			return true;
		}
	}
	return false;
}

static int close_trace(struct trace *t, char *why, size_t why_bytes)
{
	if (t->n == 0 || (t->kind == RATES && !carries(t))) {
		snprintf(why, why_bytes, "%s: nothing is in it; write lines %s", t->path,
		         t->kind == RATES ? RATES_FORM : DELAYS_FORM);
		return -1;
	}
	if (t->kind == DELAYS) {
		t->is.delays = (struct usrsctp_cmt_sim_delays){
		    .period_us = period_of_pairs(t), .n = t->n, .points = t->points};
	} else if (!t->is.rates.opportunities) {
		t->is.rates = (struct usrsctp_cmt_sim_rates){
		    .period_us = period_of_pairs(t), .n = t->n, .points = t->points};
	} else {
		close_opportunities(t);
		if (t->is.rates.period_us == 0) {
			snprintf(why, why_bytes, "%s: ends at 0 ms; its last line is how long it lasts",
			         t->path);
			return -1;
		}
	}
	return 0;
}

static int read_trace(struct trace *t, char *why, size_t why_bytes)
{
	FILE *file = fopen(t->path, "r");
	unsigned bad;

	if (file == NULL) {
		snprintf(why, why_bytes, "cannot open \"%s\": %s", t->path, strerror(errno));
		return -1;
	}
	bad = read_lines(t, file);
	if (bad == 0 && ferror(file) != 0) {
		snprintf(why, why_bytes, "cannot read \"%s\": %s", t->path, strerror(errno));
		bad = UINT32_MAX;
	} else if (bad != 0) {
		snprintf(why, why_bytes, "%s:%u: is not a line of a trace; write %s", t->path, bad,
		         t->kind == RATES ? RATES_FORM : DELAYS_FORM);
	}
	fclose(file);
	return bad != 0 ? -1 : close_trace(t, why, why_bytes);
}

static const struct trace *find_trace(const char *path, enum kind kind, char *why, size_t why_bytes)
{
	struct trace *t = all_traces;

	while (t != NULL && (t->kind != kind || strcmp(t->path, path) != 0)) {
		t = t->next;
	}
	if (t != NULL) {
		return t;
	}
	t = lab_grow(NULL, 1, sizeof(*t));
	*t = (struct trace){.kind = kind, .path = lab_grow(NULL, strlen(path) + 1, 1)};
	strcpy(t->path, path);
	if (read_trace(t, why, why_bytes) != 0) {
		free(t->points);
		free(t->path);
		free(t);
		return NULL;
	}
	t->next = all_traces;
	all_traces = t;
	return t;
}

const struct usrsctp_cmt_sim_rates *lab_trace_rates(const char *path, char *why, size_t why_bytes)
{
	const struct trace *t = find_trace(path, RATES, why, why_bytes);

	return t == NULL ? NULL : &t->is.rates;
}

const struct usrsctp_cmt_sim_delays *lab_trace_delays(const char *path, char *why, size_t why_bytes)
{
	const struct trace *t = find_trace(path, DELAYS, why, why_bytes);

	return t == NULL ? NULL : &t->is.delays;
}
