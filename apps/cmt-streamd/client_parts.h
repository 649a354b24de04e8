/* SPDX-License-Identifier: BSD-3-Clause
 *
 * client_parts.h - what client.c (life of a connection), client_messages.c (what a client says) and
 * client_answers.c (what it gets) share. */
#ifndef STREAMD_CLIENT_PARTS_H
#define STREAMD_CLIENT_PARTS_H

#include "client.h"

/* The client does not follow the protocol, or is not wanted: tells it why, and ends. */
void client_refuse(struct client *c, const char *why);

/* Ends without another word. */
void client_drop(struct client *c, const char *why);

/* The server has no more for it than what is under way. */
void client_say_bye(struct client *c);

/* Frees the client if it is over: the last thing that a callback does. */
void client_settle(struct client *c);

/* client_messages.c: reads what has come, for a while. */
void client_read(struct client *c);

/* client_answers.c */
void client_add_request(struct client *c, struct request *r);
struct request *client_find_request(const struct client *c, uint16_t stream_id);

/* Writes what there is room for, for a while; goes on by itself. */
void client_pump(struct client *c);

/* Brings what is known of its queue up to date. */
void client_look_at_queue(struct client *c, uint64_t now_us);

/* Ends all requests, in the access log too. */
void client_drop_requests(struct client *c, const char *why);

#endif
