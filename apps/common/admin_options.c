/* SPDX-License-Identifier: BSD-3-Clause */
#include "admin_options.h"

#include <stdio.h>
#include <string.h>

#include "addresses.h"
#include "units.h"

#define LOOPBACK "127.0.0.1"

int app_admin_parse(struct app_admin *out, const char *option, const char *value, struct app_error *error)
{
	const char *const colon = strrchr(value, ':');
	const size_t len = colon != NULL ? (size_t)(colon - value) : 0;
	char address[APP_ADDRESS_TEXT_BYTES] = LOOPBACK;
	struct app_addresses parsed = {.n = 0};
	struct app_error ignored;
	int64_t port;

	if (colon != NULL && len < sizeof(address)) {
		(void)snprintf(address, sizeof(address), "%.*s", (int)len, value);
	}
	if (strcmp(address, "localhost") == 0) {
		(void)snprintf(address, sizeof(address), "%s", LOOPBACK);
	}
	/* An IPv6 address without brackets would swallow the port. */
	if (len >= sizeof(address) || (strchr(address, ':') != NULL && address[0] != '[') ||
	    strchr(address, ',') != NULL ||
	    !app_parse_count(colon != NULL ? colon + 1 : value, 0, UINT16_MAX, &port) ||
	    app_addresses_add(&parsed, address, (uint16_t)port, false, &ignored) != 0) {
		return app_error_set(
		    error, "%s: \"%s\" is not [ADDR:]PORT; write 9090, 127.0.0.1:9090 or [::1]:9090", option,
		    value);
	}
	out->address = parsed.list[0];
	return 0;
}
