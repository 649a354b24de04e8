/* SPDX-License-Identifier: BSD-3-Clause */
#include "transfer_message.h"

#include <string.h>

#include <jansson.h>

enum kind { INTEGER, TEXT, BOOLEAN, VERDICT };

/* One line per member. `limit`: the largest integer, or the bytes of a text with its end. */
static const struct field {
	const char *key;
	uint32_t bit;
	enum kind kind;
	size_t offset;
	int64_t min, limit;
} fields[] = {
#define AT(member) offsetof(struct transfer_message, member)
    {"version", TRANSFER_F_VERSION, INTEGER, AT(version), 0, INT64_MAX},
    {"id", TRANSFER_F_ID, INTEGER, AT(id), 0, INT64_MAX},
    {"name", TRANSFER_F_NAME, TEXT, AT(name), 0, TRANSFER_NAME_MAX_BYTES + 1},
    {"bytes", TRANSFER_F_BYTES, INTEGER, AT(bytes), 0, INT64_MAX},
    {"files", TRANSFER_F_FILES, INTEGER, AT(files), 0, INT64_MAX},
    {"mode", TRANSFER_F_MODE, INTEGER, AT(mode), 0, 0777},
    {"mtime_us", TRANSFER_F_MTIME, INTEGER, AT(mtime_us), INT64_MIN, INT64_MAX},
    {"final", TRANSFER_F_FINAL, BOOLEAN, AT(final), 0, 0},
    {"resume", TRANSFER_F_RESUME, BOOLEAN, AT(resume), 0, 0},
    {"overwrite", TRANSFER_F_OVERWRITE, BOOLEAN, AT(overwrite), 0, 0},
    {"verdict", TRANSFER_F_VERDICT, VERDICT, AT(verdict), 0, 0},
    {"sha256", TRANSFER_F_SHA256, TEXT, AT(sha256), 0, TRANSFER_SHA256_HEX_BYTES + 1},
    {"offset", TRANSFER_F_OFFSET, INTEGER, AT(offset), 0, INT64_MAX},
    {"text", TRANSFER_F_TEXT, TEXT, AT(text), 0, TRANSFER_TEXT_MAX_BYTES + 1},
    {"msg_bytes", TRANSFER_F_MSG_BYTES, INTEGER, AT(msg_bytes), 1, TRANSFER_DATA_MAX_BYTES},
    {"scheduler", TRANSFER_F_SCHEDULER, TEXT, AT(scheduler), 0, 64},
#undef AT
};
#define N_FIELDS (sizeof(fields) / sizeof(fields[0]))

static const struct {
	const char *name;
	uint32_t required, optional;
} types[TRANSFER_TYPES] = {
    [TRANSFER_HELLO] = {"hello", TRANSFER_F_VERSION | TRANSFER_F_FILES | TRANSFER_F_RESUME,
                        TRANSFER_F_BYTES | TRANSFER_F_MSG_BYTES | TRANSFER_F_SCHEDULER},
    [TRANSFER_WELCOME] = {"welcome", TRANSFER_F_VERSION, 0},
    [TRANSFER_FOLDER] = {"folder", TRANSFER_F_ID | TRANSFER_F_NAME | TRANSFER_F_MODE | TRANSFER_F_FINAL,
                         TRANSFER_F_MTIME},
    [TRANSFER_FILE] = {"file", TRANSFER_F_ID | TRANSFER_F_NAME | TRANSFER_F_MODE,
                       TRANSFER_F_BYTES | TRANSFER_F_MTIME},
    [TRANSFER_ANSWER] = {"answer", TRANSFER_F_ID | TRANSFER_F_VERDICT,
                         TRANSFER_F_BYTES | TRANSFER_F_SHA256 | TRANSFER_F_OVERWRITE | TRANSFER_F_TEXT},
    [TRANSFER_START] = {"start", TRANSFER_F_ID | TRANSFER_F_OFFSET, 0},
    [TRANSFER_SKIP] = {"skip", TRANSFER_F_ID, 0},
    [TRANSFER_END] = {"end", TRANSFER_F_ID | TRANSFER_F_BYTES | TRANSFER_F_SHA256, 0},
    [TRANSFER_CANCEL] = {"cancel", TRANSFER_F_ID | TRANSFER_F_TEXT, 0},
    [TRANSFER_DONE] = {"done", TRANSFER_F_ID | TRANSFER_F_VERDICT, TRANSFER_F_TEXT},
    [TRANSFER_BUSY] = {"busy", 0, 0},
    [TRANSFER_BYE] = {"bye", 0, 0},
    [TRANSFER_ERROR] = {"error", TRANSFER_F_TEXT, 0},
};

static const char *const verdicts[TRANSFER_VERDICTS] = {
    [TRANSFER_SEND] = "send",       [TRANSFER_PARTIAL] = "partial", [TRANSFER_EXISTING] = "existing",
    [TRANSFER_REFUSED] = "refused", [TRANSFER_OK] = "ok",           [TRANSFER_CORRUPT] = "corrupt",
    [TRANSFER_FAILED] = "failed",
};

const char *transfer_type_name(enum transfer_type type)
{
	return types[type].name;
}

static int find_type(const json_t *object, enum transfer_type *type, struct app_error *error)
{
	const char *name = json_string_value(json_object_get(object, "type"));

	if (name == NULL) {
		return app_error_set(error, "a control message has no type");
	}
	for (unsigned i = 0; i < TRANSFER_TYPES; i++) {
		if (strcmp(types[i].name, name) == 0) {
			*type = (enum transfer_type)i;
			return 0;
		}
	}
	return app_error_set(error, "\"%.40s\" is not a type of control message", name);
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

static bool take_verdict(const json_t *value, enum transfer_verdict *out)
{
	const char *text = json_string_value(value);

	for (unsigned i = 0; text != NULL && i < TRANSFER_VERDICTS; i++) {
		if (strcmp(verdicts[i], text) == 0) {
			*out = (enum transfer_verdict)i;
			return true;
		}
	}
	return false;
}

static bool take_value(const struct field *f, const json_t *value, struct transfer_message *m)
{
	char *at = (char *)m + f->offset;

	switch (f->kind) {
	case INTEGER:
		*(int64_t *)(void *)at = json_integer_value(value);
		return json_is_integer(value) && json_integer_value(value) >= f->min &&
		       json_integer_value(value) <= f->limit;
	case TEXT: return take_text(value, at, (size_t)f->limit);
	case BOOLEAN: *(bool *)at = json_is_true(value); return json_is_boolean(value);
	case VERDICT: return take_verdict(value, &m->verdict);
	}
	return false;
}

static int take_field(const char *key, const json_t *value, struct transfer_message *m,
                      struct app_error *error)
{
	uint32_t allowed = types[m->type].required | types[m->type].optional;

	for (size_t i = 0; i < N_FIELDS; i++) {
		if (strcmp(fields[i].key, key) != 0 || (fields[i].bit & allowed) == 0) {
			continue;
		}
		if (!take_value(&fields[i], value, m)) {
			return app_error_set(
			    error, "\"%s\" of a control message \"%s\" is of the wrong kind or out of range",
			    key, types[m->type].name);
		}
		m->has |= fields[i].bit;
		return 0;
	}
	return app_error_set(error, "a control message \"%s\" has no \"%.40s\"", types[m->type].name, key);
}

static bool is_sha256(const char *text)
{
	return strlen(text) == TRANSFER_SHA256_HEX_BYTES &&
	       strspn(text, "0123456789abcdef") == TRANSFER_SHA256_HEX_BYTES;
}

/* What the members must be together. */
static int check(const struct transfer_message *m, struct app_error *error)
{
	uint32_t required = types[m->type].required;

	if (m->type == TRANSFER_ANSWER && m->verdict == TRANSFER_REFUSED) {
		required |= TRANSFER_F_TEXT;
	} else if (m->type == TRANSFER_ANSWER && m->verdict != TRANSFER_SEND) {
		required |= TRANSFER_F_BYTES | TRANSFER_F_SHA256;
	}
	for (size_t i = 0; i < N_FIELDS; i++) {
		if ((fields[i].bit & required & ~m->has) != 0) {
			return app_error_set(error, "a control message \"%s\" lacks \"%s\"",
			                     types[m->type].name, fields[i].key);
		}
	}
	if ((m->type == TRANSFER_ANSWER && m->verdict > TRANSFER_REFUSED) ||
	    (m->type == TRANSFER_DONE && m->verdict < TRANSFER_OK)) {
		return app_error_set(error, "\"%s\" is not a verdict of a control message \"%s\"",
		                     verdicts[m->verdict], types[m->type].name);
	}
	if ((m->has & TRANSFER_F_SHA256) != 0 && !is_sha256(m->sha256)) {
		return app_error_set(error, "a control message \"%s\" has a sha256 that is none",
		                     types[m->type].name);
	}
	return (m->has & TRANSFER_F_NAME) != 0 ? transfer_name_check(m->name, error) : 0;
}

/* Another version may have other members, so its hello is understood no further than that. */
static int check_version(const json_t *object, const struct transfer_message *m, struct app_error *error)
{
	const json_t *version = json_object_get(object, "version");

	if ((types[m->type].required & TRANSFER_F_VERSION) == 0 || !json_is_integer(version) ||
	    json_integer_value(version) == TRANSFER_VERSION) {
		return 0;
	}
	return app_error_set(
	    error,
	    "the peer speaks version %lld of the transfer protocol, this program version %d; "
	    "install the same release on both sides",
	    (long long)json_integer_value(version), TRANSFER_VERSION);
}

static int decode_object(json_t *object, struct transfer_message *m, struct app_error *error)
{
	const char *key;
	json_t *value;

	if (find_type(object, &m->type, error) != 0 || check_version(object, m, error) != 0) {
		return -1;
	}
	json_object_foreach(object, key, value)
	{
		if (strcmp(key, "type") != 0 && take_field(key, value, m, error) != 0) {
			return -1;
		}
	}
	return check(m, error);
}

int transfer_decode(const char *json, size_t len, struct transfer_message *out, struct app_error *error)
{
	json_t *object;
	int rc;

	if (len > TRANSFER_CONTROL_MAX_BYTES) {
		return app_error_set(error, "a control message is longer than %d bytes",
		                     TRANSFER_CONTROL_MAX_BYTES);
	}
	memset(out, 0, sizeof(*out));
	object = json_loadb(json, len, JSON_REJECT_DUPLICATES, NULL);
	if (object == NULL || !json_is_object(object)) {
		json_decref(object);
		return app_error_set(error, "a control message is not a JSON object");
	}
	rc = decode_object(object, out, error);
	json_decref(object);
	return rc;
}

void transfer_set_text(struct transfer_message *message, const char *text)
{
	app_printable(text, message->text, sizeof(message->text));
	message->has |= TRANSFER_F_TEXT;
}

static json_t *value_of(const struct field *f, const struct transfer_message *m)
{
	const char *at = (const char *)m + f->offset;

	switch (f->kind) {
	case INTEGER: return json_integer(*(const int64_t *)(const void *)at);
	case TEXT: return json_string(at);
	case BOOLEAN: return json_boolean(*(const bool *)at);
	case VERDICT: return json_string(verdicts[m->verdict]);
	}
	return NULL;
}

char *transfer_encode(const struct transfer_message *message, size_t *len)
{
	json_t *object = json_object();
	char *text;

	json_object_set_new(object, "type", json_string(types[message->type].name));
	for (size_t i = 0; i < N_FIELDS; i++) {
		if ((message->has & fields[i].bit) != 0) {
			json_object_set_new(object, fields[i].key, value_of(&fields[i], message));
		}
	}
	text = json_dumps(object, JSON_COMPACT);
	json_decref(object);
	*len = text != NULL ? strlen(text) : 0;
	return text;
}
