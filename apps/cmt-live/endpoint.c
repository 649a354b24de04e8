/* SPDX-License-Identifier: BSD-3-Clause */
#include "endpoint.h"

#include <stdio.h>
#include <string.h>

#include "net/addresses.h"

#define FORM                                                                                                 \
	"write -, udp://ADDR:PORT, srt://ADDR:PORT, cmt://ADDR[,ADDR..]:PORT (calls) or cmt://:PORT "        \
	"(listens)"
#define BRACKETS "IPv6 addresses in brackets, as cmt://[fd00::1]:5003"

/* Whether an address has more colons than the one before the port, outside brackets. */
static bool lacks_brackets(const char *at)
{
	int colons = 0;
	bool inside = false;

	for (; *at != '\0' && colons < 2; at++) {
		inside = *at == '[' || (inside && *at != ']');
		colons = *at == ',' ? 0 : colons + (*at == ':' && !inside);
	}
	return colons > 1;
}

static int take_hosts_and_port(const char *at, struct endpoint *out, struct app_error *error)
{
	struct app_error reason;

	if (strpbrk(at, "?/") != NULL) {
		return app_error_set(error, "%s: nothing may follow the port; settings are options (--help)",
		                     out->text);
	}
	if (lacks_brackets(at)) {
		return app_error_set(error, "%s: write " BRACKETS, out->text);
	}
	if (app_addresses_port(at, &out->port, &reason) != 0) {
		return app_error_set(error, "%s: %s", out->text, reason.text);
	}
	out->hosts = *at != '\0' && *at != ':' ? at : NULL;
	return 0;
}

static int take_srt(struct endpoint *out, struct app_error *error)
{
	struct app_error reason;

	(void)snprintf(out->without_settings, sizeof(out->without_settings), "%.*s",
	               (int)strcspn(out->text, "?"), out->text);
	out->kind = ENDPOINT_SRT;
	if (srt_url_parse(out->text + 6, &out->srt, &reason) != 0) {
		return app_error_set(error, "%s: %s", out->without_settings, reason.text);
	}
	out->text = out->without_settings;
	return 0;
}

int endpoint_parse(const char *text, struct endpoint *out, struct app_error *error)
{
	*out = (struct endpoint){.kind = ENDPOINT_STDIO, .text = text};
	if (strcmp(text, "-") == 0) {
		return 0;
	}
	if (strncmp(text, "srt://", 6) == 0) {
		return take_srt(out, error);
	}
	if (strncmp(text, "cmt://", 6) == 0) {
		out->kind = ENDPOINT_CMT;
	} else if (strncmp(text, "udp://", 6) == 0) {
		out->kind = ENDPOINT_UDP;
	} else {
		return app_error_set(error, "\"%s\" is not an endpoint; " FORM, text);
	}
	if (take_hosts_and_port(text + 6, out, error) != 0) {
		return -1;
	}
	if (out->kind == ENDPOINT_UDP && out->port == 0) {
		return app_error_set(error, "%s: has no port; write udp://127.0.0.1:5004", text);
	}
	return 0;
}
