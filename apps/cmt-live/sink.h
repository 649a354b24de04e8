/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sink.h - datagrams to standard output, UDP or SRT. A reader that is slow is buffered for up to
 * SINK_MAX_BYTES; then whole datagrams are dropped and counted, because the stream does not wait. */
#ifndef LIVE_SINK_H
#define LIVE_SINK_H

#include <event2/event.h>

#include "options.h"
#include "srt_pipe.h"

#define SINK_MAX_BYTES (4u << 20)

struct sink;

/* Of `options->to`. `on_failed` is called from the loop when nothing can be written any more. NULL with the
 * reason. */
struct sink *sink_new(struct event_base *base, const struct live_options *options,
                      void (*on_failed)(int error, void *arg), void *arg, struct app_error *error);
void sink_write(struct sink *s, const void *bytes, size_t len);
uint64_t sink_dropped(const struct sink *s); /* datagrams that were not taken */
/* Whether everything has left. */
bool sink_is_empty(const struct sink *s);
void sink_free(struct sink *s);

/* NULL when it is not SRT. */
struct srt_pipe *sink_srt(const struct sink *s);

#endif
