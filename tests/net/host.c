/* SPDX-License-Identifier: BSD-3-Clause */
#include "host.h"

#include <arpa/inet.h>
#include <net/if.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "isolate.h"

static struct sockaddr_in address_of(const char *text)
{
	struct sockaddr_in address = {.sin_family = AF_INET};

	REQUIRE(inet_pton(AF_INET, text, &address.sin_addr) == 1);
	return address;
}

static bool give_address(int control, const char *interface, const struct sockaddr_in *address)
{
	struct ifreq request = {0};

	(void)snprintf(request.ifr_name, sizeof(request.ifr_name), "%s", interface);
	memcpy(&request.ifr_addr, address, sizeof(*address));
	if (ioctl(control, SIOCSIFADDR, &request) != 0 || ioctl(control, SIOCGIFFLAGS, &request) != 0)
		return false;
	request.ifr_flags |= IFF_UP;
	return ioctl(control, SIOCSIFFLAGS, &request) == 0;
}

/* Without CLONE_NEWUSER only a privileged process succeeds; with it, most others do. */
static bool enter_own_network(const struct sockaddr_in *addresses)
{
	int control;
	bool done;

	if (unshare(CLONE_NEWNET) != 0 && unshare(CLONE_NEWUSER | CLONE_NEWNET) != 0)
		return false;
	control = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	REQUIRE(control >= 0);
	done = give_address(control, "lo", &addresses[0]) && give_address(control, "lo:1", &addresses[1]);
	REQUIRE(close(control) == 0);
	REQUIRE(done);
	return true;
}

static void find_free_ports(uint16_t port[2])
{
	int fd[2];

	for (int i = 0; i < 2; i++) {
		struct sockaddr_in any = {.sin_family = AF_INET};
		socklen_t len = sizeof(any);

		fd[i] = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
		REQUIRE(fd[i] >= 0 && bind(fd[i], (struct sockaddr *)&any, sizeof(any)) == 0);
		REQUIRE(getsockname(fd[i], (struct sockaddr *)&any, &len) == 0);
		port[i] = ntohs(any.sin_port);
	}
	REQUIRE(close(fd[0]) == 0 && close(fd[1]) == 0);
}

void host_prepare(struct host *host)
{
	const struct sockaddr_in two[] = {address_of("127.0.0.1"), address_of("127.0.0.2")};

	memset(host, 0, sizeof(*host));
	if (enter_own_network(two)) {
		memcpy(host->addresses, two, sizeof(two));
		host->n_addresses = 2;
	} else {
		puts("no network of its own: one path instead of two");
		host->addresses[0] = address_of("127.0.0.1");
		host->n_addresses = 1;
	}
	find_free_ports(host->udp_port);
}
