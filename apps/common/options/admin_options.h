/* SPDX-License-Identifier: BSD-3-Clause
 *
 * admin_options.h - --admin [ADDR:]PORT: where a program can be watched while it runs (docs/monitoring.md).
 *
 * Pure. It is one of the options of transport_options.h; a program gives the result to monitor_new(). */
#ifndef APP_ADMIN_OPTIONS_H
#define APP_ADMIN_OPTIONS_H

#include <stdbool.h>
#include <sys/socket.h>

#include "text/message.h"

#define APP_ADMIN_HELP                                                                                       \
	"  --admin [ADDR:]PORT     make this program observable while it runs, in a browser, with cmt-top "  \
	"or\n"                                                                                               \
	"                          with Prometheus (monitoring.md in share/doc/usrsctp-cmt); on loopback\n"  \
	"                          unless an address is given; PORT 0: any free port\n"

struct app_admin {
	struct sockaddr_storage address; /* with the port; AF_UNSPEC = not asked for */
};

/* [ADDR:]PORT, or [IPV6]:PORT with its brackets; ADDR is an IP address or "localhost". 0, or -1 with the
 * reason, that `option` begins ("--admin"), and `out` untouched. */
int app_admin_parse(struct app_admin *out, const char *option, const char *value, struct app_error *error);

static inline bool app_admin_wanted(const struct app_admin *admin)
{
	return admin->address.ss_family != AF_UNSPEC;
}

#endif
