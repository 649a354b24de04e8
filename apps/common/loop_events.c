/* SPDX-License-Identifier: BSD-3-Clause */
#include "loop_events.h"

#include <signal.h>
#include <stddef.h>

int app_signals_add(struct app_signals *s, int number)
{
	struct event *const event = evsignal_new(s->base, number, s->fn, s->arg);

	if (event == NULL) {
		return -1;
	}
	s->events[s->n++] = event;
	return event_add(event, NULL);
}

int app_signals_catch(struct app_signals *s, struct event_base *base, event_callback_fn fn, void *arg)
{
	*s = (struct app_signals){.base = base, .fn = fn, .arg = arg};
	return app_signals_add(s, SIGINT) != 0 ? -1 : app_signals_add(s, SIGTERM);
}

void app_signals_free(struct app_signals *s)
{
	for (unsigned i = 0; i < s->n; i++) {
		event_free(s->events[i]);
	}
	s->n = 0;
}

struct event *app_tick_new(struct event_base *base, long us, event_callback_fn fn, void *arg)
{
	const struct timeval every = {.tv_usec = us};
	struct event *const tick = event_new(base, -1, EV_PERSIST, fn, arg);

	if (tick != NULL && event_add(tick, &every) != 0) {
		event_free(tick);
		return NULL;
	}
	return tick;
}

void app_event_free(struct event *event)
{
	if (event != NULL) {
		event_free(event);
	}
}
