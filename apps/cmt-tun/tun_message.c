/* SPDX-License-Identifier: BSD-3-Clause */
#include "tun_message.h"

#include <string.h>
#include <sys/socket.h>

#include "protocol/json_message.h"

static const struct app_json_member members[] = {
#define NUMBER(member, bit, min, max)                                                                        \
	{                                                                                                    \
#member, bit, APP_JSON_INTEGER, offsetof(struct tun_message, member), min, max, NULL         \
	}
#define TEXT(member, bit)                                                                                    \
	{                                                                                                    \
#member, bit, APP_JSON_TEXT, offsetof(struct tun_message, member), 0,                        \
		    sizeof(((struct tun_message *)NULL)->member), NULL                                       \
	}
    NUMBER(version, TUN_M_VERSION, 0, INT64_MAX),
    TEXT(agent, TUN_M_AGENT),
    NUMBER(token, TUN_M_TOKEN, 0, INT64_MAX),
    TEXT(address4, TUN_M_ADDRESS4),
    TEXT(address6, TUN_M_ADDRESS6),
    NUMBER(mtu, TUN_M_MTU, TUN_MIN_MTU_BYTES, TUN_MAX_MTU_BYTES),
    TEXT(routes, TUN_M_ROUTES),
    TEXT(text, TUN_M_TEXT),
#undef NUMBER
#undef TEXT
};

static const struct app_json_type types[TUN_TYPES] = {
    [TUN_HELLO] = {"hello", TUN_M_VERSION | TUN_M_TOKEN, TUN_M_AGENT | TUN_M_ADDRESS4 | TUN_M_ADDRESS6},
    [TUN_WELCOME] = {"welcome", TUN_M_VERSION, TUN_M_AGENT | TUN_M_ADDRESS4 | TUN_M_ADDRESS6 | TUN_M_ROUTES},
    [TUN_KEEP] = {"keep", TUN_M_MTU, 0},
    [TUN_BYE] = {"bye", 0, TUN_M_TEXT},
    [TUN_ERROR] = {"error", TUN_M_TEXT, 0},
};

static const struct app_json_protocol protocol = {
    .name = "tunnel",
    .message_bytes = sizeof(struct tun_message),
    .max_bytes = TUN_CONTROL_MAX_BYTES,
    .version = TUN_VERSION,
    .version_bit = TUN_M_VERSION,
    .members = members,
    .n_members = sizeof(members) / sizeof(members[0]),
    .types = types,
    .n_types = TUN_TYPES,
};

/* `given`: by a server; else it is a wish. */
static int check_address(const char *text, int family, bool given, struct app_error *error)
{
	struct tun_prefix prefix;

	if (tun_prefix_parse(text, false, &prefix, error) != 0) {
		return -1;
	}
	if (prefix.family != family) {
		return app_error_set(error, "\"%.80s\" is an address of the other family", text);
	}
	return !given || tun_prefix_is_giveable(&prefix)
	           ? 0
	           : app_error_set(error, "\"%.80s\" is not an address that a server may give", text);
}

static int check(const struct tun_message *m, struct app_error *error)
{
	struct tun_prefixes routes = {.n = 0};

	const bool given = m->type == TUN_WELCOME;

	if (((m->has & TUN_M_ADDRESS4) != 0 && check_address(m->address4, AF_INET, given, error) != 0) ||
	    ((m->has & TUN_M_ADDRESS6) != 0 && check_address(m->address6, AF_INET6, given, error) != 0) ||
	    ((m->has & TUN_M_ROUTES) != 0 && tun_prefixes_add(&routes, m->routes, error) != 0)) {
		return -1;
	}
	if (given && (m->has & (TUN_M_ADDRESS4 | TUN_M_ADDRESS6)) == 0) {
		return app_error_set(error, "a control message \"welcome\" has no address");
	}
	return 0;
}

int tun_message_decode(const char *json, size_t len, struct tun_message *out, struct app_error *error)
{
	return app_json_decode(&protocol, json, len, out, error) == 0 ? check(out, error) : -1;
}

char *tun_message_encode(const struct tun_message *message, size_t *len)
{
	return app_json_encode(&protocol, message, len);
}

void tun_message_set_text(struct tun_message *message, const char *text)
{
	(void)app_printable(text, message->text, sizeof(message->text));
	message->has |= TUN_M_TEXT;
}

void tun_loose_encode(struct tun_loose loose, uint8_t out[TUN_LOOSE_HEADER_BYTES])
{
	out[0] = (uint8_t)(loose.place >> 8);
	out[1] = (uint8_t)loose.place;
	out[2] = (uint8_t)(loose.number >> 8);
	out[3] = (uint8_t)loose.number;
}

int tun_loose_decode(const uint8_t *bytes, size_t len, struct tun_loose *out)
{
	if (len <= TUN_LOOSE_HEADER_BYTES) {
		return -1;
	}
	out->place = (uint16_t)(bytes[0] << 8 | bytes[1]);
	out->number = (uint16_t)(bytes[2] << 8 | bytes[3]);
	return out->place < TUN_LOOSE_PLACES ? 0 : -1;
}
