/* SPDX-License-Identifier: BSD-3-Clause
 *
 * client.h - `cmt-tun connect`: calls the server, again and again, and takes the host's packets there. */
#ifndef TUN_CLIENT_H
#define TUN_CLIENT_H

#include "options.h"

/* Until a signal comes. The exit status. */
int client_run(const struct tun_options *options);

#endif
