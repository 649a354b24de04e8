/* SPDX-License-Identifier: BSD-3-Clause */
#include "event.h"

#include <arpa/inet.h>
#include <string.h>

socklen_t evio_address_len(const struct sockaddr *address)
{
	return address->sa_family == AF_INET6 ? sizeof(struct sockaddr_in6) : sizeof(struct sockaddr_in);
}

void evio_address_copy(union evio_address *to, const struct sockaddr *from, uint16_t port)
{
	memset(to, 0, sizeof(*to));
	memcpy(to, from, evio_address_len(from));
	if (from->sa_family == AF_INET6) {
		to->in6.sin6_port = htons(port);
	} else {
		to->in.sin_port = htons(port);
	}
}

uint16_t evio_address_port(const struct sockaddr *address)
{
	return ntohs(address->sa_family == AF_INET6
	                 ? ((const struct sockaddr_in6 *)(const void *)address)->sin6_port
	                 : ((const struct sockaddr_in *)(const void *)address)->sin_port);
}

const uint8_t *evio_address_bytes(const struct sockaddr *address, unsigned *n)
{
	if (address->sa_family == AF_INET6) {
		*n = sizeof(struct in6_addr);
		return (const uint8_t *)&((const struct sockaddr_in6 *)(const void *)address)->sin6_addr;
	}
	*n = sizeof(struct in_addr);
	return (const uint8_t *)&((const struct sockaddr_in *)(const void *)address)->sin_addr;
}

unsigned evio_common_prefix_bits(const struct sockaddr *a, const struct sockaddr *b)
{
	unsigned n, bits = 0;
	const uint8_t *x = evio_address_bytes(a, &n), *y = evio_address_bytes(b, &n);

	while (bits < n * 8 && ((x[bits / 8] ^ y[bits / 8]) & (0x80 >> bits % 8)) == 0) {
		bits++;
	}
	return bits;
}

uint32_t evio_address_scope(const struct sockaddr *address)
{
	return address->sa_family == AF_INET6 && evio_address_is_link_local(address)
	           ? ((const struct sockaddr_in6 *)(const void *)address)->sin6_scope_id
	           : 0;
}

bool evio_address_equal(const struct sockaddr *a, const struct sockaddr *b)
{
	const uint32_t scope_a = evio_address_scope(a), scope_b = evio_address_scope(b);
	unsigned n;
	const uint8_t *x = evio_address_bytes(a, &n);

	return a->sa_family == b->sa_family && memcmp(x, evio_address_bytes(b, &n), n) == 0 &&
	       (scope_a == scope_b || scope_a == 0 || scope_b == 0);
}

const char *evio_address_text(const struct sockaddr *address, char text[EVIO_ADDRESS_TEXT_SIZE])
{
	unsigned n;

	return inet_ntop(address->sa_family, evio_address_bytes(address, &n), text, EVIO_ADDRESS_TEXT_SIZE);
}

bool evio_address_is_loopback(const struct sockaddr *address)
{
	return address->sa_family == AF_INET6
	           ? IN6_IS_ADDR_LOOPBACK(&((const struct sockaddr_in6 *)(const void *)address)->sin6_addr)
	           : *evio_address_bytes(address, &(unsigned){0}) == 127;
}

bool evio_address_is_link_local(const struct sockaddr *address)
{
	unsigned n;
	const uint8_t *bytes = evio_address_bytes(address, &n);

	return address->sa_family == AF_INET6 ? bytes[0] == 0xfe && (bytes[1] & 0xc0) == 0x80
	                                      : bytes[0] == 169 && bytes[1] == 254;
}
