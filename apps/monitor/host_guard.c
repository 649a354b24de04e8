/* SPDX-License-Identifier: BSD-3-Clause */
#include "host_guard.h"

#include <arpa/inet.h>
#include <string.h>
#include <strings.h>

#include "text/units.h"

enum { HOST_BYTES = 64 };

/* Copies the part before the port, without brackets. False when the form is none. */
static bool split(const char *host, char out[HOST_BYTES], bool *bracketed)
{
	const char *end = host[0] == '[' ? strchr(host, ']') : host + strcspn(host, ":");
	const char *begin = host;
	int64_t port;

	*bracketed = host[0] == '[';
	if (end == NULL) {
		return false;
	}
	if (*bracketed) {
		begin++;
	}
	if ((size_t)(end - begin) >= HOST_BYTES) {
		return false;
	}
	memcpy(out, begin, (size_t)(end - begin));
	out[end - begin] = '\0';
	end += *bracketed ? 1 : 0;
	return *end == '\0' || (*end == ':' && app_parse_count(end + 1, 1, UINT16_MAX, &port));
}

bool monitor_host_is_ours(const char *host, bool loopback_only)
{
	char name[HOST_BYTES];
	struct in6_addr v6;
	struct in_addr v4;
	bool bracketed;

	if (host == NULL || !split(host, name, &bracketed)) {
		return false;
	}
	if (bracketed) {
		return inet_pton(AF_INET6, name, &v6) == 1 && (!loopback_only || IN6_IS_ADDR_LOOPBACK(&v6));
	}
	if (inet_pton(AF_INET, name, &v4) == 1) {
		return !loopback_only || ntohl(v4.s_addr) >> 24 == IN_LOOPBACKNET;
	}
	return strcasecmp(name, "localhost") == 0;
}
