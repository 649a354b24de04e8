/* SPDX-License-Identifier: BSD-3-Clause
 *
 * options.h - the command line of cmt-tun. */
#ifndef TUN_OPTIONS_H
#define TUN_OPTIONS_H

#include <net/if.h>
#include <stdbool.h>
#include <stdint.h>

#include "carry/carrier.h"
#include "options/transport_options.h"
#include "pool.h"
#include "prefix.h"

enum tun_role { TUN_ROLE_SERVE, TUN_ROLE_CONNECT, TUN_ROLE_CLEAN, TUN_ROLES };

struct tun_options {
	enum tun_role role;
	char device[IF_NAMESIZE];
	struct tun_carry_settings carry;
	struct tun_pool pool;            /* serve */
	struct tun_prefixes offers;      /* serve: --offer-route */
	struct tun_prefixes routes;      /* connect: --route */
	bool accept_routes, kill_switch; /* connect */
	uint32_t table;                  /* connect, clean */
	uint64_t timeout_us;             /* connect: give up after this long without a tunnel; 0 = never */
	bool stats_json, quiet;
	struct app_transport transport;
};

extern const char tun_help[];

/* 0, or the exit status when the arguments are wrong: the message has been printed. --help and --version end
 * the program. */
int tun_options_parse(struct tun_options *o, int argc, char **argv);

#endif
