/* SPDX-License-Identifier: BSD-3-Clause
 *
 * statistics.h - statistics as GStreamer has them: JSON objects are structures, arrays are arrays, and names
 * have "-" where JSON has "_". Pure. */
#ifndef CMT_GST_STATISTICS_H
#define CMT_GST_STATISTICS_H

#include <gst/gst.h>
#include <jansson.h>

#define CMT_STATISTICS "application/x-cmt-statistics"

/* The caller's. `object` NULL: an empty one. */
GstStructure *cmt_structure(const gchar *name, const json_t *object);
GstStructure *cmt_statistics(const json_t *object);

#endif
