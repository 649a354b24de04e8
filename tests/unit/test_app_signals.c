/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What SIGINT and SIGTERM do to a program, each in a process of its own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "loop/loop_events.h"
#include "text/message.h"

#define PATIENCE_S  60
#define ORDERLY_END 7
#define OWN_SIGNAL  8

enum behaviour {
	STOPS_AT_ONCE,
	STOPS_NEVER,    /* its callback does not end the loop */
	LOOP_STANDS,    /* a callback does not return */
	WAY_OUT_STANDS, /* the loop has ended, the rest does not */
};

struct program {
	struct event_base *base;
	struct app_signals signals;
	enum behaviour behaviour;
	int ready; /* a pipe */
	int status;
};

static void on_signal(evutil_socket_t number, short what, void *arg)
{
	struct program *p = arg;

	(void)what;
	p->status = number == SIGUSR1 ? OWN_SIGNAL : ORDERLY_END;
	if (write(p->ready, "s", 1) != 1) {
		abort();
	}
	if (p->behaviour != STOPS_NEVER) {
		event_base_loopbreak(p->base);
	}
}

static void stand(void)
{
	for (;;) {
		pause();
	}
}

static void on_begin(evutil_socket_t fd, short what, void *arg)
{
	const struct program *p = arg;

	(void)fd;
	(void)what;
	if (write(p->ready, "r", 1) != 1) {
		abort();
	}
	if (p->behaviour == LOOP_STANDS) {
		stand();
	}
}

static void run(enum behaviour behaviour, int ready)
{
	struct program p = {.base = event_base_new(), .behaviour = behaviour, .ready = ready};
	struct event *const begin = evtimer_new(p.base, on_begin, &p);

	alarm(PATIENCE_S); /* until the first signal */
	if (app_signals_catch(&p.signals, p.base, on_signal, &p) != 0 || app_timer_start(begin, 0) != 0) {
		_exit(0);
	}
	app_signals_add(&p.signals, SIGUSR1);
	event_base_dispatch(p.base);
	app_signals_free(&p.signals);
	if (behaviour == WAY_OUT_STANDS) {
		stand();
	}
	event_free(begin);
	event_base_free(p.base);
	_exit(p.status);
}

struct child {
	pid_t pid;
	int ready;
};

static void await_word(const struct child *c, char word)
{
	char got = 0;

	assert_int_equal(read(c->ready, &got, 1), 1);
	assert_int_equal(got, word);
}

static struct child begin(enum behaviour behaviour)
{
	struct child c;
	int ready[2];

	assert_int_equal(pipe(ready), 0);
	c = (struct child){.pid = fork(), .ready = ready[0]};
	if (c.pid == 0) {
		run(behaviour, ready[1]);
	}
	close(ready[1]);
	await_word(&c, 'r');
	return c;
}

static int end(const struct child *c)
{
	int status = 0;

	assert_int_equal(waitpid(c->pid, &status, 0), c->pid);
	close(c->ready);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static void the_first_signal_ends_the_loop_in_the_programs_own_way(void **state)
{
	static const int stops[] = {SIGINT, SIGTERM};

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		const struct child c = begin(STOPS_AT_ONCE);

		kill(c.pid, stops[i]);
		assert_int_equal(end(&c), ORDERLY_END);
	}
}

static void the_second_signal_ends_the_loop_whatever_the_program_does(void **state)
{
	const struct child c = begin(STOPS_NEVER);

	(void)state;
	kill(c.pid, SIGTERM);
	await_word(&c, 's');
	kill(c.pid, SIGINT);
	await_word(&c, 's');
	assert_int_equal(end(&c), ORDERLY_END);
}

static void two_signals_end_a_process_whose_loop_stands(void **state)
{
	const struct child c = begin(LOOP_STANDS);

	(void)state;
	kill(c.pid, SIGTERM);
	usleep(50000); /* two that wait together would be one */
	kill(c.pid, SIGTERM);
	assert_int_equal(end(&c), APP_EXIT_FAILED);
}

static void two_signals_end_a_process_whose_way_out_stands(void **state)
{
	const struct child c = begin(WAY_OUT_STANDS);

	(void)state;
	kill(c.pid, SIGTERM);
	await_word(&c, 's');
	kill(c.pid, SIGTERM);
	assert_int_equal(end(&c), APP_EXIT_FAILED);
}

static void a_signal_of_its_own_ends_nothing_by_itself(void **state)
{
	const struct child c = begin(STOPS_NEVER);

	(void)state;
	for (int i = 0; i < 3; i++) {
		kill(c.pid, SIGUSR1);
		await_word(&c, 's');
	}
	kill(c.pid, SIGINT);
	await_word(&c, 's');
	kill(c.pid, SIGINT);
	assert_int_equal(end(&c), ORDERLY_END);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_first_signal_ends_the_loop_in_the_programs_own_way),
	    cmocka_unit_test(the_second_signal_ends_the_loop_whatever_the_program_does),
	    cmocka_unit_test(two_signals_end_a_process_whose_loop_stands),
	    cmocka_unit_test(two_signals_end_a_process_whose_way_out_stands),
	    cmocka_unit_test(a_signal_of_its_own_ends_nothing_by_itself),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
