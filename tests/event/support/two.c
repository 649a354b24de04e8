/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "two.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SERVER, CLIENT };

static void write_file(const char *name, const char *text)
{
	int fd = open(name, O_WRONLY);

	if (fd >= 0) {
		(void)!write(fd, text, strlen(text));
		close(fd);
	}
}

static void loopback_up(void)
{
	struct ifreq lo = {.ifr_name = "lo"};
	int fd = socket(AF_INET, SOCK_DGRAM, 0);

	assert_true(fd >= 0);
	assert_int_equal(ioctl(fd, SIOCGIFFLAGS, &lo), 0);
	lo.ifr_flags |= IFF_UP;
	assert_int_equal(ioctl(fd, SIOCSIFFLAGS, &lo), 0);
	close(fd);
}

/* As root of a user namespace where we are not root. */
static void enter_network(bool first)
{
	uid_t uid = geteuid();
	gid_t gid = getegid();
	char map[64];

	if (first && uid != 0) {
		assert_int_equal(unshare(CLONE_NEWUSER), 0);
		write_file("/proc/self/setgroups", "deny");
		snprintf(map, sizeof(map), "0 %u 1", uid);
		write_file("/proc/self/uid_map", map);
		snprintf(map, sizeof(map), "0 %u 1", gid);
		write_file("/proc/self/gid_map", map);
	}
	assert_int_equal(unshare(CLONE_NEWNET), 0);
	loopback_up();
}

void two_command(const char *format, ...)
{
	char command[512];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(command, sizeof(command), format, arguments);
	va_end(arguments);
	assert_int_equal(system(command), 0);
}

pid_t two_network(void)
{
	int ready[2];
	pid_t child;

	assert_int_equal(pipe(ready), 0);
	child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		enter_network(false);
		assert_int_equal(write(ready[1], "x", 1), 1);
		for (;;) {
			pause();
		}
	}
	assert_int_equal(read(ready[0], &(char){0}, 1), 1);
	close(ready[0]);
	close(ready[1]);
	return child;
}

void two_tell(const struct two *t)
{
	assert_int_equal(write(t->to_other, "x", 1), 1);
}

static void on_other(evutil_socket_t fd, short what, void *arg)
{
	(void)fd;
	(void)what;
	event_base_loopbreak(arg);
}

void two_wait(struct two *t)
{
	struct event *other = event_new(t->base, t->from_other, EV_READ, on_other, t->base);
	char byte;

	event_add(other, NULL);
	assert_true(two_run(t, TWO_TIME_S * 1000));
	event_free(other);
	assert_int_equal(read(t->from_other, &byte, 1), 1);
}

static void on_limit(evutil_socket_t fd, short what, void *arg)
{
	(void)fd;
	(void)what;
	event_base_loopexit(arg, NULL);
}

/* The timer ends with the run: another run may follow. */
bool two_run(struct two *t, unsigned ms)
{
	const struct timeval after = {.tv_sec = ms / 1000, .tv_usec = (suseconds_t)(ms % 1000) * 1000};
	struct event *limit = evtimer_new(t->base, on_limit, t->base);

	assert_true(limit != NULL && evtimer_add(limit, &after) == 0);
	event_base_dispatch(t->base);
	event_free(limit);
	return event_base_got_break(t->base);
}

static void set_address(struct sockaddr_storage *out, enum two_network network, int path, int host)
{
	struct sockaddr_in *in = (struct sockaddr_in *)out;
	char text[INET_ADDRSTRLEN];

	snprintf(text, sizeof(text), network == TWO_VETH ? "10.%d.0.%d" : "127.0.%d.%d", path + 1, host + 1);
	*in = (struct sockaddr_in){.sin_family = AF_INET, .sin_port = htons(TWO_PORT)};
	assert_int_equal(inet_pton(AF_INET, text, &in->sin_addr), 1);
}

static void prepare(struct two *t, enum two_network network, int side)
{
	for (int path = 0; path < TWO_ADDRESSES; path++) {
		set_address(&t->own[path], network, path, side);
		set_address(&t->peer[path], network, path, 1 - side);
	}
	t->config =
	    (struct usrsctp_cmt_event_config){.size = sizeof(t->config),
	                                      .addresses = t->own,
	                                      .n_addresses = TWO_ADDRESSES,
	                                      .udp_port = side == SERVER ? USRSCTP_CMT_EVENT_UDP_PORT : 0};
	t->connection = (struct usrsctp_cmt_conn_config){.size = sizeof(t->connection)};
	t->base = event_base_new();
	alarm(TWO_TIME_S);
}

void two_open(struct two *t)
{
	char error[256] = "";

	t->ev = usrsctp_cmt_event_new(t->base, &t->config, error, sizeof(error));
	if (t->ev == NULL) {
		fail_msg("%s", error);
	}
}

void two_close(struct two *t)
{
	usrsctp_cmt_event_free(t->ev);
	t->ev = NULL;
}

/* Child of the test: the client; its own child: the server. Their exit status says how it went. */
static void server_part(struct two *t, enum two_network network, two_fn *server)
{
	if (network == TWO_VETH) {
		enter_network(false);
		two_tell(t);
		assert_int_equal(read(t->from_other, &(char){0}, 1), 1);
	}
	prepare(t, network, SERVER);
	server(t);
	event_base_free(t->base);
	_exit(0);
}

static void join_networks(struct two *t, pid_t server)
{
	assert_int_equal(read(t->from_other, &(char){0}, 1), 1);
	for (int path = 1; path <= TWO_ADDRESSES; path++) {
		two_command("ip link add v%d type veth peer name v%d netns %d", path, path, (int)server);
		two_command("ip addr add 10.%d.0.2/24 dev v%d && ip link set v%d up", path, path, path);
		two_command("nsenter -t %d -n sh -c 'ip addr add 10.%d.0.1/24 dev v%d && ip link set v%d up'",
		            (int)server, path, path, path);
	}
	two_tell(t);
}

static void client_part(struct two *t, enum two_network network, two_fn *client, pid_t server)
{
	int status = -1;

	t->server = server;
	if (network == TWO_VETH) {
		join_networks(t, server);
	}
	prepare(t, network, CLIENT);
	client(t);
	event_base_free(t->base);
	close(t->to_other);
	assert_int_equal(waitpid(server, &status, 0), server);
	assert_int_equal(status, 0);
}

/* cmocka's asserts jump back into its runner: in a process of our own they have to end the process. */
static void in_process(enum two_network network, two_fn *server, two_fn *client)
{
	int up[2], down[2];
	struct two t = {.to_other = -1};
	pid_t child;

	enter_network(true);
	assert_int_equal(pipe(up), 0);
	assert_int_equal(pipe(down), 0);
	child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		t.to_other = up[1];
		t.from_other = down[0];
		close(down[1]);
		server_part(&t, network, server);
	}
	t.to_other = down[1];
	t.from_other = up[0];
	close(up[1]);
	client_part(&t, network, client, child);
}

void two_hosts(enum two_network network, two_fn *server, two_fn *client)
{
	int status = -1;
	pid_t child;

	fflush(NULL);
	child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		/* An assertion that fails prints itself and ends the process. */
		setenv("CMOCKA_TEST_ABORT", "1", 1);
		in_process(network, server, client);
		_exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
}
