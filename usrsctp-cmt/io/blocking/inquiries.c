/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Descriptors, events, statistics, the peer. */
#include "connection.h"

#include <errno.h>
#include <string.h>

#include "reason.h"

int cmt_fd(struct cmt_connection *connection, enum cmt_ready what)
{
	int result;

	if ((unsigned)what >= BLK_READY_KINDS) {
		return blk_fail(EINVAL, "no such kind of descriptor");
	}
	result = blk_connection_enter(connection);
	if (result == 0) {
		blk_connection_changed(connection);
		result = blk_ready_fd(&connection->ready[what]);
		blk_connection_leave(connection);
	}
	return result;
}

int cmt_next_event(struct cmt_connection *connection, struct usrsctp_cmt_conn_event *out, int timeout_ms)
{
	const struct blk_deadline deadline = blk_deadline_in(timeout_ms);
	struct cmt_connection *c = connection;
	int result = blk_connection_enter(c);

	if (result != 0) {
		return result;
	}
	while (result == 0 && c->n_events == 0 && !c->peer_closed && !c->is_over && !c->closing) {
		result = blk_connection_wait(c, timeout_ms, &deadline);
	}
	if (c->n_events > 0) {
		*out = c->events[c->first_event];
		c->first_event = (c->first_event + 1) % BLK_EVENTS_MAX;
		c->n_events--;
		blk_connection_changed(c);
		result = 0;
	} else if (c->closing || c->peer_closed || c->is_over) {
		result = blk_fail(c->closing ? ECANCELED : ENOTCONN, "no more events will come");
	}
	blk_connection_leave(c);
	return result;
}

int cmt_peer(const struct cmt_connection *connection, struct usrsctp_cmt_peer *out)
{
	const size_t size = out->size;

	if (size == 0 || size > sizeof(*out)) {
		return blk_fail(EINVAL, "set size to that of the structure");
	}
	if (!connection->is_encrypted) {
		return blk_fail(ENOENT, "the connection is in the clear");
	}
	memcpy(out, &connection->peer, size);
	out->size = size;
	return 0;
}

/* --- socket options, in the loop's thread --- */

struct asking {
	struct cmt_connection *c;
	int level, option;
	void *value;     /* to get */
	const void *set; /* to set; NULL = to get */
	socklen_t len;
	int error;
};

static void ask(void *arg)
{
	struct asking *a = arg;
	struct socket *so = a->c->conn != NULL ? usrsctp_cmt_conn_socket(a->c->conn) : NULL;

	if (so == NULL) {
		a->error = ENOTCONN;
	} else if (a->set != NULL) {
		a->error = usrsctp_setsockopt(so, a->level, a->option, a->set, a->len) != 0 ? errno : 0;
	} else {
		a->error = usrsctp_getsockopt(so, a->level, a->option, a->value, &a->len) != 0 ? errno : 0;
	}
}

static int run(struct asking *a)
{
	int result = blk_connection_enter(a->c);

	if (result != 0) {
		return result;
	}
	blk_unlock();
	blk_call(ask, a);
	blk_lock();
	blk_connection_leave(a->c);
	if (a->error != 0) {
		return blk_fail(a->error, "socket option %d: %s", a->option, strerror(a->error));
	}
	return 0;
}

int cmt_getsockopt(struct cmt_connection *connection, int level, int option, void *value, socklen_t *len)
{
	struct asking a = {.c = connection, .level = level, .option = option, .value = value, .len = *len};
	int result = run(&a);

	*len = a.len;
	return result;
}

int cmt_setsockopt(struct cmt_connection *connection, int level, int option, const void *value, socklen_t len)
{
	struct asking a = {.c = connection, .level = level, .option = option, .set = value, .len = len};

	if (value == NULL) {
		return blk_fail(EINVAL, "socket option %d: no value", option);
	}
	return run(&a);
}

int cmt_paths(struct cmt_connection *connection, struct sctp_cmt_path_stats *paths, size_t max)
{
	socklen_t len = (socklen_t)(max * sizeof(*paths));
	int result;

	if (max == 0) {
		return blk_fail(EINVAL, "no room for a path");
	}
	memset(paths, 0, len);
	paths[0].size = sizeof(*paths);
	result = cmt_getsockopt(connection, IPPROTO_SCTP, SCTP_CMT_PATH_STATS, paths, &len);
	if (result != 0) {
		return result == -EINVAL || result == -ENOENT ? blk_fail(ENOTCONN, "the association is over")
		                                              : result;
	}
	return (int)(len / sizeof(*paths));
}
