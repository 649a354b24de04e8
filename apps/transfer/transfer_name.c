/* SPDX-License-Identifier: BSD-3-Clause */
#include "transfer_name.h"

#include <stdbool.h>
#include <string.h>

static bool is_printable(const char *name)
{
	while (*name != '\0') {
		size_t n = app_printable_bytes(name);

		if (n == 0) {
			return false;
		}
		name += n;
	}
	return true;
}

static bool is_part(const char *component, size_t len)
{
	const size_t suffix = sizeof(TRANSFER_PART_SUFFIX) - 1;

	return len >= suffix && memcmp(component + len - suffix, TRANSFER_PART_SUFFIX, suffix) == 0;
}

static int check_component(const char *name, const char *component, size_t len, struct app_error *error)
{
	if (len == 0 || (len == 1 && component[0] == '.') || (len == 2 && memcmp(component, "..", 2) == 0)) {
		return app_error_set(error, "\"%.200s\" is not a path below the receiver's folder", name);
	}
	if (len > TRANSFER_COMPONENT_MAX_BYTES) {
		return app_error_set(error,
		                     "\"%.200s...\" is too long for a name; at most %d bytes between slashes",
		                     name, TRANSFER_COMPONENT_MAX_BYTES);
	}
	if (is_part(component, len)) {
		return app_error_set(error,
		                     "\"%.200s\" ends in %s, which marks unfinished files; rename it first",
		                     name, TRANSFER_PART_SUFFIX);
	}
	return 0;
}

int transfer_name_check(const char *name, struct app_error *error)
{
	const char *component = name;

	if (strlen(name) > TRANSFER_NAME_MAX_BYTES) {
		return app_error_set(error, "\"%.200s...\" is too long; at most %d bytes", name,
		                     TRANSFER_NAME_MAX_BYTES);
	}
	if (!is_printable(name)) {
		return app_error_set(
		    error, "\"%.200s\" has control characters or is not UTF-8; rename it first", name);
	}
	for (;;) {
		size_t len = strcspn(component, "/");

		if (check_component(name, component, len, error) != 0) {
			return -1;
		}
		if (component[len] == '\0') {
			return 0;
		}
		component += len + 1;
	}
}
