/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Scenarios as one argument: RATE/DELAY[/key=value...] for each path, link.NAME=RATE/DELAY[/key=value...] for
 * each link that paths share, key=value for all paths or for the load, separated by commas. What a path says
 * of itself wins over what is said for all. */
#include "scenario/scenario.h"

#include <stdio.h>
#include <string.h>

#include "scenario/link_keys.h"
#include "scenario/scenario_parts.h"

#define MAX_ITEMS 32

struct items {
	char text[600];
	char *item[MAX_ITEMS];
	unsigned n;
};

static int too_long(struct lab_error *error)
{
	snprintf(error->text, sizeof(error->text), "the inline scenario is too long; put it into a file");
	return -1;
}

static int split_items(struct items *out, const char *text, struct lab_error *error)
{
	char *save = NULL;

	if (strlen(text) >= sizeof(out->text)) {
		return too_long(error);
	}
	out->n = 0;
	strcpy(out->text, text);
	for (char *i = strtok_r(out->text, ",", &save); i != NULL; i = strtok_r(NULL, ",", &save)) {
		if (out->n == MAX_ITEMS) {
			return too_long(error);
		}
		out->item[out->n++] = i;
	}
	return 0;
}

static bool is_path(const char *item)
{
	const char *slash = strchr(item, '/'), *equals = strchr(item, '=');

	return equals == NULL || (slash != NULL && slash < equals);
}

/* `link` is "path.2" or "link.NAME". */
static int set_on_link(struct lab_scenario *s, const char *link, const char *key, const char *value,
                       struct lab_error *error)
{
	char name[120];

	snprintf(name, sizeof(name), "%.60s.%.48s", link, key);
	return lab_scenario_set(s, name, value, error);
}

static int set_link(struct lab_scenario *s, const char *link, char *item, struct lab_error *error);

static int set_for_all(struct lab_scenario *s, int n_paths, char *item, struct lab_error *error)
{
	char *value = strchr(item, '='), path[16];

	*value++ = '\0';
	if (strncmp(item, "link.", 5) == 0 && strchr(item + 5, '.') == NULL) {
		return set_link(s, item, value, error);
	}
	if (lab_link_key(item) < 0 && !lab_is_path_key(item)) {
		return lab_scenario_set(s, item, value, error);
	}
	for (int p = 1; p <= n_paths; p++) {
		snprintf(path, sizeof(path), "path.%d", p);
		if (set_on_link(s, path, item, value, error) != 0) {
			return -1;
		}
	}
	return 0;
}

static int set_link(struct lab_scenario *s, const char *link, char *item, struct lab_error *error)
{
	static const char *const first[] = {"rate", "delay"};
	unsigned n = 0;
	char *save = NULL;

	for (char *field = strtok_r(item, "/", &save); field != NULL;
	     field = strtok_r(NULL, "/", &save), n++) {
		char *value = strchr(field, '=');
		int rc;

		if (n < 2) {
			rc = set_on_link(s, link, first[n], field, error);
		} else if (value == NULL) {
			snprintf(error->text, sizeof(error->text),
			         "%s: \"%s\" is not KEY=VALUE; write RATE/DELAY/loss=0.5%%", link, field);
			rc = -1;
		} else {
			*value++ = '\0';
			rc = set_on_link(s, link, field, value, error);
		}
		if (rc != 0) {
			return -1;
		}
	}
	if (n < 2) {
		snprintf(error->text, sizeof(error->text),
		         "%s: \"%s\" is not a link; write RATE/DELAY, as 1.6Mbit/10ms", link, item);
		return -1;
	}
	return 0;
}

static int build(struct lab_scenario *s, struct items *items, struct lab_error *error)
{
	int n_paths = 0, path = 0;
	char name[20];
	bool describes_path[MAX_ITEMS];

	for (unsigned i = 0; i < items->n; i++) {
		describes_path[i] = is_path(items->item[i]);
		n_paths += describes_path[i];
	}
	if (n_paths == 0 || n_paths > USRSCTP_CMT_SIM_MAX_PATHS) {
		snprintf(
		    error->text, sizeof(error->text),
		    "\"%d paths\" is not a network; write 1 to %d paths as RATE/DELAY, separated by commas",
		    n_paths, USRSCTP_CMT_SIM_MAX_PATHS);
		return -1;
	}
	for (unsigned i = 0; i < items->n; i++) {
		if (!describes_path[i] && set_for_all(s, n_paths, items->item[i], error) != 0) {
			return -1;
		}
	}
	for (unsigned i = 0; i < items->n; i++) {
		snprintf(name, sizeof(name), "path.%d", path + 1);
		path += describes_path[i];
		if (describes_path[i] && set_link(s, name, items->item[i], error) != 0) {
			return -1;
		}
	}
	return lab_scenario_check(s, error);
}

int lab_scenario_load_inline(struct lab_scenario *scenario, const char *text, struct lab_error *error)
{
	struct items items;
	struct lab_error why;

	lab_scenario_init(scenario);
	snprintf(scenario->name, sizeof(scenario->name), "%.95s", text);
	if (split_items(&items, text, &why) != 0 || build(scenario, &items, &why) != 0) {
		snprintf(error->text, sizeof(error->text), "inline scenario: %.500s", why.text);
		return -1;
	}
	return 0;
}
