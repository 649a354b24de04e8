/* SPDX-License-Identifier: BSD-3-Clause */
#include "gateway.h"

int main(int argc, char **argv)
{
	struct gateway_options options;
	int rc = gateway_options_parse(&options, argc, argv);

	return rc != 0 ? rc : gateway_run(&options);
}
