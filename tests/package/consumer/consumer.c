/* SPDX-License-Identifier: BSD-3-Clause
 *
 * consumer.c - the least that a program of somebody else does with the installed library: start it, open a socket. */
#include <usrsctp_cmt.h>

#include <stdio.h>

int main(void)
{
	struct socket *so;

	usrsctp_init_nothreads(0, NULL, NULL);
	so = usrsctp_socket(AF_INET, SOCK_STREAM, IPPROTO_SCTP, NULL, NULL, 0, NULL);
	if (so == NULL) {
		perror("usrsctp_socket");
		return 1;
	}
	usrsctp_close(so);
	return usrsctp_finish() == 0 ? 0 : 1;
}
