/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Every sysctl, and every socket option that a new socket can be asked for, by the value it begins with. What
 * differs between the fork and the pristine release is what docs/migration.md says. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <usrsctp.h>

enum { OPTIONS_END = 0x3000, OWN_OPTIONS = 0x1210, OWN_OPTIONS_END = 0x1220, VALUE_MAX_BYTES = 2048 };

static const struct {
	int number;
	const char *name;
} known[] = {{SCTP_RTOINFO, "SCTP_RTOINFO"}, {0x1201, "SCTP_CMT_USE_DAC"}};

static void print_key(int option)
{
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		if (known[i].number == option) {
			printf("%s", known[i].name);
			return;
		}
	}
	printf("option_0x%04x", option);
}

static void print_option(struct socket *so, int level, int option)
{
	uint32_t value[VALUE_MAX_BYTES / sizeof(uint32_t)] = {0};
	socklen_t len = sizeof(value);

	if (usrsctp_getsockopt(so, level, option, value, &len) != 0)
		return;
	if (level == IPPROTO_SCTP)
		print_key(option);
	else
		printf("socket_0x%04x", option);
	for (size_t i = 0; i * sizeof(value[0]) < len; i++)
		printf(" %u", value[i]);
	putchar('\n');
}

int main(void)
{
	const int types[] = {SOCK_STREAM, SOCK_SEQPACKET},
	          socket_options[] = {SO_RCVBUF, SO_SNDBUF, SO_LINGER};

	usrsctp_init_nothreads(0, NULL, NULL);
#define SYSCTL(name) printf(#name " %u\n", usrsctp_sysctl_get_##name());
#include "same_defaults_sysctls.h"
	for (int i = 0; i < 2; i++) {
		struct socket *so = usrsctp_socket(AF_INET6, types[i], IPPROTO_SCTP, NULL, NULL, 0, NULL);

		if (so == NULL)
			return 1;
		for (size_t k = 0; k < sizeof(socket_options) / sizeof(socket_options[0]); k++)
			print_option(so, SOL_SOCKET, socket_options[k]);
		for (int option = 0; option < OPTIONS_END; option++) {
			if (option < OWN_OPTIONS || option >= OWN_OPTIONS_END)
				print_option(so, IPPROTO_SCTP, option);
		}
		usrsctp_close(so);
	}
	return usrsctp_finish() == 0 ? 0 : 1;
}
