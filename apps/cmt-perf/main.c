/* SPDX-License-Identifier: BSD-3-Clause */
#include <signal.h>
#include <stdlib.h>

#include <event2/event.h>

#include "client.h"
#include "options.h"
#include "options/shared_options.h"
#include "server.h"

#define PROGRAM "cmt-perf"

static int run(const struct perf_options *options, struct event_base *base)
{
	struct app_addresses peer = {.n = 0};
	struct app_error error;
	struct usrsctp_cmt_event *ev = NULL;
	struct monitor *monitor = NULL;
	int status;

	if ((!options->server && app_transport_peer(&options->transport, &peer, &error) != 0) ||
	    (ev = app_transport_open(&options->transport, base, &error)) == NULL ||
	    monitor_new(&monitor, base, &options->transport.admin, PROGRAM, &error) != 0) {
		app_complain(PROGRAM, "%s", error.text);
		usrsctp_cmt_event_free(ev);
		return APP_EXIT_FAILED;
	}
	status = options->server ? server_run(options, base, ev, monitor)
	                         : client_run(options, &peer, base, ev, monitor);
	monitor_free(monitor);
	usrsctp_cmt_event_free(ev);
	return status;
}

int main(int argc, char **argv)
{
	struct perf_options options;
	struct event_base *base;
	int status = perf_options_parse(&options, argc, argv);

	if (status == 0) {
		status = app_transport_secure(&options.transport, PROGRAM, options.quiet);
	}
	if (status != 0) {
		return status;
	}
	(void)signal(SIGPIPE, SIG_IGN);
	app_raise_descriptor_limit();
	base = app_new_precise_base();
	if (base == NULL) {
		app_complain(PROGRAM, "no memory");
		return APP_EXIT_FAILED;
	}
	status = run(&options, base);
	event_base_free(base);
	app_transport_unsecure(&options.transport);
	return status;
}
