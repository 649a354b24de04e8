/* SPDX-License-Identifier: BSD-3-Clause
 *
 * addresses.h - IP addresses, with and without ports, on the command line and in messages. */
#ifndef APP_ADDRESSES_H
#define APP_ADDRESSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

#include "text/message.h"

#define APP_LOOPBACK           "127.0.0.1"
#define APP_MAX_ADDRESSES      16
#define APP_ADDRESS_TEXT_BYTES 64 /* of an IPv6 address with a scope */

struct app_addresses {
	struct sockaddr_storage list[APP_MAX_ADDRESSES];
	size_t n;
};

/* Adds ADDR[:PORT][,ADDR[:PORT]..] with `port` (host order) to `a`; for the PORTs see app_addresses_port().
 * IPv4, IPv6 (in brackets when a PORT follows) or, with `names`, a host's name, which stands for all its
 * addresses. An address that is there already is not added again. 0, or -1 with the reason; then `a` has what
 * came before the wrong one. */
int app_addresses_add(struct app_addresses *a, const char *text, uint16_t port, bool names,
                      struct app_error *error);

/* The PORT in such a list, which may stand behind each of the addresses but is one for all; 0 = none is
 * written. Does not look at the addresses. 0, or -1 with the reason. */
int app_addresses_port(const char *text, uint16_t *port, struct app_error *error);

/* [ADDR:]PORT, one address, on loopback unless it is written; "localhost" is loopback too. PORT 0: any. False
 * when it is not that, and `out` untouched. */
bool app_parse_service(const char *text, struct sockaddr_storage *out);

/* Takes the first of such a list off: what stands for the host in it, with the brackets as written. `*list`
 * is then the rest, NULL when there is none. 0, or -1 when it is not of this form. */
#define APP_HOST_BYTES 256
int app_addresses_take_host(const char **list, char host[APP_HOST_BYTES]);

void app_address_set_port(struct sockaddr_storage *address, uint16_t port);

/* Whether both are the same IPv4 or IPv6 address, whatever their ports. */
bool app_address_is_same(const struct sockaddr_storage *a, const struct sockaddr *b);

/* Without the port; "?" when it is neither IPv4 nor IPv6. Returns `out`. */
char *app_address_text(const struct sockaddr_storage *address, char *out, size_t out_bytes);

/* With the port, unless it is 0: "10.1.0.1:9899", "[2001:db8::1]:9899". Returns `out`. */
#define APP_ENDPOINT_TEXT_BYTES (APP_ADDRESS_TEXT_BYTES + 8)
char *app_endpoint_text(const struct sockaddr_storage *address, char out[APP_ENDPOINT_TEXT_BYTES]);
/* Host order. */
uint16_t app_address_port(const struct sockaddr_storage *address);

/* "A, B, C". Returns `out`. */
char *app_addresses_text(const struct app_addresses *a, char *out, size_t out_bytes);

/* The host's own: of the interfaces that are up, without link-local ones. */
void app_addresses_of_host(struct app_addresses *out);

/* Whether a socket can be bound to it. */
bool app_address_is_local(const struct sockaddr_storage *address);

#endif
