/* SPDX-License-Identifier: BSD-3-Clause */
#include "run_settings.h"

#include <stdio.h>
#include <string.h>

#include "units.h"

void lab_words_split(struct lab_words *w, const char *text)
{
	char *save = NULL;

	w->n = 0;
	snprintf(w->text, sizeof(w->text), "%s", text == NULL ? "" : text);
	for (char *p = strtok_r(w->text, " ", &save); p != NULL && w->n < 40;
	     p = strtok_r(NULL, " ", &save)) {
		w->word[w->n++] = p;
	}
}

int lab_run_set_control(struct lab_run *run, const char *text, struct lab_error *error)
{
	struct app_error why;

	if (app_policy_parse(&run->cc, &app_cc_kind, "cc", text, &why) != 0) {
		snprintf(error->text, sizeof(error->text), "%s", why.text);
		return -1;
	}
	return 0;
}

static int set_number(int *out, int subtract, const char *key, const char *text, int64_t min, int64_t max,
                      struct lab_error *error)
{
	int64_t number;

	if (!app_parse_count(text, min, max, &number)) {
		snprintf(error->text, sizeof(error->text),
		         "%s: \"%s\" is not a whole number from %lld to %lld", key, text, (long long)min,
		         (long long)max);
		return -1;
	}
	*out = (int)number - subtract;
	return 0;
}

static int set_one(struct lab_run *run, const char *key, const char *value, struct lab_error *error)
{
	if (strcmp(key, "cc") == 0) {
		return lab_run_set_control(run, value, error);
	}
	if (strcmp(key, "delay_error") == 0) {
		return set_number(&run->delay_error_pct, 0, key, value, -100, 1000, error);
	}
	if (strcmp(key, "only_path") == 0) {
		return set_number(&run->only_path, 1, key, value, 1, USRSCTP_CMT_SIM_MAX_PATHS, error);
	}
	if (strcmp(key, "options") == 0) {
		snprintf(run->options, sizeof(run->options), "%s", value);
		return 0;
	}
	return lab_scenario_set(&run->scenario, key, value, error);
}

int lab_run_settings(struct lab_run *run, const char *settings, struct lab_error *error)
{
	struct lab_words words;

	lab_words_split(&words, settings);
	for (unsigned i = 0; i < words.n; i++) {
		char *equals = strchr(words.word[i], '=');

		if (equals == NULL) {
			snprintf(error->text, sizeof(error->text), "\"%s\" is not KEY=VALUE", words.word[i]);
			return -1;
		}
		*equals = '\0';
		if (set_one(run, words.word[i], equals + 1, error) != 0) {
			return -1;
		}
	}
	return 0;
}
