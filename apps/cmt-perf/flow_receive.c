/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The receiving half of a flow. */
#include <endian.h>
#include <errno.h>
#include <string.h>

#include "flow_parts.h"
#include "loop/wall_clock.h"

static void take_stamp(struct samples *samples, const uint8_t *data, size_t len, uint64_t now_us)
{
	uint64_t stamp;

	if (len >= sizeof(stamp) && samples != NULL) {
		memcpy(&stamp, data, sizeof(stamp));
		samples_add(samples, (int64_t)(now_us - be64toh(stamp)));
	}
}

static void take_control(struct flow *flow, const uint8_t *data, size_t len)
{
	json_t *const message =
	    len <= PERF_MAX_CONTROL_BYTES ? json_loadb((const char *)data, len, 0, NULL) : NULL;

	if (!json_is_object(message)) {
		json_decref(message);
		flow_lost(flow, "it sent an invalid control message");
		return;
	}
	if (strcmp(perf_text(message, "type"), "end") == 0) {
		flow->ended = true;
	}
	flow->owner->on_control(flow, message, flow->owner->arg);
	json_decref(message);
}

static void take(struct flow *flow, uint32_t ppid, const uint8_t *data, size_t len)
{
	const uint64_t now_us = app_wall_clock_us();

	switch (ppid) {
	case PERF_DATA:
		flow->received_bytes += len;
		flow->received_messages++;
		flow->first_us = flow->first_us == 0 ? now_us : flow->first_us;
		flow->last_us = now_us;
		take_stamp(flow->owner->latency, data, len, now_us);
		break;
	case PERF_CONTROL: take_control(flow, data, len); break;
	case PERF_ECHO: flow_answer_echo(flow, data, len); break;
	case PERF_ECHO_REPLY: take_stamp(flow->owner->rtt, data, len, now_us); break;
	default: break; /* of a later version */
	}
}

void flow_on_readable(struct usrsctp_cmt_conn *conn, void *arg)
{
	struct flow *const flow = arg;

	while (!flow->lost) {
		struct usrsctp_cmt_message message = {.flags = 0};
		const ssize_t len = usrsctp_cmt_conn_read(conn, flow->buffer + flow->buffered_bytes,
		                                          FLOW_BUFFER_BYTES - flow->buffered_bytes, &message);

		if (len <= 0) {
			if (len < 0 && errno != EAGAIN && errno != ENOTCONN) {
				flow_lost(flow, strerror(errno));
			}
			return;
		}
		flow->buffered_bytes += (size_t)len;
		if ((message.flags & USRSCTP_CMT_MESSAGE_PART) == 0) {
			take(flow, message.ppid, flow->buffer, flow->buffered_bytes);
			flow->buffered_bytes = 0;
		} else if (flow->buffered_bytes == FLOW_BUFFER_BYTES) {
			flow_lost(flow, "it sent a message that is too large");
		}
	}
}

void flow_on_event(struct usrsctp_cmt_conn *conn, const struct usrsctp_cmt_conn_event *event, void *arg)
{
	struct flow *const flow = arg;
	const char *const reason = usrsctp_cmt_conn_reason(conn);

	switch (event->type) {
	case USRSCTP_CMT_CONN_UP: flow->owner->on_up(flow, flow->owner->arg); break;
	case USRSCTP_CMT_CONN_FAILED:
		flow->failed_error = event->error;
		flow_lost(flow, reason != NULL ? reason : strerror(event->error));
		break;
	case USRSCTP_CMT_CONN_LOST:
		flow_lost(flow, reason != NULL      ? reason
		                : event->error != 0 ? strerror(event->error)
		                                    : "it was aborted");
		break;
	case USRSCTP_CMT_CONN_PEER_CLOSED:
	case USRSCTP_CMT_CONN_CLOSED: flow_lost(flow, "closed by the other side"); break;
	case USRSCTP_CMT_CONN_PATH_UP:
	case USRSCTP_CMT_CONN_PATH_DOWN:
	case USRSCTP_CMT_CONN_PATH_ADDED:
	case USRSCTP_CMT_CONN_PATH_REMOVED: break;
	}
}
