/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bench_idle.c - memory of a listener's idle association, in the clear and encrypted: bench_idle [FEW MANY]
 *
 * Opens FEW and then MANY connections (100, 1000) with two paths each from one process to another, which says
 * nothing, and prints by how much the other grows with each of those between, when their handshakes are over.
 * Exit status 1 when that is more than IDLE_MAX_KIB, or ENCRYPTED_MAX_KIB. */
#include <arpa/inet.h>
#include <errno.h>
#include <malloc.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <event2/event.h>

#include <usrsctp_cmt_event.h>

#include "times.h"

#define IDLE_MAX_KIB      32
#define ENCRYPTED_MAX_KIB 48
#define SETTLE_S          12 /* then a client keeps nothing of its handshake */
#define AT_ONCE           32
#define PORT              5001
#define UDP_PORT          23000
#define N_PATHS           2
#define WATCHDOG_S        120

struct bench {
	struct event_base *base;
	struct usrsctp_cmt_event *ev;
	struct usrsctp_cmt_keys *keys;
	struct usrsctp_cmt_conn_config config;
	unsigned begun, up, wanted;
};

static void require(bool ok, const char *what)
{
	if (ok)
		return;
	fprintf(stderr, "bench_idle: %s: %s\n", what, strerror(errno));
	exit(1);
}

static void loopback(struct sockaddr_storage addresses[N_PATHS], uint32_t first, uint16_t port)
{
	memset(addresses, 0, N_PATHS * sizeof(addresses[0]));
	for (uint32_t i = 0; i < N_PATHS; i++) {
		struct sockaddr_in *const in = (struct sockaddr_in *)&addresses[i];

		in->sin_family = AF_INET;
		in->sin_port = htons(port);
		in->sin_addr.s_addr = htonl(INADDR_LOOPBACK + first + i);
	}
}

static void begin(struct bench *b, uint32_t first_address, uint16_t udp_port, uint16_t peer_udp_port,
                  bool encrypted)
{
	const struct usrsctp_cmt_keys_config keys = {.size = sizeof(keys)};
	struct sockaddr_storage local[N_PATHS];
	const struct usrsctp_cmt_event_config config = {
	    .size = sizeof(config), .addresses = local, .n_addresses = N_PATHS, .udp_port = udp_port};
	char error[USRSCTP_CMT_REASON_BYTES] = "";

	loopback(local, first_address, 0);
	b->base = event_base_new();
	require(b->base != NULL, "event_base_new");
	b->ev = usrsctp_cmt_event_new(b->base, &config, error, sizeof(error));
	require(b->ev != NULL, error);
	b->keys = encrypted ? usrsctp_cmt_keys_new(&keys, error, sizeof(error)) : NULL;
	require(b->keys != NULL || !encrypted, error);
	b->config = (struct usrsctp_cmt_conn_config){
	    .size = sizeof(b->config), .peer_udp_port = peer_udp_port, .keys = b->keys};
}

static void end(struct bench *b)
{
	usrsctp_cmt_event_free(b->ev);
	event_base_free(b->base);
	usrsctp_cmt_keys_free(b->keys);
}

/* --- the listener --- */

struct listener {
	pid_t pid;
	int ask, hear;
};

/* What handshakes have left behind is used again by the next ones, and does not count. */
static void on_asked(evutil_socket_t fd, short what, void *arg)
{
	const int *const answer = arg;
	char byte;

	(void)what;
	require(read(fd, &byte, 1) == 1, "read");
	(void)malloc_trim(0);
	require(write(*answer, &byte, 1) == 1, "write");
}

static void on_accept(struct usrsctp_cmt_listener *listener, struct usrsctp_cmt_conn *conn, void *arg)
{
	(void)listener, (void)conn, (void)arg;
}

static void listen_for_ever(bool encrypted, int asked, int answer)
{
	struct bench b = {.wanted = 0};
	struct event *event;

	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	begin(&b, 0, UDP_PORT, UDP_PORT + 1, encrypted);
	require(usrsctp_cmt_listen(b.ev, PORT, &b.config, on_accept, NULL) != NULL, "usrsctp_cmt_listen");
	event = event_new(b.base, asked, EV_READ | EV_PERSIST, on_asked, &answer);
	require(event != NULL && event_add(event, NULL) == 0, "event_new");
	require(write(answer, "r", 1) == 1, "write");
	(void)event_base_dispatch(b.base);
	_exit(0);
}

static struct listener start_listener(bool encrypted)
{
	struct listener l;
	int there[2], back[2];
	char byte;

	require(pipe(there) == 0 && pipe(back) == 0, "pipe");
	(void)fflush(NULL);
	l = (struct listener){.pid = fork(), .ask = there[1], .hear = back[0]};
	require(l.pid >= 0, "fork");
	if (l.pid == 0)
		listen_for_ever(encrypted, there[0], back[1]);
	(void)close(there[0]);
	(void)close(back[1]);
	require(read(l.hear, &byte, 1) == 1, "listener");
	return l;
}

static void stop_listener(const struct listener *l)
{
	(void)kill(l->pid, SIGKILL);
	(void)waitpid(l->pid, NULL, 0);
	(void)close(l->ask);
	(void)close(l->hear);
}

static long resident_kib(const struct listener *l)
{
	char path[64], line[200], byte = 'm';
	long kib = -1;
	FILE *status;

	require(write(l->ask, &byte, 1) == 1 && read(l->hear, &byte, 1) == 1, "listener");
	snprintf(path, sizeof(path), "/proc/%d/status", (int)l->pid);
	status = fopen(path, "r");
	require(status != NULL, path);
	while (kib < 0 && fgets(line, sizeof(line), status) != NULL)
		(void)sscanf(line, "VmRSS: %ld kB", &kib);
	(void)fclose(status);
	return kib;
}

/* --- who calls it --- */

static void on_event(struct usrsctp_cmt_conn *conn, const struct usrsctp_cmt_conn_event *event, void *arg);

static void call_some(struct bench *b)
{
	struct sockaddr_storage peer[N_PATHS];

	loopback(peer, 0, PORT);
	for (; b->begun < b->wanted && b->begun - b->up < AT_ONCE; b->begun++) {
		struct usrsctp_cmt_conn *const conn =
		    usrsctp_cmt_conn_connect(b->ev, peer, N_PATHS, &b->config);

		require(conn != NULL, "usrsctp_cmt_conn_connect");
		usrsctp_cmt_conn_setcb(conn, NULL, NULL, on_event, b);
	}
}

static void on_event(struct usrsctp_cmt_conn *conn, const struct usrsctp_cmt_conn_event *event, void *arg)
{
	struct bench *const b = arg;

	(void)conn;
	if (event->type == USRSCTP_CMT_CONN_FAILED || event->type == USRSCTP_CMT_CONN_LOST) {
		errno = event->error;
		require(false, "a connection");
	}
	if (event->type != USRSCTP_CMT_CONN_UP)
		return;
	if (++b->up == b->wanted)
		(void)event_base_loopexit(b->base, &(struct timeval){SETTLE_S, 0});
	call_some(b);
}

static long kib_with(struct bench *b, unsigned n, const struct listener *listener)
{
	b->wanted = n;
	call_some(b);
	(void)event_base_dispatch(b->base);
	return resident_kib(listener);
}

/* KiB of each connection between `few` and `many`; in processes of its own. */
static double measure(bool encrypted, unsigned few, unsigned many)
{
	struct bench b = {.wanted = 0};
	const struct listener listener = start_listener(encrypted);
	double kib;

	begin(&b, N_PATHS, UDP_PORT + 1, UDP_PORT, encrypted);
	kib = (double)kib_with(&b, few, &listener);
	kib = ((double)kib_with(&b, many, &listener) - kib) / (many - few);
	stop_listener(&listener);
	end(&b);
	return kib;
}

static bool judge(bool encrypted, unsigned few, unsigned many, int max_kib)
{
	const double kib = measure(encrypted, few, many);

	printf("%-12s %5.1f KiB each, at most %d\n", encrypted ? "encrypted" : "in the clear", kib, max_kib);
	(void)fflush(stdout);
	return kib <= max_kib;
}

int main(int argc, char **argv)
{
	const unsigned few = argc == 3 ? (unsigned)strtoul(argv[1], NULL, 10) : 100,
	               many = argc == 3 ? (unsigned)strtoul(argv[2], NULL, 10) : 1000;
	bool good;

	require(few > 0 && many > few, "FEW and MANY");
	(void)alarm(WATCHDOG_S);
	good = judge(false, few, many, IDLE_MAX_KIB);
	good &= judge(true, few, many, ENCRYPTED_MAX_KIB);
	return good ? report_times(true) : 1;
}
