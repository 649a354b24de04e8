/* SPDX-License-Identifier: BSD-3-Clause
 *
 * host_guard.h - which Host headers are answered: a page from elsewhere whose name was made to point here
 * (DNS rebinding) names itself in it.
 *
 * Pure. */
#ifndef MONITOR_HOST_GUARD_H
#define MONITOR_HOST_GUARD_H

#include <stdbool.h>

/* "localhost" or an IP address, with a port or not; IPv6 in brackets. A name says nothing about who is asked;
 * an address cannot be made to point elsewhere. `loopback_only`: the address must be of this host alone. NULL
 * (no header) is refused. */
bool monitor_host_is_ours(const char *host, bool loopback_only);

#endif
