/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sender.h - the side that has the source. */
#ifndef LIVE_SENDER_H
#define LIVE_SENDER_H

#include <event2/event.h>
#include <jansson.h>
#include <usrsctp_cmt_event.h>

#include "options.h"

struct sender;

/* Begins. NULL with the reason. */
struct sender *sender_new(const struct live_options *options, struct event_base *base,
                          struct usrsctp_cmt_event *ev, struct app_error *error);

/* The stream ends here; called again, everything does. */
void sender_stop(struct sender *s);

/* As --stats json prints it; the caller's. */
json_t *sender_stats(struct sender *s);

/* At once. The exit status. */
int sender_free(struct sender *s);

/* All of it: until the source ends, a signal comes, or nothing can be sent any more. The exit status. */
int sender_run(const struct live_options *options, struct event_base *base, struct usrsctp_cmt_event *ev);

#endif
