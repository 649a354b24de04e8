/* SPDX-License-Identifier: BSD-3-Clause
 *
 * loop_events.h - what a program's main loop has beside its work: signals, and events that may not be there.
 */
#ifndef APP_LOOP_EVENTS_H
#define APP_LOOP_EVENTS_H

#include <event2/event.h>

#define APP_SIGNALS_MAX 4

/* Zeroed: none is caught. */
struct app_signals {
	struct event_base *base;
	event_callback_fn fn; /* gets the signal's number, as libevent has it */
	void *arg;
	struct event *events[APP_SIGNALS_MAX];
	unsigned n;
};

/* From now on SIGINT and SIGTERM call `fn`. 0, or -1 without memory; app_signals_free() in any case. */
int app_signals_catch(struct app_signals *s, struct event_base *base, event_callback_fn fn, void *arg);

/* So does signal `number`; APP_SIGNALS_MAX in all. 0, or -1 without memory. */
int app_signals_add(struct app_signals *s, int number);

void app_signals_free(struct app_signals *s);

/* Calls `fn` every `us` microseconds, below 10^6. NULL without memory. */
struct event *app_tick_new(struct event_base *base, long us, event_callback_fn fn, void *arg);

/* Like event_free(); NULL: nothing happens. */
void app_event_free(struct event *event);

#endif
