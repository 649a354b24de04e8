/* SPDX-License-Identifier: BSD-3-Clause
 *
 * udp_socket.h - UDP sockets of endpoints, non-blocking. */
#ifndef LIVE_UDP_SOCKET_H
#define LIVE_UDP_SOCKET_H

#include "endpoint.h"

/* Bound to the endpoint, loopback when it names no address; connected to it. A descriptor, or -1 with the
 * reason. Names are looked up, which may take a while. */
int udp_socket_bind(const struct endpoint *endpoint, struct app_error *error);
int udp_socket_connect(const struct endpoint *endpoint, struct app_error *error);

#endif
