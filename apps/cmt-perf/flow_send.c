/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The sending half of a flow. */
#include <endian.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "flow_parts.h"
#include "loop/loop_events.h"
#include "loop/wall_clock.h"

#define ECHO_EVERY_US 100000u

void flow_lost(struct flow *flow, const char *text)
{
	if (flow->lost) {
		return;
	}
	flow->lost = true;
	flow->sending = false;
	(void)evtimer_del(flow->timer);
	flow->owner->on_lost(flow, text, flow->owner->arg);
}

/* 1: written, 0: no room now, -1: the connection is lost. */
static int write_message(struct flow *flow, const void *data, size_t len, uint32_t ppid, uint16_t stream_id)
{
	const struct usrsctp_cmt_message message = {.stream_id = stream_id, .ppid = ppid};

	if (flow->lost) {
		return -1;
	}
	if (usrsctp_cmt_conn_write(flow->conn, data, len, &message) == 0) {
		return 1;
	}
	if (errno == EAGAIN) {
		return 0;
	}
	flow_lost(flow, strerror(errno));
	return -1;
}

/* Whether all are on their way. */
static bool write_pending(struct flow *flow)
{
	while (flow->n_pending > 0) {
		if (write_message(flow, flow->pending[0], strlen(flow->pending[0]), PERF_CONTROL,
		                  PERF_DATA_STREAM) != 1) {
			return false;
		}
		free(flow->pending[0]);
		flow->n_pending--;
		memmove(flow->pending, flow->pending + 1, flow->n_pending * sizeof(flow->pending[0]));
	}
	return true;
}

void flow_control(struct flow *flow, json_t *message)
{
	char *const text = json_dumps(message, JSON_COMPACT);

	json_decref(message);
	if (text == NULL || flow->n_pending == FLOW_MAX_PENDING) {
		free(text);
		flow_lost(flow, "too many messages are queued");
		return;
	}
	flow->pending[flow->n_pending++] = text;
	(void)write_pending(flow);
}

void flow_answer_echo(struct flow *flow, const uint8_t *data, size_t len)
{
	/* One that finds no room is not worth waiting for: the peer counts those that come back. */
	if (len == sizeof(uint64_t)) {
		(void)write_message(flow, data, len, PERF_ECHO_REPLY, PERF_ECHO_STREAM);
	}
}

static uint64_t due_us(const struct flow *flow, uint64_t message)
{
	const double interval_us = (double)flow->test->msg_bytes * 8e6 / (double)flow->test->rate_bps;

	return flow->started_us + (uint64_t)((double)message * interval_us);
}

static bool is_complete(const struct flow *flow, uint64_t now_us)
{
	return flow->test->bytes > 0 ? flow->written_bytes >= flow->test->bytes
	                             : now_us - flow->started_us >= flow->test->duration_us;
}

/* The last one is shorter when `bytes` is not a multiple, but never without a time stamp. */
static size_t next_bytes(const struct flow *flow)
{
	const uint64_t left = flow->test->bytes - flow->written_bytes;

	if (flow->test->bytes == 0 || left >= flow->test->msg_bytes) {
		return flow->test->msg_bytes;
	}
	return left > PERF_MIN_MSG_BYTES ? (size_t)left : PERF_MIN_MSG_BYTES;
}

static bool write_echo(struct flow *flow, uint64_t now_us)
{
	const uint64_t stamp = htobe64(flow->echo_due_us);

	if (now_us < flow->echo_due_us) {
		return true;
	}
	if (write_message(flow, &stamp, sizeof(stamp), PERF_ECHO, PERF_ECHO_STREAM) != 1) {
		return false;
	}
	flow->echo_due_us = now_us + ECHO_EVERY_US;
	return true;
}

static bool write_data(struct flow *flow, uint64_t stamp_us)
{
	const size_t len = next_bytes(flow);
	const uint64_t stamp = htobe64(stamp_us);

	memcpy(flow->message, &stamp, sizeof(stamp));
	if (write_message(flow, flow->message, len, PERF_DATA, PERF_DATA_STREAM) != 1) {
		return false;
	}
	flow->written_bytes += len;
	flow->written_messages++;
	return true;
}

/* Pumps again at `at_us`, and at the end of the test at the latest. What finds no room is tried again when
 * there is some, and passes UINT64_MAX. */
static void wait_until(struct flow *flow, uint64_t at_us, uint64_t now_us)
{
	const uint64_t end_us =
	    flow->test->duration_us > 0 ? flow->started_us + flow->test->duration_us : UINT64_MAX;
	const uint64_t until_us = at_us < end_us ? at_us : end_us;
	const uint64_t us = until_us > now_us ? until_us - now_us : 1;

	if (until_us != UINT64_MAX && app_timer_start(flow->timer, us) != 0) {
		flow_lost(flow, "no memory");
	}
}

static void end_sending(struct flow *flow)
{
	flow->sending = false;
	flow->over = true;
	(void)evtimer_del(flow->timer);
	flow_control(flow,
	             json_pack("{s:s, s:I, s:I}", "type", "end", "bytes", (json_int_t)flow->written_bytes,
	                       "messages", (json_int_t)flow->written_messages));
	if (!flow->lost) {
		flow->owner->on_sent(flow, flow->owner->arg);
	}
}

static void pump(struct flow *flow)
{
	if (!write_pending(flow)) {
		return;
	}
	while (flow->sending && !flow->lost) {
		const uint64_t now_us = app_wall_clock_us();
		uint64_t stamp_us = now_us;

		if (is_complete(flow, now_us)) {
			end_sending(flow);
			return;
		}
		if (!write_echo(flow, now_us)) {
			wait_until(flow, UINT64_MAX, now_us);
			return;
		}
		if (flow->test->rate_bps > 0) {
			stamp_us = due_us(flow, flow->written_messages);
			if (stamp_us > now_us) {
				wait_until(flow, stamp_us, now_us);
				return;
			}
		}
		if (!write_data(flow, stamp_us)) {
			wait_until(flow, UINT64_MAX, now_us);
			return;
		}
	}
}

void flow_on_timer(evutil_socket_t fd, short what, void *arg)
{
	(void)fd;
	(void)what;
	pump(arg);
}

void flow_on_writable(struct usrsctp_cmt_conn *conn, void *arg)
{
	(void)conn;
	pump(arg);
}

void flow_start(struct flow *flow, const struct perf_test *test)
{
	if (flow->lost || flow->test != NULL) {
		return;
	}
	flow->message = calloc(1, test->msg_bytes);
	if (flow->message == NULL) {
		flow_lost(flow, "no memory");
		return;
	}
	flow->test = test;
	flow->sending = true;
	flow->started_us = app_wall_clock_us();
	flow->echo_due_us = flow->started_us;
	wait_until(flow, flow->started_us, flow->started_us);
}

void flow_stop(struct flow *flow)
{
	if (flow->sending) {
		end_sending(flow);
	}
}

uint64_t flow_acked_bytes(const struct flow *flow)
{
	const uint64_t queued = flow->lost ? 0 : usrsctp_cmt_conn_queued(flow->conn);

	return flow->written_bytes > queued ? flow->written_bytes - queued : 0;
}
