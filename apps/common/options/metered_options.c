/* SPDX-License-Identifier: BSD-3-Clause */
#include "options/metered_options.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "net/addresses.h"
#include "options/option_values.h"

#define FORM          "END=COST[,END=COST..]; write wlan1=2 or 10.2.0.1=1"
#define END_MAX_CHARS 63

/* The name of an interface has no blank, slash or colon (Linux); one of digits and dots alone is a misspelt
 * address. */
static bool is_interface(const char *text)
{
	return text[0] != '\0' && strlen(text) < IF_NAMESIZE && strpbrk(text, " \t/:") == NULL &&
	       text[strspn(text, "0123456789.")] != '\0';
}

static int take_end(struct app_metered_end *end, const char *name, const char *text, struct app_error *error)
{
	struct app_addresses address = {.n = 0};
	struct app_error ignored;

	if (app_addresses_add(&address, text, 0, false, &ignored) == 0 && address.n == 1) {
		end->address = address.list[0];
		return 0;
	}
	if (!is_interface(text)) {
		return app_error_set(
		    error, "--%s: \"%s\" is not an interface or an IP address; write wlan1 or 10.2.0.1", name,
		    text);
	}
	snprintf(end->interface, sizeof(end->interface), "%s", text);
	return 0;
}

static bool is_at(const struct app_metered_end *end, const struct sockaddr_storage *address)
{
	return app_address_is_same(&end->address, (const struct sockaddr *)address);
}

static bool is_same_end(const struct app_metered_end *a, const struct app_metered_end *b)
{
	return a->interface[0] != '\0' ? strcmp(a->interface, b->interface) == 0 : is_at(a, &b->address);
}

static void put(struct app_metered *m, const struct app_metered_end *end)
{
	size_t i = 0;

	while (i < m->n && !is_same_end(&m->list[i], end)) {
		i++;
	}
	m->list[i] = *end;
	m->n += i == m->n ? 1 : 0;
}

static int take_one(struct app_metered *m, const char *name, const char *entry, size_t chars,
                    struct app_error *error)
{
	struct app_metered_end end = {.cost = 0};
	char text[2 * END_MAX_CHARS + 2];
	char *equals;
	int64_t cost;

	snprintf(text, sizeof(text), "%.*s", (int)chars, entry);
	equals = strrchr(text, '=');
	if (equals == NULL || equals == text || equals - text > END_MAX_CHARS || chars >= sizeof(text)) {
		return app_error_set(error, "--%s: \"%s\" is not " FORM, name, text);
	}
	*equals = '\0';
	if (app_take_count(name, equals + 1, 1, APP_METERED_MAX_COST, &cost, error) != 0 ||
	    take_end(&end, name, text, error) != 0) {
		return -1;
	}
	if (m->n == APP_METERED_MAX) {
		return app_error_set(error, "--%s: more than %d", name, APP_METERED_MAX);
	}
	end.cost = (uint32_t)cost;
	put(m, &end);
	return 0;
}

int app_metered_take(struct app_metered *m, const char *name, const char *value, struct app_error *error)
{
	for (;;) {
		const size_t chars = strcspn(value, ",");

		if (take_one(m, name, value, chars, error) != 0) {
			return -1;
		}
		if (value[chars] == '\0') {
			return 0;
		}
		value += chars + 1;
	}
}

uint32_t app_metered_cost(const struct app_metered *m, const char *interface,
                          const struct sockaddr_storage *local, const struct sockaddr_storage *remote)
{
	uint32_t cost = 0;

	for (size_t i = 0; i < m->n; i++) {
		const struct app_metered_end *end = &m->list[i];
		const bool is_this = end->interface[0] != '\0' ? strcmp(end->interface, interface) == 0
		                                               : is_at(end, local) || is_at(end, remote);

		cost = is_this && end->cost > cost ? end->cost : cost;
	}
	return cost;
}
