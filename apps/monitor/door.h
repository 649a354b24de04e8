/* SPDX-License-Identifier: BSD-3-Clause
 *
 * door.h - how many HTTP connections there are at most, and how long one may take: evhttp of libevent 2.1 has
 * a limit for neither.
 *
 * It makes the bufferevents that evhttp uses (evhttp_set_bevcb()) and holds a reference to each, so that it
 * sees which ones evhttp is done with. While all places are taken, nothing is accepted, and who knocks waits
 * in the kernel's queue. */
#ifndef MONITOR_DOOR_H
#define MONITOR_DOOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <event2/bufferevent.h>
#include <event2/event.h>
#include <event2/listener.h>

#define MONITOR_DOOR_PLACES 64

struct monitor_place {
	struct bufferevent *connection; /* NULL = free */
	uint64_t since_us;
	bool stays; /* longer than others: server-sent events */
};

struct monitor_door {
	struct event_base *base;
	struct evconnlistener *listener; /* the caller's */
	struct monitor_place places[MONITOR_DOOR_PLACES];
};

/* A callback of evhttp_set_bevcb(); `arg` is the door. */
struct bufferevent *monitor_door_in(struct event_base *base, void *arg);

/* The connection may stay as long as it likes. */
void monitor_door_stays(struct monitor_door *door, const struct bufferevent *connection);

/* Often: frees the places of connections that evhttp has closed, ends those that take too long. */
void monitor_door_tick(struct monitor_door *door, uint64_t now_us);

/* After evhttp_free(). */
void monitor_door_close(struct monitor_door *door);

/* Ends a connection: evhttp finds it closed. */
void monitor_hang_up(struct bufferevent *connection);

#endif
