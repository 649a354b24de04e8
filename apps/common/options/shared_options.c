/* SPDX-License-Identifier: BSD-3-Clause */
#include "options/shared_options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include <event2/event.h>
#include <usrsctp_cmt.h>

#include "options/option_values.h"

int app_take_timeout(const char *name, const char *value, uint64_t *us, struct app_error *error)
{
	return app_take_time(name, value, APP_SECOND_US, APP_NO_LIMIT, us, error);
}

int app_take_stats(const char *value, struct app_error *error)
{
	return strcmp(value, "json") == 0
	           ? 0
	           : app_error_set(error, "--stats: \"%s\" is not a format of statistics; write json", value);
}

char *app_release_text(const char *program, char *out, size_t out_bytes)
{
	snprintf(out, out_bytes, "%s %d.%d.%d", program, USRSCTP_CMT_VERSION_MAJOR, USRSCTP_CMT_VERSION_MINOR,
	         USRSCTP_CMT_VERSION_PATCH);
	return out;
}

void app_end_for_information(const char *help, const char *program)
{
	char text[100];

	if (help != NULL) {
		fputs(help, stdout);
		exit(APP_EXIT_OK);
	}
	if (program != NULL) {
		puts(app_release_text(program, text, sizeof(text)));
		exit(APP_EXIT_OK);
	}
}

struct event_base *app_new_precise_base(void)
{
	struct event_config *const config = event_config_new();
	struct event_base *base = NULL;

	if (config != NULL && event_config_set_flag(config, EVENT_BASE_FLAG_PRECISE_TIMER) == 0) {
		base = event_base_new_with_config(config);
	}
	if (config != NULL) {
		event_config_free(config);
	}
	return base;
}

void app_raise_descriptor_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
		limit.rlim_cur = limit.rlim_max;
		(void)setrlimit(RLIMIT_NOFILE, &limit);
	}
}
