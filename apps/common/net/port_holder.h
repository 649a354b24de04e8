/* SPDX-License-Identifier: BSD-3-Clause
 *
 * port_holder.h - which program has a UDP port of this host, for messages. */
#ifndef APP_PORT_HOLDER_H
#define APP_PORT_HOLDER_H

#include <stddef.h>
#include <stdint.h>

#include "net/addresses.h"

/* Who has the port on one of the addresses `bound`, or, when there are none, on any: "cmt-recv (process
 * 4711)", from /proc. NULL when that does not tell: another user's programs are found by root only. Returns
 * `out`. */
char *app_port_holder(const struct app_addresses *bound, uint16_t udp_port, char *out, size_t out_bytes);

#endif
