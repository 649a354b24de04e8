/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_callout.c - stack/seams/callout.c alone: upstream's headers, none of its code.
 *
 * Compile with -DSCTP_CMT and the stack's other definitions, stack/seams before upstream on the include path;
 * link callout.c, core/util/cmt_timer_heap.c, cmocka and threads. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

#include <netinet/sctp_os.h>
#include <netinet/sctp_pcb.h>
#include <netinet/sctputil.h>

/* What callout.c wants from the rest of the stack; a tick is a millisecond there too. */
struct sctp_base_info system_base_info;

uint32_t sctp_msecs_to_ticks(uint32_t msecs)
{
	return msecs;
}

uint32_t sctp_ticks_to_msecs(uint32_t ticks)
{
	return ticks;
}

void sctp_userspace_set_threadname(const char *name)
{
	(void)name;
}

int sctp_userspace_thread_create(userland_thread_t *thread, start_routine_t start_routine)
{
	return pthread_create(thread, NULL, start_routine, NULL);
}

static uint32_t late_ms;
static unsigned sooner;

uint32_t cmt_seam_late_ms(void)
{
	return late_ms;
}

void cmt_seam_timer_sooner(void)
{
	sooner++;
}

/* As upstream's sctp_pcb_init() does. */
static int fresh_stack(void **state)
{
	(void)state;
	pthread_mutexattr_init(&SCTP_BASE_VAR(mtx_attr));
	SCTP_TIMERQ_LOCK_INIT();
	TAILQ_INIT(&SCTP_BASE_INFO(callqueue));
	SCTP_BASE_VAR(sctp_pcb_initialized) = 1;
	SCTP_BASE_VAR(timer_thread_should_exit) = 0;
	return 0;
}

static int end_of_stack(void **state)
{
	(void)state;
	SCTP_TIMERQ_LOCK_DESTROY();
	pthread_mutexattr_destroy(&SCTP_BASE_VAR(mtx_attr));
	SCTP_BASE_VAR(sctp_pcb_initialized) = 0;
	return 0;
}

static char said[64];
static size_t said_n;

static void forget(void)
{
	said_n = 0;
	said[0] = '\0';
}

/* Callbacks must run without the lock; a lock of the default type, once held, cannot be taken again. */
static void say(void *letter)
{
	assert_int_equal(pthread_mutex_trylock(&SCTP_BASE_VAR(timer_mtx)), 0);
	pthread_mutex_unlock(&SCTP_BASE_VAR(timer_mtx));
	said[said_n++] = *(const char *)letter;
	said[said_n] = '\0';
}

static char letter_a[] = "a", letter_b[] = "b", letter_c[] = "c";

static void a_timer_counts_from_the_true_time_when_ticks_are_late(void **state)
{
	sctp_os_timer_t a;

	(void)state;
	forget();
	sctp_os_timer_init(&a);
	late_ms = 7;
	sctp_os_timer_start(&a, 10, say, letter_a);
	late_ms = 0;
	assert_int_equal(usrsctp_cmt_next_timeout(), 17);
	sctp_handle_tick(16);
	assert_string_equal(said, "");
	sctp_handle_tick(1);
	assert_string_equal(said, "a");
}

static void the_back_end_hears_of_timers_that_are_first(void **state)
{
	sctp_os_timer_t a, b, c;

	(void)state;
	sctp_os_timer_init(&a);
	sctp_os_timer_init(&b);
	sctp_os_timer_init(&c);
	sooner = 0;
	sctp_os_timer_start(&a, 10, say, letter_a);
	assert_int_equal(sooner, 1);
	sctp_os_timer_start(&b, 11, say, letter_b);
	assert_int_equal(sooner, 1);
	sctp_os_timer_start(&c, 9, say, letter_c);
	assert_int_equal(sooner, 2);
	sctp_os_timer_stop(&a);
	sctp_os_timer_stop(&b);
	sctp_os_timer_stop(&c);
}

static void a_timer_runs_once_when_its_tick_comes(void **state)
{
	sctp_os_timer_t a;

	(void)state;
	forget();
	sctp_os_timer_init(&a);
	assert_int_equal(SCTP_OS_TIMER_ACTIVE(&a), 0);
	assert_int_equal(usrsctp_cmt_next_timeout(), -1);
	assert_int_equal(sctp_os_timer_start(&a, 10, say, letter_a), 0);
	assert_int_equal(usrsctp_cmt_next_timeout(), 10);
	assert_true(SCTP_OS_TIMER_PENDING(&a));
	assert_true(SCTP_OS_TIMER_ACTIVE(&a));
	sctp_handle_tick(9);
	assert_string_equal(said, "");
	assert_int_equal(usrsctp_cmt_next_timeout(), 1);
	sctp_handle_tick(1);
	assert_string_equal(said, "a");
	assert_false(SCTP_OS_TIMER_PENDING(&a));
	assert_true(SCTP_OS_TIMER_ACTIVE(&a));
	SCTP_OS_TIMER_DEACTIVATE(&a);
	assert_false(SCTP_OS_TIMER_ACTIVE(&a));
	sctp_handle_tick(100);
	assert_string_equal(said, "a");
	assert_int_equal(usrsctp_cmt_next_timeout(), -1);
}

static void without_timer_or_function_nothing_starts(void **state)
{
	sctp_os_timer_t a;

	(void)state;
	sctp_os_timer_init(&a);
	assert_int_equal(sctp_os_timer_start(NULL, 1, say, letter_a), 0);
	assert_int_equal(sctp_os_timer_start(&a, 1, NULL, letter_a), 0);
	assert_int_equal(usrsctp_cmt_next_timeout(), -1);
}

static void zero_ticks_mean_the_next_tick(void **state)
{
	sctp_os_timer_t a;

	(void)state;
	forget();
	sctp_os_timer_init(&a);
	sctp_os_timer_start(&a, 0, say, letter_a);
	assert_int_equal(usrsctp_cmt_next_timeout(), 1);
	sctp_handle_tick(0);
	assert_string_equal(said, "");
	sctp_handle_tick(1);
	assert_string_equal(said, "a");
}

static void start_and_stop_tell_whether_the_timer_was_pending(void **state)
{
	sctp_os_timer_t a;

	(void)state;
	forget();
	sctp_os_timer_init(&a);
	assert_int_equal(sctp_os_timer_stop(&a), 0);
	assert_int_equal(sctp_os_timer_start(&a, 5, say, letter_a), 0);
	assert_int_equal(sctp_os_timer_start(&a, 7, say, letter_b), 1);
	assert_int_equal(usrsctp_cmt_next_timeout(), 7);
	assert_int_equal(sctp_os_timer_stop(&a), 1);
	assert_false(SCTP_OS_TIMER_PENDING(&a));
	assert_false(SCTP_OS_TIMER_ACTIVE(&a));
	assert_int_equal(sctp_os_timer_stop(&a), 0);
	sctp_handle_tick(10);
	assert_string_equal(said, "");
	sctp_os_timer_start(&a, 1, say, letter_a);
	sctp_handle_tick(1);
	assert_true(SCTP_OS_TIMER_ACTIVE(&a));
	assert_int_equal(sctp_os_timer_stop(&a), 0); /* it ran: no longer pending, but still active */
	assert_false(SCTP_OS_TIMER_ACTIVE(&a));
}

static void due_timers_run_by_expiry_then_by_start(void **state)
{
	sctp_os_timer_t a, b, c;

	(void)state;
	forget();
	sctp_os_timer_init(&a);
	sctp_os_timer_init(&b);
	sctp_os_timer_init(&c);
	sctp_os_timer_start(&c, 3, say, letter_c);
	sctp_os_timer_start(&a, 2, say, letter_a);
	sctp_os_timer_start(&b, 2, say, letter_b);
	sctp_handle_tick(50);
	assert_string_equal(said, "abc");
}

static sctp_os_timer_t first_timer, second_timer;

static void stop_second(void *letter)
{
	say(letter);
	assert_int_equal(sctp_os_timer_stop(&second_timer), 1);
}

static void a_callback_may_stop_another_that_is_due_in_the_same_tick(void **state)
{
	(void)state;
	forget();
	sctp_os_timer_start(&first_timer, 1, stop_second, letter_a);
	sctp_os_timer_start(&second_timer, 1, say, letter_b);
	sctp_handle_tick(1);
	assert_string_equal(said, "a");
	assert_int_equal(usrsctp_cmt_next_timeout(), -1);
}

static void start_second(void *letter)
{
	say(letter);
	sctp_os_timer_start(&second_timer, 1, say, letter_b);
}

static void a_callback_may_delay_another_that_is_due_in_the_same_tick(void **state)
{
	(void)state;
	forget();
	sctp_os_timer_start(&first_timer, 1, start_second, letter_a);
	sctp_os_timer_start(&second_timer, 1, say, letter_c);
	sctp_handle_tick(1);
	assert_string_equal(said, "a");
	sctp_handle_tick(1);
	assert_string_equal(said, "ab");
}

static void again(void *letter)
{
	assert_false(SCTP_OS_TIMER_PENDING(&first_timer));
	say(letter);
	assert_int_equal(sctp_os_timer_start(&first_timer, 0, again, letter), 0);
}

static void a_callback_that_starts_itself_runs_once_a_tick(void **state)
{
	(void)state;
	forget();
	sctp_os_timer_start(&first_timer, 1, again, letter_a);
	sctp_handle_tick(1);
	assert_string_equal(said, "a");
	assert_true(SCTP_OS_TIMER_PENDING(&first_timer));
	sctp_handle_tick(1);
	assert_string_equal(said, "aa");
	sctp_handle_tick(1000); /* one call, one run */
	assert_string_equal(said, "aaa");
	assert_int_equal(sctp_os_timer_stop(&first_timer), 1);
}

static void a_callback_may_free_its_timer(void **state)
{
	sctp_os_timer_t *const tmr = calloc(1, sizeof(*tmr));

	(void)state;
	assert_non_null(tmr);
	sctp_os_timer_start(tmr, 1, free, tmr);
	sctp_handle_tick(1);
	assert_int_equal(usrsctp_cmt_next_timeout(), -1);
}

static void expiry_and_order_survive_the_wrap_of_the_tick_count(void **state)
{
	sctp_os_timer_t a, b, c;

	(void)state;
	forget();
	sctp_os_timer_init(&a);
	sctp_os_timer_init(&b);
	sctp_os_timer_init(&c);
	sctp_handle_tick(0xfffffff0u - sctp_get_tick_count());
	assert_int_equal(sctp_get_tick_count(), 0xfffffff0);
	sctp_os_timer_start(&b, 32, say, letter_b); /* behind the wrap */
	sctp_os_timer_start(&a, 8, say, letter_a);  /* before it */
	sctp_os_timer_start(&c, UINT32_MAX, say, letter_c);
	assert_int_equal(usrsctp_cmt_next_timeout(), 8);
	sctp_handle_tick(31);
	assert_string_equal(said, "a");
	sctp_handle_tick(1);
	assert_string_equal(said, "ab");
	assert_int_equal(sctp_get_tick_count(), 16);
	assert_int_equal(usrsctp_cmt_next_timeout(), (int64_t)UINT32_MAX - 32);
	assert_int_equal(sctp_os_timer_stop(&c), 1);
}

static void a_new_stack_forgets_the_timers_of_the_old_one(void **state)
{
	sctp_os_timer_t a;

	(void)state;
	forget();
	sctp_os_timer_init(&a);
	sctp_os_timer_start(&a, 1, say, letter_a);
	end_of_stack(state);
	assert_int_equal(usrsctp_cmt_next_timeout(), -1);
	fresh_stack(state);
	assert_int_equal(usrsctp_cmt_next_timeout(), -1);
	sctp_handle_tick(1);
	assert_string_equal(said, "");
}

static uint64_t monotonic_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* The one test that needs real time. A loaded machine delays the thread, but never makes ticks run ahead;
 * what the last round has not told yet is the only lag. */
static void the_thread_counts_real_milliseconds(void **state)
{
	const struct timespec nap = {.tv_nsec = 3 * 1000 * 1000};
	const uint32_t start_ticks = sctp_get_tick_count();
	const uint64_t start_ms = monotonic_ms();
	uint64_t end_ms;
	uint32_t ticks;

	(void)state;
	sctp_start_timer_thread();
	while (monotonic_ms() - start_ms < 300)
		nanosleep(&nap, NULL);
	sctp_stop_timer_thread();
	end_ms = monotonic_ms();
	ticks = sctp_get_tick_count() - start_ticks;
	assert_true(ticks > 0);
	assert_true(ticks <= end_ms - start_ms + 1);
	print_message("%u ticks in %u ms\n", (unsigned)ticks, (unsigned)(end_ms - start_ms));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_timer_runs_once_when_its_tick_comes),
	    cmocka_unit_test(without_timer_or_function_nothing_starts),
	    cmocka_unit_test(zero_ticks_mean_the_next_tick),
	    cmocka_unit_test(start_and_stop_tell_whether_the_timer_was_pending),
	    cmocka_unit_test(due_timers_run_by_expiry_then_by_start),
	    cmocka_unit_test(a_callback_may_stop_another_that_is_due_in_the_same_tick),
	    cmocka_unit_test(a_callback_may_delay_another_that_is_due_in_the_same_tick),
	    cmocka_unit_test(a_callback_that_starts_itself_runs_once_a_tick),
	    cmocka_unit_test(a_callback_may_free_its_timer),
	    cmocka_unit_test(expiry_and_order_survive_the_wrap_of_the_tick_count),
	    cmocka_unit_test(a_new_stack_forgets_the_timers_of_the_old_one),
	    cmocka_unit_test(a_timer_counts_from_the_true_time_when_ticks_are_late),
	    cmocka_unit_test(the_back_end_hears_of_timers_that_are_first),
	    cmocka_unit_test(the_thread_counts_real_milliseconds),
	};

	return cmocka_run_group_tests(tests, fresh_stack, end_of_stack);
}
