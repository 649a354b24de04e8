/* SPDX-License-Identifier: BSD-3-Clause
 *
 * stream.h - one element's stream: cmt-live's sender or receiver, on the loop of all elements, and what the
 * element's own threads wait for.
 *
 * Any thread. What waits ends at once with GST_FLOW_FLUSHING while the stream is flushing. What is said about
 * connections is logged in the category "cmt"; the last of it says why a stream has failed. */
#ifndef CMT_GST_STREAM_H
#define CMT_GST_STREAM_H

#include <gst/gst.h>

#include "settings.h"

typedef struct _CmtStream CmtStream;

/* The element, to the stream. */
typedef struct {
	const gchar *name; /* for the log */
	/* What may be sent has changed; from the loop, for which nothing may wait in it. NULL: it receives.
	 */
	void (*on_target)(const struct live_target *target, gpointer arg);
	gpointer arg;
} CmtStreamUser;

/* Listens, or begins to connect. NULL with the reason, which is the caller's. */
CmtStream *cmt_stream_new(const CmtSettings *settings, const CmtStreamUser *user, gchar **reason);
void cmt_stream_free(CmtStream *s);

void cmt_stream_set_flushing(CmtStream *s, gboolean flushing);

/* Until the other side is there. */
GstFlowReturn cmt_stream_wait_for_connection(CmtStream *s);

/* A datagram; one that is larger than most networks carry at once is cut, a transport stream between its
 * packets. `*sent` bytes have left, from 0 on: who is interrupted goes on there. */
GstFlowReturn cmt_stream_send(CmtStream *s, const guint8 *bytes, gsize len, gsize *sent);

/* That was all. Until the other side has everything, or it is known that it will not. */
GstFlowReturn cmt_stream_finish(CmtStream *s);

/* The next datagram. GST_FLOW_EOS: the stream is over. */
GstFlowReturn cmt_stream_receive(CmtStream *s, GstBuffer **out);

/* The last things said; the caller's. */
gchar *cmt_stream_reason(CmtStream *s);

/* The caller's. */
GstStructure *cmt_stream_statistics(CmtStream *s);

#endif
