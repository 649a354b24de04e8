/* SPDX-License-Identifier: BSD-3-Clause */
#include "commits.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <event2/event.h>

#include "loop/loop_events.h"

#define THREADS_MAX 16

struct commit {
	struct commit *next;
	struct commit_request request;
	int rc;
	struct app_error error;
};

struct commit_list {
	struct commit *first, **end;
};

struct commits {
	const struct store *store;
	int wake_fd; /* an eventfd: something is done */
	struct event *wake;
	pthread_mutex_t lock; /* of what follows */
	pthread_cond_t wanted;
	pthread_t threads[THREADS_MAX]; /* as many as were needed at once */
	unsigned n_threads, n_idle, n_waiting;
	struct commit_list waiting, done;
	bool closing;
};

static void list_clear(struct commit_list *list)
{
	*list = (struct commit_list){.end = &list->first};
}

static void list_append(struct commit_list *list, struct commit *c)
{
	c->next = NULL;
	*list->end = c;
	list->end = &c->next;
}

static struct commit *list_take(struct commit_list *list)
{
	struct commit *c = list->first;

	if (c != NULL) {
		list->first = c->next;
		if (list->first == NULL) {
			list->end = &list->first;
		}
	}
	return c;
}

static void *work(void *arg)
{
	struct commits *commits = arg;
	struct commit *c;

	pthread_mutex_lock(&commits->lock);
	while ((c = list_take(&commits->waiting)) != NULL || !commits->closing) {
		if (c == NULL) {
			commits->n_idle++;
			pthread_cond_wait(&commits->wanted, &commits->lock);
			commits->n_idle--;
			continue;
		}
		commits->n_waiting--;
		pthread_mutex_unlock(&commits->lock);
		c->rc = store_commit(commits->store, c->request.name, c->request.fd, &c->request.attributes,
		                     &c->error);
		close(c->request.fd);
		pthread_mutex_lock(&commits->lock);
		list_append(&commits->done, c);
		(void)eventfd_write(commits->wake_fd, 1);
	}
	pthread_mutex_unlock(&commits->lock);
	return NULL;
}

/* With the lock held. Signals are for the event loop's thread. */
static void start_thread(struct commits *commits)
{
	sigset_t all, before;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	if (pthread_create(&commits->threads[commits->n_threads], NULL, work, commits) == 0) {
		commits->n_threads++;
	}
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static struct commit *take_done(struct commits *commits)
{
	struct commit *c;

	pthread_mutex_lock(&commits->lock);
	c = list_take(&commits->done);
	pthread_mutex_unlock(&commits->lock);
	return c;
}

static void call_back(struct commits *commits)
{
	struct commit *c;

	while ((c = take_done(commits)) != NULL) {
		c->request.fn(c->rc == 0 ? NULL : c->error.text, c->request.arg);
		free(c);
	}
}

static void on_wake(evutil_socket_t fd, short what, void *arg)
{
	eventfd_t n;

	(void)what;
	(void)eventfd_read(fd, &n);
	call_back(arg);
}

struct commits *commits_new(struct event_base *base, const struct store *store)
{
	struct commits *commits = calloc(1, sizeof(*commits));

	if (commits == NULL) {
		return NULL;
	}
	commits->store = store;
	pthread_mutex_init(&commits->lock, NULL);
	pthread_cond_init(&commits->wanted, NULL);
	list_clear(&commits->waiting);
	list_clear(&commits->done);
	commits->wake_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	if (commits->wake_fd >= 0) {
		commits->wake = event_new(base, commits->wake_fd, EV_READ | EV_PERSIST, on_wake, commits);
		start_thread(commits);
	}
	if (commits->wake == NULL || event_add(commits->wake, NULL) != 0 || commits->n_threads == 0) {
		commits_free(commits);
		return NULL;
	}
	return commits;
}

void commits_free(struct commits *commits)
{
	if (commits == NULL) {
		return;
	}
	pthread_mutex_lock(&commits->lock);
	commits->closing = true;
	pthread_cond_broadcast(&commits->wanted);
	pthread_mutex_unlock(&commits->lock);
	for (unsigned i = 0; i < commits->n_threads; i++) {
		pthread_join(commits->threads[i], NULL);
	}
	call_back(commits);
	app_event_free(commits->wake);
	if (commits->wake_fd >= 0) {
		close(commits->wake_fd);
	}
	pthread_cond_destroy(&commits->wanted);
	pthread_mutex_destroy(&commits->lock);
	free(commits);
}

int commits_add(struct commits *commits, const struct commit_request *request)
{
	struct commit *c = calloc(1, sizeof(*c));

	if (c == NULL) {
		close(request->fd);
		return -1;
	}
	c->request = *request;
	pthread_mutex_lock(&commits->lock);
	list_append(&commits->waiting, c);
	if (++commits->n_waiting > commits->n_idle && commits->n_threads < THREADS_MAX) {
		start_thread(commits);
	}
	pthread_cond_signal(&commits->wanted);
	pthread_mutex_unlock(&commits->lock);
	return 0;
}
