/* SPDX-License-Identifier: BSD-3-Clause
 *
 * flow_parts.h - what the two halves of a flow, flow.c and flow_receive.c, need of each other. */
#ifndef PERF_FLOW_PARTS_H
#define PERF_FLOW_PARTS_H

#include "flow.h"

#define FLOW_BUFFER_BYTES (PERF_MAX_MSG_BYTES + 1)

/* Tells the owner, once. */
void flow_lost(struct flow *flow, const char *text);

void flow_answer_echo(struct flow *flow, const uint8_t *data, size_t len);

void flow_on_readable(struct usrsctp_cmt_conn *conn, void *arg);
void flow_on_event(struct usrsctp_cmt_conn *conn, const struct usrsctp_cmt_conn_event *event, void *arg);

#endif
