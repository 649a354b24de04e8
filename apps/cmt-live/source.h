/* SPDX-License-Identifier: BSD-3-Clause
 *
 * source.h - datagrams from standard input, UDP or SRT, as they come. */
#ifndef LIVE_SOURCE_H
#define LIVE_SOURCE_H

#include <event2/event.h>

#include "options.h"
#include "srt_pipe.h"

struct source;

struct source_events {
	void (*on_datagram)(const void *bytes, size_t len, void *arg);
	/* Standard input has ended; `error` is an errno, 0 at its end. Nothing comes afterwards. */
	void (*on_end)(int error, void *arg);
	void *arg;
};

/* Of `options->from`. NULL with the reason. */
struct source *source_new(struct event_base *base, const struct live_options *options,
                          const struct source_events *events, struct app_error *error);
void source_free(struct source *s);

/* NULL when it is not SRT, or `s` is NULL. */
struct srt_pipe *source_srt(const struct source *s);

#endif
