/* SPDX-License-Identifier: BSD-3-Clause */
#include "options.h"

#include <netinet/in.h>
#include <string.h>

#include "options/option_values.h"
#include "options/read_options.h"

#define PROGRAM             "cmt-top"
#define DEFAULT_INTERVAL_US 1000000u
#define MIN_INTERVAL_US     250000u
#define MAX_INTERVAL_US     3600000000u

static const struct option long_options[] = {
    {"once", no_argument, NULL, '1'},
    {"json", no_argument, NULL, 'J'},
    {"interval", required_argument, NULL, 'i'},
    {"sort", required_argument, NULL, 's'},
    {"help", no_argument, NULL, 'h'},
    {"version", no_argument, NULL, 'v'},
    {NULL, 0, NULL, 0},
};

static int take_order(const char *value, enum top_order *order, struct app_error *error)
{
	static const char *const names[] = {
	    [TOP_BY_ID] = "id", [TOP_BY_RATE] = "rate", [TOP_BY_FAILED] = "failed", [TOP_BY_NAME] = "name"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcmp(value, names[i]) == 0) {
			*order = (enum top_order)i;
			return 0;
		}
	}
	return app_error_set(error, "--sort: \"%s\" is not an order; write id, rate, failed or name", value);
}

static int take(void *into, int code, const char *name, const char *value, struct app_error *error)
{
	struct top_options *const o = into;

	(void)name;
	switch (code) {
	case '1': o->once = true; return 0;
	case 'J': o->json = true; return 0;
	case 'i': return app_take_time(name, value, MIN_INTERVAL_US, MAX_INTERVAL_US, &o->interval_us, error);
	default: return take_order(value, &o->order, error);
	}
}

static bool has_port(const struct app_admin *target)
{
	/* Both families have it at the same place. */
	return ((const struct sockaddr_in *)&target->address)->sin_port != 0;
}

static int add_target(struct top_options *o, const char *value, struct app_error *error)
{
	struct app_admin *const target = &o->targets[o->n_targets];

	if (o->n_targets == TOP_MAX_TARGETS) {
		return app_error_set(error, "\"%s\": one program too many; at most %d", value,
		                     TOP_MAX_TARGETS);
	}
	if (app_admin_parse(target, "program to watch", value, error) != 0) {
		return -1;
	}
	if (!has_port(target)) {
		return app_error_set(error,
		                     "program to watch: \"%s\" has no port; write the one that it prints at "
		                     "its start",
		                     value);
	}
	o->names[o->n_targets++] = value;
	return 0;
}

static int take_arguments(void *into, int n, char **arguments, struct app_error *error)
{
	for (int i = 0; i < n; i++) {
		if (add_target(into, arguments[i], error) != 0) {
			return -1;
		}
	}
	return n > 0 ? 0
	             : app_error_set(error, "nothing to watch; start a program with --admin 9090, then write "
	                                    "`cmt-top 9090`");
}

static const struct app_options command_line = {.program = PROGRAM,
                                                .help = top_help,
                                                .short_options = "1Ji:s:hv",
                                                .long_options = long_options,
                                                .help_code = 'h',
                                                .version_code = 'v',
                                                .take = take,
                                                .take_arguments = take_arguments};

int top_options_parse(struct top_options *o, int argc, char **argv)
{
	*o = (struct top_options){.interval_us = DEFAULT_INTERVAL_US};
	return app_read_options(&command_line, argc, argv, o);
}
