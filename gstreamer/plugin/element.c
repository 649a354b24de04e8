/* SPDX-License-Identifier: BSD-3-Clause */
#include "element.h"

#include "statistics.h"

void cmt_element_init(CmtElement *e, gpointer element, CmtBitrate *bitrate)
{
	e->element = GST_ELEMENT(element);
	e->stream = NULL;
	e->bitrate = bitrate;
	if (bitrate != NULL) {
		cmt_bitrate_init(bitrate, e->element);
	}
	cmt_settings_init(&e->settings);
	g_mutex_init(&e->lock);
}

void cmt_element_finalize(CmtElement *e)
{
	cmt_settings_clear(&e->settings);
	g_mutex_clear(&e->lock);
	if (e->bitrate != NULL) {
		cmt_bitrate_clear(e->bitrate);
	}
}

static void on_target(const struct live_target *target, gpointer arg)
{
	cmt_bitrate_tell(arg, target);
}

static void set_stream(CmtElement *e, CmtStream *stream)
{
	g_mutex_lock(&e->lock);
	e->stream = stream;
	g_mutex_unlock(&e->lock);
}

gboolean cmt_element_start(CmtElement *e)
{
	const CmtStreamUser user = {.name = GST_OBJECT_NAME(e->element),
	                            .on_target = e->bitrate != NULL ? on_target : NULL,
	                            .arg = e->bitrate};
	gchar *reason = NULL;
	CmtStream *const stream = cmt_stream_new(&e->settings, &user, &reason);

	if (stream == NULL) {
		GST_ELEMENT_ERROR(e->element, RESOURCE, OPEN_READ_WRITE, ("%s", reason), (NULL));
		g_free(reason);
		return FALSE;
	}
	set_stream(e, stream);
	return TRUE;
}

void cmt_element_stop(CmtElement *e)
{
	CmtStream *const stream = e->stream;

	set_stream(e, NULL);
	if (stream != NULL) {
		cmt_stream_free(stream);
	}
	if (e->bitrate != NULL) {
		cmt_bitrate_end(e->bitrate);
	}
}

void cmt_element_set_flushing(CmtElement *e, gboolean flushing)
{
	if (e->stream != NULL) {
		cmt_stream_set_flushing(e->stream, flushing);
	}
}

static GstStructure *statistics(CmtElement *e)
{
	GstStructure *out;

	g_mutex_lock(&e->lock);
	out = e->stream != NULL ? cmt_stream_statistics(e->stream) : gst_structure_new_empty(CMT_STATISTICS);
	g_mutex_unlock(&e->lock);
	return out;
}

void cmt_element_set_property(CmtElement *e, guint id, const GValue *value, GParamSpec *spec)
{
	if (!cmt_settings_set(G_OBJECT(e->element), &e->settings, id, value)) {
		G_OBJECT_WARN_INVALID_PROPERTY_ID(e->element, id, spec);
	}
}

void cmt_element_get_property(CmtElement *e, guint id, GValue *value, GParamSpec *spec)
{
	if (id == CMT_PROP_STATS) {
		g_value_take_boxed(value, statistics(e));
	} else if (id == CMT_PROP_BITRATE) {
		g_value_set_uint(value, cmt_bitrate_get(e->bitrate));
	} else if (!cmt_settings_get(G_OBJECT(e->element), &e->settings, id, value)) {
		G_OBJECT_WARN_INVALID_PROPERTY_ID(e->element, id, spec);
	}
}

void cmt_element_tell_failure(CmtElement *e)
{
	gchar *const reason = cmt_stream_reason(e->stream);

	GST_ELEMENT_ERROR(e->element, RESOURCE, FAILED, ("%s", reason), (NULL));
	g_free(reason);
}

static const gchar *const *protocols(GType type)
{
	static const gchar *const list[] = {"cmt", NULL};

	(void)type;
	return list;
}

static gchar *get_uri(GstURIHandler *handler)
{
	gchar *uri;

	g_object_get(handler, "uri", &uri, NULL);
	return uri;
}

void cmt_element_handle_uri(GstURIHandlerInterface *handler)
{
	handler->get_protocols = protocols;
	handler->get_uri = get_uri;
}
