/* SPDX-License-Identifier: BSD-3-Clause */
#include "policy.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define DEFAULT "default"

const struct app_policy_kind app_cc_kind = {"a congestion control", usrsctp_cmt_cc_name, "stock"};
const struct app_policy_kind app_recovery_kind = {"a recovery", usrsctp_cmt_recovery_name, NULL};

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
