/* SPDX-License-Identifier: BSD-3-Clause
 *
 * commits.h - files that have arrived whole are brought to disk and get their names by threads of their own:
 * an fsync can take tens of milliseconds, and the network is served meanwhile; disks take several at once. */
#ifndef RECV_COMMITS_H
#define RECV_COMMITS_H

#include "store.h"

struct event_base;
struct commits;

/* `error`: why it is not in its place; NULL = it is. Called in the thread of the event loop. */
typedef void commit_cb(const char *error, void *arg);

struct commit_request {
	const char *name; /* stays until the callback */
	int fd;           /* of the unfinished file, owned from here on */
	struct store_attributes attributes;
	commit_cb *fn;
	void *arg;
};

/* NULL without memory or threads. `store` and `base` outlive it. */
struct commits *commits_new(struct event_base *base, const struct store *store);

/* Waits until everything is on disk, and calls the callbacks that are due. NULL: nothing happens. */
void commits_free(struct commits *commits);

/* 0, or -1 without memory: `fd` is closed then, and nothing is called. */
int commits_add(struct commits *commits, const struct commit_request *request);

#endif
