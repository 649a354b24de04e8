/* SPDX-License-Identifier: BSD-3-Clause
 *
 * loop_events.h - what a program's main loop has beside its work: signals, timers, and events that may not be
 * there.
 *
 * Signals. SIGINT and SIGTERM ask the program to stop: its callback does that, in the loop, in its own way
 * and time. The second one ends the loop when the callback returns; a process that is still there a second
 * later (its loop stands, or its way out does) ends with APP_EXIT_FAILED. So does one signal after
 * app_signals_free(). None of this needs memory.
 *
 * Timers. Starting one may need memory, and what waits for a timer that never fires stands still: so the
 * result counts. A tick needs memory when it is made and never again. */
#ifndef APP_LOOP_EVENTS_H
#define APP_LOOP_EVENTS_H

#include <stdint.h>

#include <event2/event.h>

#define APP_SIGNALS_MAX 4

/* Zeroed: none is caught. One in a process. */
struct app_signals {
	struct event_base *base;
	event_callback_fn fn; /* gets the signal's number, as libevent has it */
	void *arg;
	struct event *wake;
	int numbers[APP_SIGNALS_MAX];
	int seen[APP_SIGNALS_MAX]; /* how often `fn` was called with each */
	unsigned n, stops;
};

/* From now on SIGINT and SIGTERM call `fn`. 0, or -1 without memory; app_signals_free() in any case. */
int app_signals_catch(struct app_signals *s, struct event_base *base, event_callback_fn fn, void *arg);

/* So does signal `number`; APP_SIGNALS_MAX in all. After app_signals_catch(). */
void app_signals_add(struct app_signals *s, int number);

/* `fn` is not called any more. */
void app_signals_free(struct app_signals *s);

/* `timer` fires `us` from now. 0, or -1 without memory. */
int app_timer_start(struct event *timer, uint64_t us) __attribute__((warn_unused_result));

/* Calls `fn` every `us` microseconds. NULL without memory. */
struct event *app_tick_new(struct event_base *base, uint64_t us, event_callback_fn fn, void *arg);

/* The next time is `us` from now, and from then on as often. */
void app_tick_change(struct event *tick, uint64_t us);

/* Like event_free(); NULL: nothing happens. */
void app_event_free(struct event *event);

#endif
