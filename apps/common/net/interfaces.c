/* SPDX-License-Identifier: BSD-3-Clause */
#include "net/interfaces.h"

#include <ifaddrs.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "text/message.h"

#define KNOWN_MAX 64

static struct known {
	struct sockaddr_storage address;
	char name[APP_INTERFACE_BYTES];
} known[KNOWN_MAX];
static size_t n_known;

static bool is_same(const struct sockaddr_storage *a, const struct sockaddr *b)
{
	if (a->ss_family != b->sa_family) {
		return false;
	}
	if (b->sa_family == AF_INET) {
		return ((const struct sockaddr_in *)a)->sin_addr.s_addr ==
		       ((const struct sockaddr_in *)(const void *)b)->sin_addr.s_addr;
	}
	return b->sa_family == AF_INET6 && memcmp(&((const struct sockaddr_in6 *)a)->sin6_addr,
	                                          &((const struct sockaddr_in6 *)(const void *)b)->sin6_addr,
	                                          sizeof(struct in6_addr)) == 0;
}

static bool look_up(const struct sockaddr_storage *local, char name[APP_INTERFACE_BYTES])
{
	struct ifaddrs *list = NULL;
	bool found = false;

	if (getifaddrs(&list) != 0) {
		return false;
	}
	for (const struct ifaddrs *i = list; i != NULL && !found; i = i->ifa_next) {
		found = i->ifa_addr != NULL && is_same(local, i->ifa_addr);
		if (found) {
			(void)app_printable(i->ifa_name, name, APP_INTERFACE_BYTES);
		}
	}
	freeifaddrs(list);
	return found;
}

const char *app_interface_of(const struct sockaddr_storage *local)
{
	struct known new = {.address = *local};

	for (size_t i = 0; i < n_known; i++) {
		if (is_same(local, (const struct sockaddr *)&known[i].address)) {
			return known[i].name;
		}
	}
	if (!look_up(local, new.name)) {
		return "";
	}
	if (n_known == KNOWN_MAX) {
		n_known = 0; /* a host with so many is asked again */
	}
	known[n_known++] = new;
	return known[n_known - 1].name;
}
