/* SPDX-License-Identifier: BSD-3-Clause */
#include "media_message.h"

#include <string.h>

#include "protocol/json_message.h"

static const char *const methods[MEDIA_METHODS] = {[MEDIA_GET] = "get", [MEDIA_HEAD] = "head"};

static const struct app_json_member members[] = {
#define NUMBER(member, bit, min, max)                                                                        \
	{                                                                                                    \
#member, bit, APP_JSON_INTEGER, offsetof(struct media_message, member), min, max, NULL       \
	}
#define TEXT(member, bit)                                                                                    \
	{                                                                                                    \
#member, bit, APP_JSON_TEXT, offsetof(struct media_message, member), 0,                      \
		    sizeof(((struct media_message *)NULL)->member), NULL                                     \
	}
    NUMBER(version, MEDIA_M_VERSION, 0, INT64_MAX),
    TEXT(agent, MEDIA_M_AGENT),
    NUMBER(requests_max, MEDIA_M_REQUESTS_MAX, 1, UINT16_MAX),
    {"method", MEDIA_M_METHOD, APP_JSON_WORD, offsetof(struct media_message, method), 0, MEDIA_METHODS,
     methods},
    TEXT(path, MEDIA_M_PATH),
    NUMBER(first, MEDIA_M_FIRST, 0, INT64_MAX),
    NUMBER(last, MEDIA_M_LAST, 0, INT64_MAX),
    NUMBER(suffix, MEDIA_M_SUFFIX, 0, INT64_MAX),
    TEXT(etag, MEDIA_M_ETAG),
    NUMBER(window_bytes, MEDIA_M_WINDOW_BYTES, 0, INT64_MAX),
    NUMBER(pace_bps, MEDIA_M_PACE_BPS, 0, MEDIA_PACE_MAX_BPS),
    NUMBER(burst_bytes, MEDIA_M_BURST_BYTES, 0, INT64_MAX),
    NUMBER(status, MEDIA_M_STATUS, 200, 599),
    NUMBER(size, MEDIA_M_SIZE, 0, INT64_MAX),
    NUMBER(bytes, MEDIA_M_BYTES, 0, INT64_MAX),
    TEXT(content_type, MEDIA_M_CONTENT_TYPE),
    NUMBER(modified_us, MEDIA_M_MODIFIED_US, INT64_MIN, INT64_MAX),
    TEXT(text, MEDIA_M_TEXT),
#undef NUMBER
#undef TEXT
};

#define OF_BODY                                                                                              \
	(MEDIA_M_SIZE | MEDIA_M_FIRST | MEDIA_M_BYTES | MEDIA_M_CONTENT_TYPE | MEDIA_M_ETAG |                \
	 MEDIA_M_MODIFIED_US)

static const struct app_json_type types[MEDIA_TYPES] = {
    [MEDIA_HELLO] = {"hello", MEDIA_M_VERSION, MEDIA_M_AGENT},
    [MEDIA_WELCOME] = {"welcome", MEDIA_M_VERSION | MEDIA_M_REQUESTS_MAX, MEDIA_M_AGENT},
    [MEDIA_REQUEST] = {"request", MEDIA_M_METHOD | MEDIA_M_PATH | MEDIA_M_WINDOW_BYTES,
                       MEDIA_M_FIRST | MEDIA_M_LAST | MEDIA_M_SUFFIX | MEDIA_M_ETAG | MEDIA_M_PACE_BPS |
                           MEDIA_M_BURST_BYTES},
    [MEDIA_WINDOW] = {"window", MEDIA_M_WINDOW_BYTES, 0},
    [MEDIA_CANCEL] = {"cancel", 0, 0},
    [MEDIA_ANSWER] = {"answer", MEDIA_M_STATUS, OF_BODY | MEDIA_M_TEXT},
    [MEDIA_END] = {"end", MEDIA_M_BYTES, MEDIA_M_TEXT},
    [MEDIA_BYE] = {"bye", 0, MEDIA_M_TEXT},
    [MEDIA_ERROR] = {"error", MEDIA_M_TEXT, 0},
};

static const struct app_json_protocol protocol = {
    .name = "media",
    .message_bytes = sizeof(struct media_message),
    .max_bytes = MEDIA_CONTROL_MAX_BYTES,
    .version = MEDIA_VERSION,
    .version_bit = MEDIA_M_VERSION,
    .members = members,
    .n_members = sizeof(members) / sizeof(members[0]),
    .types = types,
    .n_types = MEDIA_TYPES,
};

const char *media_message_name(enum media_message_type type)
{
	return types[type].name;
}

bool media_is_list(const char *path)
{
	const char *const slash = strrchr(path, '/');

	return slash != NULL && strcmp(slash + 1, MEDIA_LIST_NAME) == 0;
}

static bool is_between(const char *text, char low, char high)
{
	for (; *text != '\0'; text++) {
		if (*text < low || *text > high) {
			return false;
		}
	}
	return true;
}

static int check_request(const struct media_message *m, struct app_error *error)
{
	if (m->path[0] != '/') {
		return app_error_set(error, "a path does not begin with \"/\"");
	}
	if ((m->has & MEDIA_M_SUFFIX) != 0 && (m->has & (MEDIA_M_FIRST | MEDIA_M_LAST)) != 0) {
		return app_error_set(error, "\"suffix\" excludes \"first\" and \"last\"");
	}
	return 0;
}

static int check_answer(const struct media_message *m, struct app_error *error)
{
	if (!media_has_body(m->status)) {
		return app_json_require(&protocol, m, MEDIA_M_TEXT, error);
	}
	if (app_json_require(&protocol, m, OF_BODY, error) != 0) {
		return -1;
	}
	if (m->first > m->size || m->bytes > m->size - m->first) {
		return app_error_set(error, "an answer extends beyond the end of its file");
	}
	return 0;
}

/* What the members must be together, and what can stand in an HTTP header. */
static int check(const struct media_message *m, struct app_error *error)
{
	if ((m->has & MEDIA_M_ETAG) != 0 &&
	    (m->etag[0] == '\0' || !is_between(m->etag, '!', '~') || strchr(m->etag, '"') != NULL)) {
		return app_error_set(error, "a control message \"%s\" has an invalid etag",
		                     types[m->type].name);
	}
	if ((m->has & MEDIA_M_CONTENT_TYPE) != 0 &&
	    (m->content_type[0] == '\0' || !is_between(m->content_type, ' ', '~'))) {
		return app_error_set(error, "a control message \"%s\" has an invalid content type",
		                     types[m->type].name);
	}
	if (m->type == MEDIA_REQUEST) {
		return check_request(m, error);
	}
	return m->type == MEDIA_ANSWER ? check_answer(m, error) : 0;
}

int media_decode(const char *json, size_t len, struct media_message *out, struct app_error *error)
{
	return app_json_decode(&protocol, json, len, out, error) == 0 ? check(out, error) : -1;
}

char *media_encode(const struct media_message *message, size_t *len)
{
	return app_json_encode(&protocol, message, len);
}

void media_set_text(struct media_message *message, const char *text)
{
	app_printable(text, message->text, sizeof(message->text));
	message->has |= MEDIA_M_TEXT;
}
