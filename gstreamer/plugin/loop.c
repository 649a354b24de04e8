/* SPDX-License-Identifier: BSD-3-Clause */
#include "loop.h"

#include <pthread.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "loop/loop_events.h"
#include "options/shared_options.h"

struct job {
	cmt_loop_fn *fn;
	gpointer arg;
	gboolean done;
};

static struct {
	GMutex life; /* guards what follows up to `wake_fd`; held while the thread begins or ends */
	guint users;
	GThread *thread;
	struct event_base *base;
	struct event *wake;
	int wake_fd;
	GMutex lock; /* guards `jobs` and what is in them */
	GCond done;
	GQueue jobs;
} loop;

static void on_wake(evutil_socket_t fd, short what, void *arg)
{
	uint64_t wakes;
	struct job *job;

	(void)what;
	(void)arg;
	if (read(fd, &wakes, sizeof(wakes)) < 0) {
		return;
	}
	g_mutex_lock(&loop.lock);
	while ((job = g_queue_pop_head(&loop.jobs)) != NULL) {
		g_mutex_unlock(&loop.lock);
		job->fn(loop.base, job->arg);
		g_mutex_lock(&loop.lock);
		job->done = TRUE;
		g_cond_broadcast(&loop.done);
	}
	g_mutex_unlock(&loop.lock);
}

static gpointer run(gpointer arg)
{
	(void)arg;
	(void)event_base_dispatch(loop.base);
	return NULL;
}

static void leave(struct event_base *base, gpointer arg)
{
	(void)arg;
	(void)event_base_loopbreak(base);
}

static void clean_up(void)
{
	app_event_free(loop.wake);
	if (loop.base != NULL) {
		event_base_free(loop.base);
	}
	if (loop.wake_fd >= 0) {
		close(loop.wake_fd);
	}
	loop.wake = NULL;
	loop.base = NULL;
}

static gboolean start(void)
{
	sigset_t all, before;

	loop.base = app_new_precise_base();
	loop.wake_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	loop.wake = loop.base != NULL && loop.wake_fd >= 0
	                ? event_new(loop.base, loop.wake_fd, EV_READ | EV_PERSIST, on_wake, NULL)
	                : NULL;
	if (loop.wake == NULL || event_add(loop.wake, NULL) != 0) {
		return FALSE;
	}
	sigfillset(&all);
	(void)pthread_sigmask(SIG_SETMASK, &all, &before);
	loop.thread = g_thread_try_new("cmt", run, NULL, NULL);
	(void)pthread_sigmask(SIG_SETMASK, &before, NULL);
	return loop.thread != NULL;
}

gboolean cmt_loop_acquire(void)
{
	gboolean there;

	g_mutex_lock(&loop.life);
	there = loop.users > 0 || start();
	if (there) {
		loop.users++;
	} else {
		clean_up();
	}
	g_mutex_unlock(&loop.life);
	return there;
}

void cmt_loop_release(void)
{
	g_mutex_lock(&loop.life);
	if (--loop.users == 0) {
		cmt_loop_call(leave, NULL);
		g_thread_join(loop.thread);
		clean_up();
	}
	g_mutex_unlock(&loop.life);
}

void cmt_loop_call(cmt_loop_fn *fn, gpointer arg)
{
	static const uint64_t one = 1;
	struct job job = {.fn = fn, .arg = arg};

	g_mutex_lock(&loop.lock);
	g_queue_push_tail(&loop.jobs, &job);
	if (write(loop.wake_fd, &one, sizeof(one)) < 0) {
		g_warning("cmt: the loop cannot be woken"); /* its counter is full: it has been */
	}
	while (!job.done) {
		g_cond_wait(&loop.done, &loop.lock);
	}
	g_mutex_unlock(&loop.lock);
}
