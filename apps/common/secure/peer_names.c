/* SPDX-License-Identifier: BSD-3-Clause */
#include "secure/peer_names.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static int place_of(const struct app_peer_names *names, const char *name)
{
	size_t i = 0;

	while (i < names->n && strcmp(names->list[i], name) != 0) {
		i++;
	}
	return (int)i;
}

void app_peer_names_of(struct app_peer_names *out, const char *addresses, uint16_t port)
{
	char host[APP_HOST_BYTES], name[APP_PEER_NAME_BYTES];

	out->n = 0;
	while (addresses != NULL && out->n < APP_MAX_ADDRESSES &&
	       app_addresses_take_host(&addresses, host) == 0) {
		const int bare = strchr(host, ':') != NULL && host[0] != '[';

		for (char *c = host; *c != '\0'; c++) {
			*c = (char)tolower((unsigned char)*c);
		}
		(void)snprintf(name, sizeof(name), "%s%s%s:%u", bare ? "[" : "", host, bare ? "]" : "", port);
		if (place_of(out, name) == (int)out->n) {
			memcpy(out->list[out->n++], name, sizeof(name));
		}
	}
}
