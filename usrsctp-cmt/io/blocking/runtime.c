/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <event2/event.h>

#include "reason.h"

struct call {
	TAILQ_ENTRY(call) entry;
	void (*fn)(void *arg);
	void *arg;
	bool done;
};

static struct {
	pthread_mutex_t life; /* held while the thread starts or ends */
	pthread_mutex_t lock;
	unsigned users;
	_Atomic pid_t pid; /* whose thread it is; 0 = there is none */
	pthread_t thread;
	struct event_base *base;
	struct event *wake;
	int wake_fd;
	bool woken, stopping;
	pthread_cond_t called;
	TAILQ_HEAD(, call) calls;
	TAILQ_HEAD(, blk_work) work;
	unsigned n_work;
} rt = {.life = PTHREAD_MUTEX_INITIALIZER, .lock = PTHREAD_MUTEX_INITIALIZER};

void blk_lock(void)
{
	pthread_mutex_lock(&rt.lock);
}

void blk_unlock(void)
{
	pthread_mutex_unlock(&rt.lock);
}

struct event_base *blk_runtime_base(void)
{
	return rt.base;
}

/* --- waiting --- */

int blk_cond_init(pthread_cond_t *cond)
{
	pthread_condattr_t attributes;
	int error = pthread_condattr_init(&attributes);

	if (error == 0) {
		pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
		error = pthread_cond_init(cond, &attributes);
		pthread_condattr_destroy(&attributes);
	}
	return error;
}

struct blk_deadline blk_deadline_in(int timeout_ms)
{
	struct blk_deadline deadline = {.never = timeout_ms < 0};

	if (!deadline.never) {
		clock_gettime(CLOCK_MONOTONIC, &deadline.at);
		deadline.at.tv_sec += timeout_ms / 1000;
		deadline.at.tv_nsec += timeout_ms % 1000 * 1000000L;
		if (deadline.at.tv_nsec >= 1000000000L) {
			deadline.at.tv_sec++;
			deadline.at.tv_nsec -= 1000000000L;
		}
	}
	return deadline;
}

bool blk_wait(pthread_cond_t *cond, const struct blk_deadline *deadline)
{
	if (deadline->never) {
		return pthread_cond_wait(cond, &rt.lock) == 0;
	}
	return pthread_cond_timedwait(cond, &rt.lock, &deadline->at) == 0;
}

/* --- work --- */

/* With the lock held. */
static void wake_loop(void)
{
	const uint64_t one = 1;

	if (!rt.woken) {
		rt.woken = true;
		(void)!write(rt.wake_fd, &one, sizeof(one));
	}
}

void blk_call(void (*fn)(void *arg), void *arg)
{
	struct call call = {.fn = fn, .arg = arg};

	blk_lock();
	TAILQ_INSERT_TAIL(&rt.calls, &call, entry);
	wake_loop();
	while (!call.done) {
		pthread_cond_wait(&rt.called, &rt.lock);
	}
	blk_unlock();
}

void blk_work_add(struct blk_work *work)
{
	if (!work->is_queued) {
		work->is_queued = true;
		TAILQ_INSERT_TAIL(&rt.work, work, entry);
		rt.n_work++;
		wake_loop();
	}
}

void blk_work_cancel(struct blk_work *work)
{
	if (work->is_queued) {
		work->is_queued = false;
		TAILQ_REMOVE(&rt.work, work, entry);
		rt.n_work--;
	}
}

/* Both with the lock held, which they let go meanwhile. */
static void run_calls(void)
{
	struct call *call;

	while ((call = TAILQ_FIRST(&rt.calls)) != NULL) {
		TAILQ_REMOVE(&rt.calls, call, entry);
		blk_unlock();
		call->fn(call->arg);
		blk_lock();
		call->done = true;
		pthread_cond_broadcast(&rt.called);
	}
}

/* As much as there is now: what threads add meanwhile waits until the loop has looked at its sockets. */
static void run_work(void)
{
	struct blk_work *work;

	for (unsigned n = rt.n_work; n > 0 && (work = TAILQ_FIRST(&rt.work)) != NULL; n--) {
		blk_work_cancel(work);
		blk_unlock();
		work->fn(work);
		blk_lock();
	}
}

static void on_wake(evutil_socket_t fd, short what, void *arg)
{
	uint64_t count;

	(void)what;
	(void)arg;
	(void)!read(fd, &count, sizeof(count));
	blk_lock();
	rt.woken = false;
	run_calls();
	run_work();
	if (rt.n_work > 0) {
		wake_loop();
	}
	if (rt.stopping) {
		event_base_loopbreak(rt.base);
	}
	blk_unlock();
}

/* --- life --- */

static void *run_loop(void *arg)
{
	(void)arg;
	event_base_loop(rt.base, EVLOOP_NO_EXIT_ON_EMPTY);
	return NULL;
}

/* All signals are the application's threads'. */
static int start_thread(void)
{
	sigset_t all, before;
	int error;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	error = pthread_create(&rt.thread, NULL, run_loop, NULL);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return error;
}

static void free_loop(void)
{
	if (rt.wake != NULL) {
		event_free(rt.wake);
		rt.wake = NULL;
	}
	if (rt.base != NULL) {
		event_base_free(rt.base);
		rt.base = NULL;
	}
	if (rt.wake_fd >= 0) {
		close(rt.wake_fd);
		rt.wake_fd = -1;
	}
	pthread_cond_destroy(&rt.called);
}

static struct event_base *make_base(void)
{
	struct event_config *config = event_config_new();
	struct event_base *base = NULL;

	if (config != NULL && event_config_set_flag(config, EVENT_BASE_FLAG_PRECISE_TIMER) == 0 &&
	    event_config_set_flag(config, EVENT_BASE_FLAG_NOLOCK) == 0) {
		base = event_base_new_with_config(config);
	}
	if (config != NULL) {
		event_config_free(config);
	}
	return base;
}

static int start(void)
{
	int error;

	TAILQ_INIT(&rt.calls);
	TAILQ_INIT(&rt.work);
	rt.n_work = 0;
	rt.woken = rt.stopping = false;
	error = blk_cond_init(&rt.called);
	if (error != 0) {
		return blk_fail(error, "cannot start the loop: %s", strerror(error));
	}
	rt.wake_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	error = rt.wake_fd < 0 ? errno : ENOMEM;
	rt.base = rt.wake_fd >= 0 ? make_base() : NULL;
	rt.wake =
	    rt.base != NULL ? event_new(rt.base, rt.wake_fd, EV_READ | EV_PERSIST, on_wake, NULL) : NULL;
	if (rt.wake != NULL && event_add(rt.wake, NULL) == 0) {
		error = start_thread();
	}
	if (error != 0) {
		free_loop();
		return blk_fail(error, "cannot start the loop: %s", strerror(error));
	}
	rt.pid = getpid();
	return 0;
}

static void stop(void)
{
	blk_lock();
	rt.stopping = true;
	wake_loop();
	blk_unlock();
	pthread_join(rt.thread, NULL);
	free_loop();
	rt.pid = 0;
}

int blk_runtime_check(void)
{
	const pid_t pid = rt.pid;

	if (pid != 0 && pid != getpid()) {
		return blk_fail(
		    EOWNERDEAD,
		    "this process was forked while connections were open, which are its parent's: "
		    "fork before the first one is opened, or exec");
	}
	return 0;
}

int blk_runtime_acquire(void)
{
	int result = blk_runtime_check();
	bool is_first;

	if (result != 0) {
		return result;
	}
	pthread_mutex_lock(&rt.life);
	blk_lock();
	is_first = rt.users == 0;
	blk_unlock();
	if (is_first) {
		result = start();
	}
	if (result == 0) {
		blk_lock();
		rt.users++;
		blk_unlock();
	}
	pthread_mutex_unlock(&rt.life);
	return result;
}

void blk_runtime_retain(void)
{
	rt.users++;
}

void blk_runtime_release(void)
{
	bool is_last;

	if (pthread_equal(pthread_self(), rt.thread)) {
		blk_lock();
		rt.users--;
		blk_unlock();
		return;
	}
	pthread_mutex_lock(&rt.life);
	blk_lock();
	is_last = --rt.users == 0;
	blk_unlock();
	if (is_last) {
		stop();
	}
	pthread_mutex_unlock(&rt.life);
}
