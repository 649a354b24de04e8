/* SPDX-License-Identifier: BSD-3-Clause
 *
 * client.h - cmt-perf -c: one test. */
#ifndef PERF_CLIENT_H
#define PERF_CLIENT_H

#include <event2/event.h>

#include "monitor.h"
#include "net/addresses.h"
#include "options.h"

/* Until the test is over. Prints the report. The exit status. */
int client_run(const struct perf_options *options, const struct app_addresses *peer, struct event_base *base,
               struct usrsctp_cmt_event *ev, struct monitor *monitor);

#endif
