/* SPDX-License-Identifier: BSD-3-Clause
 *
 * prometheus.h - the board as metrics in Prometheus' text format, version 0.0.4. docs/monitoring.md#metrics
 * explains each. */
#ifndef MONITOR_PROMETHEUS_H
#define MONITOR_PROMETHEUS_H

#include <event2/buffer.h>

#include "board.h"

#define MONITOR_PROMETHEUS_TYPE "text/plain; version=0.0.4; charset=utf-8"

/* Of associations beyond these, oldest first, only the sums are told. */
#define MONITOR_PROMETHEUS_ASSOCS 1000

/* Copies a label's value with \ " and newline escaped. What does not fit is cut off at a character's end.
 * Returns `out`. */
char *monitor_label(const char *text, char *out, size_t out_bytes);

void monitor_prometheus(const struct monitor_board *b, struct evbuffer *out);

#endif
