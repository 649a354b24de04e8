/* SPDX-License-Identifier: BSD-3-Clause
 *
 * packets_poll.c - the stack on packets of our own: two processes, joined by two pairs of datagram sockets,
 * each of which is a path, and a loop of poll(2). docs/packets.md walks through it. Exit status 0: all
 * bytes arrived, on both paths. */
#include <usrsctp_cmt.h>
#include <usrsctp_cmt_packets.h>

#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CLIENT, SERVER };
enum { PATHS = 2, PORT = 5001, MESSAGE_BYTES = 1000, TOTAL_BYTES = 5000000, PACKET_BYTES = 1500 };

static int me, fds[PATHS];      /* what is written there, the other process reads */
static bool full[PATHS], ended; /* no room now; the association has */
static struct usrsctp_cmt_packets *packets;
static struct socket *listener, *so;
static unsigned sent_bytes, received_bytes, arrived_pkts[PATHS];

/* A path needs names for its ends: 10.0.1.1 and 10.0.1.2, 10.0.2.1 and 10.0.2.2. */
static struct sockaddr_in name(int path, int host, uint16_t port)
{
	return (struct sockaddr_in){
	    AF_INET, htons(port), {htonl(0x0a000101u + 256 * (uint32_t)path + (uint32_t)host)}, {0}};
}

/* Packets of one path are to leave. What there is no room for is offered again. */
static size_t output(void *arg, const struct usrsctp_cmt_packet *out, size_t n)
{
	const int path =
	    ((const uint8_t *)&((const struct sockaddr_in *)(const void *)out->local)->sin_addr)[2] - 1;
	size_t i = 0;

	(void)arg;
	while (i < n && (send(fds[path], out[i].bytes, out[i].len, MSG_DONTWAIT) >= 0 || errno != EAGAIN))
		i++;
	full[path] = i < n;
	return i;
}

/* Packets have arrived on a path. */
static void input(int path)
{
	struct sockaddr_in local = name(path, me, 0), remote = name(path, 1 - me, 0);
	char bytes[PACKET_BYTES];
	struct usrsctp_cmt_arrival arrival = {.size = sizeof(arrival), .bytes = bytes};
	ssize_t n;

	arrival.local = (struct sockaddr *)&local;
	arrival.remote = (struct sockaddr *)&remote;
	while ((n = recv(fds[path], bytes, sizeof(bytes), MSG_DONTWAIT)) > 0) {
		arrival.len = (size_t)n;
		usrsctp_cmt_packets_input(packets, &arrival);
		arrived_pkts[path]++;
	}
}

/* The application: the client sends, the server reads, both until the end. */
static void use_socket(void)
{
	char bytes[4 * MESSAGE_BYTES] = {0};
	socklen_t from = 0, info = 0;
	int flags = 0;
	unsigned type;
	ssize_t n;

	if (so == NULL && (so = usrsctp_accept(listener, NULL, NULL)) != NULL)
		usrsctp_set_non_blocking(so, 1);
	while (so != NULL && me == CLIENT && sent_bytes < TOTAL_BYTES &&
	       usrsctp_sendv(so, bytes, MESSAGE_BYTES, NULL, 0, NULL, 0, SCTP_SENDV_NOINFO, 0) > 0)
		sent_bytes += MESSAGE_BYTES;
	if (sent_bytes == TOTAL_BYTES)
		usrsctp_shutdown(so, SHUT_WR);
	while (so != NULL && !ended) {
		n = usrsctp_recvv(so, bytes, sizeof(bytes), NULL, &from, NULL, &info, &type, &flags);
		if (n < 0 && (errno == EAGAIN || errno == ENOTCONN))
			return;
		ended = n <= 0;
		received_bytes += n > 0 ? (unsigned)n : 0;
	}
}

static void loop_once(void)
{
	const int64_t wait_us = usrsctp_cmt_packets_timeout_us(packets);
	struct pollfd polled[PATHS];

	for (int path = 0; path < PATHS; path++)
		polled[path] = (struct pollfd){fds[path], full[path] ? POLLIN | POLLOUT : POLLIN, 0};
	poll(polled, PATHS, wait_us < 0 ? -1 : (int)((wait_us + 999) / 1000));
	for (int path = 0; path < PATHS; path++)
		input(path);
	if (!ended)
		use_socket();
	usrsctp_cmt_packets_run(packets);
}

static struct socket *open_socket(void)
{
	struct socket *opened = usrsctp_socket(AF_INET, SOCK_STREAM, IPPROTO_SCTP, NULL, NULL, 0, NULL);
	struct sctp_cmt_policy policy = {.size = sizeof(policy), .name = "rr"}; /* both paths in turn */

	usrsctp_set_non_blocking(opened, 1);
	usrsctp_setsockopt(opened, IPPROTO_SCTP, SCTP_CMT_SCHEDULER, &policy, sizeof(policy));
	for (int path = 0; path < PATHS; path++) {
		struct sockaddr_in local = name(path, me, PORT), remote = name(path, 1 - me, 0);

		usrsctp_cmt_packets_add_address(packets, (struct sockaddr *)&local);
		usrsctp_cmt_packets_add_path(packets, (struct sockaddr *)&local, (struct sockaddr *)&remote,
		                             PACKET_BYTES);
		usrsctp_bindx(opened, (struct sockaddr *)&local, 1, SCTP_BINDX_ADD_ADDR);
	}
	return opened;
}

int main(void)
{
	const struct usrsctp_cmt_packets_config config = {.size = sizeof(config), .output = output};
	struct sockaddr_in server = name(0, SERVER, PORT);
	int pairs[PATHS][2], status = 0;

	if (socketpair(AF_UNIX, SOCK_DGRAM, 0, pairs[0]) + socketpair(AF_UNIX, SOCK_DGRAM, 0, pairs[1]) != 0)
		return 1;
	me = fork() == 0 ? SERVER : CLIENT;
	for (int path = 0; path < PATHS; path++)
		fds[path] = pairs[path][me];
	packets = usrsctp_cmt_packets_new(&config); /* in place of usrsctp_init() */
	if (me == SERVER)
		usrsctp_listen(listener = open_socket(), 1);
	else
		usrsctp_connect(so = open_socket(), (struct sockaddr *)&server, sizeof(server));
	while (!ended)
		loop_once();
	usrsctp_close(so);
	if (me == SERVER)
		usrsctp_close(listener);
	while (usrsctp_cmt_packets_free(packets) != 0) /* until the association has shut down */
		loop_once();
	if (me == CLIENT)
		return wait(&status) > 0 && status == 0 ? 0 : 1;
	printf("%u bytes arrived, in %u packets on path 1 and %u on path 2\n", received_bytes,
	       arrived_pkts[0], arrived_pkts[1]);
	return received_bytes == TOTAL_BYTES && arrived_pkts[0] > 0 && arrived_pkts[1] > 0 ? 0 : 1;
}
