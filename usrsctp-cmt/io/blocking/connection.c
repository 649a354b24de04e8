/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A connection begins and ends. */
#include "connection.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reason.h"

#define CONNECT_TIMEOUT_MS 30000

/* --- what all functions share --- */

int blk_connection_enter(struct cmt_connection *c)
{
	int result = blk_runtime_check();

	if (result == 0) {
		blk_lock();
		c->callers++;
	}
	return result;
}

void blk_connection_leave(struct cmt_connection *c)
{
	if (--c->callers == 0 && c->closing) {
		pthread_cond_broadcast(&c->changed);
	}
	blk_unlock();
}

void blk_connection_changed(struct cmt_connection *c)
{
	const bool at_end = c->peer_closed || c->is_over, sends_no_more = at_end || c->is_deaf;

	blk_ready_set(&c->ready[CMT_READY_RECV], blk_queue_head(&c->received) != NULL || at_end);
	blk_ready_set(&c->ready[CMT_READY_SEND], !c->to_send.is_full || sends_no_more);
	blk_ready_set(&c->ready[CMT_READY_EVENT], c->n_events > 0 || at_end);
	pthread_cond_broadcast(&c->changed);
}

int blk_connection_wait(struct cmt_connection *c, int timeout_ms, const struct blk_deadline *deadline)
{
	if (timeout_ms == 0) {
		return blk_fail(EAGAIN, "it would block");
	}
	if (!blk_wait(&c->changed, deadline)) {
		return blk_fail(ETIMEDOUT, "not within %d ms", timeout_ms);
	}
	return 0;
}

int blk_connection_fail(const struct cmt_connection *c)
{
	return blk_fail(c->error != 0 ? c->error : EPIPE, "%s",
	                c->error != 0 ? c->reason : "the connection is closed");
}

/* --- life --- */

struct cmt_connection *blk_connection_new(const struct cmt_config *config)
{
	struct cmt_connection *c = calloc(1, sizeof(*c));

	if (c == NULL || blk_cond_init(&c->changed) != 0) {
		free(c);
		return NULL;
	}
	c->message_max_bytes =
	    config->message_max_bytes != 0 ? config->message_max_bytes : BLK_MESSAGE_MAX_BYTES;
	c->sndbuf_bytes = config->sndbuf_bytes != 0 ? config->sndbuf_bytes : BLK_SNDBUF_BYTES;
	blk_queue_init(&c->to_send);
	blk_queue_init(&c->received);
	for (int kind = 0; kind < BLK_READY_KINDS; kind++) {
		c->ready[kind] = BLK_READY_NONE;
	}
	return c;
}

void blk_connection_free(struct cmt_connection *c)
{
	for (int kind = 0; kind < BLK_READY_KINDS; kind++) {
		blk_ready_close(&c->ready[kind]);
	}
	blk_queue_clear(&c->to_send);
	blk_queue_clear(&c->received);
	pthread_cond_destroy(&c->changed);
	free(c);
}

void blk_connection_settings(struct usrsctp_cmt_conn_config *out, const struct cmt_config *config,
                             struct usrsctp_cmt_keys *keys)
{
	*out = (struct usrsctp_cmt_conn_config){.size = sizeof(*out),
	                                        .scheduler = config->scheduler,
	                                        .scheduler_options = config->scheduler_options,
	                                        .sndbuf_bytes = config->sndbuf_bytes,
	                                        .rcvbuf_bytes = config->rcvbuf_bytes,
	                                        .streams_out = config->streams_out,
	                                        .streams_in_max = config->streams_in_max,
	                                        .peer_udp_port = config->peer_udp_port,
	                                        .path_max_retrans = config->path_max_retrans,
	                                        .cc = config->cc,
	                                        .cc_options = config->cc_options,
	                                        .keys = keys};
}

/* --- to connect --- */

struct connecting {
	struct cmt_connection *c;
	const struct cmt_config *config;
	struct blk_addresses peer;
	struct blk_back_end_key key;
	int timeout_ms;
	int result;
	char error[USRSCTP_CMT_REASON_BYTES];
};

static void begin(void *arg)
{
	struct connecting *k = arg;
	struct usrsctp_cmt_conn_config settings;
	struct usrsctp_cmt_conn *conn;

	k->result = blk_back_end_get(&k->c->back_end, &k->key, k->error, sizeof(k->error));
	if (k->result != 0) {
		return;
	}
	blk_connection_settings(&settings, k->config, blk_security_keys(k->c->security));
	settings.connect_timeout_ms = (uint32_t)k->timeout_ms;
	conn =
	    usrsctp_cmt_conn_connect(blk_back_end_event(k->c->back_end), k->peer.list, k->peer.n, &settings);
	if (conn == NULL) {
		k->result = -errno;
		snprintf(k->error, sizeof(k->error), "cannot connect to %s: %s", k->config->peer,
		         errno == EINVAL ? "no such scheduler, congestion control or option of one"
		                         : strerror(errno));
		return;
	}
	blk_connection_attach(k->c, conn);
}

/* The loop's own limit ends it. */
static int wait_until_up(const struct connecting *k)
{
	const struct blk_deadline never = blk_deadline_in(-1);
	struct cmt_connection *c = k->c;
	int result = 0;

	blk_lock();
	while (!c->is_up && !c->is_over) {
		(void)blk_wait(&c->changed, &never);
	}
	if (!c->is_up) {
		result = blk_fail(c->error, "cannot connect to %s: %s", k->config->peer, c->reason);
	}
	blk_unlock();
	return result;
}

static void detach(void *arg)
{
	blk_connection_detach(arg);
}

static void destroy(struct cmt_connection *c)
{
	blk_call(detach, c);
	blk_connection_free(c);
	blk_runtime_release();
}

static int check_config(const struct cmt_config *config)
{
	if (config == NULL || config->size != sizeof(*config)) {
		return blk_fail(EINVAL, "the configuration's size is not that of this version");
	}
	if (config->peer == NULL) {
		return blk_fail(EINVAL, "peer: no address is given; write 10.1.0.1,10.2.0.1");
	}
	if (config->port == 0) {
		return blk_fail(EINVAL, "port: give the SCTP port that the peer listens on");
	}
	return 0;
}

/* Its addresses and keys, before anything is begun. */
static int prepare(struct connecting *k)
{
	const struct cmt_config *config = k->config;
	int result = blk_addresses_parse(&k->peer, "peer", config->peer, config->port);

	k->key.udp_port = config->udp_port;
	if (result == 0 && config->local != NULL && strcmp(config->local, "any") != 0) {
		result = blk_addresses_parse(&k->key.addresses, "local", config->local, 0);
	}
	if (result != 0) {
		return result;
	}
	k->c = blk_connection_new(config);
	if (k->c == NULL) {
		return blk_fail(ENOMEM, "no memory");
	}
	result = blk_security_new(&k->c->security, config, false);
	if (result != 0) {
		blk_connection_free(k->c);
	}
	return result;
}

int cmt_connect(struct cmt_connection **out, const struct cmt_config *config, int timeout_ms)
{
	struct connecting k = {.config = config,
	                       .timeout_ms = timeout_ms > 0 ? timeout_ms : CONNECT_TIMEOUT_MS};
	int result = check_config(config);

	*out = NULL;
	if (result == 0) {
		result = prepare(&k);
	}
	if (result != 0) {
		return result;
	}
	result = blk_runtime_acquire();
	if (result != 0) {
		blk_security_release(k.c->security);
		blk_connection_free(k.c);
		return result;
	}
	blk_call(begin, &k);
	if (k.result != 0) {
		result = blk_fail(-k.result, "%s", k.error);
	} else {
		result = wait_until_up(&k);
	}
	if (result != 0) {
		destroy(k.c);
		return result;
	}
	*out = k.c;
	return 0;
}

/* --- to close --- */

/* Those who wait there leave first, then what is queued. */
static int finish(struct cmt_connection *c, int timeout_ms)
{
	const struct blk_deadline deadline = blk_deadline_in(timeout_ms), never = blk_deadline_in(-1);
	bool in_time = true;
	int result;

	blk_lock();
	c->closing = true;
	blk_work_add(&c->work);
	pthread_cond_broadcast(&c->changed);
	while (c->callers > 0) {
		(void)blk_wait(&c->changed, &never);
	}
	while (!c->is_over && in_time && timeout_ms != 0) {
		in_time = blk_wait(&c->changed, &deadline);
	}
	if (c->is_over && c->error != 0) {
		result = blk_connection_fail(c);
	} else if (!c->is_over && timeout_ms != 0) {
		result =
		    blk_fail(ETIMEDOUT,
		             "the peer has not confirmed everything within %d ms: the connection was aborted",
		             timeout_ms);
	} else {
		result = 0;
	}
	blk_unlock();
	return result;
}

int cmt_close(struct cmt_connection *connection, int timeout_ms)
{
	int result = connection != NULL ? blk_runtime_check() : 0;

	if (connection == NULL || result != 0) {
		return result;
	}
	result = finish(connection, timeout_ms);
	destroy(connection);
	return result;
}
