/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bitrate.h - how cmtsink tells applications what their encoders may produce: the property
 * "estimated-bitrate" with its notification, as rtpgccbwe has it, and the signal "bitrate-hint" with all that
 * is known.
 *
 * Both come from a thread of GStreamer's pool, one after the other, never from the loop: who is told may ask
 * and set what it wants, and may take its time. What changes meanwhile is told once, as it is then. Behind
 * the state READY nothing comes any more. */
#ifndef CMT_GST_BITRATE_H
#define CMT_GST_BITRATE_H

#include <gst/gst.h>

#include "target.h"

#define CMT_BITRATE_HINT "application/x-cmt-bitrate-hint"

typedef struct {
	GstElement *element;
	GMutex lock; /* guards what follows */
	GCond rests;
	struct live_target now;
	guint64 told_bps;
	gboolean changed;
	gboolean telling; /* a thread does, or will at once */
	GThread *teller;
} CmtBitrate;

/* `b` is a part of `element`. */
void cmt_bitrate_init(CmtBitrate *b, GstElement *element);
void cmt_bitrate_clear(CmtBitrate *b);

#define CMT_PROP_BITRATE 101
void cmt_bitrate_install(GObjectClass *klass);

/* Bits per second; 0 = nothing is known. Any thread. */
guint cmt_bitrate_get(CmtBitrate *b);

/* It has changed. Any thread; does not wait. */
void cmt_bitrate_tell(CmtBitrate *b, const struct live_target *now);

/* Nothing is known any more, which is told from here, as the last. Waits until what is being told has been,
 * unless called by who is told. Nobody calls cmt_bitrate_tell() meanwhile. */
void cmt_bitrate_end(CmtBitrate *b);

#endif
