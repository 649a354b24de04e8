/* SPDX-License-Identifier: BSD-3-Clause */
#include "setup/run_settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/words.h"
#include "scenario/ceiling.h"
#include "text/units.h"

#define LEAST_WINDOW_BYTES 4500 /* below three packets no receiver offers a window at all */

static int set_rcvbuf(struct lab_run *run, const char *value, struct lab_error *error)
{
	char *end, bytes[32];
	double factor = strtod(value, &end);

	if (end == value || strcmp(end, "W") != 0) {
		return lab_scenario_set(&run->scenario, "rcvbuf", value, error);
	}
	factor *= lab_w_min_bytes(&run->scenario, -1);
	snprintf(bytes, sizeof(bytes), "%.0f", factor < LEAST_WINDOW_BYTES ? LEAST_WINDOW_BYTES : factor);
	return lab_scenario_set(&run->scenario, "rcvbuf", bytes, error);
}

static int set_load(struct lab_run *run, const char *value, struct lab_error *error)
{
	double part, ceiling_bps = lab_ceiling_bps(&run->scenario, -1, true);

	if (!app_parse_probability(value, &part) || part <= 0) {
		snprintf(error->text, sizeof(error->text), "load: \"%.100s\" is not a load; write 75%%",
		         value);
		return -1;
	}
	run->scenario.source =
	    (struct lab_source){.kind = LAB_SOURCE_CBR, .cbr_bps = (uint64_t)(part * ceiling_bps)};
	return 0;
}

static int set_count(const char *key, const char *value, int64_t min, int64_t max, int64_t *out,
                     struct lab_error *error)
{
	if (!app_parse_count(value, min, max, out)) {
		snprintf(error->text, sizeof(error->text),
		         "%s: \"%.100s\" is not a whole number from %lld to %lld", key, value, (long long)min,
		         (long long)max);
		return -1;
	}
	return 0;
}

static int set_paths(struct lab_run *run, const char *value, struct lab_error *error)
{
	int64_t n = run->scenario.n_paths;
	int rc = set_count("paths", value, 1, n, &n, error);

	run->scenario.n_paths = (int)n;
	return rc;
}

static int set_only_path(struct lab_run *run, const char *value, struct lab_error *error)
{
	int64_t number = run->only_path + 1;
	int rc = set_count("only_path", value, 1, USRSCTP_CMT_SIM_MAX_PATHS, &number, error);

	run->only_path = (int)number - 1;
	return rc;
}

static int set_delay_error(struct lab_run *run, const char *value, struct lab_error *error)
{
	int64_t percent = run->delay_error_pct;
	int rc = set_count("delay_error", value, -100, 1000, &percent, error);

	run->delay_error_pct = (int)percent;
	return rc;
}

static int set_policy(struct app_policy *out, const struct app_policy_kind *kind, const char *key,
                      const char *value, struct lab_error *error)
{
	struct app_error why;

	if (app_policy_parse(out, kind, key, value, &why) != 0) {
		snprintf(error->text, sizeof(error->text), "%s", why.text);
		return -1;
	}
	return 0;
}

static int set_cc(struct lab_run *run, const char *value, struct lab_error *error)
{
	return set_policy(&run->cc, &app_cc_kind, "cc", value, error);
}

static int set_recovery(struct lab_run *run, const char *value, struct lab_error *error)
{
	return set_policy(&run->recovery, &app_recovery_kind, "recovery", value, error);
}

static int set_text(char *out, size_t out_bytes, const char *key, const char *value, struct lab_error *error)
{
	if (strlen(value) >= out_bytes) {
		snprintf(error->text, sizeof(error->text), "%s: \"%.100s\" is too long", key, value);
		return -1;
	}
	strcpy(out, value);
	return 0;
}

static int set_scheduler(struct lab_run *run, const char *value, struct lab_error *error)
{
	return set_text(run->scheduler, sizeof(run->scheduler), "scheduler", value, error);
}

static int set_options(struct lab_run *run, const char *value, struct lab_error *error)
{
	return set_text(run->options, sizeof(run->options), "options", value, error);
}

static int set_one(struct lab_run *run, char *word, struct lab_error *error)
{
	static const struct {
		const char *key;
		int (*set)(struct lab_run *run, const char *value, struct lab_error *error);
	} own[] = {{"rcvbuf", set_rcvbuf},       {"load", set_load},      {"paths", set_paths},
	           {"only_path", set_only_path}, {"cc", set_cc},          {"delay_error", set_delay_error},
	           {"scheduler", set_scheduler}, {"options", set_options},
	           {"recovery", set_recovery}};
	char *equals = strchr(word, '=');

	if (equals == NULL) {
		snprintf(error->text, sizeof(error->text), "\"%.100s\" is not KEY=VALUE", word);
		return -1;
	}
	*equals = '\0';
	for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++) {
		if (strcmp(word, own[i].key) == 0) {
			return own[i].set(run, equals + 1, error);
		}
	}
	return lab_scenario_set(&run->scenario, word, equals + 1, error);
}

int lab_run_settings(struct lab_run *run, const char *settings, struct lab_error *error)
{
	struct lab_words words = lab_words_split(settings);
	int rc = 0;

	for (unsigned i = 0; i < words.n && rc == 0; i++) {
		rc = set_one(run, words.word[i], error);
	}
	lab_words_free(&words);
	return rc;
}

void lab_run_set_transfer(struct lab_scenario *s, double seconds, double most_bytes)
{
	double bytes = lab_ceiling_bps(s, -1, true) * seconds / 8;

	if (s->source.kind == LAB_SOURCE_CBR || s->source.kind == LAB_SOURCE_ENCODER) {
		s->bytes = 0;
		s->duration_us = (uint64_t)(seconds * 1e6);
		return;
	}
	s->bytes = (uint64_t)(bytes < most_bytes ? bytes : most_bytes);
	s->duration_us = 0;
}
