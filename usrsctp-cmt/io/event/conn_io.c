/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reading and writing. Notifications of the stack stand among the data: a read that meets one stops there, so
 * that the event is told before what follows it is read. */
#include "conn.h"
#include "conn_secure.h"

#include <errno.h>
#include <string.h>

#define NOTIFICATION_BYTES 512 /* larger than each that is subscribed to */
#define DISCARD_BYTES      65536

/* -1 when the association is no more. */
static int get_stats(const struct usrsctp_cmt_conn *conn, struct sctp_cmt_stats *stats)
{
	socklen_t len = sizeof(*stats);

	memset(stats, 0, sizeof(*stats));
	stats->size = sizeof(*stats);
	return usrsctp_getsockopt(conn->so, IPPROTO_SCTP, SCTP_CMT_STATS, stats, &len);
}

/* --- notifications --- */

/* Which error the association ended with. */
static int end_error(struct usrsctp_cmt_conn *conn, int fallback)
{
	int error = 0;
	socklen_t len = sizeof(error);

	if (usrsctp_getsockopt(conn->so, SOL_SOCKET, SO_ERROR, &error, &len) != 0 || error == 0) {
		error = fallback;
	}
	/* That is how the stack says that it gave the peer up. */
	return error == ECONNABORTED ? ETIMEDOUT : error;
}

/* What became of the handshake for keys. */
static void on_secure(struct usrsctp_cmt_conn *conn, enum conn_secure_state state)
{
	switch (state) {
	case CONN_SECURE_WAITING: break;
	case CONN_SECURE_NOT:
		conn_event(conn,
		           conn->state == CONN_CONNECTING ? USRSCTP_CMT_CONN_FAILED : USRSCTP_CMT_CONN_LOST,
		           EACCES, NULL);
		break;
	case CONN_SECURE_YES:
		if (conn->state != CONN_CONNECTING) {
			break;
		}
		if (conn->listener != NULL) {
			listener_on_up(conn);
		} else {
			conn_event(conn, USRSCTP_CMT_CONN_UP, 0, NULL);
		}
	}
}

static void on_association(struct usrsctp_cmt_conn *conn, const struct sctp_assoc_change *change)
{
	switch (change->sac_state) {
	case SCTP_COMM_UP:
		if (conn->state == CONN_CONNECTING) {
			on_secure(conn, conn->secure != NULL ? conn_secure_begin(conn) : CONN_SECURE_YES);
		}
		break;
	case SCTP_SHUTDOWN_COMP:
		if (conn->shutting_down) {
			conn_event(conn, USRSCTP_CMT_CONN_CLOSED, 0, NULL);
		}
		break;
	case SCTP_RESTART: /* what comes from here on was not said in this connection */
	case SCTP_COMM_LOST:
	case SCTP_CANT_STR_ASSOC:
		conn_secure_note_cause(conn, change->sac_error);
		conn_event(conn,
		           conn->state == CONN_CONNECTING ? USRSCTP_CMT_CONN_FAILED : USRSCTP_CMT_CONN_LOST,
		           conn->reason[0] != '\0' ? EACCES : end_error(conn, ECONNRESET), NULL);
		break;
	default: break;
	}
}

static void on_path(struct usrsctp_cmt_conn *conn, const struct sctp_paddr_change *change)
{
	enum usrsctp_cmt_conn_event_type type;

	switch (change->spc_state) {
	case SCTP_ADDR_AVAILABLE:
	case SCTP_ADDR_CONFIRMED: type = USRSCTP_CMT_CONN_PATH_UP; break;
	case SCTP_ADDR_POTENTIALLY_FAILED:
	case SCTP_ADDR_UNREACHABLE: type = USRSCTP_CMT_CONN_PATH_DOWN; break;
	case SCTP_ADDR_ADDED: type = USRSCTP_CMT_CONN_PATH_ADDED; break;
	case SCTP_ADDR_REMOVED: type = USRSCTP_CMT_CONN_PATH_REMOVED; break;
	default: return;
	}
	conn_event(conn, type, 0, (const struct sockaddr *)&change->spc_aaddr);
}

static void on_notification(struct usrsctp_cmt_conn *conn, const void *bytes, size_t len)
{
	union sctp_notification n;

	memset(&n, 0, sizeof(n));
	memcpy(&n, bytes, len < sizeof(n) ? len : sizeof(n));
	if (len >= sizeof(n.sn_assoc_change) && n.sn_header.sn_type == SCTP_ASSOC_CHANGE) {
		on_association(conn, &n.sn_assoc_change);
	} else if (len >= sizeof(n.sn_paddr_change) && n.sn_header.sn_type == SCTP_PEER_ADDR_CHANGE) {
		on_path(conn, &n.sn_paddr_change);
	}
}

/* --- reading --- */

static ssize_t receive(struct usrsctp_cmt_conn *conn, void *buffer, size_t size, int *flags,
                       struct sctp_rcvinfo *info)
{
	struct sockaddr_storage from;
	socklen_t from_len = sizeof(from), info_len = sizeof(*info);
	unsigned int info_type = SCTP_RECVV_NOINFO;
	ssize_t n = usrsctp_recvv(conn->so, buffer, size, (struct sockaddr *)&from, &from_len, info,
	                          &info_len, &info_type, flags);

	if (info_type != SCTP_RECVV_RCVINFO) {
		memset(info, 0, sizeof(*info));
	}
	return n;
}

/* Nothing could be read: finds out whether anything ever will. */
static void on_nothing(struct usrsctp_cmt_conn *conn, ssize_t n, int error)
{
	if (n < 0 && (error == EAGAIN || error == EWOULDBLOCK || error == EINTR || error == ENOTCONN) &&
	    !(error == ENOTCONN && conn->state != CONN_CONNECTING)) {
		return;
	}
	if (n == 0 || error == ENOTCONN) {
		struct sctp_cmt_stats stats;

		if (conn->shutting_down) {
			if (get_stats(conn, &stats) != 0) {
				conn_event(conn, USRSCTP_CMT_CONN_CLOSED, 0, NULL);
			}
			return;
		}
		if (conn->state == CONN_UP) {
			conn_event(conn, USRSCTP_CMT_CONN_PEER_CLOSED, 0, NULL);
		} else if (conn->state == CONN_CONNECTING && conn->secure != NULL) {
			conn_event(conn, USRSCTP_CMT_CONN_FAILED, ECONNRESET, NULL);
		}
		return;
	}
	conn_event(conn, conn->state == CONN_CONNECTING ? USRSCTP_CMT_CONN_FAILED : USRSCTP_CMT_CONN_LOST,
	           error == ECONNABORTED ? ETIMEDOUT : error, NULL);
}

/* Reads data or one notification, or a piece of a message for keys, which is then handled; -1 with EAGAIN
 * when there are no data. */
static ssize_t receive_data(struct usrsctp_cmt_conn *conn, void *buffer, size_t size, int peek, int *flags,
                            struct sctp_rcvinfo *info)
{
	ssize_t n;

	*flags = peek;
	n = receive(conn, buffer, size, flags, info);
	if (n > 0 && (*flags & MSG_NOTIFICATION) != 0) {
		if (peek != 0) {
			return receive_data(conn, buffer, size, 0, flags, info);
		}
		on_notification(conn, buffer, (size_t)n);
	} else if (n > 0 && conn->secure != NULL && info->rcv_ppid == htonl(SCTP_DTLS_PPID)) {
		if (peek != 0) {
			return receive_data(conn, buffer, size, 0, flags, info);
		}
		on_secure(conn, conn_secure_take(conn, buffer, (size_t)n, (*flags & MSG_EOR) != 0));
	} else if (n <= 0) {
		conn->drained = true;
		on_nothing(conn, n, errno);
	} else {
		return n;
	}
	errno = EAGAIN;
	return -1;
}

enum conn_head conn_look(struct usrsctp_cmt_conn *conn)
{
	uint8_t bytes[NOTIFICATION_BYTES];
	struct sctp_rcvinfo info;
	int flags;

	conn->drained = false;
	if (conn->state == CONN_OVER) {
		return CONN_HEAD_NOTHING;
	}
	if (receive_data(conn, bytes, sizeof(bytes), MSG_PEEK, &flags, &info) > 0) {
		return CONN_HEAD_DATA;
	}
	return conn->drained && conn->pending.type == 0 ? CONN_HEAD_NOTHING : CONN_HEAD_EVENT;
}

void conn_discard(struct usrsctp_cmt_conn *conn)
{
	static uint8_t bytes[DISCARD_BYTES];
	struct sctp_rcvinfo info;
	int flags;

	conn->drained = false;
	while (conn->state != CONN_OVER && !conn->drained) {
		(void)receive_data(conn, bytes, sizeof(bytes), 0, &flags, &info);
		conn->pending.type = 0;
	}
}

ssize_t usrsctp_cmt_conn_read(struct usrsctp_cmt_conn *conn, void *buffer, size_t size,
                              struct usrsctp_cmt_message *message)
{
	struct sctp_rcvinfo info;
	int flags;
	ssize_t n;

	if (conn->pending.type != 0) {
		errno = EAGAIN;
		return -1;
	}
	if (conn->state == CONN_OVER || conn->state == CONN_PEER_CLOSED) {
		errno = ENOTCONN;
		return -1;
	}
	/* A small buffer would cut a notification in two. */
	if (size < NOTIFICATION_BYTES && conn_look(conn) != CONN_HEAD_DATA) {
		errno = EAGAIN;
		return -1;
	}
	n = receive_data(conn, buffer, size, 0, &flags, &info);
	if (n > 0 && message != NULL) {
		*message = (struct usrsctp_cmt_message){
		    .stream_id = info.rcv_sid,
		    .flags =
		        (uint16_t)(((info.rcv_flags & SCTP_UNORDERED) != 0 ? USRSCTP_CMT_MESSAGE_UNORDERED
		                                                           : 0) |
		                   ((flags & MSG_EOR) == 0 ? USRSCTP_CMT_MESSAGE_PART : 0)),
		    .ppid = ntohl(info.rcv_ppid)};
	}
	if (conn->pending.type != 0) {
		conn_make_ready(conn);
	}
	return n;
}

/* --- writing --- */

int usrsctp_cmt_conn_write(struct usrsctp_cmt_conn *conn, const void *data, size_t len,
                           const struct usrsctp_cmt_message *message)
{
	struct sctp_sendv_spa spa = {.sendv_flags = SCTP_SEND_SNDINFO_VALID};

	if (conn->shutting_down || conn->state == CONN_OVER) {
		errno = EPIPE;
		return -1;
	}
	if (conn->state == CONN_CONNECTING) {
		errno = ENOTCONN;
		return -1;
	}
	evio_refresh_time(conn->ev);
	if (message != NULL) {
		spa.sendv_sndinfo.snd_sid = message->stream_id;
		spa.sendv_sndinfo.snd_ppid = htonl(message->ppid);
		if ((message->flags & USRSCTP_CMT_MESSAGE_UNORDERED) != 0) {
			spa.sendv_sndinfo.snd_flags = SCTP_UNORDERED;
		}
		if (message->lifetime_ms != 0) {
			spa.sendv_flags |= SCTP_SEND_PRINFO_VALID;
			spa.sendv_prinfo.pr_policy = SCTP_PR_SCTP_TTL;
			spa.sendv_prinfo.pr_value = message->lifetime_ms;
		}
	}
	if (usrsctp_sendv(conn->so, data, len, NULL, 0, &spa, sizeof(spa), SCTP_SENDV_SPA, 0) >= 0) {
		return 0;
	}
	if (errno == EWOULDBLOCK || errno == EAGAIN || errno == ENOBUFS || errno == ENOMEM) {
		conn->wants_room = true;
		errno = EAGAIN;
	} else if (errno == ECONNRESET || errno == ECONNABORTED || errno == ENOENT) {
		errno = EPIPE; /* LOST follows, ENOENT: behind what is still to be read */
	}
	return -1;
}

/* --- how much --- */

size_t usrsctp_cmt_conn_queued(const struct usrsctp_cmt_conn *conn)
{
	struct sctp_cmt_stats stats;

	return get_stats(conn, &stats) == 0 ? (size_t)stats.send_queue_bytes : 0;
}

size_t usrsctp_cmt_conn_readable(const struct usrsctp_cmt_conn *conn)
{
	struct sctp_cmt_stats stats;

	/* Behind the end of the association nobody counts, but what was received can still be read. */
	if (get_stats(conn, &stats) != 0) {
		return (usrsctp_get_events(conn->so) & SCTP_EVENT_READ) != 0 ? SIZE_MAX : 0;
	}
	return (size_t)stats.receive_queue_bytes;
}
