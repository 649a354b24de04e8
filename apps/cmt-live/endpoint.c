/* SPDX-License-Identifier: BSD-3-Clause */
#include "endpoint.h"

#include <string.h>

#include "units.h"

#define FORM     "write -, udp://ADDR:PORT, cmt://ADDR[,ADDR..]:PORT (calls) or cmt://:PORT (listens)"
#define BRACKETS "IPv6 addresses in brackets, as cmt://[fd00::1]:5003"

/* The colon before the port; NULL when there is none. Colons in brackets belong to an IPv6 address. */
static const char *port_colon(const char *at)
{
	const char *const bracket = strrchr(at, ']');

	return strrchr(bracket != NULL ? bracket : at, ':');
}

static int take_port(const char *text, struct endpoint *out, struct app_error *error)
{
	int64_t port;

	if (!app_parse_count(text, 1, UINT16_MAX, &port)) {
		return app_error_set(error, "%s: \"%s\" is not a port; write 1 to 65535, and " BRACKETS,
		                     out->text, text);
	}
	out->port = (uint16_t)port;
	return 0;
}

static int take_host_and_port(const char *at, struct endpoint *out, struct app_error *error)
{
	const char *const colon = port_colon(at);
	const size_t len = colon != NULL ? (size_t)(colon - at) : strlen(at);

	if (strpbrk(at, "?/") != NULL) {
		return app_error_set(
		    error, "%s: nothing may follow the port; what can be chosen are options (--help)",
		    out->text);
	}
	if (len >= sizeof(out->host)) {
		return app_error_set(error, "%.40s..: is too long", out->text);
	}
	memcpy(out->host, at, len);
	out->host[len] = '\0';
	if (strchr(out->host, ':') != NULL && strchr(out->host, '[') == NULL) {
		return app_error_set(error, "%s: write " BRACKETS, out->text);
	}
	return colon != NULL ? take_port(colon + 1, out, error) : 0;
}

int endpoint_parse(const char *text, struct endpoint *out, struct app_error *error)
{
	*out = (struct endpoint){.kind = ENDPOINT_STDIO, .text = text};
	if (strcmp(text, "-") == 0) {
		return 0;
	}
	if (strncmp(text, "cmt://", 6) == 0) {
		out->kind = ENDPOINT_CMT;
	} else if (strncmp(text, "udp://", 6) == 0) {
		out->kind = ENDPOINT_UDP;
	} else {
		return app_error_set(error, "\"%s\" is not an endpoint; " FORM, text);
	}
	if (take_host_and_port(text + 6, out, error) != 0) {
		return -1;
	}
	if (out->kind == ENDPOINT_UDP && out->port == 0) {
		return app_error_set(error, "%s: has no port; write udp://127.0.0.1:5004", text);
	}
	return 0;
}
