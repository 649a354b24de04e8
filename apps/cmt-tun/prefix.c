/* SPDX-License-Identifier: BSD-3-Clause */
#include "prefix.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>

#include "text/units.h"

#define FORM "a prefix; write 10.8.0.0/24 or fd00:8::/64"

size_t tun_address_bytes(int family)
{
	return family == AF_INET ? 4 : 16;
}

/* The bits of byte `i` that a prefix of `bits` covers. */
static uint8_t mask_of(size_t i, unsigned bits)
{
	if (bits >= 8 * (i + 1)) {
		return 0xff;
	}
	return (uint8_t)(bits <= 8 * i ? 0u : 0xffu << (8 * (i + 1) - bits) & 0xffu);
}

int tun_prefix_parse(const char *text, bool whole, struct tun_prefix *out, struct app_error *error)
{
	const char *const slash = strchr(text, '/');
	const size_t len = slash != NULL ? (size_t)(slash - text) : strlen(text);
	char address[INET6_ADDRSTRLEN];
	int64_t bits;

	*out = (struct tun_prefix){.family = memchr(text, ':', len) != NULL ? AF_INET6 : AF_INET};
	bits = (int64_t)(8 * tun_address_bytes(out->family));
	if (len < sizeof(address)) {
		memcpy(address, text, len);
		address[len] = '\0';
	}
	if (len >= sizeof(address) || inet_pton(out->family, address, out->address) != 1 ||
	    (slash != NULL && !app_parse_count(slash + 1, 0, bits, &bits))) {
		return app_error_set(error, "\"%.80s\" is not " FORM, text);
	}
	out->bits = (unsigned)bits;
	for (size_t i = 0; whole && i < tun_address_bytes(out->family); i++) {
		if ((out->address[i] & ~mask_of(i, out->bits)) != 0) {
			return app_error_set(error,
			                     "\"%.80s\" has bits set behind the first %u; write the "
			                     "address of the network",
			                     text, out->bits);
		}
	}
	return 0;
}

static int add_one(struct tun_prefixes *all, const char *text, struct app_error *error)
{
	if (all->n == TUN_MAX_PREFIXES) {
		return app_error_set(error, "more than %d prefixes", TUN_MAX_PREFIXES);
	}
	if (tun_prefix_parse(text, true, &all->list[all->n], error) != 0) {
		return -1;
	}
	all->n++;
	return 0;
}

int tun_prefixes_add(struct tun_prefixes *all, const char *text, struct app_error *error)
{
	char one[TUN_PREFIX_TEXT_BYTES];

	for (;;) {
		const size_t len = strcspn(text, ",");

		if (len >= sizeof(one)) {
			return app_error_set(error, "\"%.80s\" is not " FORM, text);
		}
		memcpy(one, text, len);
		one[len] = '\0';
		if (strcmp(one, "all") == 0
		        ? add_one(all, "0.0.0.0/0", error) != 0 || add_one(all, "::/0", error) != 0
		        : add_one(all, one, error) != 0) {
			return -1;
		}
		if (text[len] == '\0') {
			return 0;
		}
		text += len + 1;
	}
}

static bool is_giveable4(const uint8_t *a)
{
	return a[0] != 0 && a[0] != 127 && a[0] < 224 && !(a[0] == 169 && a[1] == 254);
}

static bool is_giveable6(const uint8_t *a)
{
	/* ::/8 has ::, ::1 and IPv4 in IPv6; fe80::/10, ff00::/8. */
	return a[0] != 0 && a[0] != 0xff && !(a[0] == 0xfe && (a[1] & 0xc0) == 0x80);
}

bool tun_prefix_is_giveable(const struct tun_prefix *prefix)
{
	return prefix->family == AF_INET ? prefix->bits >= 8 && is_giveable4(prefix->address)
	                                 : prefix->bits >= 16 && is_giveable6(prefix->address);
}

bool tun_prefix_contains(const struct tun_prefix *prefix, const uint8_t *address)
{
	for (size_t i = 0; i < tun_address_bytes(prefix->family); i++) {
		if (((prefix->address[i] ^ address[i]) & mask_of(i, prefix->bits)) != 0) {
			return false;
		}
	}
	return true;
}

char *tun_prefix_text(const struct tun_prefix *prefix, char out[TUN_PREFIX_TEXT_BYTES])
{
	char address[INET6_ADDRSTRLEN] = "?";

	(void)inet_ntop(prefix->family, prefix->address, address, sizeof(address));
	(void)snprintf(out, TUN_PREFIX_TEXT_BYTES, "%s/%u", address, prefix->bits);
	return out;
}
