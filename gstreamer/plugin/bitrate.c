/* SPDX-License-Identifier: BSD-3-Clause */
#include "bitrate.h"

#include "statistics.h"

static GParamSpec *property;
static guint signal_id;

void cmt_bitrate_init(CmtBitrate *b, GstElement *element)
{
	*b = (CmtBitrate){.element = element};
	g_mutex_init(&b->lock);
	g_cond_init(&b->rests);
}

void cmt_bitrate_clear(CmtBitrate *b)
{
	g_mutex_clear(&b->lock);
	g_cond_clear(&b->rests);
}

void cmt_bitrate_install(GObjectClass *klass)
{
	property = g_param_spec_uint("estimated-bitrate", "Estimated bit rate",
	                             "What the paths carry within the latency budget: bits per second that "
	                             "encoders and muxer may produce together (0 = not known)",
	                             0, G_MAXUINT, 0,
	                             G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
	g_object_class_install_property(klass, CMT_PROP_BITRATE, property);
	/* (element, hint): fields as those of cmt-live --target-bitrate-file, with "-" for "_". */
	signal_id = g_signal_new("bitrate-hint", G_TYPE_FROM_CLASS(klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
	                         NULL, G_TYPE_NONE, 1, GST_TYPE_STRUCTURE | G_SIGNAL_TYPE_STATIC_SCOPE);
}

guint cmt_bitrate_get(CmtBitrate *b)
{
	guint bps;

	g_mutex_lock(&b->lock);
	bps = (guint)MIN(b->now.target_bps, G_MAXUINT);
	g_mutex_unlock(&b->lock);
	return bps;
}

/* With the lock held, which is left meanwhile. The direction is against what was told last. */
static void tell_one(CmtBitrate *b)
{
	struct live_target now = b->now;
	const guint64 before_bps = b->told_bps;
	GstStructure *hint;
	json_t *json;

	now.direction = (now.target_bps > before_bps) - (now.target_bps < before_bps);
	b->told_bps = now.target_bps;
	b->changed = FALSE;
	g_mutex_unlock(&b->lock);
	json = live_target_json(&now);
	hint = cmt_structure(CMT_BITRATE_HINT, json);
	json_decref(json);
	if (now.direction != 0) {
		g_object_notify_by_pspec(G_OBJECT(b->element), property);
	}
	g_signal_emit(b->element, signal_id, 0, hint);
	gst_structure_free(hint);
	g_mutex_lock(&b->lock);
}

static void tell_all(GstElement *element, gpointer arg)
{
	CmtBitrate *const b = arg;

	(void)element;
	g_mutex_lock(&b->lock);
	b->teller = g_thread_self();
	while (b->changed) {
		tell_one(b);
	}
	b->teller = NULL;
	b->telling = FALSE;
	g_cond_broadcast(&b->rests);
	g_mutex_unlock(&b->lock);
}

void cmt_bitrate_tell(CmtBitrate *b, const struct live_target *now)
{
	gboolean begin;

	g_mutex_lock(&b->lock);
	b->now = *now;
	b->changed = TRUE;
	begin = !b->telling;
	b->telling = TRUE;
	g_mutex_unlock(&b->lock);
	if (begin) {
		gst_element_call_async(b->element, tell_all, b, NULL);
	}
}

void cmt_bitrate_end(CmtBitrate *b)
{
	g_mutex_lock(&b->lock);
	b->now = (struct live_target){.latency_ms = b->now.latency_ms};
	b->changed = FALSE;
	while (b->telling && b->teller != g_thread_self()) {
		g_cond_wait(&b->rests, &b->lock);
	}
	if (b->told_bps != 0) {
		tell_one(b);
	}
	g_mutex_unlock(&b->lock);
}
