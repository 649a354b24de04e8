/* SPDX-License-Identifier: BSD-3-Clause */
#include "options.h"

#include <stdio.h>
#include <string.h>

#include "options/option_values.h"
#include "options/read_options.h"
#include "options/shared_options.h"
#include "tun_message.h"

#define PROGRAM              "cmt-tun"
#define DEFAULT_BUFFER_BYTES (8u << 20)
#define DEFAULT_REORDER_US   30000u
#define MAX_REORDER_US       1000000u
#define DEFAULT_LIFETIME_MS  300u
#define MAX_LIFETIME_US      60000000u
/* Priorities of rules from there on come before those of the system, and behind those that others set by
 * hand. */
#define MAX_TABLE 32000

enum {
	OPT_DEV = 1,
	OPT_POOL,
	OPT_OFFER_ROUTE,
	OPT_ROUTE,
	OPT_ACCEPT_ROUTES,
	OPT_KILL_SWITCH,
	OPT_TABLE,
	OPT_MODE,
	OPT_REORDER,
	OPT_LIFETIME,
	OPT_INNER_MTU,
	OPT_TIMEOUT,
	OPT_STATS,
	OPT_HELP,
	OPT_VERSION
};

static const struct option long_options[] = {
    APP_TRANSPORT_LONG_OPTIONS,
    APP_CONNECT_LONG_OPTIONS,
    {"dev", required_argument, NULL, OPT_DEV},
    {"pool", required_argument, NULL, OPT_POOL},
    {"offer-route", required_argument, NULL, OPT_OFFER_ROUTE},
    {"route", required_argument, NULL, OPT_ROUTE},
    {"accept-routes", no_argument, NULL, OPT_ACCEPT_ROUTES},
    {"kill-switch", no_argument, NULL, OPT_KILL_SWITCH},
    {"table", required_argument, NULL, OPT_TABLE},
    {"mode", required_argument, NULL, OPT_MODE},
    {"reorder", required_argument, NULL, OPT_REORDER},
    {"lifetime", required_argument, NULL, OPT_LIFETIME},
    {"inner-mtu", required_argument, NULL, OPT_INNER_MTU},
    {"timeout", required_argument, NULL, OPT_TIMEOUT},
    {"stats", required_argument, NULL, OPT_STATS},
    {"quiet", no_argument, NULL, 'q'},
    {"help", no_argument, NULL, OPT_HELP},
    {"version", no_argument, NULL, OPT_VERSION},
    {NULL, 0, NULL, 0},
};

static const char *const roles[TUN_ROLES] = {
    [TUN_ROLE_SERVE] = "serve", [TUN_ROLE_CONNECT] = "connect", [TUN_ROLE_CLEAN] = "clean"};

static int take_device(struct tun_options *o, const char *value, struct app_error *error)
{
	if (value[0] == '\0' || strlen(value) >= sizeof(o->device) || strpbrk(value, "/ %") != NULL ||
	    value[0] == '.') {
		return app_error_set(
		    error, "--dev: \"%s\" is not a name of an interface; write 1 to %d characters, as cmt0",
		    value, IF_NAMESIZE - 1);
	}
	(void)snprintf(o->device, sizeof(o->device), "%s", value);
	return 0;
}

static int take_mode(struct tun_options *o, const char *value, struct app_error *error)
{
	static const char *const modes[TUN_MODES] = {
	    [TUN_MODE_AUTO] = "auto", [TUN_MODE_ORDERED] = "ordered", [TUN_MODE_UNORDERED] = "unordered"};

	for (unsigned i = 0; i < TUN_MODES; i++) {
		if (strcmp(value, modes[i]) == 0) {
			o->carry.mode = (enum tun_mode)i;
			return 0;
		}
	}
	return app_error_set(error, "--mode: \"%s\" is not auto, ordered or unordered", value);
}

static int take_table(struct tun_options *o, const char *value, struct app_error *error)
{
	int64_t table;

	if (app_take_count("table", value, 1000, MAX_TABLE, &table, error) != 0) {
		return -1;
	}
	o->table = (uint32_t)table;
	return 0;
}

static int take_lifetime(struct tun_options *o, const char *value, struct app_error *error)
{
	uint64_t us;

	if (app_take_time("lifetime", value, 1000, MAX_LIFETIME_US, &us, error) != 0) {
		return -1;
	}
	o->carry.lifetime_ms = (uint32_t)(us / 1000);
	return 0;
}

static int take_mtu(struct tun_options *o, const char *value, struct app_error *error)
{
	uint64_t bytes;

	if (app_take_size("inner-mtu", value, TUN_MIN_MTU_BYTES, TUN_MAX_MTU_BYTES, &bytes, error) != 0) {
		return -1;
	}
	o->carry.mtu_bytes = (uint32_t)bytes;
	return 0;
}

/* What `name` says in front of a reason. */
static int named(int rc, const char *name, struct app_error *error)
{
	const struct app_error reason = *error;

	return rc == 0 ? 0 : app_error_set(error, "--%s: %s", name, reason.text);
}

static int take(void *into, int code, const char *name, const char *value, struct app_error *error)
{
	struct tun_options *const o = into;

	switch (code) {
	case OPT_DEV: return take_device(o, value, error);
	case OPT_POOL: return named(tun_pool_add(&o->pool, value, error), name, error);
	case OPT_OFFER_ROUTE: return named(tun_prefixes_add(&o->offers, value, error), name, error);
	case OPT_ROUTE: return named(tun_prefixes_add(&o->routes, value, error), name, error);
	case OPT_ACCEPT_ROUTES: o->accept_routes = true; return 0;
	case OPT_KILL_SWITCH: o->kill_switch = true; return 0;
	case OPT_TABLE: return take_table(o, value, error);
	case OPT_MODE: return take_mode(o, value, error);
	case OPT_REORDER: return app_take_time(name, value, 0, MAX_REORDER_US, &o->carry.reorder_us, error);
	case OPT_LIFETIME: return take_lifetime(o, value, error);
	case OPT_INNER_MTU: return take_mtu(o, value, error);
	case OPT_TIMEOUT: return app_take_timeout(name, value, &o->timeout_us, error);
	case OPT_STATS: o->stats_json = true; return app_take_stats(value, error);
	case 'q': o->quiet = true; return 0;
	default: return app_transport_take(&o->transport, code, name, value, error);
	}
}

static int take_arguments(void *into, int n, char **texts, struct app_error *error)
{
	struct tun_options *const o = into;

	if (n != 1) {
		return app_error_set(
		    error, "one of serve, connect and clean is needed; %d arguments given; try `%s --help`",
		    n, PROGRAM);
	}
	for (unsigned i = 0; i < TUN_ROLES; i++) {
		if (strcmp(texts[0], roles[i]) == 0) {
			o->role = (enum tun_role)i;
			return 0;
		}
	}
	return app_error_set(error, "\"%s\" is not serve, connect or clean", texts[0]);
}

static int check_serve(struct tun_options *o, struct app_error *error)
{
	if (o->pool.last == 0) {
		return app_error_set(
		    error, "no addresses to hand out; write --pool 10.8.0.0/24 or --pool fd00:8::/64, "
		           "or both");
	}
	if (o->transport.connect != NULL || o->routes.n > 0 || o->kill_switch || o->accept_routes) {
		return app_error_set(
		    error, "--connect, --route, --accept-routes and --kill-switch are for connect; leave "
		           "them out");
	}
	return app_transport_complete(&o->transport, true, error);
}

static int check_connect(struct tun_options *o, struct app_error *error)
{
	if (o->transport.connect == NULL) {
		return app_error_set(error, "no server given; write --connect ADDR[,ADDR..]");
	}
	if (o->pool.last != 0 || o->offers.n > 0) {
		return app_error_set(error, "--pool and --offer-route are for serve; leave them out");
	}
	if (o->kill_switch && o->routes.n == 0) {
		return app_error_set(
		    error, "--kill-switch: needs to know what to keep in the tunnel; write --route all");
	}
	return app_transport_complete(&o->transport, false, error);
}

static int check(void *into, struct app_error *error)
{
	struct tun_options *const o = into;

	switch (o->role) {
	case TUN_ROLE_SERVE: return check_serve(o, error);
	case TUN_ROLE_CONNECT: return check_connect(o, error);
	case TUN_ROLE_CLEAN:
	case TUN_ROLES: break;
	}
	return 0;
}

static const struct app_options command_line = {.program = PROGRAM,
                                                .help = tun_help,
                                                .short_options = "q",
                                                .long_options = long_options,
                                                .help_code = OPT_HELP,
                                                .version_code = OPT_VERSION,
                                                .take = take,
                                                .take_arguments = take_arguments,
                                                .check = check};

int tun_options_parse(struct tun_options *o, int argc, char **argv)
{
	*o = (struct tun_options){
	    .device = "cmt0",
	    .table = 17229,
	    .carry = {.reorder_us = DEFAULT_REORDER_US, .lifetime_ms = DEFAULT_LIFETIME_MS}};
	app_transport_init(&o->transport);
	o->transport.port = o->transport.server_udp_port = TUN_PORT;
	o->transport.sndbuf_bytes = o->transport.rcvbuf_bytes = DEFAULT_BUFFER_BYTES;
	return app_read_options(&command_line, argc, argv, o);
}
