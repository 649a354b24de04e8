/* SPDX-License-Identifier: BSD-3-Clause
 *
 * host.h - the addresses and UDP ports that two stacks on this host use to reach each other.
 *
 * Runs in a child process (sim/support/isolate.h), before any thread is started. */
#ifndef NET_HOST_H
#define NET_HOST_H

#include <netinet/in.h>
#include <stddef.h>
#include <stdint.h>

enum { HOST_MAX_ADDRESSES = 2 };

struct host {
	struct sockaddr_in addresses[HOST_MAX_ADDRESSES]; /* ports 0 */
	int n_addresses;
	uint16_t udp_port[2]; /* free ones; host order */
};

/* Where the system permits it, this process and its children get a network of their own, with two addresses.
 * Else 127.0.0.1 is all, and it says so on stdout. */
void host_prepare(struct host *host);

#endif
