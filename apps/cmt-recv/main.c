/* SPDX-License-Identifier: BSD-3-Clause */
#include "options.h"
#include "server.h"

int main(int argc, char **argv)
{
	struct recv_options options;
	int rc = recv_options_parse(&options, argc, argv);

	return rc != 0 ? rc : server_run(&options);
}
