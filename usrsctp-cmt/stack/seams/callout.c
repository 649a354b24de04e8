/* SPDX-License-Identifier: BSD-3-Clause
 *
 * callout.c - the stack's timers on a pairing heap; takes the place of upstream's netinet/sctp_callout.c,
 * which walks a list of all timers at every tick.
 *
 * Time is the sum of what sctp_handle_tick() was given; a timer counts from the true time where the seams
 * know it. It is kept in 64 bits, so expiries compare as numbers; the stack sees the low 32. The heap lies in
 * SCTP_BASE_INFO(callqueue); the timer lock guards it, the clock and every queued timer. Whether a timer is
 * queued is asked of its node, never of c_flags, which the stack also changes without the lock. */
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include <netinet/sctp_os.h>
#include <netinet/sctp_pcb.h>
#include <netinet/sctputil.h>

#define TIMER_THREAD_PERIOD_MS 10

static uint64_t now_ticks;

/* Ahead of now_ticks by what sctp_handle_tick() has not been told yet, where the back end knows it. */
static uint64_t true_ticks(void)
{
	return now_ticks + sctp_msecs_to_ticks(cmt_seam_late_ms());
}

uint32_t sctp_get_tick_count(void)
{
	uint32_t ticks;

	SCTP_TIMERQ_LOCK();
	ticks = (uint32_t)true_ticks();
	SCTP_TIMERQ_UNLOCK();
	return ticks;
}

void sctp_os_timer_init(sctp_os_timer_t *tmr)
{
	memset(tmr, 0, sizeof(*tmr));
}

/* Whether it was queued. The lock is held. */
static int take_out(sctp_os_timer_t *tmr)
{
	if (!cmt_timer_heap_holds(&tmr->node))
		return 0;
	cmt_timer_heap_remove(&SCTP_BASE_INFO(callqueue).heap, &tmr->node);
	return 1;
}

int sctp_os_timer_start(sctp_os_timer_t *tmr, uint32_t to_ticks, void (*fn)(void *), void *arg)
{
	int was_pending, is_first;

	if (tmr == NULL || fn == NULL)
		return 0;
	SCTP_TIMERQ_LOCK();
	was_pending = take_out(tmr);
	tmr->c_func = fn;
	tmr->c_arg = arg;
	tmr->c_flags = SCTP_CALLOUT_ACTIVE | SCTP_CALLOUT_PENDING;
	/* Never in the tick that is running: a callback that starts itself anew would not let it end. */
	cmt_timer_heap_insert(&SCTP_BASE_INFO(callqueue).heap, &tmr->node,
	                      true_ticks() + (to_ticks > 0 ? to_ticks : 1));
	is_first = cmt_timer_heap_first(&SCTP_BASE_INFO(callqueue).heap) == &tmr->node;
	SCTP_TIMERQ_UNLOCK();
	if (is_first)
		cmt_seam_timer_sooner();
	return was_pending;
}

int sctp_os_timer_stop(sctp_os_timer_t *tmr)
{
	int was_pending;

	SCTP_TIMERQ_LOCK();
	was_pending = take_out(tmr);
	tmr->c_flags &= ~(SCTP_CALLOUT_ACTIVE | SCTP_CALLOUT_PENDING);
	SCTP_TIMERQ_UNLOCK();
	return was_pending;
}

uint32_t sctp_os_timer_left_ticks(const sctp_os_timer_t *tmr)
{
	uint64_t expiry = 0, now;

	SCTP_TIMERQ_LOCK();
	now = true_ticks();
	if (cmt_timer_heap_holds(&tmr->node))
		expiry = cmt_timer_heap_expiry(&tmr->node);
	SCTP_TIMERQ_UNLOCK();
	return expiry > now ? (uint32_t)(expiry - now) : 0;
}

/* The first timer that is due, or NULL. The lock is held. */
static sctp_os_timer_t *first_due(void)
{
	struct cmt_timer_node *const node = cmt_timer_heap_first(&SCTP_BASE_INFO(callqueue).heap);

	if (node == NULL || cmt_timer_heap_expiry(node) > now_ticks)
		return NULL;
	return (sctp_os_timer_t *)node;
}

void sctp_handle_tick(uint32_t elapsed_ticks)
{
	sctp_os_timer_t *tmr;

	SCTP_TIMERQ_LOCK();
	now_ticks += elapsed_ticks;
	while ((tmr = first_due()) != NULL) {
		void (*const fn)(void *) = tmr->c_func;
		void *const arg = tmr->c_arg;

		(void)take_out(tmr);
		tmr->c_flags &= ~SCTP_CALLOUT_PENDING;
		SCTP_TIMERQ_UNLOCK();
		/* The callback may free its timer: no access from here on. */
		fn(arg);
		SCTP_TIMERQ_LOCK();
	}
	SCTP_TIMERQ_UNLOCK();
}

int64_t usrsctp_cmt_next_timeout(void)
{
	const struct cmt_timer_node *node;
	uint64_t expiry_ticks;
	int64_t timeout_ms = -1;

	if (SCTP_BASE_VAR(sctp_pcb_initialized) == 0)
		return -1;
	SCTP_TIMERQ_LOCK();
	node = cmt_timer_heap_first(&SCTP_BASE_INFO(callqueue).heap);
	if (node != NULL) {
		expiry_ticks = cmt_timer_heap_expiry(node);
		/* At most UINT32_MAX ticks ahead: that is the longest a timer can be started for. */
		timeout_ms = expiry_ticks > now_ticks
		                 ? (int64_t)sctp_ticks_to_msecs((uint32_t)(expiry_ticks - now_ticks))
		                 : 0;
	}
	SCTP_TIMERQ_UNLOCK();
	return timeout_ms;
}

static uint64_t monotonic_ms(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* Upstream's exit flag is a plain int that another thread sets. */
static int should_exit(void)
{
	return __atomic_load_n(&SCTP_BASE_VAR(timer_thread_should_exit), __ATOMIC_ACQUIRE);
}

static void *timer_thread(void *arg)
{
	const struct timespec period = {.tv_nsec = TIMER_THREAD_PERIOD_MS * 1000000L};
	uint64_t told_ms = monotonic_ms();

	(void)arg;
	sctp_userspace_set_threadname("SCTP timer");
	for (;;) {
		uint64_t elapsed_ms;

		/* A signal only makes this round shorter. */
		(void)clock_nanosleep(CLOCK_MONOTONIC, 0, &period, NULL);
		if (should_exit())
			return NULL;
		/* Whole milliseconds since the last round, of one clock reading each: nothing is lost to
		 * rounding or to a late wake-up. */
		elapsed_ms = monotonic_ms() - told_ms;
		if (elapsed_ms > UINT32_MAX)
			elapsed_ms = UINT32_MAX;
		told_ms += elapsed_ms;
		sctp_handle_tick(sctp_msecs_to_ticks((uint32_t)elapsed_ms));
	}
}

void sctp_start_timer_thread(void)
{
	const int error = sctp_userspace_thread_create(&SCTP_BASE_VAR(timer_thread), timer_thread);

	if (error != 0) {
		SCTP_PRINTF("cannot start the timer thread: error %d\n", error);
		return;
	}
	SCTP_BASE_VAR(timer_thread_started) = 1;
}

void sctp_stop_timer_thread(void)
{
	__atomic_store_n(&SCTP_BASE_VAR(timer_thread_should_exit), 1, __ATOMIC_RELEASE);
	if (SCTP_BASE_VAR(timer_thread_started)) {
		(void)pthread_join(SCTP_BASE_VAR(timer_thread), NULL);
		SCTP_BASE_VAR(timer_thread_started) = 0;
	}
}
