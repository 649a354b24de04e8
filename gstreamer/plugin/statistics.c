/* SPDX-License-Identifier: BSD-3-Clause */
#include "statistics.h"

static gboolean value_of(const json_t *json, GValue *out);

GstStructure *cmt_structure(const gchar *name, const json_t *object)
{
	GstStructure *const s = gst_structure_new_empty(name);
	const char *key;
	json_t *member;

	json_object_foreach((json_t *)object, key, member)
	{
		gchar *const field = g_strdelimit(g_strdup(key), "_", '-');
		GValue value = G_VALUE_INIT;

		if (value_of(member, &value)) {
			gst_structure_take_value(s, field, &value);
		}
		g_free(field);
	}
	return s;
}

static void array_of(const json_t *array, GValue *out)
{
	size_t i;
	json_t *member;

	g_value_init(out, GST_TYPE_ARRAY);
	json_array_foreach(array, i, member)
	{
		GValue value = G_VALUE_INIT;

		if (value_of(member, &value)) {
			gst_value_array_append_and_take_value(out, &value);
		}
	}
}

/* FALSE for null, which is left out. */
static gboolean value_of(const json_t *json, GValue *out)
{
	switch (json_typeof(json)) {
	case JSON_OBJECT:
		g_value_init(out, GST_TYPE_STRUCTURE);
		g_value_take_boxed(out, cmt_structure("object", json));
		return TRUE;
	case JSON_ARRAY: array_of(json, out); return TRUE;
	case JSON_STRING:
		g_value_init(out, G_TYPE_STRING);
		g_value_set_string(out, json_string_value(json));
		return TRUE;
	case JSON_INTEGER:
		g_value_init(out, G_TYPE_UINT64);
		g_value_set_uint64(out, (guint64)json_integer_value(json));
		return TRUE;
	case JSON_REAL:
		g_value_init(out, G_TYPE_DOUBLE);
		g_value_set_double(out, json_real_value(json));
		return TRUE;
	case JSON_TRUE:
	case JSON_FALSE:
		g_value_init(out, G_TYPE_BOOLEAN);
		g_value_set_boolean(out, json_is_true(json));
		return TRUE;
	case JSON_NULL: return FALSE;
	}
	return FALSE;
}

GstStructure *cmt_statistics(const json_t *object)
{
	return cmt_structure(CMT_STATISTICS, object);
}
