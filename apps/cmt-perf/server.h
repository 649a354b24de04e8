/* SPDX-License-Identifier: BSD-3-Clause
 *
 * server.h - cmt-perf -s: one test at a time, for whoever asks. */
#ifndef PERF_SERVER_H
#define PERF_SERVER_H

#include <event2/event.h>

#include "monitor.h"
#include "options.h"

/* Until a signal, or with --one-off the end of a test. The exit status. */
int server_run(const struct perf_options *options, struct event_base *base, struct usrsctp_cmt_event *ev,
               struct monitor *monitor);

#endif
