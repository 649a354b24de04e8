/* SPDX-License-Identifier: BSD-3-Clause */
#include "scenario/link_values.h"

#include <string.h>

#include "text/units.h"

unsigned lab_split(const char *text, char buf[LAB_MAX_FIELD_TEXT], const char *fields[LAB_MAX_FIELDS])
{
	unsigned n = 0;

	if (strlen(text) >= LAB_MAX_FIELD_TEXT) {
		return 0;
	}
	strcpy(buf, text);
	for (char *p = buf; p != NULL;) {
		char *colon = strchr(p, ':');

		if (n == LAB_MAX_FIELDS) {
			return 0;
		}
		fields[n++] = p;
		if (colon != NULL) {
			*colon++ = '\0';
		}
		p = colon;
	}
	return n;
}

bool lab_has_unit(const char *value)
{
	return strcmp(value, "0") == 0 || value[strspn(value, "0123456789.")] != '\0';
}

bool lab_parse_link_time(const char *value, uint64_t *us)
{
	return lab_has_unit(value) && app_parse_time(value, us);
}

bool lab_parse_link_rate(const char *value, uint64_t *bps)
{
	return lab_has_unit(value) && app_parse_rate(value, bps) && *bps > 0;
}

bool lab_parse_link_size(const char *value, uint32_t *bytes)
{
	uint64_t size;

	if (!lab_has_unit(value) || !app_parse_size(value, &size) || size == 0 || size > UINT32_MAX) {
		return false;
	}
	*bytes = (uint32_t)size;
	return true;
}

bool lab_parse_link_pkts(const char *value, uint32_t *pkts)
{
	size_t len = strlen(value);
	char digits[16];
	int64_t n;

	if (len < 2 || len >= sizeof(digits) || value[len - 1] != 'p') {
		return false;
	}
	memcpy(digits, value, len - 1);
	digits[len - 1] = '\0';
	if (!app_parse_count(digits, 1, INT32_MAX, &n)) {
		return false;
	}
	*pkts = (uint32_t)n;
	return true;
}
