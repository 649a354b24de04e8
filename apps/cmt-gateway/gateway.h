/* SPDX-License-Identifier: BSD-3-Clause
 *
 * gateway.h - the program: HTTP on one side, an association on the other, and signals. */
#ifndef GATEWAY_GATEWAY_H
#define GATEWAY_GATEWAY_H

#include "options.h"

/* Runs until SIGINT or SIGTERM. Returns the status to exit with. */
int gateway_run(const struct gateway_options *options);

#endif
