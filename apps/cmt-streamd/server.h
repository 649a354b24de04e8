/* SPDX-License-Identifier: BSD-3-Clause
 *
 * server.h - cmt-streamd's event loop: a listener, its clients, their common clock, and signals. */
#ifndef STREAMD_SERVER_H
#define STREAMD_SERVER_H

#include "options.h"

/* Runs until a signal comes. The exit status. */
int server_run(const struct streamd_options *options);

#endif
