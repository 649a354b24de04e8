/* SPDX-License-Identifier: BSD-3-Clause */
#include "options/policy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT "default"

const struct app_policy_kind app_scheduler_kind = {"a scheduler", usrsctp_cmt_scheduler_name,
                                                   usrsctp_cmt_scheduler_options, "stock"};
const struct app_policy_kind app_cc_kind = {"a congestion control", usrsctp_cmt_cc_name,
                                            usrsctp_cmt_cc_options, "stock"};
const struct app_policy_kind app_recovery_kind = {"a recovery", usrsctp_cmt_recovery_name, NULL, NULL};

static bool is_known(const struct app_policy_kind *kind, const char *name)
{
	const char *have;

	for (unsigned i = 0; (have = kind->name(i)) != NULL; i++) {
		if (strcmp(have, name) == 0) {
			return true;
		}
	}
	return kind->upstream != NULL && strcmp(kind->upstream, name) == 0;
}

/* "key=default [min..max]: meaning; ..." of a policy; "" = it has none. */
static const char *options_of(const struct app_policy_kind *kind, const char *name)
{
	const char *have, *told = NULL;

	for (unsigned i = 0; (have = kind->name(i)) != NULL; i++) {
		if (strcmp(have, name) == 0 && kind->options != NULL) {
			told = kind->options(i);
		}
	}
	return told == NULL ? "" : told;
}

/* The next of what options_of() lists; "" past the last. */
static const char *next_told(const char *told)
{
	told += strcspn(told, ";");
	return told + strspn(told, "; ");
}

static const char *find_told(const char *told, const char *key, size_t key_len)
{
	while (*told != '\0' && (strncmp(told, key, key_len) != 0 || told[key_len] != '=')) {
		told = next_told(told);
	}
	return told;
}

/* The bounds that are told; false = none. */
static bool bounds(const char *told, unsigned long long *min, unsigned long long *max)
{
	const char *bracket = strpbrk(told, "[:");

	return bracket != NULL && sscanf(bracket, "[%llu..%llu]", min, max) == 2;
}

static bool is_within(const char *value, size_t len, unsigned long long min, unsigned long long max)
{
	unsigned long long number;

	if (len == 0 || len > 19 || strspn(value, "0123456789") < len) {
		return false;
	}
	number = strtoull(value, NULL, 10);
	return number >= min && number <= max;
}

static void say_unknown(const char *option, const char *name, const char *key, size_t key_len,
                        const char *told, struct app_error *error)
{
	char keys[200] = "has none";
	size_t at = 0;

	for (; *told != '\0' && at < sizeof(keys); told = next_told(told)) {
		at += (size_t)snprintf(keys + at, sizeof(keys) - at, "%s%.*s", at == 0 ? "has " : ", ",
		                       (int)strcspn(told, "="), told);
	}
	app_error_set(error, "%s: %s has no option \"%.*s\"; it %s", option, name, (int)key_len, key, keys);
}

bool app_policy_fault(const struct app_policy_kind *kind, const char *option, const char *name,
                      const char *options, struct app_error *error)
{
	const char *all = options_of(kind, name);

	while (*options != '\0') {
		size_t len = strcspn(options, ","), key_len = strcspn(options, "=,");
		const char *told = find_told(all, options, key_len);
		const char *value = options + key_len + (key_len < len);
		unsigned long long min, max;

		if (*told == '\0') {
			say_unknown(option, name, options, key_len, all, error);
			return true;
		}
		len -= (size_t)(value - options);
		if (bounds(told, &min, &max) && !is_within(value, len, min, max)) {
			app_error_set(error,
			              "%s: %.*s of %s must be a whole number from %llu to %llu, not \"%.*s\"",
			              option, (int)key_len, options, name, min, max, (int)len, value);
			return true;
		}
		options = value + len;
		options += *options == ',';
	}
	return false;
}

int app_policy_parse(struct app_policy *out, const struct app_policy_kind *kind, const char *option,
                     const char *value, struct app_error *error)
{
	const char *colon = strchr(value, ':'), *options = colon == NULL ? "" : colon + 1;
	int len = colon == NULL ? (int)strlen(value) : (int)(colon - value);
	struct app_policy policy = {.name = ""};
	char known[200];

	if (strcmp(value, DEFAULT) == 0) {
		*out = policy;
		return 0;
	}
	if ((size_t)len < sizeof(policy.name)) {
		snprintf(policy.name, sizeof(policy.name), "%.*s", len, value);
	}
	if (!is_known(kind, policy.name)) {
		return app_error_set(error, "%s: \"%.*s\" is not %s; write one of %s", option, len, value,
		                     kind->what, app_policy_list(kind, known, sizeof(known)));
	}
	if (strlen(options) >= sizeof(policy.options) || (colon != NULL && *options == '\0')) {
		return app_error_set(error, "%s: \"%s\" is not NAME[:KEY=VALUE,..]", option, value);
	}
	snprintf(policy.options, sizeof(policy.options), "%s", options);
	if (app_policy_fault(kind, option, policy.name, policy.options, error)) {
		return -1;
	}
	*out = policy;
	return 0;
}

const char *app_policy_text(const struct app_policy *policy, char out[APP_POLICY_TEXT_BYTES])
{
	snprintf(out, APP_POLICY_TEXT_BYTES, "%s%s%s", policy->name[0] == '\0' ? DEFAULT : policy->name,
	         policy->options[0] == '\0' ? "" : ":", policy->options);
	return out;
}

const char *app_policy_list(const struct app_policy_kind *kind, char *out, size_t out_bytes)
{
	size_t at = (size_t)snprintf(out, out_bytes, DEFAULT);
	const char *have;

	for (unsigned i = 0; (have = kind->name(i)) != NULL && at < out_bytes; i++) {
		at += (size_t)snprintf(out + at, out_bytes - at, ", %s", have);
	}
	if (kind->upstream != NULL && at < out_bytes) {
		snprintf(out + at, out_bytes - at, ", %s", kind->upstream);
	}
	return out;
}
