/* SPDX-License-Identifier: BSD-3-Clause */
#include "protocol/json_message.h"

#include <stdbool.h>
#include <string.h>

#include <jansson.h>

static unsigned *type_of(void *message)
{
	return message;
}

static uint32_t *has_of(void *message)
{
	return (uint32_t *)message + 1;
}

static const struct app_json_type *type_info(const struct app_json_protocol *p, const void *message)
{
	return &p->types[*(const unsigned *)message];
}

static int find_type(const struct app_json_protocol *p, const json_t *object, void *message,
                     struct app_error *error)
{
	const char *name = json_string_value(json_object_get(object, "type"));

	if (name == NULL) {
		return app_error_set(error, "a control message has no type");
	}
	for (unsigned i = 0; i < p->n_types; i++) {
		if (strcmp(p->types[i].name, name) == 0) {
			*type_of(message) = i;
			return 0;
		}
	}
	return app_error_set(error, "\"%.40s\" is not a control message type", name);
}

static bool take_text(const json_t *value, char *out, size_t out_bytes)
{
	const char *text = json_string_value(value);
	size_t len = json_string_length(value);

	if (text == NULL || len >= out_bytes || strlen(text) != len) {
		return false;
	}
	memcpy(out, text, len + 1);
	return true;
}

static bool take_word(const json_t *value, const struct app_json_member *f, unsigned *out)
{
	const char *text = json_string_value(value);

	for (unsigned i = 0; text != NULL && i < f->limit; i++) {
		if (strcmp(f->words[i], text) == 0) {
			*out = i;
			return true;
		}
	}
	return false;
}

static bool take_value(const struct app_json_member *f, const json_t *value, void *message)
{
	void *at = (char *)message + f->offset;

	switch (f->kind) {
	case APP_JSON_INTEGER:
		*(int64_t *)at = json_integer_value(value);
		return json_is_integer(value) && json_integer_value(value) >= f->min &&
		       json_integer_value(value) <= f->limit;
	case APP_JSON_TEXT: return take_text(value, at, (size_t)f->limit);
	case APP_JSON_BOOLEAN: *(bool *)at = json_is_true(value); return json_is_boolean(value);
	case APP_JSON_WORD: return take_word(value, f, at);
	}
	return false;
}

static int take_member(const struct app_json_protocol *p, const char *key, const json_t *value, void *message,
                       struct app_error *error)
{
	const struct app_json_type *type = type_info(p, message);

	for (size_t i = 0; i < p->n_members; i++) {
		const struct app_json_member *f = &p->members[i];

		if (strcmp(f->key, key) != 0 || (f->bit & (type->required | type->optional)) == 0) {
			continue;
		}
		if (!take_value(f, value, message)) {
			return app_error_set(
			    error, "\"%s\" of a control message \"%s\" has the wrong type or is out of range",
			    key, type->name);
		}
		*has_of(message) |= f->bit;
		return 0;
	}
	return app_error_set(error, "a control message \"%s\" has no \"%.40s\"", type->name, key);
}

int app_json_require(const struct app_json_protocol *p, const void *message, uint32_t members,
                     struct app_error *error)
{
	uint32_t has = ((const uint32_t *)message)[1];

	for (size_t i = 0; i < p->n_members; i++) {
		if ((p->members[i].bit & members & ~has) != 0) {
			return app_error_set(error, "a control message \"%s\" lacks \"%s\"",
			                     type_info(p, message)->name, p->members[i].key);
		}
	}
	return 0;
}

/* Another version may have other members. */
static int check_version(const struct app_json_protocol *p, const json_t *object, const void *message,
                         struct app_error *error)
{
	const json_t *version = json_object_get(object, "version");

	if ((type_info(p, message)->required & p->version_bit) == 0 || !json_is_integer(version) ||
	    json_integer_value(version) == p->version) {
		return 0;
	}
	return app_error_set(error,
	                     "the peer speaks version %lld of the %s protocol, this program version %lld; "
	                     "install the same release on both sides",
	                     (long long)json_integer_value(version), p->name, (long long)p->version);
}

static int decode_object(const struct app_json_protocol *p, json_t *object, void *message,
                         struct app_error *error)
{
	const char *key;
	json_t *value;

	if (find_type(p, object, message, error) != 0 || check_version(p, object, message, error) != 0) {
		return -1;
	}
	json_object_foreach(object, key, value)
	{
		if (strcmp(key, "type") != 0 && take_member(p, key, value, message, error) != 0) {
			return -1;
		}
	}
	return app_json_require(p, message, type_info(p, message)->required, error);
}

int app_json_decode(const struct app_json_protocol *p, const char *json, size_t len, void *message,
                    struct app_error *error)
{
	json_t *object;
	int rc;

	if (len > p->max_bytes) {
		return app_error_set(error, "a control message is longer than %zu bytes", p->max_bytes);
	}
	memset(message, 0, p->message_bytes);
	object = json_loadb(json, len, JSON_REJECT_DUPLICATES, NULL);
	if (object == NULL || !json_is_object(object)) {
		json_decref(object);
		return app_error_set(error, "a control message is not a JSON object");
	}
	rc = decode_object(p, object, message, error);
	json_decref(object);
	return rc;
}

static json_t *value_of(const struct app_json_member *f, const void *message)
{
	const void *at = (const char *)message + f->offset;

	switch (f->kind) {
	case APP_JSON_INTEGER: return json_integer(*(const int64_t *)at);
	case APP_JSON_TEXT: return json_string(at);
	case APP_JSON_BOOLEAN: return json_boolean(*(const bool *)at);
	case APP_JSON_WORD: return json_string(f->words[*(const unsigned *)at]);
	}
	return NULL;
}

char *app_json_encode(const struct app_json_protocol *p, const void *message, size_t *len)
{
	uint32_t has = ((const uint32_t *)message)[1];
	json_t *object = json_object();
	int failed = json_object_set_new(object, "type", json_string(type_info(p, message)->name));
	char *text;

	for (size_t i = 0; i < p->n_members; i++) {
		const struct app_json_member *f = &p->members[i];

		if ((has & f->bit) != 0) {
			failed |= json_object_set_new(object, f->key, value_of(f, message));
		}
	}
	text = failed == 0 ? json_dumps(object, JSON_COMPACT) : NULL;
	json_decref(object);
	*len = text != NULL ? strlen(text) : 0;
	return text;
}
