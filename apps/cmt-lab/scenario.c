/* SPDX-License-Identifier: BSD-3-Clause */
#include "scenario.h"

#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "link_keys.h"
#include "units.h"

enum { FORWARD = 0, BACKWARD = 1 };

static int fail(struct lab_error *error, const char *key, const char *why)
{
	snprintf(error->text, sizeof(error->text), "%s: %s", key, why);
	return -1;
}

static int fail_form(struct lab_error *error, const char *key, const char *value, const char *form)
{
	snprintf(error->text, sizeof(error->text), "%s: \"%s\" is not %s", key, value, form);
	return -1;
}

void lab_scenario_init(struct lab_scenario *scenario)
{
	memset(scenario, 0, sizeof(*scenario));
	scenario->family = AF_INET;
	scenario->msg_bytes = 1000;
	scenario->rcvbuf_bytes = 1000000;
	scenario->bytes = 5000000;
}

static int set_size(uint64_t *out, uint64_t min, uint64_t max, const char *key, const char *value,
                    struct lab_error *error)
{
	uint64_t bytes;
	char why[160];

	if (!app_parse_size(value, &bytes)) {
		return fail_form(error, key, value, APP_SIZE_FORM);
	}
	if (bytes < min || bytes > max) {
		snprintf(why, sizeof(why), "%s is out of range; write %llu to %llu bytes", value,
		         (unsigned long long)min, (unsigned long long)max);
		return fail(error, key, why);
	}
	*out = bytes;
	return 0;
}

static int set_source(struct lab_scenario *s, const char *key, const char *value, struct lab_error *error)
{
	struct lab_source source = {.kind = LAB_SOURCE_BULK};

	if (strcmp(value, "bulk") == 0) {
		s->source = source;
		return 0;
	}
	if (strncmp(value, "cbr:", 4) == 0) {
		source.kind = LAB_SOURCE_CBR;
		if (!app_parse_rate(value + 4, &source.cbr_bps) || source.cbr_bps == 0) {
			return fail_form(error, key, value + 4, APP_RATE_FORM);
		}
		s->source = source;
		return 0;
	}
	if (strncmp(value, "file:", 5) == 0 && value[5] != '\0' && strlen(value + 5) < sizeof(source.file)) {
		source.kind = LAB_SOURCE_FILE;
		strcpy(source.file, value + 5);
		s->source = source;
		return 0;
	}
	return fail_form(error, key, value, "a source; write bulk, cbr:400kbit or file:PATH");
}

static int set_text(char *out, size_t out_bytes, const char *key, const char *value, struct lab_error *error)
{
	if (strlen(value) >= out_bytes) {
		return fail(error, key, "too long");
	}
	strcpy(out, value);
	return 0;
}

static int set_duration(struct lab_scenario *s, const char *key, const char *value, struct lab_error *error)
{
	if (!app_parse_time(value, &s->duration_us) || s->duration_us == 0) {
		return fail_form(error, key, value, APP_TIME_FORM);
	}
	s->bytes = 0;
	return 0;
}

static int set_load_key(struct lab_scenario *s, const char *key, const char *value, struct lab_error *error)
{
	if (strcmp(key, "description") == 0) {
		return set_text(s->description, sizeof(s->description), key, value, error);
	}
	if (strcmp(key, "reference") == 0) {
		return set_text(s->reference, sizeof(s->reference), key, value, error);
	}
	if (strcmp(key, "msg") == 0) {
		return set_size(&s->msg_bytes, 1, LAB_MAX_MSG_BYTES, key, value, error);
	}
	if (strcmp(key, "rcvbuf") == 0) {
		return set_size(&s->rcvbuf_bytes, 1500, 1000000000, key, value, error);
	}
	if (strcmp(key, "sndbuf") == 0) {
		return set_size(&s->sndbuf_bytes, 1500, 1000000000, key, value, error);
	}
	if (strcmp(key, "bytes") == 0) {
		s->duration_us = 0;
		return set_size(&s->bytes, 1, 1000000000000, key, value, error);
	}
	if (strcmp(key, "duration") == 0) {
		return set_duration(s, key, value, error);
	}
	if (strcmp(key, "source") == 0) {
		return set_source(s, key, value, error);
	}
	if (strcmp(key, "family") == 0) {
		if (strcmp(value, "ipv4") != 0 && strcmp(value, "ipv6") != 0) {
			return fail_form(error, key, value, "an address family; write ipv4 or ipv6");
		}
		s->family = value[3] == '6' ? AF_INET6 : AF_INET;
		return 0;
	}
	return fail(error, key,
	            "no such key; have description, reference, msg, rcvbuf, sndbuf, bytes, duration, source, "
	            "family, path.N.KEY, grid.KEY");
}

static int add_change(struct lab_scenario *s, const struct lab_change *change, const char *key,
                      struct lab_error *error)
{
	if (s->n_changes == LAB_MAX_CHANGES) {
		return fail(error, key, "too many changes on the time line");
	}
	s->changes[s->n_changes++] = *change;
	return 0;
}

/* down = 3s-8s: the only key with a time line of its own. */
static int set_outage(struct lab_scenario *s, struct lab_change change, const char *key, const char *value,
                      struct lab_error *error)
{
	uint64_t until_us;

	if (!app_parse_interval(value, &change.at_us, &until_us)) {
		return fail_form(error, key, value, "an outage; write FROM-UNTIL as 3s-8s, or yes or no");
	}
	strcpy(change.value, "yes");
	if (add_change(s, &change, key, error) != 0) {
		return -1;
	}
	change.at_us = until_us;
	strcpy(change.value, "no");
	return add_change(s, &change, key, error);
}

static int set_link_now(struct lab_scenario *s, const struct lab_change *what, bool plain, const char *key,
                        struct lab_error *error)
{
	uint32_t bit = UINT32_C(1) << what->key;
	char why[400];

	for (int d = FORWARD; d <= BACKWARD; d++) {
		uint32_t *mask = &s->explicit_keys[what->path][d];

		if (!what->direction[d] || (plain && (*mask & bit) != 0)) {
			continue;
		}
		if (lab_link_set(&s->links[what->path][d], what->key, what->value, why, sizeof(why)) != 0) {
			return fail(error, key, why);
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
		return fail(error, key, "write at.TIME.KEY, as at.20s.rate");
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
		return fail(error, key, "write at.TIME.KEY, as at.20s.rate");
	}
	memcpy(text, *rest + 3, len);
	text[len] = '\0';
	if (!app_parse_time(text, at_us)) {
		return fail_form(error, key, text, APP_TIME_FORM);
	}
	*rest = end + 1;
	return 0;
}

static int set_path_key(struct lab_scenario *s, int path, const char *rest, const char *key,
                        const char *value, struct lab_error *error)
{
	struct lab_change change = {.path = path, .direction = {true, true}};
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
		         "no such key; have %s, each also as back.KEY, forward.KEY, at.TIME.KEY",
		         lab_link_key_list());
		return fail(error, key, why);
	}
	if (set_text(change.value, sizeof(change.value), key, value, error) != 0) {
		return -1;
	}
	if (plain && lab_link_key_is_one_way(change.key)) {
		change.direction[BACKWARD] = false;
	}
	if (strcmp(rest, "down") == 0 && !later && strchr(value, '-') != NULL) {
		return set_outage(s, change, key, value, error);
	}
	if (!later) {
		return set_link_now(s, &change, plain, key, error);
	}
	if (lab_link_set(&scratch, change.key, value, why, sizeof(why)) != 0) {
		return fail(error, key, why);
	}
	return add_change(s, &change, key, error);
}

/* grid.KEY = VALUE VALUE ...: each value must be one that KEY takes. */
static int set_grid(struct lab_scenario *s, const char *key, const char *value, struct lab_error *error)
{
	struct lab_grid grid = {.n_values = 0};
	char list[300], *save = NULL;

	if (s->n_grid == LAB_MAX_GRID || strlen(value) >= sizeof(list)) {
		return fail(error, key, "too many grid parameters or values");
	}
	if (set_text(grid.key, sizeof(grid.key), key, key + strlen("grid."), error) != 0) {
		return -1;
	}
	strcpy(list, value);
	for (char *v = strtok_r(list, " \t", &save); v != NULL; v = strtok_r(NULL, " \t", &save)) {
		struct lab_scenario scratch = *s;

		if (grid.n_values == LAB_MAX_GRID_VALUES) {
			return fail(error, key, "too many values");
		}
		if (strncmp(grid.key, "grid.", 5) == 0 ||
		    lab_scenario_set(&scratch, grid.key, v, error) != 0) {
			return fail(error, key, "this value is not one that the key takes");
		}
		if (set_text(grid.values[grid.n_values++], sizeof(grid.values[0]), key, v, error) != 0) {
			return -1;
		}
	}
	s->grid[s->n_grid++] = grid;
	return 0;
}

int lab_scenario_set(struct lab_scenario *s, const char *key, const char *value, struct lab_error *error)
{
	int number;

	if (strncmp(key, "grid.", 5) == 0) {
		return set_grid(s, key, value, error);
	}
	if (strncmp(key, "path.", 5) != 0) {
		return set_load_key(s, key, value, error);
	}
	number = key[5] - '0';
	if (number < 1 || number > USRSCTP_CMT_SIM_MAX_PATHS || key[6] != '.') {
		return fail(error, key, "paths are numbered path.1 to path.8");
	}
	if (number > s->n_paths) {
		s->n_paths = number;
	}
	return set_path_key(s, number - 1, key + 7, key, value, error);
}

int lab_scenario_check(const struct lab_scenario *s, struct lab_error *error)
{
	char key[24];
	FILE *file;

	if (s->n_paths == 0) {
		return fail(error, "path.1", "there is no path; add a section [path.1] with rate and delay");
	}
	for (int p = 0; p < s->n_paths; p++) {
		for (int d = FORWARD; d <= BACKWARD; d++) {
			if (s->links[p][d].rate_bps == 0) {
				snprintf(key, sizeof(key), "path.%d.%srate", p + 1,
				         d == BACKWARD ? "back." : "");
				return fail_form(error, key, "0", APP_RATE_FORM);
			}
		}
	}
	if (s->bytes == 0 && s->duration_us == 0) {
		return fail(error, "bytes", "neither bytes nor duration is given");
	}
	if (s->source.kind == LAB_SOURCE_FILE) {
		file = fopen(s->source.file, "rb");
		if (file == NULL) {
			return fail_form(error, "source", s->source.file, "a file that can be read");
		}
		fclose(file);
	}
	return 0;
}

bool lab_scenario_is_lossless(const struct lab_scenario *s)
{
	if (s->n_changes > 0) {
		return false;
	}
	for (int p = 0; p < s->n_paths; p++) {
		for (int d = FORWARD; d <= BACKWARD; d++) {
			const struct usrsctp_cmt_sim_link *l = &s->links[p][d];

			if (l->loss > 0 || l->ge_bad > 0 || l->bit_error > 0 || l->corrupt > 0 ||
			    l->duplicate > 0 || l->reorder > 0 || l->jitter_reorders || l->down ||
			    l->cross.kind != USRSCTP_CMT_SIM_CROSS_NONE) {
				return false;
			}
		}
	}
	return true;
}
