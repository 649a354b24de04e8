/* SPDX-License-Identifier: BSD-3-Clause */
#include "scenario/scenario.h"

#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "scenario/changes.h"
#include "scenario/link_keys.h"
#include "scenario/scenario_parts.h"
#include "text/units.h"

enum { FORWARD = 0, BACKWARD = 1 };

void lab_scenario_init(struct lab_scenario *scenario)
{
	memset(scenario, 0, sizeof(*scenario));
	for (int link = 0; link < LAB_MAX_LINKS; link++) {
		scenario->links[link][FORWARD].delay_us = LAB_NO_DELAY_US;
		scenario->links[link][BACKWARD].delay_us = LAB_NO_DELAY_US;
	}
	scenario->family = AF_INET;
	scenario->msg_bytes = 1000;
	scenario->rcvbuf_bytes = 1000000;
	scenario->play_buffer_us = LAB_PLAY_BUFFER_US;
	scenario->bytes = 5000000;
	scenario->warm_up_us = 2000000;
}

/* down = 3s-8s 12s-13s: the only key with a time line of its own. */
static int set_outages(struct lab_scenario *s, struct lab_change change, const char *key, const char *value,
                       struct lab_error *error)
{
	char list[LAB_VALUE_BYTES], *save = NULL;
	uint64_t until_us;

	snprintf(list, sizeof(list), "%s", value);
	for (char *one = strtok_r(list, " \t", &save); one != NULL; one = strtok_r(NULL, " \t", &save)) {
		if (!app_parse_interval(one, &change.at_us, &until_us)) {
			return lab_refuse_form(error, key, one,
			                       "an outage; write FROM-UNTIL as 3s-8s, or yes or no");
		}
		strcpy(change.value, "yes");
		lab_changes_add(s, &change);
		change.at_us = until_us;
		strcpy(change.value, "no");
		lab_changes_add(s, &change);
	}
	return 0;
}

/* The value of a change: names of files as from the working directory. */
static int take_value(char out[LAB_VALUE_BYTES], const struct lab_scenario *s, int link_key, const char *key,
                      const char *value, struct lab_error *error)
{
	char path[2 * LAB_VALUE_BYTES];

	if (!lab_link_key_is_file(link_key) || s->dir[0] == '\0' || value[0] == '/' ||
	    strcmp(value, "none") == 0 || strlen(value) >= LAB_VALUE_BYTES) {
		return lab_take_text(out, LAB_VALUE_BYTES, key, value, error);
	}
	snprintf(path, sizeof(path), "%s/%s", s->dir, value);
	return lab_take_text(out, LAB_VALUE_BYTES, key, path, error);
}

static int set_link_now(struct lab_scenario *s, const struct lab_change *what, bool plain, const char *key,
                        struct lab_error *error)
{
	uint32_t bit = UINT32_C(1) << what->key;
	char why[400];

	for (int d = FORWARD; d <= BACKWARD; d++) {
		uint32_t *mask = &s->explicit_keys[what->link][d];

		if (!what->direction[d] || (plain && (*mask & bit) != 0)) {
			continue;
		}
		if (lab_link_set(&s->links[what->link][d], what->key, what->value, why, sizeof(why)) != 0) {
			return lab_refuse(error, key, why);
		}
		if (!plain) {
			*mask |= bit;
		}
	}
	return 0;
}

/* Takes "at.TIME." off the front of a path key: the time, and what follows. */
static int take_time(const char **rest, uint64_t *at_us, const char *key, struct lab_error *error)
{
	const char *last = strrchr(*rest, '.'), *end = last;
	char text[32];
	size_t len;

	if (last == NULL || last < *rest + 3) {
		return lab_refuse(error, key, "write at.TIME.KEY, as at.20s.rate");
	}
	for (const char *p = last - 1; p > *rest + 3; p--) {
		if (*p == '.') {
			if (strncmp(p, ".back.", 6) == 0 || strncmp(p, ".forward.", 9) == 0) {
				end = p;
			}
			break;
		}
	}
	len = (size_t)(end - (*rest + 3));
	if (len >= sizeof(text)) {
		return lab_refuse(error, key, "write at.TIME.KEY, as at.20s.rate");
	}
	memcpy(text, *rest + 3, len);
	text[len] = '\0';
	if (!app_parse_time(text, at_us)) {
		return lab_refuse_form(error, key, text, APP_TIME_FORM);
	}
	*rest = end + 1;
	return 0;
}

static int set_link_key(struct lab_scenario *s, int link, const char *rest, const char *key,
                        const char *value, struct lab_error *error)
{
	struct lab_change change = {.link = link, .direction = {true, true}};
	struct usrsctp_cmt_sim_link scratch = {0};
	bool later = strncmp(rest, "at.", 3) == 0, plain = true;
	char why[400];

	if (later && take_time(&rest, &change.at_us, key, error) != 0) {
		return -1;
	}
	if (strncmp(rest, "back.", 5) == 0) {
		change.direction[FORWARD] = false;
		plain = false;
		rest += 5;
	} else if (strncmp(rest, "forward.", 8) == 0) {
		change.direction[BACKWARD] = false;
		plain = false;
		rest += 8;
	}
	change.key = lab_link_key(rest);
	if (change.key < 0) {
		snprintf(why, sizeof(why),
		         "no such key; there are %s, each also as back.KEY, forward.KEY, at.TIME.KEY%s",
		         lab_link_key_list(),
		         link < USRSCTP_CMT_SIM_MAX_PATHS ? ", and via, backup, weight, cost, cap, from, to, "
		                                            "from_nat, to_nat, from_absent, to_absent"
		                                          : "");
		return lab_refuse(error, key, why);
	}
	if (later && lab_link_key_is_fixed(change.key)) {
		return lab_refuse(error, key, "does not change in a run; leave at.TIME out");
	}
	if (take_value(change.value, s, change.key, key, value, error) != 0) {
		return -1;
	}
	if (plain && lab_link_key_is_one_way(change.key)) {
		change.direction[BACKWARD] = false;
	}
	if (strcmp(rest, "down") == 0 && !later && strchr(value, '-') != NULL) {
		return set_outages(s, change, key, value, error);
	}
	if (!later) {
		return set_link_now(s, &change, plain, key, error);
	}
	if (lab_link_set(&scratch, change.key, change.value, why, sizeof(why)) != 0) {
		return lab_refuse(error, key, why);
	}
	lab_changes_add(s, &change);
	return 0;
}

/* grid.KEY = VALUE VALUE ...: each value must be one that KEY takes. */
static int set_grid(struct lab_scenario *s, const char *key, const char *value, struct lab_error *error)
{
	struct lab_grid grid = {.n_values = 0};
	char list[300], *save = NULL, *last;

	if (s->n_grid == LAB_MAX_GRID || strlen(value) >= sizeof(list)) {
		return lab_refuse(error, key, "too many grid parameters or values");
	}
	if (lab_take_text(grid.key, sizeof(grid.key), key, key + strlen("grid."), error) != 0) {
		return -1;
	}
	last = strrchr(grid.key, '.');
	if (last != NULL && lab_link_key(last + 1) >= 0 && lab_link_key_is_file(lab_link_key(last + 1))) {
		return lab_refuse(error, key, "files are not varied; give --set for each");
	}
	strcpy(list, value);
	for (char *v = strtok_r(list, " \t", &save); v != NULL; v = strtok_r(NULL, " \t", &save)) {
		struct lab_scenario scratch = *s;

		if (grid.n_values == LAB_MAX_GRID_VALUES) {
			return lab_refuse(error, key, "too many values");
		}
		if (strncmp(grid.key, "grid.", 5) == 0 ||
		    lab_scenario_set(&scratch, grid.key, v, error) != 0) {
			return lab_refuse(error, key, "the key does not accept this value");
		}
		if (lab_take_text(grid.values[grid.n_values++], sizeof(grid.values[0]), key, v, error) != 0) {
			return -1;
		}
	}
	s->grid[s->n_grid++] = grid;
	return 0;
}

const char *lab_link_name(const struct lab_scenario *s, int link, char *out, size_t out_bytes)
{
	if (link < USRSCTP_CMT_SIM_MAX_PATHS) {
		snprintf(out, out_bytes, "path.%d", link + 1);
	} else {
		snprintf(out, out_bytes, "link.%s", s->shared_names[link - USRSCTP_CMT_SIM_MAX_PATHS]);
	}
	return out;
}

/* The number of the shared link with the first `len` letters of `name` as its name; it is made when it is
 * new. -1 with the reason. */
static int shared_link(struct lab_scenario *s, const char *name, size_t len, const char *key,
                       struct lab_error *error)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";

	if (len == 0 || len >= LAB_LINK_NAME_BYTES || strspn(name, letters) < len) {
		return lab_refuse(error, key, "a link's name has 1 to 23 letters, digits, - or _");
	}
	for (int i = 0; i < s->n_shared; i++) {
		if (strlen(s->shared_names[i]) == len && strncmp(s->shared_names[i], name, len) == 0) {
			return USRSCTP_CMT_SIM_MAX_PATHS + i;
		}
	}
	if (s->n_shared == LAB_MAX_SHARED) {
		return lab_refuse(error, key, "too many shared links; at most 4");
	}
	memcpy(s->shared_names[s->n_shared], name, len);
	return USRSCTP_CMT_SIM_MAX_PATHS + s->n_shared++;
}

static int set_path_key(struct lab_scenario *s, int path, const char *rest, const char *key,
                        const char *value, struct lab_error *error)
{
	int link, rc;

	if (lab_set_path_use(&s->use[path], rest, key, value, error, &rc)) {
		return rc;
	}
	if (lab_is_end_key(rest)) {
		return lab_set_end(s, path, rest, key, value, error);
	}
	if (strcmp(rest, "via") != 0) {
		return set_link_key(s, path, rest, key, value, error);
	}
	link = strcmp(value, "none") == 0 ? 0 : shared_link(s, value, strlen(value), key, error);
	s->via[path] = link < 0 ? 0 : link;
	return link < 0 ? -1 : 0;
}

/* link.NAME.KEY */
static int set_shared_key(struct lab_scenario *s, const char *key, const char *value, struct lab_error *error)
{
	const char *name = key + strlen("link."), *dot = strchr(name, '.');
	int link;

	if (dot == NULL) {
		return lab_refuse(error, key, "write link.NAME.KEY, as link.core.rate");
	}
	link = shared_link(s, name, (size_t)(dot - name), key, error);
	return link < 0 ? -1 : set_link_key(s, link, dot + 1, key, value, error);
}

int lab_scenario_set(struct lab_scenario *s, const char *key, const char *value, struct lab_error *error)
{
	int number;

	if (strncmp(key, "grid.", 5) == 0) {
		return set_grid(s, key, value, error);
	}
	if (strncmp(key, "link.", 5) == 0) {
		return set_shared_key(s, key, value, error);
	}
	if (strncmp(key, "nat.", 4) == 0) {
		return lab_set_nat(s, key, value, error);
	}
	if (strcmp(key, "competitor") == 0 || strncmp(key, "competitor.", 11) == 0) {
		return lab_set_competitor(s, key, value, error);
	}
	if (strncmp(key, "path.", 5) != 0) {
		return lab_set_load_key(s, key, value, error);
	}
	number = key[5] - '0';
	if (number < 1 || number > USRSCTP_CMT_SIM_MAX_PATHS || key[6] != '.') {
		return lab_refuse(error, key, "paths are numbered path.1 to path.8");
	}
	if (number > s->n_paths) {
		s->n_paths = number;
	}
	return set_path_key(s, number - 1, key + 7, key, value, error);
}

/* LINK.rate: is not given. */
static int refuse_missing(const char *link, int direction, const char *key, struct lab_error *error)
{
	char name[60], why[200];
	const bool shared = strncmp(link, "link.", 5) == 0;

	snprintf(name, sizeof(name), "%s.%s%s", link, direction == BACKWARD ? "back." : "", key);
	if (shared) {
		snprintf(why, sizeof(why),
		         "is not given; the shared link %s needs a rate and a delay, inline as "
		         "%s=10Mbit/5ms, in a file as rate = 10Mbit and delay = 5ms in [%s]",
		         link + 5, link, link);
	} else {
		snprintf(why, sizeof(why),
		         "is not given; every path needs rate and delay, as %s.rate=1.6Mbit, %s.delay=10ms",
		         link, link);
	}
	return lab_refuse(error, name, why);
}

/* At one time or another. */
static bool has_grants(const struct lab_scenario *s, int link, int direction)
{
	const int lte = lab_link_key("lte");
	bool has = s->links[link][direction].grants.interval_us > 0;

	for (unsigned i = 0; i < s->n_changes; i++) {
		const struct lab_change *c = &s->changes[i];

		has = has || (c->link == link && c->direction[direction] && c->key == lte);
	}
	return has;
}

static int check_link(const struct lab_scenario *s, int link, struct lab_error *error)
{
	char name[40];

	lab_link_name(s, link, name, sizeof(name));
	for (int d = FORWARD; d <= BACKWARD; d++) {
		if (s->links[link][d].rate_bps == 0) {
			return refuse_missing(name, d, "rate", error);
		}
		if (s->links[link][d].delay_us == LAB_NO_DELAY_US) {
			return refuse_missing(name, d, "delay", error);
		}
		if (s->links[link][d].wifi.burst_pkts > 0 && has_grants(s, link, d)) {
			return lab_refuse(error, name, "a link has wifi or lte; leave one out");
		}
	}
	return 0;
}

static bool is_described(const struct lab_scenario *s, int link)
{
	for (int d = FORWARD; d <= BACKWARD; d++) {
		if (s->links[link][d].rate_bps != 0 || s->links[link][d].delay_us != LAB_NO_DELAY_US) {
			return true;
		}
	}
	return false;
}

/* A path that is there only because a later one was named. */
static int refuse_gap(const struct lab_scenario *s, int path, struct lab_error *error)
{
	char name[40], why[200];

	for (int later = path + 1; later < s->n_paths; later++) {
		if (is_described(s, later)) {
			snprintf(
			    why, sizeof(why),
			    "there is a path.%d, but no path.%d; number the paths from path.1 without gaps",
			    later + 1, path + 1);
			return lab_refuse(error, lab_link_name(s, path, name, sizeof(name)), why);
		}
	}
	return refuse_missing(lab_link_name(s, s->n_paths - 1, name, sizeof(name)), FORWARD, "rate", error);
}

static int check_shared(const struct lab_scenario *s, int link, struct lab_error *error)
{
	char name[40];
	int users = 0;

	for (int p = 0; p < s->n_paths; p++) {
		users += s->via[p] == link;
	}
	return users > 0 ? check_link(s, link, error)
	                 : lab_refuse(error, lab_link_name(s, link, name, sizeof(name)),
	                              "no path goes through it; give a path the key via");
}

/* Every path and every shared link has rate and delay, and every shared link a path. */
static int check_links(const struct lab_scenario *s, struct lab_error *error)
{
	for (int p = 0; p < s->n_paths; p++) {
		if (!is_described(s, p)) {
			return refuse_gap(s, p, error);
		}
		if (check_link(s, p, error) != 0) {
			return -1;
		}
	}
	for (int i = 0; i < s->n_shared; i++) {
		if (check_shared(s, USRSCTP_CMT_SIM_MAX_PATHS + i, error) != 0) {
			return -1;
		}
	}
	return 0;
}

int lab_scenario_check(const struct lab_scenario *s, struct lab_error *error)
{
	FILE *file;

	if (s->n_paths == 0) {
		return lab_refuse(error, "path.1",
		                  "there is no path; add a section [path.1] with rate and delay");
	}
	if (check_links(s, error) != 0 || lab_check_ends(s, error) != 0 ||
	    lab_check_competitors(s, error) != 0) {
		return -1;
	}
	if (s->bytes == 0 && s->duration_us == 0) {
		return lab_refuse(error, "bytes", "neither bytes nor duration is given");
	}
	if (s->source.kind == LAB_SOURCE_PAGE && s->bytes == 0) {
		return lab_refuse(error, "source", "a page has bytes, not a duration; write bytes = 2MB");
	}
	if (s->play_told && s->play_bps == 0) {
		return lab_refuse(error, "play_told", "there is no player to tell of; write play = 5Mbit:4s");
	}
	if (s->source.kind == LAB_SOURCE_ENCODER && s->duration_us == 0) {
		return lab_refuse(error, "source",
		                  "an encoder has a duration, no bytes; write duration = 20s");
	}
	if (s->source.kind == LAB_SOURCE_FILE) {
		file = fopen(s->source.file, "rb");
		if (file == NULL) {
			return lab_refuse_form(error, "source", s->source.file, "a file that can be read");
		}
		fclose(file);
	}
	return 0;
}

static bool is_impaired(const struct usrsctp_cmt_sim_link *l)
{
	return l->loss > 0 || l->ge_bad > 0 || l->bit_error > 0 || l->corrupt > 0 || l->duplicate > 0 ||
	       l->reorder > 0 || l->jitter_reorders || l->down || l->rates != NULL || l->delays != NULL ||
	       l->black_hole_bytes > 0 || l->policer.rate_bps > 0 || l->grants.block_failure > 0 ||
	       l->aqm != USRSCTP_CMT_SIM_AQM_NONE || l->cross.kind != USRSCTP_CMT_SIM_CROSS_NONE;
}

bool lab_scenario_is_lossless(const struct lab_scenario *s)
{
	if (s->n_changes > 0 || s->n_competitors > 0 || lab_ends_change(s)) {
		return false;
	}
	/* Links that are not there have no impairment. */
	for (int link = 0; link < LAB_MAX_LINKS; link++) {
		if (is_impaired(&s->links[link][FORWARD]) || is_impaired(&s->links[link][BACKWARD])) {
			return false;
		}
	}
	return true;
}
