/* SPDX-License-Identifier: BSD-3-Clause
 *
 * flow_parts.h - what the files of a flow share. Each calls only those before it:
 *
 *   flow_send.c     what it sends
 *   flow_receive.c  what it receives
 *   flow.c          how it begins and ends */
#ifndef PERF_FLOW_PARTS_H
#define PERF_FLOW_PARTS_H

#include <event2/util.h>

#include "flow.h"

#define FLOW_BUFFER_BYTES (PERF_MAX_MSG_BYTES + 1)

/* flow_send.c */

/* Tells the owner, once. */
void flow_lost(struct flow *flow, const char *text);

void flow_answer_echo(struct flow *flow, const uint8_t *data, size_t len);

void flow_on_timer(evutil_socket_t fd, short what, void *arg);
void flow_on_writable(struct usrsctp_cmt_conn *conn, void *arg);

/* flow_receive.c */
void flow_on_readable(struct usrsctp_cmt_conn *conn, void *arg);
void flow_on_event(struct usrsctp_cmt_conn *conn, const struct usrsctp_cmt_conn_event *event, void *arg);

#endif
