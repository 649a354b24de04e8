/* SPDX-License-Identifier: BSD-3-Clause */
#include "attacker.h"

#include <string.h>

#include "../../sim/support/packet.h"

enum { PARAMETER_COOKIE = 7, PARAMETER_RESET_OUT = 13, PARAMETER_RESET_RESPONSE = 16 };
enum { RESULT_BAD_SEQUENCE_NUMBER = 5 };
enum { OWN_PORT = 6000, OWN_PORTS = 3, WRONG_TAG_BITS = 0x5a5a5a5a };

struct attacker_role attackers_role(const struct attackers *a, unsigned who)
{
	switch (a->attack) {
	case NETWORK_LISTENER:
		if (who < 6)
			return (struct attacker_role){0, (uint16_t)(OWN_PORT + who % OWN_PORTS), false};
		return (struct attacker_role){who & 1, NETWORK_BYSTANDER_PORT, true};
	case NETWORK_BLIND: return (struct attacker_role){who & 1, NETWORK_VICTIM_PORT, true};
	case NETWORK_PATHS:
	case NETWORK_CHUNKS: return (struct attacker_role){who & 1, NETWORK_VICTIM_PORT, false};
	case NETWORK_PROTECTED:
	case NETWORK_INSIDE: break;
	}
	if (who == 6)
		return (struct attacker_role){0, OWN_PORT, false};
	if (who == 7)
		return (struct attacker_role){0, NETWORK_BYSTANDER_PORT, true};
	return (struct attacker_role){who & 1, NETWORK_VICTIM_PORT, false};
}

bool attackers_own(uint16_t client_port)
{
	return client_port >= OWN_PORT && client_port < OWN_PORT + OWN_PORTS;
}

static struct attacker_talk *talk_of(struct attackers *a, uint16_t client_port)
{
	for (unsigned i = 0; i < ATTACKER_TALKS; i++) {
		if (a->talks[i].client_port == 0)
			a->talks[i].client_port = client_port;
		if (a->talks[i].client_port == client_port)
			return &a->talks[i];
	}
	return &a->talks[ATTACKER_TALKS - 1];
}

void attackers_init(struct attackers *a, enum network_attack attack)
{
	*a = (struct attackers){.attack = attack};
}

/* --- listening --- */

static void hear_init(struct attacker_side *side, const struct chunk *c)
{
	struct chunk cookie;

	if (c->len < 20)
		return;
	side->tag = packet_get32(c->bytes + 4);
	if (!side->known)
		side->first_tag = side->tag;
	side->known = true;
	side->initial_tsn = packet_get32(c->bytes + 16);
	side->highest_tsn = side->initial_tsn - 1;
	side->last_request = side->next_request = side->initial_tsn;
	if (c->type == CHUNK_INIT_ACK && packet_find_parameter(c, PARAMETER_COOKIE, &cookie) &&
	    cookie.len - 4 <= ATTACKER_COOKIE_MAX) {
		side->cookie_len = cookie.len - 4;
		memcpy(side->cookie, cookie.bytes + 4, side->cookie_len);
	}
}

/* The parameter of a RE-CONFIG at `*offset` (start with 4), which moves on. */
static bool next_parameter(const uint8_t *reconfig, size_t len, size_t *offset, const uint8_t **out)
{
	size_t parameter_len;

	if (*offset + 8 > len)
		return false;
	*out = reconfig + *offset;
	parameter_len = packet_get16(*out + 2);
	if (parameter_len < 8)
		parameter_len = len;
	*offset += (parameter_len + 3) & ~(size_t)3;
	return true;
}

static void hear_reconfig(struct attacker_side *side, struct attacker_side *other, const struct chunk *c)
{
	const uint8_t *parameter;
	size_t offset = 4;

	while (next_parameter(c->bytes, c->len, &offset, &parameter)) {
		uint32_t number = packet_get32(parameter + 4);

		if (packet_get16(parameter) != PARAMETER_RESET_RESPONSE)
			side->last_request = number;
		else if ((size_t)(parameter - c->bytes) + 12 <= c->len &&
		         packet_get32(parameter + 8) != RESULT_BAD_SEQUENCE_NUMBER)
			other->next_request = number + 1;
	}
}

static void hear_chunk(struct attacker_side *side, struct attacker_side *other, int path,
                       const struct chunk *c)
{
	struct cmt_timestamp ts;

	if (chunk_tells_init(c, c->type == CHUNK_INIT ? &other->answered : &side->answered)) {
		hear_init(side, c);
	} else if (chunk_is_data(c) && c->len >= 8) {
		if ((int32_t)(chunk_tsn(c) - side->highest_tsn) > 0)
			side->highest_tsn = chunk_tsn(c);
	} else if (c->type == CHUNK_RECONFIG) {
		hear_reconfig(side, other, c);
	} else if (c->type == CHUNK_HEARTBEAT && c->len - 4 <= ATTACKER_HEARTBEAT_MAX) {
		side->heartbeat_len = c->len - 4;
		memcpy(side->heartbeat, c->bytes + 4, side->heartbeat_len);
	} else if (c->type == CHUNK_TIMESTAMP && cmt_timestamp_decode(c->bytes, c->len, &ts) == 0) {
		side->stamps[path] = ts;
	} else if (c->type == CHUNK_ECHO && c->len >= 8) {
		side->tr_us = packet_get32(c->bytes + 4);
	}
}

void attackers_hear(struct attackers *a, int from_host, int path, const uint8_t *packet, size_t len)
{
	uint16_t client_port = packet_get16(packet + (from_host == 0 ? 0 : 2));
	struct attacker_side *sides;
	size_t offset = 0;
	struct chunk c;

	/* What they say in somebody else's name changes nothing of what that one said. */
	if (a->speaking && !attackers_own(client_port))
		return;
	sides = talk_of(a, client_port)->sides;
	while (packet_next_chunk(packet, len, &offset, &c))
		hear_chunk(&sides[from_host], &sides[1 - from_host], path, &c);
}

/* --- speaking --- */

/* A packet between the two, and whether relative numbers become absolute (1) or absolute ones relative (-1
 * modulo 2^32). */
struct numbers {
	int path;
	const struct attacker_side *from, *to;
	uint32_t sign;
	bool off_path; /* sees neither cookies nor HEARTBEATs */
};

static void add(const struct numbers *n, uint8_t *at, size_t len, size_t offset, uint32_t base)
{
	if (offset + 4 <= len)
		packet_put32(at + offset, packet_get32(at + offset) + base * n->sign);
}

static void change_reconfig(const struct numbers *n, uint8_t *at, size_t len)
{
	const uint8_t *parameter;
	size_t next = 4;

	while (next_parameter(at, len, &next, &parameter)) {
		const uint16_t type = packet_get16(parameter);
		const size_t offset = (size_t)(parameter - at);

		if (type != PARAMETER_RESET_RESPONSE)
			add(n, at, len, offset + 4, n->from->next_request);
		else
			add(n, at, len, offset + 4, n->to->last_request);
		if (type == PARAMETER_RESET_OUT) {
			add(n, at, len, offset + 8, n->to->last_request);
			add(n, at, len, offset + 12, n->from->highest_tsn);
		} else if (type == PARAMETER_RESET_RESPONSE && packet_get16(parameter + 2) >= 20) {
			add(n, at, len, offset + 12, n->from->highest_tsn);
			add(n, at, len, offset + 16, n->to->highest_tsn);
		}
	}
}

static void change_echo(const struct numbers *n, uint8_t *at, size_t len)
{
	add(n, at, len, 4, n->from->tr_us);
	for (size_t offset = 8; offset + 16 <= len; offset += 16) {
		uint16_t path_id = packet_get16(at + offset);
		const struct cmt_timestamp *ts = &n->to->stamps[path_id == 2 ? 1 : 0];

		/* Relative to a count that lacks none. */
		packet_put16(at + offset + 2,
		             (uint16_t)(packet_get16(at + offset + 2) + ts->path_packet_number * n->sign));
		add(n, at, len, offset + 4, ts->ts_us);
		add(n, at, len, offset + 12, ts->path_packet_number);
	}
}

/* Of the chunk of `len` bytes at `at`. */
static void change_numbers(const struct numbers *n, uint8_t *at, size_t len)
{
	switch (at[0]) {
	case CHUNK_DATA:
	case CHUNK_IDATA:
	case CHUNK_FORWARD_TSN:
	case CHUNK_IFORWARD_TSN: add(n, at, len, 4, n->from->highest_tsn); break;
	case CHUNK_SACK:
	case CHUNK_NR_SACK:
	case CHUNK_SHUTDOWN: add(n, at, len, 4, n->to->highest_tsn); break;
	case CHUNK_ASCONF: add(n, at, len, 4, n->from->initial_tsn); break;
	case CHUNK_ASCONF_ACK: add(n, at, len, 4, n->to->initial_tsn); break;
	case CHUNK_RECONFIG: change_reconfig(n, at, len); break;
	case CHUNK_TIMESTAMP:
		add(n, at, len, 4, n->from->stamps[n->path].ts_us);
		add(n, at, len, 8, n->from->stamps[n->path].path_packet_number);
		break;
	case CHUNK_ECHO: change_echo(n, at, len); break;
	default: break;
	}
}

size_t attackers_tell(struct attackers *a, int from_host, int path, const uint8_t *packet, size_t len,
                      uint8_t *chunks)
{
	struct attacker_talk *talk = talk_of(a, packet_get16(packet + (from_host == 0 ? 0 : 2)));
	const struct numbers n = {path, &talk->sides[from_host], &talk->sides[1 - from_host], UINT32_MAX,
	                          false};
	size_t offset = 0, out = 0;
	struct chunk c;

	while (packet_next_chunk(packet, len, &offset, &c)) {
		size_t n_bytes = c.type == CHUNK_COOKIE_ECHO || c.type == CHUNK_HEARTBEAT_ACK ? 4 : c.len;
		uint8_t *at = chunks + out;

		memset(at, 0, (n_bytes + 3) & ~(size_t)3);
		memcpy(at, c.bytes, n_bytes);
		packet_put16(at + 2, (uint16_t)n_bytes);
		change_numbers(&n, at, n_bytes);
		out += (n_bytes + 3) & ~(size_t)3;
	}
	return out;
}

static size_t append(struct attackers_packet *out, const uint8_t *bytes, size_t len)
{
	if (len > sizeof(out->bytes) - out->len)
		len = sizeof(out->bytes) - out->len;
	memcpy(out->bytes + out->len, bytes, len);
	out->len += len;
	return len;
}

/* A short body stands for what the receiver gave away, with one octet of it changed: where, and which bits.
 */
static void append_secret(struct attackers_packet *out, const uint8_t *chunk, size_t len,
                          const uint8_t *secret, size_t secret_len)
{
	uint8_t *at = out->bytes + out->len;

	if (secret_len + 8 > sizeof(out->bytes) - out->len)
		return;
	append(out, chunk, 4);
	packet_put16(at + 2, (uint16_t)(secret_len + 4));
	append(out, secret, secret_len);
	if (len >= 8 && secret_len > 0)
		at[4 + packet_get16(chunk + 4) % secret_len] ^= chunk[6];
	while (out->len % 4 != 0)
		out->bytes[out->len++] = 0;
}

static void append_chunk(struct attackers_packet *out, const uint8_t *chunk, size_t len,
                         const struct numbers *n)
{
	uint8_t *at = out->bytes + out->len;

	const bool secret = !n->off_path && len <= 8;

	if (secret && chunk[0] == CHUNK_COOKIE_ECHO)
		append_secret(out, chunk, len, n->to->cookie, n->to->cookie_len);
	else if (secret && chunk[0] == CHUNK_HEARTBEAT_ACK)
		append_secret(out, chunk, len, n->to->heartbeat, n->to->heartbeat_len);
	else
		change_numbers(n, at, append(out, chunk, len));
}

static uint32_t tag_for(const struct attacker_role *role, enum script_tag tag,
                        const struct attacker_side *from, const struct attacker_side *to)
{
	if (role->blind)
		tag = tag == SCRIPT_TAG_ZERO ? SCRIPT_TAG_ZERO : SCRIPT_TAG_WRONG;
	switch (tag) {
	case SCRIPT_TAG_RIGHT: return to->tag;
	case SCRIPT_TAG_FIRST: return to->first_tag;
	case SCRIPT_TAG_REFLECTED: return from->tag;
	case SCRIPT_TAG_ZERO: return 0;
	case SCRIPT_TAG_WRONG:
	case SCRIPT_TAGS: break;
	}
	return to->first_tag ^ WRONG_TAG_BITS;
}

void attackers_make(struct attackers *a, const struct script_packet *p, struct attackers_packet *out)
{
	struct attacker_role role = attackers_role(a, p->who);
	struct attacker_talk *talk = talk_of(a, role.client_port);
	const struct attacker_side *from = &talk->sides[role.from_host],
	                           *to = &talk->sides[1 - role.from_host];
	const struct numbers numbers = {(int)p->path, from, to, 1, a->attack == NETWORK_PATHS};
	size_t at = 0;

	out->from_host = role.from_host;
	out->len = COMMON_HEADER_BYTES;
	packet_put16(out->bytes, role.from_host == 0 ? role.client_port : NETWORK_SERVER_PORT);
	packet_put16(out->bytes + 2, role.from_host == 0 ? NETWORK_SERVER_PORT : role.client_port);
	packet_put32(out->bytes + 4, tag_for(&role, p->tag, from, to));
	while (at + 4 <= p->len) {
		size_t len = (packet_get16(p->chunks + at + 2) + (size_t)3) & ~(size_t)3;
		size_t start = out->len;

		if (len < 4 || len > p->len - at)
			len = p->len - at;
		if (p->relative && !role.blind)
			append_chunk(out, p->chunks + at, len, &numbers);
		else
			append(out, p->chunks + at, len);
		if (a->attack == NETWORK_CHUNKS && start < out->len)
			out->bytes[start] = CHUNK_TIMESTAMP | (out->bytes[start] & 1);
		at += len;
	}
	append(out, p->chunks + at, p->len - at);
	packet_put_checksum(out->bytes, out->len);
	out->bytes[8] ^= p->damaged ? 1 : 0;
}
