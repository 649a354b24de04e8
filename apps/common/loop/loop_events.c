/* SPDX-License-Identifier: BSD-3-Clause */
#include "loop/loop_events.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "text/message.h"

#define CLOSED    (-1)
#define CUT_OFF_S 1 /* after the second signal to stop */

/* What the handler knows: a process has one set of signals. */
static struct {
	volatile sig_atomic_t n[NSIG]; /* how often each came */
	volatile sig_atomic_t stops;   /* SIGINT and SIGTERM together */
	volatile int wake_fd;          /* an eventfd; CLOSED: no loop listens any more */
} arrived = {.wake_fd = CLOSED};

static bool is_stop(int number)
{
	return number == SIGINT || number == SIGTERM;
}

static void on_cut_off(int number)
{
	(void)number;
	_exit(APP_EXIT_FAILED);
}

static void on_arrival(int number)
{
	static const uint64_t one = 1;

	arrived.n[number]++;
	if (is_stop(number) && (++arrived.stops > 1 || arrived.wake_fd == CLOSED)) {
		alarm(CUT_OFF_S);
	}
	if (arrived.wake_fd != CLOSED && write(arrived.wake_fd, &one, sizeof(one)) < 0) {
		return; /* the counter is full: the loop has been woken already */
	}
}

static void on_wake(evutil_socket_t fd, short what, void *arg)
{
	struct app_signals *s = arg;
	uint64_t wakes;

	(void)what;
	if (read(fd, &wakes, sizeof(wakes)) < 0) {
		return;
	}
	for (unsigned i = 0; i < s->n; i++) {
		for (const int number = s->numbers[i]; s->seen[i] != arrived.n[number];) {
			s->seen[i]++;
			s->stops += is_stop(number);
			s->fn(number, EV_SIGNAL, s->arg);
		}
	}
	if (s->stops > 1) {
		(void)event_base_loopbreak(s->base);
	}
}

static void handle(int number, void (*fn)(int number))
{
	struct sigaction action = {.sa_handler = fn, .sa_flags = SA_RESTART};

	sigfillset(&action.sa_mask);
	(void)sigaction(number, &action, NULL);
}

void app_signals_add(struct app_signals *s, int number)
{
	s->seen[s->n] = arrived.n[number];
	s->numbers[s->n++] = number;
	handle(number, on_arrival);
}

int app_signals_catch(struct app_signals *s, struct event_base *base, event_callback_fn fn, void *arg)
{
	*s = (struct app_signals){.base = base, .fn = fn, .arg = arg};
	arrived.wake_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	s->wake = arrived.wake_fd != CLOSED
	              ? event_new(base, arrived.wake_fd, EV_READ | EV_PERSIST, on_wake, s)
	              : NULL;
	if (s->wake == NULL || event_add(s->wake, NULL) != 0) {
		return -1;
	}
	handle(SIGALRM, on_cut_off);
	app_signals_add(s, SIGINT);
	app_signals_add(s, SIGTERM);
	return 0;
}

void app_signals_free(struct app_signals *s)
{
	const int fd = arrived.wake_fd;

	app_event_free(s->wake);
	s->wake = NULL;
	arrived.wake_fd = CLOSED;
	if (fd != CLOSED) {
		close(fd);
	}
}

static struct timeval timeval_of(uint64_t us)
{
	return (struct timeval){.tv_sec = (time_t)(us / 1000000), .tv_usec = (suseconds_t)(us % 1000000)};
}

int app_timer_start(struct event *timer, uint64_t us)
{
	const struct timeval wait = timeval_of(us);

	return event_add(timer, &wait);
}

struct event *app_tick_new(struct event_base *base, uint64_t us, event_callback_fn fn, void *arg)
{
	struct event *const tick = event_new(base, -1, EV_PERSIST, fn, arg);

	if (tick != NULL && app_timer_start(tick, us) != 0) {
		event_free(tick);
		return NULL;
	}
	return tick;
}

void app_tick_change(struct event *tick, uint64_t us)
{
	const struct timeval every = timeval_of(us);

	(void)event_add(tick, &every);
}

void app_event_free(struct event *event)
{
	if (event != NULL) {
		event_free(event);
	}
}
