/* SPDX-License-Identifier: BSD-3-Clause */
#include "net/interfaces.h"

#include <ifaddrs.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <time.h>

#include "net/addresses.h"
#include "text/message.h"

#define KNOWN_MAX     64
#define ASK_AGAIN_SEC 1

static struct known {
	struct sockaddr_storage address;
	char name[APP_INTERFACE_BYTES]; /* "" = no interface has it */
	time_t asked_sec;
} known[KNOWN_MAX];
static size_t n_known;

static bool look_up(const struct sockaddr_storage *local, char name[APP_INTERFACE_BYTES])
{
	struct ifaddrs *list = NULL;
	bool found = false;

	if (getifaddrs(&list) != 0) {
		return false;
	}
	for (const struct ifaddrs *i = list; i != NULL && !found; i = i->ifa_next) {
		found = i->ifa_addr != NULL && app_address_is_same(local, i->ifa_addr);
		if (found) {
			(void)app_printable(i->ifa_name, name, APP_INTERFACE_BYTES);
		}
	}
	freeifaddrs(list);
	return found;
}

static struct known *entry_of(const struct sockaddr_storage *local)
{
	for (size_t i = 0; i < n_known; i++) {
		if (app_address_is_same(local, (const struct sockaddr *)&known[i].address)) {
			return &known[i];
		}
	}
	if (n_known == KNOWN_MAX) {
		n_known = 0; /* a host with so many is asked again */
	}
	known[n_known] = (struct known){.address = *local, .asked_sec = -ASK_AGAIN_SEC};
	return &known[n_known++];
}

const char *app_interface_of(const struct sockaddr_storage *local)
{
	struct known *const entry = entry_of(local);
	struct timespec now;

	if (entry->name[0] == '\0') {
		clock_gettime(CLOCK_MONOTONIC, &now);
		if (now.tv_sec - entry->asked_sec >= ASK_AGAIN_SEC) {
			entry->asked_sec = now.tv_sec;
			(void)look_up(local, entry->name);
		}
	}
	return entry->name;
}
