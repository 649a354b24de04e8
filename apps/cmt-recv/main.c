/* SPDX-License-Identifier: BSD-3-Clause */
#include "options.h"
#include "server.h"

int main(int argc, char **argv)
{
	struct recv_options options;
	int rc = recv_options_parse(&options, argc, argv);

	if (rc == 0) {
		rc = app_transport_secure(&options.transport, "cmt-recv", options.quiet);
	}
	if (rc == 0) {
		rc = server_run(&options);
	}
	app_transport_unsecure(&options.transport);
	return rc;
}
