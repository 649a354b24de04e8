/* SPDX-License-Identifier: BSD-3-Clause */
#include "alias.h"

#include <netinet/in.h>
#include <stdint.h>
#include <string.h>

enum {
	HEADER_BYTES = 12,
	CHUNK_BYTES = 4, /* type, flags, length; of a parameter: type, length */
	INIT_BYTES = 20, /* fixed part of INIT and INIT ACK, the head included */
	ASCONF_BYTES = 8,
	REQUEST_BYTES = 8 /* head and correlation id of a request to add, delete or set an address */
};
enum { CHUNK_INIT = 0x01, CHUNK_INIT_ACK = 0x02, CHUNK_ASCONF = 0xc1, CHUNK_ASCONF_ACK = 0x80 };
enum {
	PARAMETER_IPV4 = 0x0005,
	PARAMETER_IPV6 = 0x0006,
	REQUEST_ADD = 0xc001,
	REQUEST_DELETE = 0xc002,
	REQUEST_PRIMARY = 0xc004
};

static size_t get16(const uint8_t *at)
{
	return (size_t)at[0] << 8 | at[1];
}

static size_t padded(size_t len)
{
	return (len + 3) & ~(size_t)3;
}

/* `len` bytes of an address; of another length it is none. */
static bool is_alias(const uint8_t *bytes, size_t len)
{
	static const uint8_t discard[8] = {0x01};

	if (len == sizeof(struct in6_addr)) {
		return memcmp(bytes, discard, sizeof(discard)) == 0;
	}
	return len == sizeof(struct in_addr) && bytes[0] >= 0xf0 &&
	       (bytes[0] & bytes[1] & bytes[2] & bytes[3]) != 0xff;
}

bool simnet_is_alias(const struct sockaddr *address)
{
	if (address->sa_family == AF_INET6) {
		return is_alias(((const struct sockaddr_in6 *)(const void *)address)->sin6_addr.s6_addr,
		                sizeof(struct in6_addr));
	}
	return address->sa_family == AF_INET &&
	       is_alias((const uint8_t *)&((const struct sockaddr_in *)(const void *)address)->sin_addr,
	                sizeof(struct in_addr));
}

/* One parameter; a request has the address behind its correlation id. */
static bool parameter_shows(const uint8_t *p, size_t len)
{
	size_t type = get16(p), skip = CHUNK_BYTES;

	switch (type) {
	case REQUEST_ADD:
	case REQUEST_DELETE:
	case REQUEST_PRIMARY:
		if (len < REQUEST_BYTES + CHUNK_BYTES) {
			return false;
		}
		type = get16(p + REQUEST_BYTES);
		skip += REQUEST_BYTES;
		break;
	default: break;
	}
	return (type == PARAMETER_IPV4 || type == PARAMETER_IPV6) && is_alias(p + skip, len - skip);
}

static bool parameters_show(const uint8_t *at, size_t len)
{
	while (len >= CHUNK_BYTES) {
		size_t own = get16(at + 2), all = padded(own);

		if (own < CHUNK_BYTES || own > len) {
			return false;
		}
		if (parameter_shows(at, own)) {
			return true;
		}
		if (all >= len) {
			return false;
		}
		at += all;
		len -= all;
	}
	return false;
}

/* Bytes of the chunk in front of its parameters, and its name; 0 when it has no addresses. */
static size_t fixed_part(uint8_t type, const char **name)
{
	switch (type) {
	case CHUNK_INIT: *name = "an address parameter of INIT"; return INIT_BYTES;
	case CHUNK_INIT_ACK: *name = "an address parameter of INIT ACK"; return INIT_BYTES;
	case CHUNK_ASCONF: *name = "an address parameter of ASCONF"; return ASCONF_BYTES;
	case CHUNK_ASCONF_ACK: *name = "an address parameter of ASCONF ACK"; return ASCONF_BYTES;
	default: return 0;
	}
}

const char *simnet_shows_alias(const void *packet, size_t len)
{
	const uint8_t *at = packet;

	if (len < HEADER_BYTES) {
		return NULL;
	}
	at += HEADER_BYTES;
	len -= HEADER_BYTES;
	while (len >= CHUNK_BYTES) {
		size_t own = get16(at + 2), all = padded(own), fixed;
		const char *name = NULL;

		if (own < CHUNK_BYTES || own > len) {
			return NULL;
		}
		fixed = fixed_part(at[0], &name);
		if (fixed != 0 && own > fixed && parameters_show(at + fixed, own - fixed)) {
			return name;
		}
		if (all >= len) {
			return NULL;
		}
		at += all;
		len -= all;
	}
	return NULL;
}
