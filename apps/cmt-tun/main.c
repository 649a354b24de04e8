/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <signal.h>
#include <string.h>

#include "client.h"
#include "host/routes.h"
#include "options.h"
#include "server.h"

#define PROGRAM "cmt-tun"

static int clean(const struct tun_options *options)
{
	struct tun_routes routes = {.netlink = tun_netlink_open(), .table = options->table};
	int n;

	if (routes.netlink == NULL) {
		app_complain(PROGRAM, "cannot ask the kernel for routes: %s", strerror(errno));
		return APP_EXIT_FAILED;
	}
	n = tun_routes_clean(&routes);
	tun_netlink_close(routes.netlink);
	if (n < 0) {
		app_complain(PROGRAM, "cannot take routes back: %s%s", strerror(-n),
		             n == -EPERM ? "; run as root or with CAP_NET_ADMIN" : "");
		return APP_EXIT_FAILED;
	}
	if (n > 0 && !options->quiet) {
		app_complain(PROGRAM, "%d routes and rules were taken back", n);
	}
	return APP_EXIT_OK;
}

int main(int argc, char **argv)
{
	struct tun_options options;
	int status = tun_options_parse(&options, argc, argv);

	if (status == 0 && options.role == TUN_ROLE_CLEAN) {
		return clean(&options);
	}
	if (status == 0) {
		status = app_transport_secure(&options.transport, PROGRAM, options.quiet);
	}
	if (status != 0) {
		return status;
	}
	options.transport.except_interface = options.device;
	(void)signal(SIGPIPE, SIG_IGN);
	status = options.role == TUN_ROLE_SERVE ? server_run(&options) : client_run(&options);
	app_transport_unsecure(&options.transport);
	return status;
}
