/* SPDX-License-Identifier: BSD-3-Clause
 *
 * http_host.h - whether the field Host names this gateway. Pure.
 *
 * A page from anywhere can have its own name resolve to 127.0.0.1 and then read from here what it likes; its
 * name stays in Host. Addresses and localhost cannot be taken over so. */
#ifndef GATEWAY_HTTP_HOST_H
#define GATEWAY_HTTP_HOST_H

#include <stdbool.h>
#include <stddef.h>

/* `host`: NAME[:PORT], ADDRESS[:PORT] or [ADDRESS][:PORT]. `names`: further ones that are right, in any case.
 */
bool http_host_is_own(const char *host, const char *const *names, size_t n_names);

#endif
