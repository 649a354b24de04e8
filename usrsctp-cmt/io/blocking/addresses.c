/* SPDX-License-Identifier: BSD-3-Clause */
#include "addresses.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <string.h>

#include "reason.h"

#define HOST_BYTES 256

static bool have(const struct blk_addresses *a, const struct sockaddr_storage *address)
{
	for (size_t i = 0; i < a->n; i++) {
		if (memcmp(&a->list[i], address, sizeof(*address)) == 0) {
			return true;
		}
	}
	return false;
}

static int add(struct blk_addresses *out, const char *field, const struct addrinfo *found, uint16_t port)
{
	struct sockaddr_storage address;

	memset(&address, 0, sizeof(address));
	memcpy(&address, found->ai_addr, found->ai_addrlen);
	if (address.ss_family == AF_INET) {
		((struct sockaddr_in *)&address)->sin_port = htons(port);
	} else if (address.ss_family == AF_INET6) {
		((struct sockaddr_in6 *)&address)->sin6_port = htons(port);
	} else {
		return 0;
	}
	if (have(out, &address)) {
		return 0;
	}
	if (out->n == BLK_ADDRESSES_MAX) {
		return blk_fail(EINVAL, "%s: more than %d addresses", field, BLK_ADDRESSES_MAX);
	}
	out->list[out->n++] = address;
	return 0;
}

static int add_host(struct blk_addresses *out, const char *field, const char *host, uint16_t port)
{
	const struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_DGRAM};
	struct addrinfo *found = NULL;
	int error = getaddrinfo(host, NULL, &hints, &found), result = 0;

	if (error != 0) {
		return blk_fail(ENOENT, "%s: \"%s\": %s", field, host, gai_strerror(error));
	}
	for (const struct addrinfo *one = found; one != NULL && result == 0; one = one->ai_next) {
		result = add(out, field, one, port);
	}
	freeaddrinfo(found);
	return result;
}

int blk_addresses_parse(struct blk_addresses *out, const char *field, const char *text, uint16_t port)
{
	char host[HOST_BYTES];
	int result = 0;

	out->n = 0;
	while (result == 0) {
		const size_t len = strcspn(text, ",");
		const bool bracketed = len >= 2 && text[0] == '[' && text[len - 1] == ']';
		const size_t host_len = bracketed ? len - 2 : len;

		if (host_len == 0 || host_len >= sizeof(host)) {
			return blk_fail(EINVAL, "%s: \"%.*s\" is not an address; write 10.1.0.1,10.2.0.1",
			                field, len > 80 ? 80 : (int)len, text);
		}
		memcpy(host, text + (bracketed ? 1 : 0), host_len);
		host[host_len] = '\0';
		result = add_host(out, field, host, port);
		if (text[len] == '\0') {
			break;
		}
		text += len + 1;
	}
	return result;
}
