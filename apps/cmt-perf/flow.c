/* SPDX-License-Identifier: BSD-3-Clause */
#include "flow.h"

#include <stdlib.h>

#include "flow_parts.h"
#include "loop/loop_events.h"
#include "monitor.h"

struct flow *flow_new(struct event_base *base, struct usrsctp_cmt_conn *conn, const struct flow_owner *owner)
{
	struct flow *const flow = calloc(1, sizeof(*flow));

	if (flow != NULL) {
		flow->owner = owner;
		flow->conn = conn;
		flow->timer = evtimer_new(base, flow_on_timer, flow);
		flow->buffer = malloc(FLOW_BUFFER_BYTES);
	}
	if (flow == NULL || flow->timer == NULL || flow->buffer == NULL) {
		usrsctp_cmt_conn_abort(conn);
		if (flow != NULL) {
			flow->conn = NULL;
			flow_free(flow, true);
		}
		return NULL;
	}
	usrsctp_cmt_conn_setcb(conn, flow_on_readable, flow_on_writable, flow_on_event, flow);
	monitor_add(owner->monitor, conn, NULL);
	return flow;
}

void flow_free(struct flow *flow, bool abort)
{
	if (flow == NULL) {
		return;
	}
	monitor_remove(flow->owner->monitor, flow->conn);
	if (flow->conn != NULL && abort) {
		usrsctp_cmt_conn_abort(flow->conn);
	} else {
		usrsctp_cmt_conn_free(flow->conn);
	}
	app_event_free(flow->timer);
	for (size_t i = 0; i < flow->n_pending; i++) {
		free(flow->pending[i]);
	}
	free(flow->message);
	free(flow->buffer);
	free(flow);
}
