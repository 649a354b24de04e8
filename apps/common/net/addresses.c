/* SPDX-License-Identifier: BSD-3-Clause */
#include "net/addresses.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "text/units.h"

static socklen_t length_of(const struct sockaddr_storage *address)
{
	return address->ss_family == AF_INET6 ? sizeof(struct sockaddr_in6) : sizeof(struct sockaddr_in);
}

void app_address_set_port(struct sockaddr_storage *address, uint16_t port)
{
	if (address->ss_family == AF_INET6) {
		((struct sockaddr_in6 *)address)->sin6_port = htons(port);
	} else {
		((struct sockaddr_in *)address)->sin_port = htons(port);
	}
}

static bool same(const struct sockaddr_storage *a, const struct sockaddr_storage *b)
{
	const struct sockaddr_in6 *a6 = (const struct sockaddr_in6 *)a, *b6 = (const struct sockaddr_in6 *)b;

	if (a->ss_family != b->ss_family) {
		return false;
	}
	if (a->ss_family == AF_INET6) {
		return memcmp(&a6->sin6_addr, &b6->sin6_addr, sizeof(a6->sin6_addr)) == 0 &&
		       a6->sin6_scope_id == b6->sin6_scope_id;
	}
	return ((const struct sockaddr_in *)a)->sin_addr.s_addr ==
	       ((const struct sockaddr_in *)b)->sin_addr.s_addr;
}

/* False when the list is full. */
static bool add(struct app_addresses *a, const struct sockaddr *address, uint16_t port)
{
	struct sockaddr_storage s = {0};

	memcpy(&s, address,
	       address->sa_family == AF_INET6 ? sizeof(struct sockaddr_in6) : sizeof(struct sockaddr_in));
	app_address_set_port(&s, port);
	for (size_t i = 0; i < a->n; i++) {
		if (same(&a->list[i], &s)) {
			return true;
		}
	}
	if (a->n == APP_MAX_ADDRESSES) {
		return false;
	}
	a->list[a->n++] = s;
	return true;
}

/* One of a list as written. */
struct written {
	char host[APP_HOST_BYTES]; /* an address, perhaps in brackets, or a name */
	bool has_port;
	uint16_t port;
};

/* Where the colon of HOST:PORT or [IPV6]:PORT is; NULL when there is none. The colons of an IPv6 address
 * without brackets all belong to it. */
static char *port_colon(char *text)
{
	char *const behind = *text == '[' ? strchr(text, ']') : text;
	char *const colon = behind != NULL ? strchr(behind, ':') : NULL;

	return colon != NULL && strchr(colon + 1, ':') == NULL ? colon : NULL;
}

/* Takes the first of `*list` off; then `*list` is the rest, NULL when there is none. */
static int take_one(const char **list, struct written *out, struct app_error *error)
{
	const char *const comma = strchr(*list, ',');
	const size_t len = comma != NULL ? (size_t)(comma - *list) : strlen(*list);
	char *colon;
	int64_t port;

	if (len >= sizeof(out->host)) {
		return app_error_set(error, "\"%.40s...\" is too long for an address", *list);
	}
	*out = (struct written){.has_port = false};
	memcpy(out->host, *list, len);
	colon = port_colon(out->host);
	if (colon != NULL && !app_parse_count(colon + 1, 0, UINT16_MAX, &port)) {
		return app_error_set(error,
		                     "\"%s\": \"%s\" is not a port; write 1 to 65535; an IPv6 address with a "
		                     "port is written [fd00::1]:9899",
		                     out->host, colon + 1);
	}
	if (colon != NULL) {
		*colon = '\0';
		out->has_port = true;
		out->port = (uint16_t)port;
	}
	*list = comma != NULL ? comma + 1 : NULL;
	return 0;
}

static bool is_link_local(const struct sockaddr *address)
{
	return address->sa_family == AF_INET6 &&
	       IN6_IS_ADDR_LINKLOCAL(&((const struct sockaddr_in6 *)address)->sin6_addr);
}

/* Why getaddrinfo() did not take `text`. Always -1. */
static int refuse(const char *text, int code, bool names, struct app_error *error)
{
	const char *const interface = strchr(text, '%');

	if (interface != NULL && if_nametoindex(interface + 1) == 0) {
		return app_error_set(error, "\"%s\": this host has no interface \"%s\"", text, interface + 1);
	}
	if (names && *text != '\0') {
		return app_error_set(error, "\"%s\" cannot be resolved: %s; write 192.0.2.1 or fd00::1", text,
		                     gai_strerror(code));
	}
	return app_error_set(error, "\"%s\" is not an IP address; write 192.0.2.1 or fd00::1", text);
}

/* What was found for `text`. */
static int add_found(struct app_addresses *a, const struct addrinfo *i, const char *text, uint16_t port,
                     struct app_error *error)
{
	if (i->ai_family != AF_INET && i->ai_family != AF_INET6) {
		return 0;
	}
	if (is_link_local(i->ai_addr) && ((const struct sockaddr_in6 *)i->ai_addr)->sin6_scope_id == 0) {
		return app_error_set(
		    error, "\"%s\" is a link-local address; add its interface, as in %s%%eth0", text, text);
	}
	return add(a, i->ai_addr, port) ? 0
	                                : app_error_set(error, "\"%s\": one address too many; at most %d",
	                                                text, APP_MAX_ADDRESSES);
}

static int add_one(struct app_addresses *a, char *text, uint16_t port, bool names, struct app_error *error)
{
	struct addrinfo hints = {.ai_socktype = SOCK_DGRAM, .ai_flags = names ? 0 : AI_NUMERICHOST};
	struct addrinfo *found = NULL;
	size_t len = strlen(text);
	int rc;

	if (len > 2 && text[0] == '[' && text[len - 1] == ']') {
		text[len - 1] = '\0';
		text++;
	}
	rc = *text == '\0' ? EAI_NONAME : getaddrinfo(text, NULL, &hints, &found);
	if (rc != 0) {
		return refuse(text, rc, names, error);
	}
	rc = 0;
	for (const struct addrinfo *i = found; i != NULL && rc == 0; i = i->ai_next) {
		rc = add_found(a, i, text, port, error);
	}
	freeaddrinfo(found);
	return rc;
}

int app_addresses_add(struct app_addresses *a, const char *text, uint16_t port, bool names,
                      struct app_error *error)
{
	struct written one;

	do {
		if (take_one(&text, &one, error) != 0 || add_one(a, one.host, port, names, error) != 0) {
			return -1;
		}
	} while (text != NULL);
	return 0;
}

int app_addresses_port(const char *text, uint16_t *port, struct app_error *error)
{
	uint16_t found = 0;
	struct written one;

	do {
		if (take_one(&text, &one, error) != 0) {
			return -1;
		}
		if (one.has_port && one.port == 0) {
			return app_error_set(error, "\"0\" is not a port; write 1 to 65535");
		}
		if (one.has_port && found != 0 && one.port != found) {
			return app_error_set(
			    error,
			    "ports %u and %u differ; all addresses share one port, which is given once",
			    found, one.port);
		}
		found = one.has_port ? one.port : found;
	} while (text != NULL);
	*port = found;
	return 0;
}

int app_addresses_take_host(const char **list, char host[APP_HOST_BYTES])
{
	struct app_error ignored;
	struct written one;

	if (take_one(list, &one, &ignored) != 0) {
		return -1;
	}
	memcpy(host, one.host, sizeof(one.host));
	return 0;
}

bool app_parse_service(const char *text, struct sockaddr_storage *out)
{
	struct app_addresses a = {.n = 0};
	struct app_error unused;
	struct written one;
	int64_t port;

	if (app_parse_count(text, 0, UINT16_MAX, &port)) {
		one = (struct written){.host = APP_LOOPBACK, .has_port = true, .port = (uint16_t)port};
	} else if (take_one(&text, &one, &unused) != 0 || text != NULL || !one.has_port) {
		return false;
	}
	if (add_one(&a, strcmp(one.host, "localhost") == 0 ? strcpy(one.host, APP_LOOPBACK) : one.host,
	            one.port, false, &unused) != 0) {
		return false;
	}
	*out = a.list[0];
	return true;
}

bool app_address_is_same(const struct sockaddr_storage *a, const struct sockaddr *b)
{
	if (a->ss_family != b->sa_family) {
		return false;
	}
	if (b->sa_family == AF_INET) {
		return ((const struct sockaddr_in *)a)->sin_addr.s_addr ==
		       ((const struct sockaddr_in *)(const void *)b)->sin_addr.s_addr;
	}
	return b->sa_family == AF_INET6 && memcmp(&((const struct sockaddr_in6 *)a)->sin6_addr,
	                                          &((const struct sockaddr_in6 *)(const void *)b)->sin6_addr,
	                                          sizeof(struct in6_addr)) == 0;
}

char *app_address_text(const struct sockaddr_storage *address, char *out, size_t out_bytes)
{
	if ((address->ss_family != AF_INET && address->ss_family != AF_INET6) ||
	    getnameinfo((const struct sockaddr *)address, length_of(address), out, (socklen_t)out_bytes, NULL,
	                0, NI_NUMERICHOST) != 0) {
		snprintf(out, out_bytes, "?");
	}
	return out;
}

uint16_t app_address_port(const struct sockaddr_storage *address)
{
	return ntohs(address->ss_family == AF_INET6  ? ((const struct sockaddr_in6 *)address)->sin6_port
	             : address->ss_family == AF_INET ? ((const struct sockaddr_in *)address)->sin_port
	                                             : 0);
}

char *app_endpoint_text(const struct sockaddr_storage *address, char out[APP_ENDPOINT_TEXT_BYTES])
{
	const bool v6 = address->ss_family == AF_INET6;
	const uint16_t port = app_address_port(address);
	char host[APP_ADDRESS_TEXT_BYTES];

	(void)app_address_text(address, host, sizeof(host));
	if (port == 0) {
		snprintf(out, APP_ENDPOINT_TEXT_BYTES, "%s", host);
	} else {
		snprintf(out, APP_ENDPOINT_TEXT_BYTES, v6 ? "[%s]:%u" : "%s:%u", host, port);
	}
	return out;
}

char *app_addresses_text(const struct app_addresses *a, char *out, size_t out_bytes)
{
	size_t at = 0;

	out[0] = '\0';
	for (size_t i = 0; i < a->n && at < out_bytes; i++) {
		char one[APP_ADDRESS_TEXT_BYTES];

		at += (size_t)snprintf(out + at, out_bytes - at, "%s%s", i == 0 ? "" : ", ",
		                       app_address_text(&a->list[i], one, sizeof(one)));
	}
	return out;
}

void app_addresses_of_host(struct app_addresses *out)
{
	struct ifaddrs *all = NULL;

	out->n = 0;
	if (getifaddrs(&all) != 0) {
		return;
	}
	for (const struct ifaddrs *i = all; i != NULL; i = i->ifa_next) {
		if (i->ifa_addr != NULL && (i->ifa_flags & IFF_UP) != 0 &&
		    (i->ifa_addr->sa_family == AF_INET || i->ifa_addr->sa_family == AF_INET6) &&
		    !is_link_local(i->ifa_addr)) {
			(void)add(out, i->ifa_addr, 0);
		}
	}
	freeifaddrs(all);
}

bool app_address_is_local(const struct sockaddr_storage *address)
{
	struct sockaddr_storage any_port = *address;
	int fd = socket(address->ss_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	bool bound;

	app_address_set_port(&any_port, 0);
	bound = fd >= 0 && bind(fd, (struct sockaddr *)&any_port, length_of(&any_port)) == 0;
	if (fd >= 0) {
		close(fd);
	}
	return bound;
}
