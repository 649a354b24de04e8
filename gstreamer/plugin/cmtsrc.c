/* SPDX-License-Identifier: BSD-3-Clause */
#include "cmtsrc.h"

#include "element.h"

struct _GstCmtSrc {
	GstPushSrc parent;
	CmtElement cmt;
};

static void uri_handler(gpointer interface, gpointer data);

G_DEFINE_FINAL_TYPE_WITH_CODE(GstCmtSrc, gst_cmt_src, GST_TYPE_PUSH_SRC,
                              G_IMPLEMENT_INTERFACE(GST_TYPE_URI_HANDLER, uri_handler))
GST_ELEMENT_REGISTER_DEFINE(cmtsrc, "cmtsrc", GST_RANK_PRIMARY, gst_cmt_src_get_type())

static GstStaticPadTemplate pad =
    GST_STATIC_PAD_TEMPLATE("src", GST_PAD_SRC, GST_PAD_ALWAYS, GST_STATIC_CAPS_ANY);

static gboolean start(GstBaseSrc *base)
{
	return cmt_element_start(&GST_CMT_SRC(base)->cmt);
}

static gboolean stop(GstBaseSrc *base)
{
	cmt_element_stop(&GST_CMT_SRC(base)->cmt);
	return TRUE;
}

static gboolean unlock(GstBaseSrc *base)
{
	cmt_element_set_flushing(&GST_CMT_SRC(base)->cmt, TRUE);
	return TRUE;
}

static gboolean unlock_stop(GstBaseSrc *base)
{
	cmt_element_set_flushing(&GST_CMT_SRC(base)->cmt, FALSE);
	return TRUE;
}

static GstFlowReturn create(GstPushSrc *push, GstBuffer **buffer)
{
	GstCmtSrc *const src = GST_CMT_SRC(push);
	const GstFlowReturn flow = cmt_stream_receive(src->cmt.stream, buffer);

	if (flow == GST_FLOW_ERROR) {
		cmt_element_tell_failure(&src->cmt);
	}
	return flow;
}

static void set_property(GObject *object, guint id, const GValue *value, GParamSpec *spec)
{
	cmt_element_set_property(&GST_CMT_SRC(object)->cmt, id, value, spec);
}

static void get_property(GObject *object, guint id, GValue *value, GParamSpec *spec)
{
	cmt_element_get_property(&GST_CMT_SRC(object)->cmt, id, value, spec);
}

static void finalize(GObject *object)
{
	cmt_element_finalize(&GST_CMT_SRC(object)->cmt);
	G_OBJECT_CLASS(gst_cmt_src_parent_class)->finalize(object);
}

static void gst_cmt_src_init(GstCmtSrc *src)
{
	cmt_element_init(&src->cmt, src, NULL);
	gst_base_src_set_live(GST_BASE_SRC(src), TRUE);
	gst_base_src_set_format(GST_BASE_SRC(src), GST_FORMAT_TIME);
	gst_base_src_set_do_timestamp(GST_BASE_SRC(src), TRUE);
}

static void gst_cmt_src_class_init(GstCmtSrcClass *klass)
{
	GObjectClass *const object = G_OBJECT_CLASS(klass);
	GstBaseSrcClass *const base = GST_BASE_SRC_CLASS(klass);

	object->set_property = set_property;
	object->get_property = get_property;
	object->finalize = finalize;
	cmt_settings_install(object, FALSE);
	cmt_settings_install_stats(object);
	gst_element_class_add_static_pad_template(GST_ELEMENT_CLASS(klass), &pad);
	gst_element_class_set_static_metadata(
	    GST_ELEMENT_CLASS(klass), "CMT source", "Source/Network",
	    "Receive a live stream that comes over all network paths at once", "the usrsctp-cmt authors");
	base->start = start;
	base->stop = stop;
	base->unlock = unlock;
	base->unlock_stop = unlock_stop;
	GST_PUSH_SRC_CLASS(klass)->create = create;
}

/* --- cmt:// --- */

static GstURIType uri_type(GType type)
{
	(void)type;
	return GST_URI_SRC;
}

static gboolean set_uri(GstURIHandler *handler, const gchar *uri, GError **error)
{
	return cmt_settings_set_uri(G_OBJECT(handler), &GST_CMT_SRC(handler)->cmt.settings, uri, error);
}

static void uri_handler(gpointer interface, gpointer data)
{
	GstURIHandlerInterface *const handler = interface;

	(void)data;
	cmt_element_handle_uri(handler);
	handler->get_type = uri_type;
	handler->set_uri = set_uri;
}
