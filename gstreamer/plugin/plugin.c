/* SPDX-License-Identifier: BSD-3-Clause
 *
 * plugin.c - the plugin "cmt" of GStreamer: cmtsink and cmtsrc. */
#include <gst/gst.h>

#include "cmtsink.h"
#include "cmtsrc.h"

GST_DEBUG_CATEGORY(cmt_debug);

static gboolean plugin_init(GstPlugin *plugin)
{
	GST_DEBUG_CATEGORY_INIT(cmt_debug, "cmt", 0, "live streams over all network paths");
	return GST_ELEMENT_REGISTER(cmtsink, plugin) && GST_ELEMENT_REGISTER(cmtsrc, plugin);
}

#define PACKAGE "usrsctp-cmt"
/* GStreamer knows its names of licences only. */
GST_PLUGIN_DEFINE(GST_VERSION_MAJOR, GST_VERSION_MINOR, cmt, "live streams over all network paths at once",
                  plugin_init, CMT_PLUGIN_VERSION, "BSD", PACKAGE, CMT_PLUGIN_ORIGIN)
