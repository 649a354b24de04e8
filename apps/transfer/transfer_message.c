/* SPDX-License-Identifier: BSD-3-Clause */
#include "transfer_message.h"

#include <string.h>

#include "protocol/json_message.h"

static const char *const verdicts[TRANSFER_VERDICTS] = {
    [TRANSFER_SEND] = "send",       [TRANSFER_PARTIAL] = "partial", [TRANSFER_EXISTING] = "existing",
    [TRANSFER_REFUSED] = "refused", [TRANSFER_OK] = "ok",           [TRANSFER_CORRUPT] = "corrupt",
    [TRANSFER_FAILED] = "failed",
};

static const struct app_json_member members[] = {
#define AT(member) offsetof(struct transfer_message, member)
    {"version", TRANSFER_F_VERSION, APP_JSON_INTEGER, AT(version), 0, INT64_MAX, NULL},
    {"id", TRANSFER_F_ID, APP_JSON_INTEGER, AT(id), 0, INT64_MAX, NULL},
    {"name", TRANSFER_F_NAME, APP_JSON_TEXT, AT(name), 0, TRANSFER_NAME_MAX_BYTES + 1, NULL},
    {"bytes", TRANSFER_F_BYTES, APP_JSON_INTEGER, AT(bytes), 0, INT64_MAX, NULL},
    {"files", TRANSFER_F_FILES, APP_JSON_INTEGER, AT(files), 0, INT64_MAX, NULL},
    {"mode", TRANSFER_F_MODE, APP_JSON_INTEGER, AT(mode), 0, 0777, NULL},
    {"mtime_us", TRANSFER_F_MTIME, APP_JSON_INTEGER, AT(mtime_us), INT64_MIN, INT64_MAX, NULL},
    {"final", TRANSFER_F_FINAL, APP_JSON_BOOLEAN, AT(final), 0, 0, NULL},
    {"resume", TRANSFER_F_RESUME, APP_JSON_BOOLEAN, AT(resume), 0, 0, NULL},
    {"overwrite", TRANSFER_F_OVERWRITE, APP_JSON_BOOLEAN, AT(overwrite), 0, 0, NULL},
    {"verdict", TRANSFER_F_VERDICT, APP_JSON_WORD, AT(verdict), 0, TRANSFER_VERDICTS, verdicts},
    {"sha256", TRANSFER_F_SHA256, APP_JSON_TEXT, AT(sha256), 0, TRANSFER_SHA256_HEX_BYTES + 1, NULL},
    {"offset", TRANSFER_F_OFFSET, APP_JSON_INTEGER, AT(offset), 0, INT64_MAX, NULL},
    {"text", TRANSFER_F_TEXT, APP_JSON_TEXT, AT(text), 0, TRANSFER_TEXT_MAX_BYTES + 1, NULL},
    {"msg_bytes", TRANSFER_F_MSG_BYTES, APP_JSON_INTEGER, AT(msg_bytes), 1, TRANSFER_DATA_MAX_BYTES, NULL},
    {"scheduler", TRANSFER_F_SCHEDULER, APP_JSON_TEXT, AT(scheduler), 0, 64, NULL},
#undef AT
};

static const struct app_json_type types[TRANSFER_TYPES] = {
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

static const struct app_json_protocol protocol = {
    .name = "transfer",
    .message_bytes = sizeof(struct transfer_message),
    .max_bytes = TRANSFER_CONTROL_MAX_BYTES,
    .version = TRANSFER_VERSION,
    .version_bit = TRANSFER_F_VERSION,
    .members = members,
    .n_members = sizeof(members) / sizeof(members[0]),
    .types = types,
    .n_types = TRANSFER_TYPES,
};

const char *transfer_type_name(enum transfer_type type)
{
	return types[type].name;
}

static bool is_sha256(const char *text)
{
	return strlen(text) == TRANSFER_SHA256_HEX_BYTES &&
	       strspn(text, "0123456789abcdef") == TRANSFER_SHA256_HEX_BYTES;
}

/* What an answer needs depends on its verdict. */
static uint32_t required_of_answer(enum transfer_verdict verdict)
{
	if (verdict == TRANSFER_REFUSED) {
		return TRANSFER_F_TEXT;
	}
	return verdict == TRANSFER_SEND ? 0 : TRANSFER_F_BYTES | TRANSFER_F_SHA256;
}

/* What the members must be together. */
static int check(const struct transfer_message *m, struct app_error *error)
{
	if ((m->type == TRANSFER_ANSWER && m->verdict > TRANSFER_REFUSED) ||
	    (m->type == TRANSFER_DONE && m->verdict < TRANSFER_OK)) {
		return app_error_set(error, "\"%s\" is not a verdict of a control message \"%s\"",
		                     verdicts[m->verdict], types[m->type].name);
	}
	if (m->type == TRANSFER_ANSWER &&
	    app_json_require(&protocol, m, required_of_answer(m->verdict), error) != 0) {
		return -1;
	}
	if ((m->has & TRANSFER_F_SHA256) != 0 && !is_sha256(m->sha256)) {
		return app_error_set(error, "a control message \"%s\" has an invalid sha256",
		                     types[m->type].name);
	}
	return (m->has & TRANSFER_F_NAME) != 0 ? transfer_name_check(m->name, error) : 0;
}

int transfer_decode(const char *json, size_t len, struct transfer_message *out, struct app_error *error)
{
	return app_json_decode(&protocol, json, len, out, error) == 0 ? check(out, error) : -1;
}

void transfer_set_text(struct transfer_message *message, const char *text)
{
	app_printable(text, message->text, sizeof(message->text));
	message->has |= TRANSFER_F_TEXT;
}

char *transfer_encode(const struct transfer_message *message, size_t *len)
{
	return app_json_encode(&protocol, message, len);
}
