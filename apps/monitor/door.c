/* SPDX-License-Identifier: BSD-3-Clause */
#include "door.h"

#include <sys/socket.h>

#include "loop/wall_clock.h"

/* From the connection's start, so that neither a request that comes byte by byte nor one after the other
 * keeps others out. */
#define STAY_US 30000000u

/* Without limit, whoever is being answered could fill memory with what he sends meanwhile. */
#define INPUT_BYTES 16384

void monitor_hang_up(struct bufferevent *connection)
{
	(void)shutdown(bufferevent_getfd(connection), SHUT_RDWR);
}

struct bufferevent *monitor_door_in(struct event_base *base, void *arg)
{
	struct monitor_door *const door = arg;
	struct bufferevent *const connection = bufferevent_socket_new(base, -1, 0);
	struct monitor_place *free_place = NULL;
	size_t n_free = 0;

	for (size_t i = 0; i < MONITOR_DOOR_PLACES; i++) {
		if (door->places[i].connection == NULL) {
			free_place = &door->places[i];
			n_free++;
		}
	}
	if (connection == NULL) {
		return NULL;
	}
	bufferevent_setwatermark(connection, EV_READ, 0, INPUT_BYTES);
	/* The listener is stopped before there is no place. */
	if (free_place == NULL) {
		return connection;
	}
	bufferevent_incref(connection);
	*free_place = (struct monitor_place){.connection = connection, .since_us = app_wall_clock_us()};
	if (n_free == 1) {
		(void)evconnlistener_disable(door->listener);
	}
	return connection;
}

void monitor_door_stays(struct monitor_door *door, const struct bufferevent *connection)
{
	for (size_t i = 0; i < MONITOR_DOOR_PLACES; i++) {
		if (door->places[i].connection == connection) {
			door->places[i].stays = true;
		}
	}
}

/* evhttp takes its callbacks off before it lets go. */
static bool is_over(struct bufferevent *connection)
{
	bufferevent_event_cb on_event;

	bufferevent_getcb(connection, NULL, NULL, &on_event, NULL);
	return on_event == NULL;
}

void monitor_door_tick(struct monitor_door *door, uint64_t now_us)
{
	bool any_free = false;

	for (size_t i = 0; i < MONITOR_DOOR_PLACES; i++) {
		struct monitor_place *const place = &door->places[i];

		if (place->connection != NULL && is_over(place->connection)) {
			(void)bufferevent_decref(place->connection);
			place->connection = NULL;
		}
		if (place->connection == NULL) {
			any_free = true;
		} else if (!place->stays && now_us - place->since_us > STAY_US) {
			monitor_hang_up(place->connection);
		}
	}
	if (any_free) {
		(void)evconnlistener_enable(door->listener);
	}
}

void monitor_door_close(struct monitor_door *door)
{
	for (size_t i = 0; i < MONITOR_DOOR_PLACES; i++) {
		if (door->places[i].connection != NULL) {
			(void)bufferevent_decref(door->places[i].connection);
			door->places[i].connection = NULL;
		}
	}
}
