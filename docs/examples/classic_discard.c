/* SPDX-License-Identifier: BSD-3-Clause
 *
 * classic_discard.c - a program as there are many: written for usrsctp, without a thought of concurrent
 * multipath transfer. docs/migration.md links it with usrsctp, then with usrsctp-cmt, and then adds the lines
 * of ALL_PATHS.
 *
 *   classic_discard server UDP_PORT ADDRESS...                             reads one association to its end
 *   classic_discard client UDP_PORT PEER_UDP_PORT KILOBYTES ADDRESS...     sends to the server at ADDRESS...
 */
#ifdef ALL_PATHS
#include <usrsctp_cmt.h>
#else
#include <usrsctp.h>
#endif

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define DISCARD_PORT  9
#define MESSAGE_BYTES 1000
#define MAX_ADDRESSES 8

static void require(int holds, const char *what)
{
	if (!holds) {
		perror(what);
		exit(1);
	}
}

static int read_addresses(char **words, int n, struct sockaddr_in *out)
{
	require(n >= 1 && n <= MAX_ADDRESSES, "number of addresses");
	memset(out, 0, (size_t)n * sizeof(*out));
	for (int i = 0; i < n; i++) {
		out[i].sin_family = AF_INET;
		out[i].sin_port = htons(DISCARD_PORT);
		require(inet_pton(AF_INET, words[i], &out[i].sin_addr) == 1, words[i]);
	}
	return n;
}

static struct socket *open_socket(void)
{
	struct socket *so = usrsctp_socket(AF_INET, SOCK_STREAM, IPPROTO_SCTP, NULL, NULL, 0, NULL);

	require(so != NULL, "usrsctp_socket");
#ifdef ALL_PATHS
	struct sctp_cmt_policy policy = {
	    .size = sizeof(policy), .assoc_id = SCTP_FUTURE_ASSOC, .name = "auto"};
	require(usrsctp_setsockopt(so, IPPROTO_SCTP, SCTP_CMT_SCHEDULER, &policy, sizeof(policy)) == 0,
	        "SCTP_CMT_SCHEDULER");
#endif
	return so;
}

static void serve(struct sockaddr_in *addresses, int n)
{
	struct socket *listening = open_socket(), *so;
	static char buffer[65536];
	struct sctp_rcvinfo info;
	socklen_t info_bytes;
	unsigned int info_type;
	unsigned long long bytes = 0;
	ssize_t got;

	require(usrsctp_bindx(listening, (struct sockaddr *)addresses, n, SCTP_BINDX_ADD_ADDR) == 0,
	        "usrsctp_bindx");
	require(usrsctp_listen(listening, 1) == 0, "usrsctp_listen");
	puts("listening");
	fflush(stdout);
	so = usrsctp_accept(listening, NULL, NULL);
	require(so != NULL, "usrsctp_accept");
	do {
		int flags = 0;

		info_bytes = sizeof(info);
		got = usrsctp_recvv(so, buffer, sizeof(buffer), NULL, NULL, &info, &info_bytes, &info_type,
		                    &flags);
		bytes += got > 0 ? (unsigned long long)got : 0;
	} while (got > 0);
	usrsctp_close(so);
	usrsctp_close(listening);
	printf("%llu bytes read\n", bytes);
}

static void send_to(struct sockaddr_in *addresses, int n, uint16_t peer_udp_port, unsigned long kilobytes)
{
	struct socket *so = open_socket();
	struct sctp_udpencaps encapsulation;
	char message[MESSAGE_BYTES];

	memset(&encapsulation, 0, sizeof(encapsulation));
	encapsulation.sue_address.ss_family = AF_INET;
	encapsulation.sue_port = htons(peer_udp_port);
	require(usrsctp_setsockopt(so, IPPROTO_SCTP, SCTP_REMOTE_UDP_ENCAPS_PORT, &encapsulation,
	                           sizeof(encapsulation)) == 0,
	        "SCTP_REMOTE_UDP_ENCAPS_PORT");
	require(usrsctp_connectx(so, (struct sockaddr *)addresses, n, NULL) == 0, "usrsctp_connectx");
	memset(message, 'x', sizeof(message));
	for (unsigned long i = 0; i < kilobytes; i++) {
		require(usrsctp_sendv(so, message, sizeof(message), NULL, 0, NULL, 0, SCTP_SENDV_NOINFO, 0) ==
		            (ssize_t)sizeof(message),
		        "usrsctp_sendv");
	}
	usrsctp_close(so);
}

int main(int argc, char **argv)
{
	struct sockaddr_in addresses[MAX_ADDRESSES];
	int is_server = argc >= 4 && strcmp(argv[1], "server") == 0;
	int is_client = argc >= 6 && strcmp(argv[1], "client") == 0;

	if (!is_server && !is_client) {
		fprintf(stderr,
		        "usage: %s server UDP_PORT ADDRESS..., or client UDP_PORT PEER_UDP_PORT "
		        "KILOBYTES ADDRESS...\n",
		        argv[0]);
		return 2;
	}
	usrsctp_init((uint16_t)atoi(argv[2]), NULL, NULL);
	if (is_server) {
		serve(addresses, read_addresses(argv + 3, argc - 3, addresses));
	} else {
		send_to(addresses, read_addresses(argv + 5, argc - 5, addresses), (uint16_t)atoi(argv[3]),
		        strtoul(argv[4], NULL, 10));
	}
	while (usrsctp_finish() != 0) {
		usleep(10000);
	}
	return 0;
}
