/* SPDX-License-Identifier: BSD-3-Clause */
#include "http/http_condition.h"

#include <stddef.h>
#include <string.h>

#include "http/http_date.h"

/* Whether the quoted tag at `text` is `etag`; with `weak`, also W/"etag". `*end` is behind it, NULL when
 * there is no tag. */
static bool is_tag(const char *text, const char *etag, bool weak, const char **end)
{
	const bool is_weak = strncmp(text, "W/", 2) == 0;
	const char *open = is_weak ? text + 2 : text, *close = *open == '"' ? strchr(open + 1, '"') : NULL;

	*end = close != NULL ? close + 1 : NULL;
	return close != NULL && (weak || !is_weak) && strlen(etag) == (size_t)(close - open - 1) &&
	       strncmp(open + 1, etag, strlen(etag)) == 0;
}

/* Whether a list of tags has `etag`, or is "*". */
static bool has_tag(const char *list, const char *etag, bool weak)
{
	const char *end;

	for (list += strspn(list, " \t,"); *list != '\0'; list = end + strspn(end, " \t,")) {
		if (strcmp(list, "*") == 0 || is_tag(list, etag, weak, &end)) {
			return true;
		}
		if (end == NULL) {
			break;
		}
	}
	return false;
}

static bool holds_if_range(const char *value, const struct http_validators *now)
{
	const char *end;
	int64_t date_s;

	if (*value == '"' || strncmp(value, "W/", 2) == 0) {
		return is_tag(value, now->etag, false, &end) && *end == '\0';
	}
	return http_date_parse(value, &date_s) && date_s == now->modified_s;
}

bool http_conditions_any(const struct http_conditions *c)
{
	return c->if_match != NULL || c->if_none_match != NULL || c->if_modified_since != NULL ||
	       c->if_unmodified_since != NULL || c->if_range != NULL;
}

enum http_verdict http_conditions_check(const struct http_conditions *c, const struct http_validators *now)
{
	int64_t date_s;

	if (c->if_match != NULL) {
		if (!has_tag(c->if_match, now->etag, false)) {
			return HTTP_FAILED;
		}
	} else if (c->if_unmodified_since != NULL && http_date_parse(c->if_unmodified_since, &date_s) &&
	           now->modified_s > date_s) {
		return HTTP_FAILED;
	}
	if (c->if_none_match != NULL) {
		if (has_tag(c->if_none_match, now->etag, true)) {
			return HTTP_NOT_MODIFIED;
		}
	} else if (c->if_modified_since != NULL && http_date_parse(c->if_modified_since, &date_s) &&
	           now->modified_s <= date_s) {
		return HTTP_NOT_MODIFIED;
	}
	return c->if_range != NULL && !holds_if_range(c->if_range, now) ? HTTP_WHOLE : HTTP_GO_ON;
}
