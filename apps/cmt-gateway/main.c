/* SPDX-License-Identifier: BSD-3-Clause */
#include "gateway.h"

int main(int argc, char **argv)
{
	struct gateway_options options;
	int rc = gateway_options_parse(&options, argc, argv);

	if (rc == 0) {
		rc = app_transport_secure(&options.transport, "cmt-gateway", options.quiet);
	}
	if (rc == 0) {
		rc = gateway_run(&options);
	}
	app_transport_unsecure(&options.transport);
	return rc;
}
