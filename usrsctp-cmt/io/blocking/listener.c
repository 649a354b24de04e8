/* SPDX-License-Identifier: BSD-3-Clause */
#include "connection.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reason.h"

#define BACKLOG     128
#define REFUSED_MAX 16

struct cmt_listener {
	/* The loop's thread. */
	struct usrsctp_cmt_listener *listener;
	struct blk_back_end *back_end;
	struct blk_security *security;
	/* Set before anybody else sees it. */
	struct cmt_config sizes; /* of it, what new connections want: no pointers */
	uint16_t udp_port;
	bool has_fingerprint;
	char fingerprint[USRSCTP_CMT_FINGERPRINT_TEXT];
	/* The lock. */
	pthread_cond_t changed;
	TAILQ_HEAD(, cmt_connection) waiting;
	unsigned n_waiting, callers;
	bool closing;
	struct cmt_refused refused[REFUSED_MAX]; /* a ring */
	unsigned first_refused, n_refused;
	struct blk_ready ready;
};

/* --- by the loop's thread --- */

static void on_accept(struct usrsctp_cmt_listener *listener, struct usrsctp_cmt_conn *conn, void *arg)
{
	struct cmt_listener *l = arg;
	struct cmt_connection *c;
	bool has_room;

	(void)listener;
	blk_lock();
	has_room = l->n_waiting < BACKLOG;
	blk_unlock();
	c = has_room ? blk_connection_new(&l->sizes) : NULL;
	if (c == NULL) {
		usrsctp_cmt_conn_abort(conn);
		return;
	}
	c->back_end = blk_back_end_retain(l->back_end);
	c->security = blk_security_retain(l->security);
	blk_connection_attach(c, conn);
	blk_connection_note_up(c);
	blk_lock();
	blk_runtime_retain();
	TAILQ_INSERT_TAIL(&l->waiting, c, waiting);
	l->n_waiting++;
	blk_ready_set(&l->ready, true);
	pthread_cond_broadcast(&l->changed);
	blk_unlock();
}

static void on_refused(struct usrsctp_cmt_listener *listener, const struct sockaddr *from, const char *reason,
                       void *arg)
{
	struct cmt_listener *l = arg;
	struct cmt_refused *r;

	(void)listener;
	blk_lock();
	if (l->n_refused == REFUSED_MAX) {
		l->first_refused = (l->first_refused + 1) % REFUSED_MAX;
		l->n_refused--;
	}
	r = &l->refused[(l->first_refused + l->n_refused++) % REFUSED_MAX];
	*r = (struct cmt_refused){.size = sizeof(*r)};
	if (from != NULL && (from->sa_family == AF_INET || from->sa_family == AF_INET6)) {
		memcpy(&r->address, from,
		       from->sa_family == AF_INET ? sizeof(struct sockaddr_in) : sizeof(struct sockaddr_in6));
	}
	snprintf(r->reason, sizeof(r->reason), "%s", reason);
	blk_unlock();
}

struct listening {
	struct cmt_listener *l;
	const struct cmt_config *config;
	struct blk_back_end_key key;
	int result;
	char error[USRSCTP_CMT_REASON_BYTES];
};

static void begin(void *arg)
{
	struct listening *k = arg;
	struct cmt_listener *l = k->l;
	struct usrsctp_cmt_conn_config settings;

	k->result = blk_back_end_get(&l->back_end, &k->key, k->error, sizeof(k->error));
	if (k->result != 0) {
		return;
	}
	blk_connection_settings(&settings, k->config, blk_security_keys(l->security));
	l->udp_port = usrsctp_cmt_event_udp_port(blk_back_end_event(l->back_end));
	l->listener =
	    usrsctp_cmt_listen(blk_back_end_event(l->back_end), k->config->port, &settings, on_accept, l);
	if (l->listener == NULL) {
		k->result = -errno;
		snprintf(k->error, sizeof(k->error), "cannot listen on port %u: %s", k->config->port,
		         errno == EINVAL ? "no such scheduler, congestion control or option of one"
		                         : strerror(errno));
		return;
	}
	usrsctp_cmt_listener_setcb(l->listener, on_refused);
}

static void end(void *arg)
{
	struct cmt_listener *l = arg;
	struct cmt_connection *c;

	usrsctp_cmt_listener_free(l->listener);
	while ((c = TAILQ_FIRST(&l->waiting)) != NULL) {
		TAILQ_REMOVE(&l->waiting, c, waiting);
		blk_connection_detach(c);
		blk_connection_free(c);
		blk_runtime_release();
	}
	blk_back_end_release(l->back_end);
	blk_security_release(l->security);
}

/* --- life --- */

static void destroy(struct cmt_listener *l)
{
	blk_ready_close(&l->ready);
	pthread_cond_destroy(&l->changed);
	free(l);
}

static int check_config(const struct cmt_config *config)
{
	if (config == NULL || config->size != sizeof(*config)) {
		return blk_fail(EINVAL, "the configuration's size is not that of this version");
	}
	if (config->peer != NULL) {
		return blk_fail(EINVAL, "peer: is for who connects; addresses to listen on are `local`");
	}
	if (config->port == 0) {
		return blk_fail(EINVAL, "port: give the SCTP port to listen on");
	}
	return 0;
}

static int set_key(struct blk_back_end_key *key, const struct cmt_config *config)
{
	const char *local = config->local != NULL ? config->local : "127.0.0.1";

	key->listens = true;
	if (!config->any_udp_port) {
		key->udp_port = config->udp_port != 0 ? config->udp_port : USRSCTP_CMT_EVENT_UDP_PORT;
	}
	return strcmp(local, "any") == 0 ? 0 : blk_addresses_parse(&key->addresses, "local", local, 0);
}

static void note_fingerprint(struct cmt_listener *l, const struct cmt_config *config)
{
	uint8_t fingerprint[USRSCTP_CMT_FINGERPRINT_BYTES];

	if (l->security != NULL && config->passphrase == NULL) {
		usrsctp_cmt_keys_fingerprint(blk_security_keys(l->security), fingerprint);
		usrsctp_cmt_fingerprint_format(fingerprint, l->fingerprint);
		l->has_fingerprint = true;
	}
}

static struct cmt_listener *listener_new(const struct cmt_config *config)
{
	struct cmt_listener *l = calloc(1, sizeof(*l));

	if (l == NULL || blk_cond_init(&l->changed) != 0) {
		free(l);
		(void)blk_fail(ENOMEM, "no memory");
		return NULL;
	}
	TAILQ_INIT(&l->waiting);
	l->ready = BLK_READY_NONE;
	l->sizes.message_max_bytes = config->message_max_bytes;
	l->sizes.sndbuf_bytes = config->sndbuf_bytes;
	return l;
}

int cmt_listen(struct cmt_listener **out, const struct cmt_config *config)
{
	struct listening k = {.config = config};
	int result = check_config(config);

	*out = NULL;
	if (result == 0) {
		result = set_key(&k.key, config);
	}
	if (result != 0) {
		return result;
	}
	k.l = listener_new(config);
	if (k.l == NULL) {
		return -ENOMEM;
	}
	result = blk_security_new(&k.l->security, config, true);
	if (result == 0) {
		note_fingerprint(k.l, config);
		result = blk_runtime_acquire();
	}
	if (result != 0) {
		blk_security_release(k.l->security);
		destroy(k.l);
		return result;
	}
	blk_call(begin, &k);
	if (k.result != 0) {
		result = blk_fail(-k.result, "%s", k.error);
		blk_call(end, k.l);
		destroy(k.l);
		blk_runtime_release();
		return result;
	}
	*out = k.l;
	return 0;
}

void cmt_listener_close(struct cmt_listener *listener)
{
	const struct blk_deadline never = blk_deadline_in(-1);
	struct cmt_listener *l = listener;

	if (l == NULL || blk_runtime_check() != 0) {
		return;
	}
	blk_lock();
	l->closing = true;
	pthread_cond_broadcast(&l->changed);
	while (l->callers > 0) {
		(void)blk_wait(&l->changed, &never);
	}
	blk_unlock();
	blk_call(end, l);
	destroy(l);
	blk_runtime_release();
}

/* --- peers --- */

static int enter(struct cmt_listener *l)
{
	int result = blk_runtime_check();

	if (result == 0) {
		blk_lock();
		l->callers++;
	}
	return result;
}

static void leave(struct cmt_listener *l)
{
	if (--l->callers == 0 && l->closing) {
		pthread_cond_broadcast(&l->changed);
	}
	blk_unlock();
}

static int await_peer(struct cmt_listener *l, int timeout_ms)
{
	const struct blk_deadline deadline = blk_deadline_in(timeout_ms);

	while (TAILQ_EMPTY(&l->waiting) && !l->closing) {
		if (timeout_ms == 0) {
			return blk_fail(EAGAIN, "it would block");
		}
		if (!blk_wait(&l->changed, &deadline)) {
			return blk_fail(ETIMEDOUT, "nobody has connected within %d ms", timeout_ms);
		}
	}
	return l->closing ? blk_fail(ECANCELED, "the listener is being closed") : 0;
}

int cmt_accept(struct cmt_connection **out, struct cmt_listener *listener, int timeout_ms)
{
	struct cmt_listener *l = listener;
	int result = enter(l);

	*out = NULL;
	if (result != 0) {
		return result;
	}
	result = await_peer(l, timeout_ms);
	if (result == 0) {
		*out = TAILQ_FIRST(&l->waiting);
		TAILQ_REMOVE(&l->waiting, *out, waiting);
		l->n_waiting--;
		blk_ready_set(&l->ready, !TAILQ_EMPTY(&l->waiting));
	}
	leave(l);
	return result;
}

int cmt_listener_fd(struct cmt_listener *listener)
{
	int result = enter(listener);

	if (result == 0) {
		result = blk_ready_fd(&listener->ready);
		leave(listener);
	}
	return result;
}

int cmt_listener_udp_port(const struct cmt_listener *listener)
{
	return listener->udp_port;
}

int cmt_listener_fingerprint(const struct cmt_listener *listener, char out[USRSCTP_CMT_FINGERPRINT_TEXT])
{
	if (!listener->has_fingerprint) {
		return blk_fail(ENOENT, "the listener has no certificate");
	}
	memcpy(out, listener->fingerprint, sizeof(listener->fingerprint));
	return 0;
}

int cmt_next_refused(struct cmt_listener *listener, struct cmt_refused *out)
{
	struct cmt_listener *l = listener;
	int result = enter(l);

	if (result != 0) {
		return result;
	}
	if (l->n_refused == 0) {
		result = blk_fail(EAGAIN, "nobody was refused");
	} else {
		*out = l->refused[l->first_refused];
		l->first_refused = (l->first_refused + 1) % REFUSED_MAX;
		l->n_refused--;
	}
	leave(l);
	return result;
}
