/* SPDX-License-Identifier: BSD-3-Clause */
#include "display.h"

#include <stdio.h>

#include "text/units.h"

#define SAMPLE_MIN_US 200000u
#define NEWEST_WEIGHT 0.2

struct transfer_display transfer_display_start(const char *title)
{
	return (struct transfer_display){.bar = app_progress_bar_start(title)};
}

static void measure(struct transfer_display *d, uint64_t done_bytes, uint64_t now_us)
{
	uint64_t us = now_us - d->at_us;
	double bps;

	if (d->at_us != 0 && us < SAMPLE_MIN_US) {
		return;
	}
	if (d->at_us != 0 && done_bytes >= d->at_bytes) {
		bps = (double)(done_bytes - d->at_bytes) * 8e6 / (double)us;
		d->rate_bps = d->rate_bps == 0 ? bps : d->rate_bps + NEWEST_WEIGHT * (bps - d->rate_bps);
	}
	d->at_us = now_us;
	d->at_bytes = done_bytes;
}

/* What was measured before says nothing of how it goes on. */
static void say_stalled(struct transfer_display *d, uint64_t stalled_us, char *out, size_t out_bytes)
{
	char time[40];

	d->rate_bps = 0;
	snprintf(out, out_bytes, "stalled for %s", app_format_duration(stalled_us, time, sizeof(time)));
}

static void say_left(const struct transfer_display *d, const struct transfer_progress *p, char *out,
                     size_t out_bytes)
{
	double left_bits = ((double)p->total_bytes - (double)p->done_bytes) * 8;
	uint64_t left_s;

	out[0] = '\0';
	if (p->total_known && d->rate_bps > 0 && left_bits >= 0 && left_bits / d->rate_bps < 1e7) {
		left_s = (uint64_t)(left_bits / d->rate_bps + 0.5);
		snprintf(out, out_bytes, "  ETA %llu:%02llu", (unsigned long long)(left_s / 60),
		         (unsigned long long)(left_s % 60));
	}
}

void transfer_display_show(struct transfer_display *d, const struct transfer_progress *progress,
                           uint64_t now_us)
{
	const uint64_t stalled_us = monitor_watch_stalled_us(progress->watch);
	char paths[MONITOR_WATCH_TEXT_BYTES], size[40], pace[80], left[40] = "", note[sizeof(paths) + 180];

	measure(d, progress->done_bytes, now_us);
	if (stalled_us > 0) {
		say_stalled(d, stalled_us, pace, sizeof(pace));
	} else {
		app_format_rate(d->rate_bps, pace, sizeof(pace));
		say_left(d, progress, left, sizeof(left));
	}
	(void)monitor_watch_text(progress->watch, paths);
	snprintf(note, sizeof(note), "  %s  %s%s%s%s",
	         app_format_size((double)progress->done_bytes, size, sizeof(size)), pace,
	         paths[0] != '\0' ? "  " : "", paths, left);
	app_progress_bar_show(&d->bar,
	                      progress->total_known && progress->total_bytes > 0
	                          ? (double)progress->done_bytes / (double)progress->total_bytes
	                          : -1,
	                      note);
}

void transfer_display_end(struct transfer_display *d)
{
	app_progress_bar_end(&d->bar);
}
