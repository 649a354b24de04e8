/* SPDX-License-Identifier: BSD-3-Clause */
#include "udp_socket.h"

#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "net/addresses.h"

#define BUFFER_BYTES (4 << 20) /* the kernel gives what it allows */

typedef int use_fn(int fd, const struct sockaddr *address, socklen_t len);

static int open_socket(const struct endpoint *endpoint, use_fn *use, const char *what,
                       struct app_error *error)
{
	const int buffer_bytes = BUFFER_BYTES;
	struct app_addresses at = {.n = 0};
	struct app_error reason;
	const struct sockaddr_storage *address;
	int fd;

	if (app_addresses_add(&at, endpoint->hosts != NULL ? endpoint->hosts : APP_LOOPBACK, endpoint->port,
	                      true, &reason) != 0) {
		return app_error_set(error, "%s: %s", endpoint->text, reason.text);
	}
	address = &at.list[0];
	fd = socket(address->ss_family, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0 || use(fd, (const struct sockaddr *)address,
	                  address->ss_family == AF_INET6 ? sizeof(struct sockaddr_in6)
	                                                 : sizeof(struct sockaddr_in)) != 0) {
		app_error_set(error, "%s: %s: %s", endpoint->text, what, strerror(errno));
		if (fd >= 0) {
			close(fd);
		}
		return -1;
	}
	(void)setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &buffer_bytes, sizeof(buffer_bytes));
	(void)setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &buffer_bytes, sizeof(buffer_bytes));
	return fd;
}

int udp_socket_bind(const struct endpoint *endpoint, struct app_error *error)
{
	return open_socket(endpoint, bind, "cannot receive there", error);
}

int udp_socket_connect(const struct endpoint *endpoint, struct app_error *error)
{
	return open_socket(endpoint, connect, "cannot send there", error);
}
