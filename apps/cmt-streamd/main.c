/* SPDX-License-Identifier: BSD-3-Clause */
#include "options.h"
#include "server.h"

int main(int argc, char **argv)
{
	struct streamd_options options;
	int rc = streamd_options_parse(&options, argc, argv);

	if (rc == 0) {
		rc = app_transport_secure(&options.transport, "cmt-streamd", options.quiet);
	}
	if (rc == 0) {
		rc = server_run(&options);
	}
	app_transport_unsecure(&options.transport);
	streamd_options_free(&options);
	return rc;
}
