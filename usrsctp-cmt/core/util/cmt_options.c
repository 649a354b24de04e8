/* SPDX-License-Identifier: BSD-3-Clause */
#include "cmt_options.h"

#include <errno.h>
#include <string.h>

/* Reads digits up to ',' or the end. Returns the position behind them, NULL for anything else. */
static const char *parse_number(const char *text, uint64_t *value)
{
	uint64_t number = 0;

	if (*text == '\0' || *text == ',')
		return NULL;
	for (; *text != '\0' && *text != ','; text++) {
		if (*text < '0' || *text > '9' || number > UINT64_MAX / 100)
			return NULL;
		number = number * 10 + (uint64_t)(*text - '0');
	}
	*value = number;
	return text;
}

int cmt_options_parse(const char *text, const struct cmt_option *options, size_t n_options)
{
	while (text != NULL && *text != '\0') {
		size_t key_len = strcspn(text, "=,");
		const struct cmt_option *option = NULL;
		uint64_t number;

		for (size_t i = 0; i < n_options && option == NULL; i++) {
			if (strlen(options[i].key) == key_len && strncmp(options[i].key, text, key_len) == 0)
				option = &options[i];
		}
		if (option == NULL || text[key_len] != '=')
			return -EINVAL;
		text = parse_number(text + key_len + 1, &number);
		if (text == NULL || number < option->min || number > option->max)
			return -EINVAL;
		*option->value = number;
		if (*text == ',' && *++text == '\0')
			return -EINVAL;
	}
	return 0;
}
