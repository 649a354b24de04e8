/* SPDX-License-Identifier: BSD-3-Clause */
#include "protocol/parts.h"

#include <stdlib.h>
#include <string.h>

static int keep(struct app_parts *parts, const char *bytes, size_t len, size_t max, struct app_error *error)
{
	char *longer;

	if (parts->len + len > max) {
		return app_error_set(error, "a control message is too long");
	}
	longer = realloc(parts->bytes, parts->len + len + 1);
	if (longer == NULL) {
		return app_error_set(error, "no memory");
	}
	memcpy(longer + parts->len, bytes, len);
	parts->bytes = longer;
	parts->len += len;
	return 0;
}

int app_parts_add(struct app_parts *parts, const char **bytes, size_t *len, bool more, size_t max,
                  struct app_error *error)
{
	if (!more && parts->bytes == NULL) {
		return 1;
	}
	if (keep(parts, *bytes, *len, max, error) != 0) {
		return -1;
	}
	*bytes = parts->bytes;
	*len = parts->len;
	return more ? 0 : 1;
}

void app_parts_free(struct app_parts *parts)
{
	free(parts->bytes);
	*parts = (struct app_parts){.bytes = NULL};
}
