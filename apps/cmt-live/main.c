/* SPDX-License-Identifier: BSD-3-Clause */
#include <signal.h>

#include <event2/event.h>

#include "options.h"
#include "options/shared_options.h"
#include "receiver.h"
#include "sender.h"

#define PROGRAM "cmt-live"

static int run(const struct live_options *options, struct event_base *base)
{
	struct app_error error;
	struct usrsctp_cmt_event *const ev = app_transport_open(&options->transport, base, &error);
	int status;

	if (ev == NULL) {
		app_complain(PROGRAM, "%s", error.text);
		return APP_EXIT_FAILED;
	}
	status = options->sends ? sender_run(options, base, ev) : receiver_run(options, base, ev);
	usrsctp_cmt_event_free(ev);
	return status;
}

int main(int argc, char **argv)
{
	struct live_options options;
	struct event_base *base;
	int status = live_options_parse(&options, argc, argv);

	if (status == 0) {
		status = app_transport_secure(&options.transport, PROGRAM, options.quiet);
	}
	if (status != 0) {
		return status;
	}
	(void)signal(SIGPIPE, SIG_IGN);
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
