/* SPDX-License-Identifier: BSD-3-Clause
 *
 * interfaces.h - which network interface a local address belongs to.
 *
 * One thread. What was found once is remembered: an interface that goes down may take its addresses along,
 * and that is when people want to know its name. What was not found is looked for again after a second. */
#ifndef APP_INTERFACES_H
#define APP_INTERFACES_H

#include <net/if.h>
#include <sys/socket.h>

#define APP_INTERFACE_BYTES (4 * IF_NAMESIZE) /* of a name made printable */

/* "wlan0", made printable; "" = not known. Valid until the next call. */
const char *app_interface_of(const struct sockaddr_storage *local);

#endif
