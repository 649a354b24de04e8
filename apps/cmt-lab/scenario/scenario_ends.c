/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Where a path ends: in an address of another path, behind a NAT ([nat.NAME]), in an address that is not
 * there all the time. from_KEY is of the sender's end, to_KEY of the receiver's. */
#include <stdio.h>
#include <string.h>

#include "scenario/scenario_parts.h"
#include "text/units.h"

#define KIND_FORM "a kind of NAT; write independent, address or port"
#define REBIND_FORM                                                                                          \
	"a rebinding; write its time, as 5s, with :address appended if the NAT gets another address, too"
#define ABSENT_FORM "a time without the address; write FROM-UNTIL as 3s-8s, or never"
#define SHARED_FORM "an earlier path; write its number, or own"

/* --- [nat.NAME] --- */

static int find_nat(struct lab_scenario *s, const char *name, size_t len, const char *key,
                    struct lab_error *error)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";

	if (len == 0 || len >= LAB_LINK_NAME_BYTES || strspn(name, letters) < len) {
		return lab_refuse(error, key, "a NAT's name has 1 to 23 letters, digits, - or _");
	}
	for (int i = 0; i < s->n_nats; i++) {
		if (strlen(s->nats[i].name) == len && strncmp(s->nats[i].name, name, len) == 0) {
			return i;
		}
	}
	if (s->n_nats == LAB_MAX_NATS) {
		return lab_refuse(error, key, "too many NATs; at most 4");
	}
	s->nats[s->n_nats] = (struct lab_nat){.forward = 0};
	memcpy(s->nats[s->n_nats].name, name, len);
	return s->n_nats++;
}

static bool take_kind(enum usrsctp_cmt_sim_nat_kind *kind, const char *value)
{
	static const char *const names[] = {"independent", "address", "port"};

	for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcmp(value, names[i]) == 0) {
			*kind = (enum usrsctp_cmt_sim_nat_kind)i;
			return true;
		}
	}
	return false;
}

/* TIME or TIME:address */
static bool take_rebind(struct lab_nat *nat, const char *value)
{
	const char *colon = strchr(value, ':');
	char time[32];
	uint64_t at_us;

	snprintf(time, sizeof(time), "%.*s", colon == NULL ? (int)strlen(value) : (int)(colon - value),
	         value);
	if ((colon != NULL && strcmp(colon, ":address") != 0) || !app_parse_time(time, &at_us) ||
	    at_us == 0) {
		return false;
	}
	nat->rebind_us = at_us;
	nat->new_address = colon != NULL;
	return true;
}

static bool take_timeout(struct lab_nat *nat, const char *value)
{
	uint64_t timeout_us = 0;

	if (strcmp(value, "none") != 0 && (!app_parse_time(value, &timeout_us) || timeout_us == 0)) {
		return false;
	}
	nat->config.timeout_us = timeout_us;
	return true;
}

static bool take_port(uint16_t *port, const char *value)
{
	int64_t number;

	if (!app_parse_count(value, 1, UINT16_MAX, &number)) {
		return false;
	}
	*port = (uint16_t)number;
	return true;
}

int lab_set_nat(struct lab_scenario *s, const char *key, const char *value, struct lab_error *error)
{
	const char *name = key + strlen("nat."), *dot = strchr(name, '.'), *form;
	struct lab_nat *nat;
	bool good;
	int i;

	if (dot == NULL) {
		return lab_refuse(error, key, "write nat.NAME.KEY, as nat.home.timeout");
	}
	i = find_nat(s, name, (size_t)(dot - name), key, error);
	if (i < 0) {
		return -1;
	}
	nat = &s->nats[i];
	if (strcmp(dot + 1, "mapping") == 0) {
		good = take_kind(&nat->config.mapping, value);
		form = KIND_FORM;
	} else if (strcmp(dot + 1, "filtering") == 0) {
		good = take_kind(&nat->config.filtering, value);
		form = KIND_FORM;
	} else if (strcmp(dot + 1, "timeout") == 0) {
		good = take_timeout(nat, value);
		form = APP_TIME_FORM ", or none";
	} else if (strcmp(dot + 1, "rebind") == 0) {
		good = take_rebind(nat, value);
		form = REBIND_FORM;
	} else if (strcmp(dot + 1, "forward") == 0) {
		good = take_port(&nat->forward, value);
		form = "a UDP port; write 1 to 65535";
	} else {
		return lab_refuse(error, key,
		                  "no such key; there are mapping, filtering, timeout, rebind, forward");
	}
	return good ? 0 : lab_refuse_form(error, key, value, form);
}

/* --- keys of a path --- */

static int set_shared(struct lab_scenario *s, int path, int host, const char *name, const char *value,
                      struct lab_error *error)
{
	int64_t number = 0;

	if (strcmp(value, "own") != 0 && !app_parse_count(value, 1, path, &number)) {
		return lab_refuse_form(error, name, value, SHARED_FORM);
	}
	s->ends[path][host].shared = (int)number;
	return 0;
}

static int set_behind(struct lab_scenario *s, int path, int host, const char *name, const char *value,
                      struct lab_error *error)
{
	int nat = strcmp(value, "none") == 0 ? -1 : find_nat(s, value, strlen(value), name, error);

	if (nat < 0 && strcmp(value, "none") != 0) {
		return -1;
	}
	s->ends[path][host].nat = nat + 1;
	return 0;
}

static int set_absent(struct lab_scenario *s, int path, int host, const char *name, const char *value,
                      struct lab_error *error)
{
	struct lab_end *end = &s->ends[path][host];
	uint64_t from_us = 0, until_us = 0;

	if (strcmp(value, "never") != 0 && !app_parse_interval(value, &from_us, &until_us)) {
		return lab_refuse_form(error, name, value, ABSENT_FORM);
	}
	end->absent_from_us = from_us;
	end->absent_until_us = until_us;
	return 0;
}

static const struct end_key {
	const char *name;
	int host;
	int (*set)(struct lab_scenario *s, int path, int host, const char *name, const char *value,
	           struct lab_error *error);
} end_keys[] = {
    {"from", 0, set_shared},   {"to", 1, set_shared},          {"from_nat", 0, set_behind},
    {"to_nat", 1, set_behind}, {"from_absent", 0, set_absent}, {"to_absent", 1, set_absent},
};

static const struct end_key *find_key(const char *key)
{
	for (size_t i = 0; i < sizeof(end_keys) / sizeof(end_keys[0]); i++) {
		if (strcmp(key, end_keys[i].name) == 0) {
			return &end_keys[i];
		}
	}
	return NULL;
}

bool lab_is_end_key(const char *key)
{
	return find_key(key) != NULL;
}

int lab_set_end(struct lab_scenario *s, int path, const char *key, const char *name, const char *value,
                struct lab_error *error)
{
	const struct end_key *k = find_key(key);

	return k->set(s, path, k->host, name, value, error);
}

/* --- the whole --- */

int lab_end_path(const struct lab_scenario *s, int path, int host)
{
	while (s->ends[path][host].shared != 0) {
		path = s->ends[path][host].shared - 1;
	}
	return path;
}

int lab_end_nat(const struct lab_scenario *s, int path, int host)
{
	return s->ends[lab_end_path(s, path, host)][host].nat;
}

bool lab_is_in_udp(const struct lab_scenario *s)
{
	return s->in_udp || s->n_nats > 0;
}

bool lab_ends_change(const struct lab_scenario *s)
{
	for (int p = 0; p < s->n_paths; p++) {
		if (s->ends[p][0].absent_until_us != 0 || s->ends[p][1].absent_until_us != 0) {
			return true;
		}
	}
	for (int nat = 0; nat < s->n_nats; nat++) {
		if (s->nats[nat].rebind_us != 0) {
			return true;
		}
	}
	return false;
}

static int check_nat(const struct lab_scenario *s, int nat, struct lab_error *error)
{
	char key[60];
	bool used[2] = {false, false};

	for (int p = 0; p < s->n_paths; p++) {
		for (int host = 0; host < 2; host++) {
			used[host] = used[host] || s->ends[p][host].nat == nat + 1;
		}
	}
	snprintf(key, sizeof(key), "nat.%s", s->nats[nat].name);
	if (!used[0] && !used[1]) {
		return lab_refuse(error, key,
		                  "no path ends behind it; give a path the key from_nat or to_nat");
	}
	if (used[0] && used[1]) {
		return lab_refuse(error, key, "a NAT is on one side; name another one for the other side");
	}
	return 0;
}

static int check_path(const struct lab_scenario *s, int path, struct lab_error *error)
{
	char key[40], why[120];

	snprintf(key, sizeof(key), "path.%d", path + 1);
	for (int other = 0; other < path; other++) {
		if (lab_end_path(s, path, 0) == lab_end_path(s, other, 0) &&
		    lab_end_path(s, path, 1) == lab_end_path(s, other, 1)) {
			snprintf(why, sizeof(why),
			         "ends in the same two addresses as path.%d; leave from or to out of one",
			         other + 1);
			return lab_refuse(error, key, why);
		}
	}
	for (int host = 0; host < 2; host++) {
		const struct lab_end *end = &s->ends[path][host];

		if (end->shared != 0 && (end->nat != 0 || end->absent_until_us != 0)) {
			snprintf(why, sizeof(why),
			         "its address is that of path.%d; write %s_nat and %s_absent there",
			         end->shared, host == 0 ? "from" : "to", host == 0 ? "from" : "to");
			return lab_refuse(error, key, why);
		}
	}
	return 0;
}

int lab_check_ends(const struct lab_scenario *s, struct lab_error *error)
{
	for (int p = 0; p < s->n_paths; p++) {
		if (check_path(s, p, error) != 0) {
			return -1;
		}
	}
	for (int nat = 0; nat < s->n_nats; nat++) {
		if (check_nat(s, nat, error) != 0) {
			return -1;
		}
	}
	return 0;
}
