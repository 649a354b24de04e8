/* SPDX-License-Identifier: BSD-3-Clause
 *
 * client_parts.h - what the files of a client share. Each calls only those before it:
 *
 *   client_requests.c  what it has asked for
 *   client_end.c       how it ends
 *   client_paths.c     which of its paths cost something, by when it needs what is sent
 *   client_answers.c   what it gets
 *   client_messages.c  what it says
 *   client.c           life of the connection */
#ifndef STREAMD_CLIENT_PARTS_H
#define STREAMD_CLIENT_PARTS_H

#include "client.h"
#include "net/path_stats.h"

#define CLIENT_LAST_WORDS_US 5000000 /* for an error to arrive */

/* client_requests.c */
void client_add_request(struct client *c, struct request *r);
struct request *client_find_request(const struct client *c, uint16_t stream_id);
void client_remove_request(struct client *c, struct request *r);

/* Ends all requests, in the access log too. */
void client_drop_requests(struct client *c, const char *why);

/* client_end.c */

/* Tells the user. */
void client_say(const struct client *c, const char *text);

/* The client does not follow the protocol, or is not wanted: tells it why, and ends. */
void client_refuse(struct client *c, const char *why);

/* Shuts down: what is queued may still arrive, within so long. */
void client_end_soon(struct client *c, uint64_t within_us);

/* Ends without another word. */
void client_drop(struct client *c, const char *why);

/* The server has no more for it than what is under way. */
void client_say_bye(struct client *c);

/* Frees the client if it is over: the last thing that a callback does. */
void client_settle(struct client *c);

/* client_paths.c: --metered, of these paths of the client and its present requests. */
void client_heed_costs(struct client *c, const struct app_assoc_stats *stats);
void client_tell_needs(struct client *c, uint64_t now_us);

/* client_answers.c */

/* Writes what there is room for, for a while; goes on by itself. */
void client_pump(struct client *c);

/* Brings what is known of its queue up to date. */
void client_look_at_queue(struct client *c, uint64_t now_us);

/* client_messages.c: reads what has come, for a while. */
void client_read(struct client *c);

#endif
