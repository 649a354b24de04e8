/* SPDX-License-Identifier: BSD-3-Clause
 *
 * receiver.h - the side that delivers datagrams. */
#ifndef LIVE_RECEIVER_H
#define LIVE_RECEIVER_H

#include <event2/event.h>
#include <usrsctp_cmt_event.h>

#include "options.h"

/* Until a signal comes, with --once until the first stream is over. The exit status. */
int receiver_run(const struct live_options *options, struct event_base *base, struct usrsctp_cmt_event *ev);

#endif
