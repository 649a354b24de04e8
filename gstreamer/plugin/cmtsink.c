/* SPDX-License-Identifier: BSD-3-Clause */
#include "cmtsink.h"

#include "element.h"

struct _GstCmtSink {
	GstBaseSink parent;
	CmtElement cmt;
	CmtBitrate bitrate;
};

static void uri_handler(gpointer interface, gpointer data);

G_DEFINE_FINAL_TYPE_WITH_CODE(GstCmtSink, gst_cmt_sink, GST_TYPE_BASE_SINK,
                              G_IMPLEMENT_INTERFACE(GST_TYPE_URI_HANDLER, uri_handler))
GST_ELEMENT_REGISTER_DEFINE(cmtsink, "cmtsink", GST_RANK_PRIMARY, gst_cmt_sink_get_type())

static GstStaticPadTemplate pad =
    GST_STATIC_PAD_TEMPLATE("sink", GST_PAD_SINK, GST_PAD_ALWAYS, GST_STATIC_CAPS_ANY);

static gboolean start(GstBaseSink *base)
{
	return cmt_element_start(&GST_CMT_SINK(base)->cmt);
}

static gboolean stop(GstBaseSink *base)
{
	cmt_element_stop(&GST_CMT_SINK(base)->cmt);
	return TRUE;
}

static gboolean unlock(GstBaseSink *base)
{
	cmt_element_set_flushing(&GST_CMT_SINK(base)->cmt, TRUE);
	return TRUE;
}

static gboolean unlock_stop(GstBaseSink *base)
{
	cmt_element_set_flushing(&GST_CMT_SINK(base)->cmt, FALSE);
	return TRUE;
}

static GstFlowReturn pass_on(GstCmtSink *sink, const GstMapInfo *map, gsize *sent)
{
	CmtStream *const stream = sink->cmt.stream;
	GstFlowReturn flow = GST_FLOW_OK;

	if (sink->cmt.settings.wait_for_connection) {
		flow = cmt_stream_wait_for_connection(stream);
	}
	return flow == GST_FLOW_OK ? cmt_stream_send(stream, map->data, map->size, sent) : flow;
}

static GstFlowReturn render(GstBaseSink *base, GstBuffer *buffer)
{
	GstCmtSink *const sink = GST_CMT_SINK(base);
	GstFlowReturn flow;
	GstMapInfo map;
	gsize sent = 0;

	if (!gst_buffer_map(buffer, &map, GST_MAP_READ)) {
		GST_ELEMENT_ERROR(sink, STREAM, FAILED, ("a buffer cannot be read"), (NULL));
		return GST_FLOW_ERROR;
	}
	do {
		flow = pass_on(sink, &map, &sent);
		/* Interrupted, by a pause or for good. */
	} while (flow == GST_FLOW_FLUSHING && (flow = gst_base_sink_wait_preroll(base)) == GST_FLOW_OK);
	gst_buffer_unmap(buffer, &map);
	if (flow == GST_FLOW_ERROR) {
		cmt_element_tell_failure(&sink->cmt);
	}
	return flow;
}

/* The end of the stream is told to the application when the other side has everything. */
static gboolean event(GstBaseSink *base, GstEvent *e)
{
	GstCmtSink *const sink = GST_CMT_SINK(base);

	if (GST_EVENT_TYPE(e) == GST_EVENT_EOS && cmt_stream_finish(sink->cmt.stream) == GST_FLOW_ERROR) {
		cmt_element_tell_failure(&sink->cmt);
	}
	return GST_BASE_SINK_CLASS(gst_cmt_sink_parent_class)->event(base, e);
}

static void set_property(GObject *object, guint id, const GValue *value, GParamSpec *spec)
{
	cmt_element_set_property(&GST_CMT_SINK(object)->cmt, id, value, spec);
}

static void get_property(GObject *object, guint id, GValue *value, GParamSpec *spec)
{
	cmt_element_get_property(&GST_CMT_SINK(object)->cmt, id, value, spec);
}

static void finalize(GObject *object)
{
	cmt_element_finalize(&GST_CMT_SINK(object)->cmt);
	G_OBJECT_CLASS(gst_cmt_sink_parent_class)->finalize(object);
}

static void gst_cmt_sink_init(GstCmtSink *sink)
{
	cmt_element_init(&sink->cmt, sink, &sink->bitrate);
}

static void gst_cmt_sink_class_init(GstCmtSinkClass *klass)
{
	GObjectClass *const object = G_OBJECT_CLASS(klass);
	GstBaseSinkClass *const base = GST_BASE_SINK_CLASS(klass);

	object->set_property = set_property;
	object->get_property = get_property;
	object->finalize = finalize;
	cmt_settings_install(object, TRUE);
	cmt_settings_install_stats(object);
	cmt_bitrate_install(object);
	gst_element_class_add_static_pad_template(GST_ELEMENT_CLASS(klass), &pad);
	gst_element_class_set_static_metadata(GST_ELEMENT_CLASS(klass), "CMT sink", "Sink/Network",
	                                      "Send a live stream over all network paths at once",
	                                      "the usrsctp-cmt authors");
	base->start = start;
	base->stop = stop;
	base->unlock = unlock;
	base->unlock_stop = unlock_stop;
	base->render = render;
	base->event = event;
}

/* --- cmt:// --- */

static GstURIType uri_type(GType type)
{
	(void)type;
	return GST_URI_SINK;
}

static gboolean set_uri(GstURIHandler *handler, const gchar *uri, GError **error)
{
	return cmt_settings_set_uri(G_OBJECT(handler), &GST_CMT_SINK(handler)->cmt.settings, uri, error);
}

static void uri_handler(gpointer interface, gpointer data)
{
	GstURIHandlerInterface *const handler = interface;

	(void)data;
	cmt_element_handle_uri(handler);
	handler->get_type = uri_type;
	handler->set_uri = set_uri;
}
