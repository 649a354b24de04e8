/* SPDX-License-Identifier: BSD-3-Clause */
#include "host/routes.h"

#include <netinet/in.h>
#include <string.h>

#define METRIC             50u
#define KILL_SWITCH_METRIC 4278198272u /* worse than any that a daemon sets */

enum { TO_SERVER, NOT_DEFAULT, MAIN_NOT_DEFAULT, DEFAULT, GO_ON, RULES };

#define MAIN_TABLE 254u

static int complain(const char *what, const struct tun_prefix *to, int code, struct app_error *error)
{
	char text[TUN_PREFIX_TEXT_BYTES] = "";

	return app_error_set(error, "cannot set %s%s%s: %s", what, to != NULL ? " to " : "",
	                     to != NULL ? tun_prefix_text(to, text) : "", strerror(-code));
}

static bool has_family(const struct tun_routes *r, int family)
{
	for (size_t i = 0; i < r->list.n; i++) {
		if (r->list.list[i].family == family) {
			return true;
		}
	}
	return false;
}

static struct tun_route route_of(const struct tun_routes *r, const struct tun_prefix *to, unsigned index)
{
	return (struct tun_route){.to = to,
	                          .table = to->bits == 0 ? r->table + 1 : r->table,
	                          .index = index,
	                          .metric = index != 0 ? METRIC : KILL_SWITCH_METRIC};
}

/* Index 0: the kill switch. */
static int add_routes(struct tun_routes *r, unsigned index, struct app_error *error)
{
	for (size_t i = 0; i < r->list.n; i++) {
		const struct tun_route route = route_of(r, &r->list.list[i], index);
		const int rc = tun_netlink_route(r->netlink, true, &route);

		if (rc != 0) {
			return complain("a route", route.to, rc, error);
		}
	}
	return 0;
}

static size_t index_of(int family)
{
	return family == AF_INET ? 0 : 1;
}

static int add_server_rule(const struct tun_routes *r, const struct tun_prefix *to, struct app_error *error)
{
	const struct tun_rule rule = {
	    .family = to->family, .priority = r->table + TO_SERVER, .to = to, .go_to = r->table + GO_ON};
	const int rc = tun_netlink_add_rule(r->netlink, &rule);

	return rc == 0 ? 0 : complain("a rule", to, rc, error);
}

static int add_server_rules(const struct tun_routes *r, int family, struct app_error *error)
{
	for (size_t i = 0; i < r->n_servers; i++) {
		if (r->servers[i].family == family && add_server_rule(r, &r->servers[i], error) != 0) {
			return -1;
		}
	}
	return 0;
}

/* Those for the server in front, and first where they go on: nothing that is under way to it meets the others
 * alone. */
static int add_rules(struct tun_routes *r, int family, struct app_error *error)
{
	const struct tun_rule rules[] = {
	    {.family = family, .priority = r->table + GO_ON},
	    {.family = family, .priority = r->table + DEFAULT, .table = r->table + 1},
	    {.family = family,
	     .priority = r->table + MAIN_NOT_DEFAULT,
	     .table = MAIN_TABLE,
	     .not_default = true},
	    {.family = family, .priority = r->table + NOT_DEFAULT, .table = r->table},
	};

	if (!has_family(r, family) || r->has_rules[index_of(family)]) {
		return 0;
	}
	r->has_rules[index_of(family)] = true;
	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
		const int rc = tun_netlink_add_rule(r->netlink, &rules[i]);

		if (rc != 0) {
			return complain("a rule", NULL, rc, error);
		}
		if (i == 0 && add_server_rules(r, family, error) != 0) {
			return -1;
		}
	}
	return 0;
}

int tun_routes_prepare(struct tun_routes *r, struct app_error *error)
{
	if (add_rules(r, AF_INET, error) != 0 || add_rules(r, AF_INET6, error) != 0) {
		return -1;
	}
	return r->kill_switch ? add_routes(r, 0, error) : 0;
}

int tun_routes_except(struct tun_routes *r, const struct sockaddr_storage *address, struct app_error *error)
{
	struct tun_prefix to = {.family = address->ss_family};

	if (to.family != AF_INET && to.family != AF_INET6) {
		return 0;
	}
	to.bits = (unsigned)(8 * tun_address_bytes(to.family));
	if (to.family == AF_INET) {
		memcpy(to.address, &((const struct sockaddr_in *)(const void *)address)->sin_addr, 4);
	} else {
		memcpy(to.address, &((const struct sockaddr_in6 *)(const void *)address)->sin6_addr, 16);
	}
	for (size_t i = 0; i < r->n_servers; i++) {
		if (memcmp(&r->servers[i], &to, sizeof(to)) == 0) {
			return 0;
		}
	}
	if (r->n_servers == TUN_MAX_SERVERS) {
		return 0;
	}
	r->servers[r->n_servers++] = to;
	return r->has_rules[index_of(to.family)] ? add_server_rule(r, &to, error) : 0;
}

int tun_routes_set(struct tun_routes *r, unsigned index, struct app_error *error)
{
	return tun_routes_prepare(r, error) == 0 ? add_routes(r, index, error) : -1;
}

void tun_routes_unset(struct tun_routes *r, unsigned index)
{
	for (size_t i = 0; i < r->list.n; i++) {
		const struct tun_route route = route_of(r, &r->list.list[i], index);

		(void)tun_netlink_route(r->netlink, false, &route);
	}
}

int tun_routes_clean(struct tun_routes *r)
{
	unsigned count = 0;
	const int rules = tun_netlink_delete_rules(r->netlink, r->table, r->table + RULES - 1, &count);
	const int routes = tun_netlink_delete_routes(r->netlink, r->table, r->table + 1, &count);

	r->has_rules[0] = r->has_rules[1] = false;
	return rules != 0 ? rules : routes != 0 ? routes : (int)count;
}
