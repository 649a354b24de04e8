/* SPDX-License-Identifier: BSD-3-Clause
 *
 * element.h - what the two elements have in common: settings, and a stream from READY to NULL again. */
#ifndef CMT_GST_ELEMENT_H
#define CMT_GST_ELEMENT_H

#include "bitrate.h"
#include "settings.h"
#include "stream.h"

typedef struct {
	GstElement *element;
	CmtSettings settings; /* under the object lock */
	GMutex lock;          /* so that nobody asks a stream that is being freed */
	CmtStream *stream;    /* NULL = it has not started */
	CmtBitrate *bitrate;  /* NULL = it receives */
} CmtElement;

/* `e` is a part of `element`, and so is `bitrate` of one that sends; NULL: it receives. */
void cmt_element_init(CmtElement *e, gpointer element, CmtBitrate *bitrate);
void cmt_element_finalize(CmtElement *e);

/* For `start` and `stop` of the base class. When it cannot start, the application is told. */
gboolean cmt_element_start(CmtElement *e);
void cmt_element_stop(CmtElement *e);

/* For `unlock` and `unlock_stop`, which come without a start, too. */
void cmt_element_set_flushing(CmtElement *e, gboolean flushing);

void cmt_element_set_property(CmtElement *e, guint id, const GValue *value, GParamSpec *spec);
void cmt_element_get_property(CmtElement *e, guint id, GValue *value, GParamSpec *spec);

/* Tells the application that the stream has failed, and why. */
void cmt_element_tell_failure(CmtElement *e);

/* What cmt:// is to both; the element sets the type and what takes a URI. */
void cmt_element_handle_uri(GstURIHandlerInterface *handler);

#endif
