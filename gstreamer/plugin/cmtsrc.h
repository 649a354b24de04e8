/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmtsrc.h - the element that receives: docs/gstreamer.md. */
#ifndef CMT_GST_CMTSRC_H
#define CMT_GST_CMTSRC_H

#include <gst/base/gstpushsrc.h>

G_DECLARE_FINAL_TYPE(GstCmtSrc, gst_cmt_src, GST, CMT_SRC, GstPushSrc)

GST_ELEMENT_REGISTER_DECLARE(cmtsrc);

#endif
