/* SPDX-License-Identifier: BSD-3-Clause
 *
 * endpoint.h - where datagrams come from or go to, as given on the command line:
 *   -                            standard input, standard output
 *   udp://[ADDR]:PORT            UDP; without an address loopback
 *   srt://[ADDR]:PORT[?..]       SRT (srt_url.h)
 *   cmt://ADDR[,ADDR..][:PORT]   CMT, calls the peer that has these addresses
 *   cmt://[:PORT]                CMT, listens
 * ENDPOINT_HOST, which nobody writes, is struct live_host (options.h).
 * What PORT is for CMT says app_transport_complete(). IPv6 addresses are in brackets. Pure. */
#ifndef LIVE_ENDPOINT_H
#define LIVE_ENDPOINT_H

#include <stdint.h>

#include "srt_url.h"
#include "text/message.h"

enum endpoint_kind { ENDPOINT_STDIO, ENDPOINT_UDP, ENDPOINT_SRT, ENDPOINT_CMT, ENDPOINT_HOST };

struct endpoint {
	enum endpoint_kind kind;
	const char *hosts; /* addresses or names, for app_addresses_add(); NULL = none */
	uint16_t port;     /* 0 = not written (CMT only) */
	struct srt_url srt;
	const char *text; /* as written; of SRT without settings, which may be secrets */
	char without_settings[SRT_URL_AT_BYTES + sizeof("srt://")];
};

/* 0, or -1 with the reason. `text` must outlive `out`, which must stay where it is. */
int endpoint_parse(const char *text, struct endpoint *out, struct app_error *error);

#endif
