/* SPDX-License-Identifier: BSD-3-Clause */
#include "net/connect_error.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static void find_cause(const struct app_connect_attempt *attempt, int code, char *out, size_t out_bytes)
{
	const char *const raw = attempt->udp_port == 0 ? " --raw" : "";

	switch (code) {
	case ECONNREFUSED:
		(void)snprintf(
		    out, out_bytes,
		    "; is %s%s running there, and with --bind? Without --bind a server listens on %s only",
		    attempt->server, raw, APP_LOOPBACK);
		return;
	case ETIMEDOUT:
		(void)snprintf(out, out_bytes,
		               "; is %s%s running there, and does every firewall in between let %s through?",
		               attempt->server, raw, attempt->udp_port == 0 ? "SCTP" : "this port");
		return;
	case ENETUNREACH:
	case EADDRNOTAVAIL:
		(void)snprintf(out, out_bytes, "; no local address can reach it (--bind)");
		return;
	default: out[0] = '\0';
	}
}

int app_connect_error(const struct app_connect_attempt *attempt, int code, struct app_error *error)
{
	char peer[300], port[30] = "", cause[200] = "";

	if (attempt->udp_port != 0) {
		(void)snprintf(port, sizeof(port), ", UDP port %u", attempt->udp_port);
	}
	if (attempt->reason == NULL) {
		find_cause(attempt, code, cause, sizeof(cause));
	} else if (attempt->in_the_clear) {
		(void)snprintf(cause, sizeof(cause), "; leave --insecure out");
	}
	return app_error_set(error, "cannot connect to %.200s%s: %s%s",
	                     app_addresses_text(attempt->peer, peer, sizeof(peer)), port,
	                     attempt->reason != NULL ? attempt->reason : strerror(code), cause);
}
