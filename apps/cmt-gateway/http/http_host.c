/* SPDX-License-Identifier: BSD-3-Clause */
#include "http/http_host.h"

#include <arpa/inet.h>
#include <string.h>
#include <strings.h>

#define HOST_MAX_BYTES 256

static bool is_address(const char *text)
{
	unsigned char bytes[sizeof(struct in6_addr)];

	return inet_pton(AF_INET, text, bytes) == 1 || inet_pton(AF_INET6, text, bytes) == 1;
}

/* The host without brackets and port; false when it is too long, empty or malformed. */
static bool take_name(const char *host, char *name, size_t name_bytes)
{
	const bool bracket = *host == '[';
	const char *begin = host + bracket, *end = begin + strcspn(begin, bracket ? "]" : ":");
	const size_t len = (size_t)(end - begin);

	if (len == 0 || len >= name_bytes || (bracket && *end != ']') ||
	    (end[bracket] != '\0' && end[bracket] != ':')) {
		return false;
	}
	memcpy(name, begin, len);
	name[len] = '\0';
	return true;
}

bool http_host_is_own(const char *host, const char *const *names, size_t n_names)
{
	char name[HOST_MAX_BYTES];

	if (!take_name(host, name, sizeof(name))) {
		return false;
	}
	if (is_address(name) || strcasecmp(name, "localhost") == 0) {
		return true;
	}
	for (size_t i = 0; i < n_names; i++) {
		if (strcasecmp(name, names[i]) == 0) {
			return true;
		}
	}
	return false;
}
