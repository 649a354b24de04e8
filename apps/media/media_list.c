/* SPDX-License-Identifier: BSD-3-Clause */
#include "media_list.h"

#include <string.h>

#include <jansson.h>

/* False: it is missing, too long, or has what no name has. */
static bool take_text(const json_t *object, const char *key, char *out, size_t out_bytes)
{
	const char *const text = json_string_value(json_object_get(object, key));
	const size_t len = json_string_length(json_object_get(object, key));

	if (text == NULL || len == 0 || len >= out_bytes || strlen(text) != len) {
		return false;
	}
	for (const char *at = text; *at != '\0'; at += app_printable_bytes(at)) {
		if (app_printable_bytes(at) == 0) {
			return false;
		}
	}
	memcpy(out, text, len + 1);
	return true;
}

static bool take_number(const json_t *object, const char *key, int64_t min, int64_t *out)
{
	const json_t *const value = json_object_get(object, key);

	*out = json_integer_value(value);
	return json_is_integer(value) && *out >= min;
}

static int take_entry(const json_t *object, struct media_entry *out, struct app_error *error)
{
	if (!take_text(object, "name", out->name, sizeof(out->name)) || strchr(out->name, '/') != NULL ||
	    strcmp(out->name, ".") == 0 || strcmp(out->name, "..") == 0) {
		return app_error_set(error, "a list has an invalid name");
	}
	out->folder = json_is_true(json_object_get(object, "folder"));
	if (!out->folder &&
	    (!take_number(object, "size", 0, &out->size) ||
	     !take_number(object, "modified_us", INT64_MIN, &out->modified_us) ||
	     !take_text(object, "content_type", out->content_type, sizeof(out->content_type)))) {
		return app_error_set(error, "an entry of a list is incomplete");
	}
	return 0;
}

int media_entry_decode(const char *line, size_t len, struct media_entry *out, struct app_error *error)
{
	json_error_t where;
	json_t *const object = json_loadb(line, len, JSON_REJECT_DUPLICATES, &where);
	int rc = -1;

	memset(out, 0, sizeof(*out));
	if (!json_is_object(object)) {
		app_error_set(error, "a line of a list is not a JSON object");
	} else if (json_is_true(json_object_get(object, "more"))) {
		out->more = true;
		rc = 0;
	} else {
		rc = take_entry(object, out, error);
	}
	json_decref(object);
	return rc;
}
