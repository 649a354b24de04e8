/* SPDX-License-Identifier: BSD-3-Clause
 *
 * fetch.h - /stats.json of running programs, again and again, on an event loop. */
#ifndef TOP_FETCH_H
#define TOP_FETCH_H

#include <stdbool.h>
#include <stdint.h>

#include <event2/event.h>
#include <jansson.h>

#include "options/admin_options.h"

/* Most that a program may tell: some 50000 associations. */
#define TOP_MAX_JSON_BYTES (64 << 20)

struct top_target {
	const char *name; /* as the user wrote it */
	struct app_admin at;
	json_t *stats;          /* the newest; NULL = none came yet */
	bool asked;             /* and not answered yet */
	bool answers;           /* the last question was answered */
	struct app_error error; /* why not; "" before the first answer */
	/* Something of the above has changed. */
	void (*changed)(struct top_target *target, void *arg);
	void *arg;
	struct evhttp_connection *connection;
};

/* Asks `target`, unless an answer is still awaited. changed() follows, never from within. */
void top_fetch(struct top_target *target, struct event_base *base);

void top_target_free(struct top_target *target);

#endif
