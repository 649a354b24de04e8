/* SPDX-License-Identifier: BSD-3-Clause
 *
 * server.h - `cmt-tun serve`: hands out addresses, and takes packets between the device and clients. */
#ifndef TUN_SERVER_H
#define TUN_SERVER_H

#include "options.h"

/* Until a signal comes. The exit status. */
int server_run(const struct tun_options *options);

#endif
