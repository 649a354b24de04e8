/* SPDX-License-Identifier: BSD-3-Clause
 *
 * server.h - cmt-recv's event loop: a listener, its sessions, and their common clock. */
#ifndef RECV_SERVER_H
#define RECV_SERVER_H

#include "options.h"

/* Runs until --once is done or a signal comes. The exit status. */
int server_run(const struct recv_options *options);

#endif
