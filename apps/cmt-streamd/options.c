/* SPDX-License-Identifier: BSD-3-Clause */
#include "options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "media_message.h"
#include "options/option_values.h"
#include "options/read_options.h"
#include "options/shared_options.h"

#define PROGRAM              "cmt-streamd"
#define DEFAULT_RCVBUF_BYTES 65536u /* clients only send requests */
#define MAX_CLIENTS          1000
#define CLIENTS_LIMIT        100000
#define MAX_REQUESTS         32
#define MEMORY_BYTES         (UINT64_C(32) << 20)
#define MEMORY_LEAST_BYTES   (UINT64_C(1) << 20)
#define HELLO_TIMEOUT_US     UINT64_C(10000000)
#define IDLE_TIMEOUT_US      UINT64_C(300000000)
#define STALL_TIMEOUT_US     UINT64_C(60000000)
#define GRACE_US             UINT64_C(30000000)

enum {
	OPT_CONFIG = 256,
	OPT_MAX_CLIENTS,
	OPT_MAX_REQUESTS,
	OPT_MEMORY,
	OPT_HELLO_TIMEOUT,
	OPT_IDLE_TIMEOUT,
	OPT_STALL_TIMEOUT,
	OPT_GRACE,
	OPT_ACCESS_LOG,
	OPT_NO_LIST,
	OPT_HELP,
	OPT_VERSION
};

static const struct option long_options[] = {
    APP_TRANSPORT_LONG_OPTIONS,
    APP_METERED_LONG_OPTIONS,
    {"directory", required_argument, NULL, 'd'},
    {"max-clients", required_argument, NULL, OPT_MAX_CLIENTS},
    {"max-requests", required_argument, NULL, OPT_MAX_REQUESTS},
    {"memory", required_argument, NULL, OPT_MEMORY},
    {"hello-timeout", required_argument, NULL, OPT_HELLO_TIMEOUT},
    {"idle-timeout", required_argument, NULL, OPT_IDLE_TIMEOUT},
    {"stall-timeout", required_argument, NULL, OPT_STALL_TIMEOUT},
    {"grace", required_argument, NULL, OPT_GRACE},
    {"access-log", required_argument, NULL, OPT_ACCESS_LOG},
    {"no-list", no_argument, NULL, OPT_NO_LIST},
    {"quiet", no_argument, NULL, 'q'},
    {"config", required_argument, NULL, OPT_CONFIG},
    {"help", no_argument, NULL, OPT_HELP},
    {"version", no_argument, NULL, OPT_VERSION},
    {NULL, 0, NULL, 0},
};
#define N_OPTIONS (sizeof(long_options) / sizeof(long_options[0]) - 1)

struct streamd_kept {
	struct streamd_kept *next;
	char text[];
};

/* The command line comes first, so that the file fills in what it does not say. */
struct parsing {
	struct streamd_options *options;
	const char *config;
	bool given[N_OPTIONS]; /* on the command line */
};

static int take_name(const char *name, const char *value, char out[PATH_MAX], struct app_error *error)
{
	if (*value == '\0' || strlen(value) >= PATH_MAX) {
		return app_error_set(error, "--%s: the name is %s", name,
		                     *value == '\0' ? "empty" : "too long");
	}
	snprintf(out, PATH_MAX, "%s", value);
	return 0;
}

static int take(struct streamd_options *o, int index, const char *value, struct app_error *error)
{
	const char *name = long_options[index].name;

	switch (long_options[index].val) {
	case 'd': return take_name(name, value, o->directory, error);
	case 'q': o->quiet = true; return 0;
	case OPT_MAX_CLIENTS: return app_take_count(name, value, 1, CLIENTS_LIMIT, &o->max_clients, error);
	case OPT_MAX_REQUESTS:
		return app_take_count(name, value, 1, MEDIA_STREAMS - 1, &o->max_requests, error);
	case OPT_MEMORY:
		return app_take_size(name, value, MEMORY_LEAST_BYTES, APP_NO_LIMIT, &o->memory_bytes, error);
	case OPT_HELLO_TIMEOUT: return app_take_timeout(name, value, &o->hello_timeout_us, error);
	case OPT_IDLE_TIMEOUT: return app_take_timeout(name, value, &o->idle_timeout_us, error);
	case OPT_STALL_TIMEOUT: return app_take_timeout(name, value, &o->stall_timeout_us, error);
	case OPT_GRACE: return app_take_timeout(name, value, &o->grace_us, error);
	case OPT_NO_LIST: o->no_list = true; return 0;
	case OPT_ACCESS_LOG: return take_name(name, value, o->access_log, error);
	default: return app_transport_take(&o->transport, long_options[index].val, name, value, error);
	}
}

/* A copy that lasts as long as the options; NULL without memory. */
static const char *keep(struct streamd_options *o, const char *value)
{
	struct streamd_kept *const kept = malloc(sizeof(*kept) + strlen(value) + 1);

	if (kept == NULL) {
		return NULL;
	}
	(void)strcpy(kept->text, value);
	kept->next = o->kept;
	o->kept = kept;
	return kept->text;
}

static int take_of_file(int index, const char *value, void *arg, struct app_error *error)
{
	struct parsing *p = arg;
	const int code = long_options[index].val;
	const char *kept;

	if (code == OPT_CONFIG || code == OPT_HELP || code == OPT_VERSION) {
		return app_error_set(error, "%s: only on the command line", long_options[index].name);
	}
	if (p->given[index]) {
		return 0;
	}
	kept = value != NULL ? keep(p->options, value) : NULL;
	return value != NULL && kept == NULL ? app_error_set(error, "no memory")
	                                     : take(p->options, index, kept, error);
}

void streamd_options_free(struct streamd_options *o)
{
	while (o->kept != NULL) {
		struct streamd_kept *const next = o->kept->next;

		free(o->kept);
		o->kept = next;
	}
}

static int index_of(int code)
{
	int i = 0;

	while (long_options[i].val != code) {
		i++;
	}
	return i;
}

static int take_of_line(void *into, int code, const char *name, const char *value, struct app_error *error)
{
	struct parsing *const p = into;
	const int index = index_of(code);

	(void)name;
	p->given[index] = true;
	if (code == OPT_CONFIG) {
		p->config = value;
		return 0;
	}
	return take(p->options, index, value, error);
}

static void set_defaults(struct streamd_options *o)
{
	*o = (struct streamd_options){.directory = ".",
	                              .access_log = "-",
	                              .max_clients = MAX_CLIENTS,
	                              .max_requests = MAX_REQUESTS,
	                              .memory_bytes = MEMORY_BYTES,
	                              .hello_timeout_us = HELLO_TIMEOUT_US,
	                              .idle_timeout_us = IDLE_TIMEOUT_US,
	                              .stall_timeout_us = STALL_TIMEOUT_US,
	                              .grace_us = GRACE_US};
	app_transport_init(&o->transport);
	o->transport.port = o->transport.server_udp_port = MEDIA_PORT;
	o->transport.rcvbuf_bytes = DEFAULT_RCVBUF_BYTES;
}

static int take_arguments(void *into, int n, char **arguments, struct app_error *error)
{
	(void)into;
	return n == 0 ? 0
	              : app_error_set(error, "\"%s\": one argument too many; name the folder with -d",
	                              arguments[0]);
}

static int check(void *into, struct app_error *error)
{
	struct parsing *const p = into;

	if (p->config != NULL && config_read(p->config, long_options, take_of_file, p, error) != 0) {
		return -1;
	}
	return app_transport_complete(&p->options->transport, true, error);
}

static const struct app_options command_line = {.program = PROGRAM,
                                                .help = streamd_help,
                                                .short_options = "d:q",
                                                .long_options = long_options,
                                                .help_code = OPT_HELP,
                                                .version_code = OPT_VERSION,
                                                .take = take_of_line,
                                                .take_arguments = take_arguments,
                                                .check = check};

int streamd_options_parse(struct streamd_options *o, int argc, char **argv)
{
	struct parsing p = {.options = o};

	set_defaults(o);
	return app_read_options(&command_line, argc, argv, &p);
}
