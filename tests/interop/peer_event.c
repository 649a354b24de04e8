/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A peer whose stack is the fork on its event back end, with every default: CMT, the extension offered. */
#include "job.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <event2/event.h>
#include <usrsctp_cmt_event.h>

struct peer {
	const struct job *job;
	struct event_base *base;
	struct usrsctp_cmt_conn *conn;
	uint32_t n_written;
	struct receipt receipt;
	bool confirmed, closed;
	uint8_t bytes[JOB_BUFFER_BYTES];
};

static void on_writable(struct usrsctp_cmt_conn *conn, void *arg)
{
	struct peer *const p = arg;

	while (p->job->sends && p->n_written < p->job->n_messages) {
		const struct usrsctp_cmt_message message = {.stream_id =
		                                                (uint16_t)(p->n_written % p->job->n_streams)};

		job_message(p->job, p->n_written, p->bytes);
		if (usrsctp_cmt_conn_write(conn, p->bytes, job_message_bytes(p->job, p->n_written),
		                           &message) != 0)
			return;
		p->n_written++;
	}
}

static void print_paths(struct usrsctp_cmt_conn *conn)
{
	struct sctp_cmt_stats stats = {.size = sizeof(stats)};
	struct sctp_cmt_path_stats paths[SCTP_CMT_MAX_PATHS] = {{.size = sizeof(paths[0])}};
	socklen_t stats_len = sizeof(stats), paths_len = sizeof(paths);
	struct socket *const so = usrsctp_cmt_conn_socket(conn);

	if (usrsctp_getsockopt(so, IPPROTO_SCTP, SCTP_CMT_STATS, &stats, &stats_len) != 0 ||
	    usrsctp_getsockopt(so, IPPROTO_SCTP, SCTP_CMT_PATH_STATS, paths, &paths_len) != 0)
		paths_len = 0;
	(void)printf("{\"extension\": %u, \"paths\": [", stats.extension);
	for (size_t i = 0; i < paths_len / sizeof(paths[0]); i++) {
		const struct sctp_cmt_path_stats *const path = &paths[i];

		(void)printf("%s{\"sent_bytes\": %" PRIu64 ", \"retransmits\": %" PRIu64
		             ", \"lost_chunks\": %" PRIu64 ", \"spurious_chunks\": %" PRIu64
		             ", \"probes\": %" PRIu64 ", \"timeouts\": %" PRIu64 ", \"failures\": %" PRIu64
		             "}",
		             i > 0 ? ", " : "", path->sent_bytes, path->retransmits, path->lost_chunks,
		             path->spurious_chunks, path->probes, path->timeouts, path->failures);
	}
	(void)puts("]}");
}

static void take(struct peer *p, const struct usrsctp_cmt_message *message, size_t len)
{
	const bool ends = (message->flags & USRSCTP_CMT_MESSAGE_PART) == 0;

	if (p->job->sends) {
		job_check_confirmation(p->job, p->bytes, len);
		p->confirmed = true;
		print_paths(p->conn);
		if (!p->job->receiver_ends)
			job_require(p->job, usrsctp_cmt_conn_shutdown(p->conn) == 0, "cannot shut down");
		return;
	}
	receipt_take(&p->receipt, message->stream_id, p->bytes, len, ends);
	if (receipt_is_complete(&p->receipt)) {
		receipt_confirmation(&p->receipt, p->bytes);
		job_require(p->job, usrsctp_cmt_conn_write(p->conn, p->bytes, CONFIRMATION_BYTES, NULL) == 0,
		            "cannot confirm");
		if (p->job->receiver_ends)
			job_require(p->job, usrsctp_cmt_conn_shutdown(p->conn) == 0, "cannot shut down");
	}
}

static void on_readable(struct usrsctp_cmt_conn *conn, void *arg)
{
	struct peer *const p = arg;
	struct usrsctp_cmt_message message;
	ssize_t len;

	while ((len = usrsctp_cmt_conn_read(conn, p->bytes, sizeof(p->bytes), &message)) >= 0)
		take(p, &message, (size_t)len);
}

static void on_event(struct usrsctp_cmt_conn *conn, const struct usrsctp_cmt_conn_event *event, void *arg)
{
	struct peer *const p = arg;

	switch (event->type) {
	case USRSCTP_CMT_CONN_PEER_CLOSED: (void)usrsctp_cmt_conn_shutdown(conn); break;
	case USRSCTP_CMT_CONN_CLOSED:
		p->closed = true;
		event_base_loopbreak(p->base);
		break;
	case USRSCTP_CMT_CONN_FAILED: job_fail(p->job, "not connected: %s", strerror(event->error));
	case USRSCTP_CMT_CONN_LOST: job_fail(p->job, "connection lost: %s", strerror(event->error));
	case USRSCTP_CMT_CONN_UP:
	case USRSCTP_CMT_CONN_PATH_UP:
	case USRSCTP_CMT_CONN_PATH_DOWN:
	case USRSCTP_CMT_CONN_PATH_ADDED:
	case USRSCTP_CMT_CONN_PATH_REMOVED: break;
	}
}

static void on_accept(struct usrsctp_cmt_listener *listener, struct usrsctp_cmt_conn *conn, void *arg)
{
	struct peer *const p = arg;

	(void)listener;
	if (p->conn != NULL)
		job_fail(p->job, "a second connection");
	p->conn = conn;
	usrsctp_cmt_conn_setcb(conn, on_readable, on_writable, on_event, p);
}

static void start(struct peer *p, struct usrsctp_cmt_event *ev)
{
	const struct usrsctp_cmt_conn_config config = {
	    .size = sizeof(config),
	    .streams_out = JOB_MAX_STREAMS,
	    .streams_in_max = JOB_MAX_STREAMS,
	    .local_port = p->job->sctp_port};

	if (!p->job->sends) {
		job_require(p->job, usrsctp_cmt_listen(ev, p->job->sctp_port, &config, on_accept, p) != NULL,
		            "cannot listen");
		(void)puts("listening");
		return;
	}
	p->conn = usrsctp_cmt_conn_connect(ev, p->job->peer.list, p->job->peer.n, &config);
	job_require(p->job, p->conn != NULL, "cannot connect");
	usrsctp_cmt_conn_setcb(p->conn, on_readable, on_writable, on_event, p);
}

int main(int argc, char **argv)
{
	const struct job job = job_read(argc, argv);
	const struct usrsctp_cmt_event_config config = {.size = sizeof(config),
	                                                .addresses = job.local.list,
	                                                .n_addresses = job.local.n,
	                                                .transport = job.raw ? USRSCTP_CMT_EVENT_RAW
	                                                                     : USRSCTP_CMT_EVENT_UDP,
	                                                .udp_port = job.raw ? 0 : JOB_UDP_PORT};
	const struct timeval stay = {.tv_sec = JOB_STAY_MS / 1000};
	static struct peer peer;
	struct usrsctp_cmt_event *ev;
	char error[256];

	peer.job = &job;
	peer.receipt.job = &job;
	peer.base = event_base_new();
	job_require(&job, peer.base != NULL, "no event loop");
	if (job.interleave)
		job_fail(&job, "--interleave: the event back end does not offer I-DATA");
	ev = usrsctp_cmt_event_new(peer.base, &config, error, sizeof(error));
	if (ev == NULL)
		job_fail(&job, "%s", error);
	start(&peer, ev);
	job_require(&job, event_base_dispatch(peer.base) >= 0, "event loop");
	if (!peer.closed || (job.sends ? !peer.confirmed : !receipt_is_complete(&peer.receipt)))
		job_fail(&job, "ended before everything was there");
	job_require(&job, event_base_loopexit(peer.base, &stay) == 0 && event_base_dispatch(peer.base) >= 0,
	            "event loop");
	if (!job.sends)
		receipt_print(&peer.receipt);
	usrsctp_cmt_event_free(ev);
	event_base_free(peer.base);
	return 0;
}
