/* SPDX-License-Identifier: BSD-3-Clause
 *
 * connect_error.h - why no connection came about, and what is the likely cause. */
#ifndef APP_CONNECT_ERROR_H
#define APP_CONNECT_ERROR_H

#include <stdbool.h>
#include <stdint.h>

#include "net/addresses.h"
#include "text/message.h"

struct app_connect_attempt {
	const struct app_addresses *peer;
	uint16_t udp_port;  /* the peer's; 0 = SCTP in IP */
	const char *server; /* the command that should run there */
	const char *reason; /* a sentence that says more than the errno; NULL = there is none */
	bool in_the_clear;  /* then a reason is that the peer wants it otherwise */
};

/* "cannot connect to A, B, UDP port N: REASON; CAUSE", of errno `code` where there is no `reason`. Always -1.
 */
int app_connect_error(const struct app_connect_attempt *attempt, int code, struct app_error *error);

#endif
