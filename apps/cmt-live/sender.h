/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sender.h - the side that has the source. */
#ifndef LIVE_SENDER_H
#define LIVE_SENDER_H

#include <event2/event.h>
#include <usrsctp_cmt_event.h>

#include "options.h"

/* Until the source ends, a signal comes, or nothing can be sent any more. The exit status. */
int sender_run(const struct live_options *options, struct event_base *base, struct usrsctp_cmt_event *ev);

#endif
