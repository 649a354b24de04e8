/* SPDX-License-Identifier: BSD-3-Clause
 *
 * side_blocking.c MESSAGE_BYTES SECONDS - the calls of usrsctp_cmt_blocking.h at work, for bench_python.py:
 * one process receives, its child sends for so long, in the clear, over two loopback addresses. Prints bytes
 * per second as received, and seconds of a processor per GB, of both. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <usrsctp_cmt_blocking.h>

#define ADDRESSES  "127.0.1.1,127.0.2.1"
#define PORT       5001
#define TIMEOUT_MS 20000

static double now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static double used_s(int who)
{
	struct rusage used;

	getrusage(who, &used);
	return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
	       (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6;
}

static int fail(void)
{
	fprintf(stderr, "side_blocking: %s\n", cmt_reason());
	return 1;
}

/* The child, forked before anything was opened. */
static int send_for(int from_parent, size_t message_bytes, double seconds)
{
	struct cmt_config config = {.size = sizeof(config),
	                            .peer = ADDRESSES,
	                            .local = "127.0.1.2,127.0.2.2",
	                            .port = PORT,
	                            .insecure = true};
	struct cmt_connection *c;
	char *message = calloc(1, message_bytes);
	int udp_port, result = 0;
	double end_s;

	if (message == NULL || read(from_parent, &udp_port, sizeof(udp_port)) != sizeof(udp_port)) {
		return 1;
	}
	config.peer_udp_port = (uint16_t)udp_port;
	if (cmt_connect(&c, &config, TIMEOUT_MS) != 0) {
		return fail();
	}
	for (end_s = now_s() + seconds; result == 0 && now_s() < end_s;) {
		result = cmt_send(c, message, message_bytes, NULL, TIMEOUT_MS);
	}
	free(message);
	return result != 0 || cmt_close(c, TIMEOUT_MS) != 0 ? fail() : 0;
}

static int receive(int to_child, size_t message_bytes, double *received)
{
	const struct cmt_config config = {
	    .size = sizeof(config), .local = ADDRESSES, .port = PORT, .any_udp_port = true, .insecure = true};
	struct cmt_listener *listener;
	struct cmt_connection *c;
	char *message = malloc(message_bytes);
	double start_s = 0, bytes = 0;
	ssize_t n;
	int udp_port;

	if (message == NULL || cmt_listen(&listener, &config) != 0) {
		return fail();
	}
	udp_port = cmt_listener_udp_port(listener);
	if (write(to_child, &udp_port, sizeof(udp_port)) != sizeof(udp_port) ||
	    cmt_accept(&c, listener, TIMEOUT_MS) != 0) {
		return fail();
	}
	while ((n = cmt_recv(c, message, message_bytes, NULL, TIMEOUT_MS)) > 0) {
		start_s = start_s > 0 ? start_s : now_s();
		bytes += (double)n;
	}
	printf("%.0f ", bytes / (now_s() - start_s));
	*received = bytes;
	(void)cmt_close(c, TIMEOUT_MS);
	cmt_listener_close(listener);
	free(message);
	return n == 0 ? 0 : fail();
}

int main(int argc, char **argv)
{
	int pipe_fds[2], status = 1, result;
	double bytes = 0;
	pid_t child;

	if (argc != 3 || pipe(pipe_fds) != 0) {
		return 2;
	}
	child = fork();
	if (child == 0) {
		return send_for(pipe_fds[0], strtoul(argv[1], NULL, 10), strtod(argv[2], NULL));
	}
	result = receive(pipe_fds[1], strtoul(argv[1], NULL, 10), &bytes);
	if (waitpid(child, &status, 0) != child || status != 0 || result != 0) {
		return 1;
	}
	printf("%.3f\n", (used_s(RUSAGE_SELF) + used_s(RUSAGE_CHILDREN)) / (bytes / 1e9));
	return 0;
}
