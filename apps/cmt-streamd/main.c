/* SPDX-License-Identifier: BSD-3-Clause */
#include "options.h"
#include "server.h"

int main(int argc, char **argv)
{
	struct streamd_options options;
	int rc = streamd_options_parse(&options, argc, argv);

	return rc != 0 ? rc : server_run(&options);
}
