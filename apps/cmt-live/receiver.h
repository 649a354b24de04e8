/* SPDX-License-Identifier: BSD-3-Clause
 *
 * receiver.h - the side that delivers datagrams. */
#ifndef LIVE_RECEIVER_H
#define LIVE_RECEIVER_H

#include <event2/event.h>
#include <jansson.h>
#include <usrsctp_cmt_event.h>

#include "options.h"

struct receiver;

/* Begins. NULL with the reason. */
struct receiver *receiver_new(const struct live_options *options, struct event_base *base,
                              struct usrsctp_cmt_event *ev, struct app_error *error);

/* What is held is delivered at once, and it is over. */
void receiver_stop(struct receiver *r);

/* As --stats json prints it; the caller's. */
json_t *receiver_stats(struct receiver *r);

/* The same at once. The exit status. */
int receiver_free(struct receiver *r);

/* All of it: until a signal comes, with --once until the first stream is over. The exit status. */
int receiver_run(const struct live_options *options, struct event_base *base, struct usrsctp_cmt_event *ev);

#endif
