/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmtsink.h - the element that sends: docs/gstreamer.md. */
#ifndef CMT_GST_CMTSINK_H
#define CMT_GST_CMTSINK_H

#include <gst/base/gstbasesink.h>

G_DECLARE_FINAL_TYPE(GstCmtSink, gst_cmt_sink, GST, CMT_SINK, GstBaseSink)

GST_ELEMENT_REGISTER_DECLARE(cmtsink);

#endif
