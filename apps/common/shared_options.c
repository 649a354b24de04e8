/* SPDX-License-Identifier: BSD-3-Clause */
#include "shared_options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include <usrsctp_cmt.h>

#include "units.h"

#define TIMEOUT_MIN_US 1000000u

int app_take_timeout(const char *value, uint64_t *us, struct app_error *error)
{
	uint64_t parsed;

	if (!app_parse_time(value, &parsed)) {
		return app_error_set(error, "--timeout: \"%s\" is not a time; write 60s or 1500ms", value);
	}
	if (parsed < TIMEOUT_MIN_US) {
		return app_error_set(error, "--timeout: \"%s\" is too short; write 1s or more", value);
	}
	*us = parsed;
	return 0;
}

int app_take_stats(const char *value, struct app_error *error)
{
	return strcmp(value, "json") == 0
	           ? 0
	           : app_error_set(error, "--stats: \"%s\" is not a form of statistics; write json", value);
}

void app_end_for_information(const char *help, const char *program)
{
	if (help != NULL) {
		fputs(help, stdout);
		exit(APP_EXIT_OK);
	}
	if (program != NULL) {
		printf("%s %d.%d.%d\n", program, USRSCTP_CMT_VERSION_MAJOR, USRSCTP_CMT_VERSION_MINOR,
		       USRSCTP_CMT_VERSION_PATCH);
		exit(APP_EXIT_OK);
	}
}

void app_raise_descriptor_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
		limit.rlim_cur = limit.rlim_max;
		(void)setrlimit(RLIMIT_NOFILE, &limit);
	}
}
