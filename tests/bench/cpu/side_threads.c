/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A side in upstream's threaded mode, with blocking calls: what one does with upstream's release. Its packets
 * fit into an MTU of 1500, whatever the interface's. */
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <usrsctp.h>

#include "side.h"

static void set_buffers(struct socket *so)
{
	const int bytes = SIDE_BUFFER_BYTES;

	side_require(usrsctp_setsockopt(so, SOL_SOCKET, SO_SNDBUF, &bytes, sizeof(bytes)) == 0 &&
	                 usrsctp_setsockopt(so, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof(bytes)) == 0,
	             "socket buffers");
}

static struct socket *new_socket(uint16_t port)
{
	struct sockaddr_in local = {.sin_family = AF_INET, .sin_port = htons(port)};
	struct socket *const so = usrsctp_socket(AF_INET, SOCK_STREAM, IPPROTO_SCTP, NULL, NULL, 0, NULL);

	side_require(so != NULL, "usrsctp_socket");
	local.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	side_require(usrsctp_bind(so, (struct sockaddr *)&local, sizeof(local)) == 0, "usrsctp_bind");
	set_buffers(so);
	return so;
}

/* Returns the bytes of a message; 0 = the peer has closed. */
static uint64_t receive(struct socket *so)
{
	static char buffer[SIDE_MESSAGE_BYTES];
	struct sctp_rcvinfo info;
	socklen_t info_len = sizeof(info);
	unsigned info_type;
	int flags = 0;
	const ssize_t len =
	    usrsctp_recvv(so, buffer, sizeof(buffer), NULL, NULL, &info, &info_len, &info_type, &flags);

	side_require(len >= 0, "usrsctp_recvv");
	return (uint64_t)len;
}

static void run_sender(struct side *side)
{
	static char message[SIDE_MESSAGE_BYTES];
	struct sctp_udpencaps encapsulation = {.sue_assoc_id = SCTP_FUTURE_ASSOC,
	                                       .sue_port = htons(side->peer_udp_port)};
	struct sockaddr_in peer = {.sin_family = AF_INET, .sin_port = htons(SIDE_PORT)};
	struct socket *const so = new_socket(0);

	encapsulation.sue_address.ss_family = AF_INET;
	side_require(usrsctp_setsockopt(so, IPPROTO_SCTP, SCTP_REMOTE_UDP_ENCAPS_PORT, &encapsulation,
	                                sizeof(encapsulation)) == 0,
	             "encapsulation port");
	peer.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	side_require(usrsctp_connect(so, (struct sockaddr *)&peer, sizeof(peer)) == 0, "usrsctp_connect");
	side_start(side);
	for (uint64_t sent = 0; sent < side->bytes; sent += sizeof(message))
		side_require(usrsctp_sendv(so, message, sizeof(message), NULL, 0, NULL, 0, SCTP_SENDV_NOINFO,
		                           0) == sizeof(message),
		             "usrsctp_sendv");
	side_require(usrsctp_shutdown(so, SHUT_WR) == 0 && receive(so) == 0, "usrsctp_shutdown");
	side_report(side);
	usrsctp_close(so);
}

static void run_receiver(struct side *side)
{
	struct socket *const listener = new_socket(SIDE_PORT);
	struct socket *so;
	uint64_t len, received = 0;

	side_require(usrsctp_listen(listener, 1) == 0, "usrsctp_listen");
	(void)puts("ready");
	(void)fflush(stdout);
	so = usrsctp_accept(listener, NULL, NULL);
	side_require(so != NULL, "usrsctp_accept");
	side_start(side);
	while ((len = receive(so)) > 0)
		received += len;
	side_require(received >= side->bytes, "bytes received");
	side_report(side);
	usrsctp_close(so);
	usrsctp_close(listener);
}

int main(int argc, char **argv)
{
	struct side side = side_arguments(argc, argv);

	usrsctp_init(side.udp_port, NULL, NULL);
	if (side.sends)
		run_sender(&side);
	else
		run_receiver(&side);
	/* What upstream's threads still do is not waited for. */
	return 0;
}
