/* SPDX-License-Identifier: BSD-3-Clause */
#include "watch.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "text/units.h"

#define STEP_US 1000000u

void monitor_watch_note(struct monitor_watch *w, const struct monitor_reading *reading)
{
	const struct monitor_reading then = w->now;

	w->now = *reading;
	monitor_carry_since(&then, &w->now);
	if (then.at_us == 0) {
		w->since = w->next = w->now;
	} else if (w->now.at_us - w->next.at_us >= STEP_US) {
		w->since = w->next;
		w->next = w->now;
	}
}

void monitor_watch_look(struct monitor_watch *w, struct socket *so, bool waits, uint64_t now_us)
{
	struct monitor_reading reading;

	if (monitor_read(so, now_us, &reading)) {
		reading.waits = waits;
		monitor_watch_note(w, &reading);
	}
}

uint64_t monitor_watch_stalled_us(const struct monitor_watch *w)
{
	return monitor_stalled_us(&w->now, w->now.at_us);
}

static void append(char out[MONITOR_WATCH_TEXT_BYTES], const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void append(char out[MONITOR_WATCH_TEXT_BYTES], const char *format, ...)
{
	const size_t at = strlen(out);
	va_list args;

	va_start(args, format);
	(void)vsnprintf(out + at, MONITOR_WATCH_TEXT_BYTES - at, format, args);
	va_end(args);
}

static void append_shares(const struct monitor_watch *w, char out[MONITOR_WATCH_TEXT_BYTES])
{
	double sum = 0;

	for (size_t i = 0; i < w->now.stats.n_paths; i++) {
		const double share = monitor_path_change(&w->since, &w->now, i).share;

		append(out, "%s%.0f", i == 0 ? "" : "/", 100 * share);
		sum += share;
	}
	if (sum > 0) {
		append(out, " %%");
	} else {
		out[0] = '\0';
	}
}

/* NULL: it carries data. */
static const char *idle_state(const struct sctp_cmt_path_stats *path)
{
	switch ((enum sctp_cmt_path_state)path->state) {
	case SCTP_CMT_PATH_UNCONFIRMED: return "unconfirmed";
	case SCTP_CMT_PATH_ACTIVE: return NULL;
	case SCTP_CMT_PATH_FAILED: return "down";
	case SCTP_CMT_PATH_STANDBY: return "standby";
	}
	return NULL;
}

char *monitor_watch_text(const struct monitor_watch *w, char out[MONITOR_WATCH_TEXT_BYTES])
{
	out[0] = '\0';
	append_shares(w, out);
	for (size_t i = 0; i < w->now.stats.n_paths; i++) {
		const struct sctp_cmt_path_stats *const path = &w->now.stats.paths[i];
		const char *const state = idle_state(path);
		char label[APP_PATH_LABEL_BYTES], time[40];

		if (state != NULL) {
			append(out, "%s%s %s for %s", out[0] != '\0' ? "  " : "", app_path_label(&w->now.stats, i, label),
			       state,
			       app_format_duration(w->now.at_us - w->now.since_us[i], time, sizeof(time)));
		}
	}
	return out;
}
