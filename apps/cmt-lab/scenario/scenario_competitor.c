/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Competitors: associations over one path each that transfer beside the one that is measured. */
#include <stdio.h>
#include <string.h>

#include "base/scheduler_names.h"
#include "scenario/scenario_parts.h"
#include "text/units.h"

#define FLOWS     "flows:"
#define PATH_FORM "a path; write 1 to 8"

static struct lab_competitor fresh(void)
{
	return (struct lab_competitor){.path = -1, .scheduler = "rr"};
}

static int take_path(int *path, const char *key, const char *value, struct lab_error *error)
{
	int64_t number;

	if (!app_parse_count(value, 1, USRSCTP_CMT_SIM_MAX_PATHS, &number)) {
		return lab_refuse_form(error, key, value, PATH_FORM);
	}
	*path = (int)number - 1;
	return 0;
}

static int take_policy(struct app_policy *out, const struct app_policy_kind *kind, const char *key,
                       const char *value, struct lab_error *error)
{
	struct app_error why;

	if (app_policy_parse(out, kind, key, value, &why) == 0) {
		return 0;
	}
	snprintf(error->text, sizeof(error->text), "%s", why.text);
	return -1;
}

static const char *const laws[] = {
    [LAB_LAW_NONE] = "", [LAB_LAW_NEWRENO] = "newreno", [LAB_LAW_CUBIC] = "cubic", [LAB_LAW_BBR] = "bbr"};

const char *lab_law_name(enum lab_law_kind law)
{
	return laws[law];
}

static int take_flows(struct lab_competitor *c, const char *key, const char *value, struct lab_error *error)
{
	if (!app_parse_rate(value, &c->flows_bps) || c->flows_bps == 0) {
		return lab_refuse_form(error, key, value, APP_RATE_FORM);
	}
	c->law = c->law == LAB_LAW_NONE ? LAB_LAW_CUBIC : c->law;
	return 0;
}

/* A law's name, flows:RATE, or a congestion control of the library. */
static int take_cc(struct lab_competitor *c, const char *key, const char *value, struct lab_error *error)
{
	struct lab_error why;

	for (enum lab_law_kind law = LAB_LAW_NEWRENO; law <= LAB_LAW_BBR; law++) {
		if (strcmp(value, laws[law]) == 0) {
			c->law = law;
			return 0;
		}
	}
	if (strncmp(value, FLOWS, strlen(FLOWS)) == 0) {
		return take_flows(c, key, value + strlen(FLOWS), error);
	}
	c->law = LAB_LAW_NONE;
	if (take_policy(&c->cc, &app_cc_kind, key, value, &why) != 0) {
		snprintf(error->text, sizeof(error->text), "%.480s, newreno, cubic, bbr, flows:RATE",
		         why.text);
		return -1;
	}
	return 0;
}

static int take_scheduler(struct lab_competitor *c, const char *key, const char *value,
                          struct lab_error *error)
{
	char known[300], form[400];

	if (!lab_is_scheduler(value, known, sizeof(known))) {
		snprintf(form, sizeof(form), "a scheduler; write one of %s", known);
		return lab_refuse_form(error, key, value, form);
	}
	return lab_take_text(c->scheduler, sizeof(c->scheduler), key, value, error);
}

/* Competitor `number` and all before it exist afterwards. */
static struct lab_competitor *competitor(struct lab_scenario *s, unsigned number)
{
	while (s->n_competitors <= number) {
		s->competitors[s->n_competitors++] = fresh();
	}
	return &s->competitors[number];
}

/* competitor = uncoupled@1: one more; none: no more. */
static int set_short(struct lab_scenario *s, const char *key, const char *value, struct lab_error *error)
{
	const char *at = strrchr(value, '@');
	struct lab_competitor c = fresh();
	char cc[APP_POLICY_TEXT_BYTES];

	if (strcmp(value, "none") == 0) {
		s->n_competitors = 0;
		return 0;
	}
	if (at == NULL || (size_t)(at - value) >= sizeof(cc)) {
		return lab_refuse_form(error, key, value,
		                       "a competitor; write CC@PATH, as uncoupled@1, or none");
	}
	snprintf(cc, sizeof(cc), "%.*s", (int)(at - value), value);
	if (s->n_competitors == LAB_MAX_COMPETITORS) {
		return lab_refuse(error, key, "too many competitors; at most 4");
	}
	if (take_path(&c.path, key, at + 1, error) != 0 || take_cc(&c, key, cc, error) != 0) {
		return -1;
	}
	s->competitors[s->n_competitors++] = c;
	return 0;
}

int lab_set_competitor(struct lab_scenario *s, const char *key, const char *value, struct lab_error *error)
{
	const char *rest = key + strlen("competitor");
	struct lab_competitor *c;
	unsigned number = 0;

	if (*rest == '\0') {
		return set_short(s, key, value, error);
	}
	rest++;
	if (rest[0] >= '1' && rest[0] <= '0' + LAB_MAX_COMPETITORS && rest[1] == '.') {
		number = (unsigned)(rest[0] - '1');
		rest += 2;
	}
	c = competitor(s, number);
	if (strcmp(rest, "path") == 0) {
		return take_path(&c->path, key, value, error);
	}
	if (strcmp(rest, "cc") == 0) {
		return take_cc(c, key, value, error);
	}
	if (strcmp(rest, "recovery") == 0) {
		return take_policy(&c->recovery, &app_recovery_kind, key, value, error);
	}
	if (strcmp(rest, "scheduler") == 0) {
		return take_scheduler(c, key, value, error);
	}
	if (strcmp(rest, "start") == 0) {
		return app_parse_time(value, &c->start_us)
		           ? 0
		           : lab_refuse_form(error, key, value, APP_TIME_FORM);
	}
	if (strcmp(rest, "flows") == 0) {
		return take_flows(c, key, value, error);
	}
	if (strcmp(rest, "back") == 0) {
		return app_parse_bool(value, &c->back) ? 0 : lab_refuse_form(error, key, value, "yes or no");
	}
	return lab_refuse(error, key,
	                  "no such key; there are path, cc, recovery, scheduler, start, flows, back");
}

int lab_check_competitors(const struct lab_scenario *s, struct lab_error *error)
{
	char key[40], why[80];

	for (unsigned i = 0; i < s->n_competitors; i++) {
		int path = s->competitors[i].path;

		if (path < 0 || path >= s->n_paths) {
			snprintf(key, sizeof(key), "competitor.%u.path", i + 1);
			snprintf(why, sizeof(why), "\"%d\" is not a path of the scenario; write 1 to %d",
			         path + 1, s->n_paths);
			return lab_refuse(error, key, why);
		}
		if (s->competitors[i].law == LAB_LAW_NONE && s->competitors[i].back) {
			snprintf(key, sizeof(key), "competitor.%u.back", i + 1);
			return lab_refuse(error, key,
			                  "only cc = newreno, cubic or bbr, and flows, can send back");
		}
		if (s->competitors[i].law != LAB_LAW_NONE && lab_is_in_udp(s)) {
			snprintf(key, sizeof(key), "competitor.%u.cc", i + 1);
			return lab_refuse(error, key,
			                  "newreno, cubic, bbr and flows do not go through UDP and NATs");
		}
	}
	return 0;
}
