/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Addresses, interfaces, paths: two network namespaces joined by two veth pairs. */
#include "support/two.h"

#include <arpa/inet.h>
#include <errno.h>
#include <net/if.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define MESSAGE_BYTES 1400u
#define PATIENCE_MS   10000 /* for what a loaded machine may do late */
#define LOOK_MS       50

struct traffic {
	struct two *two;
	struct usrsctp_cmt_conn *conn;
	size_t sent, received, total;
	unsigned count[16];
	struct sockaddr_storage last_address;
	bool idle;       /* the sender pauses */
	size_t pause_at; /* when it has sent this much; 0 = not by itself */
};

static uint8_t content(size_t at)
{
	return (uint8_t)(at * 11 + at / 253);
}

static void on_event(struct usrsctp_cmt_conn *conn, const struct usrsctp_cmt_conn_event *event, void *arg)
{
	struct traffic *f = arg;

	(void)conn;
	f->count[event->type]++;
	if (event->address.ss_family != AF_UNSPEC) {
		f->last_address = event->address;
	}
	assert_int_not_equal(event->type, USRSCTP_CMT_CONN_LOST);
	assert_int_not_equal(event->type, USRSCTP_CMT_CONN_FAILED);
	if (event->type == USRSCTP_CMT_CONN_CLOSED || event->type == USRSCTP_CMT_CONN_PEER_CLOSED) {
		event_base_loopbreak(f->two->base);
	}
}

static void take(struct usrsctp_cmt_conn *conn, void *arg)
{
	struct traffic *f = arg;
	uint8_t bytes[65536];
	ssize_t n;

	while ((n = usrsctp_cmt_conn_read(conn, bytes, sizeof(bytes), NULL)) > 0) {
		for (ssize_t i = 0; i < n; i++) {
			assert_int_equal(bytes[i], content(f->received + (size_t)i));
		}
		f->received += (size_t)n;
	}
}

static void give(struct usrsctp_cmt_conn *conn, void *arg)
{
	struct traffic *f = arg;
	uint8_t bytes[MESSAGE_BYTES];

	while (!f->idle && f->sent < f->total) {
		for (size_t i = 0; i < sizeof(bytes); i++) {
			bytes[i] = content(f->sent + i);
		}
		if (usrsctp_cmt_conn_write(conn, bytes, sizeof(bytes), NULL) != 0) {
			return;
		}
		f->sent += sizeof(bytes);
		f->idle = f->pause_at != 0 && f->sent >= f->pause_at;
	}
	if (f->sent >= f->total) {
		(void)usrsctp_cmt_conn_shutdown(conn);
	}
}

static void on_accept(struct usrsctp_cmt_listener *listener, struct usrsctp_cmt_conn *conn, void *arg)
{
	struct traffic *f = arg;

	(void)listener;
	f->conn = conn;
	usrsctp_cmt_conn_setcb(conn, take, NULL, on_event, f);
}

/* Receives until the peer has closed. */
static void serve(struct two *t, struct traffic *f)
{
	f->two = t;
	two_open(t);
	assert_non_null(usrsctp_cmt_listen(t->ev, TWO_PORT, &t->connection, on_accept, f));
	two_tell(t);
	assert_true(two_run(t, 25000));
	assert_true(f->received > 0);
	two_close(t);
}

static void start(struct two *t, struct traffic *f, size_t n_peer)
{
	f->two = t;
	two_open(t);
	two_wait(t);
	f->conn = usrsctp_cmt_conn_connect(t->ev, t->peer, n_peer, &t->connection);
	assert_non_null(f->conn);
	usrsctp_cmt_conn_setcb(f->conn, NULL, give, on_event, f);
}

static size_t get_paths(const struct traffic *f, struct sctp_cmt_path_stats *paths)
{
	socklen_t len = SCTP_CMT_MAX_PATHS * sizeof(*paths);

	memset(paths, 0, len);
	paths[0].size = sizeof(*paths);
	assert_int_equal(usrsctp_getsockopt(usrsctp_cmt_conn_socket(f->conn), IPPROTO_SCTP,
	                                    SCTP_CMT_PATH_STATS, paths, &len),
	                 0);
	return len / sizeof(*paths);
}

/* Until `n` paths are in use; their statistics. */
static void wait_for_paths(const struct traffic *f, size_t n, struct sctp_cmt_path_stats *paths)
{
	size_t active = 0;

	for (int ms = 0; ms < PATIENCE_MS && active != n; ms += LOOK_MS) {
		assert_false(two_run(f->two, LOOK_MS));
		active = 0;
		for (size_t i = get_paths(f, paths); i-- > 0;) {
			active += paths[i].state == SCTP_CMT_PATH_ACTIVE;
		}
	}
	assert_int_equal(active, n);
	assert_int_equal(get_paths(f, paths), n);
}

static void wait_for_event(const struct traffic *f, enum usrsctp_cmt_conn_event_type type)
{
	for (int ms = 0; ms < PATIENCE_MS && f->count[type] == 0; ms += LOOK_MS) {
		assert_false(two_run(f->two, LOOK_MS));
	}
	assert_int_equal(f->count[type], 1);
}

/* Runs until the path takes packets of that size. */
static void wait_for_mtu(const struct traffic *f, size_t path, uint32_t least_bytes, uint32_t most_bytes)
{
	struct sctp_cmt_path_stats paths[SCTP_CMT_MAX_PATHS];
	uint32_t mtu_bytes = 0;

	for (int ms = 0; ms < PATIENCE_MS && (mtu_bytes < least_bytes || mtu_bytes > most_bytes);
	     ms += LOOK_MS) {
		assert_false(two_run(f->two, LOOK_MS));
		assert_true(get_paths(f, paths) > path);
		mtu_bytes = paths[path].mtu_bytes;
	}
	assert_in_range(mtu_bytes, least_bytes, most_bytes);
}

static void wait_for_sent(const struct traffic *f, size_t bytes)
{
	for (int ms = 0; ms < PATIENCE_MS && f->sent < bytes; ms += LOOK_MS) {
		assert_false(two_run(f->two, LOOK_MS));
	}
	assert_true(f->sent >= bytes);
}

/* What is missing to `bytes`; then all that is left. */
static void send_some(struct traffic *f, size_t bytes)
{
	f->idle = false;
	f->pause_at = bytes;
	give(f->conn, f);
	wait_for_sent(f, bytes);
}

static void send_rest(struct traffic *f)
{
	f->idle = false;
	f->pause_at = 0;
	give(f->conn, f);
}

/* Both paths have carried some data, in turns, so that each has chosen its source. While the server does not
 * get the processor a path fails; it returns. */
static void use_both_paths(struct two *t, struct traffic *f, struct sctp_cmt_path_stats *paths)
{
	t->connection.scheduler = "rr";
	start(t, f, 2);
	wait_for_paths(f, 2, paths);
	do {
		send_some(f, f->sent + 30000);
		assert_false(two_run(t, LOOK_MS));
		assert_int_equal(get_paths(f, paths), 2);
	} while ((paths[0].acked_bytes == 0 || paths[1].acked_bytes == 0) && f->sent + 300000 < f->total);
	assert_true(paths[0].acked_bytes > 0 && paths[1].acked_bytes > 0);
	f->idle = false;
	f->pause_at = 0;
}

static void finish(struct traffic *f)
{
	usrsctp_cmt_conn_free(f->conn);
	two_close(f->two);
}

static void serve_plainly(struct two *t)
{
	struct traffic f = {.conn = NULL};

	serve(t, &f);
}

static uint32_t ip4(const struct sockaddr_storage *address)
{
	return ntohl(((const struct sockaddr_in *)address)->sin_addr.s_addr);
}

/* --- each path has its own pair of addresses --- */

static void send_over_both(struct two *t)
{
	struct traffic f = {.total = 3000000, .idle = true};
	struct sctp_cmt_path_stats paths[SCTP_CMT_MAX_PATHS];

	use_both_paths(t, &f, paths);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(ip4(&paths[i].local) & 0xffffff00u, ip4(&paths[i].remote) & 0xffffff00u);
		assert_int_equal(paths[i].mtu_bytes, 1500 - 8);
	}
	give(f.conn, &f);
	assert_true(two_run(t, 20000));
	finish(&f);
}

static void source_and_destination_of_a_path_match(void **state)
{
	(void)state;
	two_hosts(TWO_VETH, serve_plainly, send_over_both);
}

static void send_from_any_address(struct two *t)
{
	t->config.n_addresses = 0;
	send_over_both(t);
}

static void all_addresses_are_used_when_none_is_named(void **state)
{
	(void)state;
	two_hosts(TWO_VETH, serve_plainly, send_from_any_address);
}

/* --- an interface goes down and up again --- */

static void send_while_a_link_is_down(struct two *t)
{
	struct traffic f = {.total = 4000000};

	two_command("tc qdisc add dev v1 root tbf rate 8mbit burst 5k latency 50ms");
	two_command("tc qdisc add dev v2 root tbf rate 8mbit burst 5k latency 50ms");
	start(t, &f, 2);
	wait_for_sent(&f, 1500000); /* more than the buffer takes */
	two_command("ip link set v1 down");
	wait_for_sent(&f, 2500000);
	assert_true(f.sent < f.total); /* going on, not done */
	two_command("ip link set v1 up");
	assert_true(two_run(t, 20000));
	assert_int_equal(f.count[USRSCTP_CMT_CONN_CLOSED], 1);
	finish(&f);
}

static void serve_every_byte(struct two *t)
{
	struct traffic f = {.conn = NULL};

	serve(t, &f);
	assert_int_equal(f.received, (4000000 + MESSAGE_BYTES - 1) / MESSAGE_BYTES * MESSAGE_BYTES);
}

static void a_link_that_is_pulled_neither_ends_nor_corrupts_a_transfer(void **state)
{
	(void)state;
	two_hosts(TWO_VETH, serve_every_byte, send_while_a_link_is_down);
}

/* --- addresses come and go --- */

static void watch_addresses(struct two *t)
{
	struct traffic f = {.conn = NULL};

	serve(t, &f);
	assert_int_equal(f.count[USRSCTP_CMT_CONN_PATH_ADDED], 1);
	assert_int_equal(f.count[USRSCTP_CMT_CONN_PATH_REMOVED], 1);
}

static void change_addresses(struct two *t)
{
	struct traffic f = {.total = 100000, .idle = true};
	struct sctp_cmt_path_stats paths[SCTP_CMT_MAX_PATHS];
	struct usrsctp_cmt_event_stats stats = {.size = sizeof(stats)}, before = stats;
	struct sockaddr_storage own[4];

	two_command("ip addr del 10.2.0.2/24 dev v2");
	t->config.n_addresses = 0;
	start(t, &f, 2);
	wait_for_event(&f, USRSCTP_CMT_CONN_UP);
	assert_false(two_run(t, 500)); /* IPv6 addresses may have come late */
	assert_int_equal(usrsctp_cmt_event_get_stats(t->ev, &before), 0);
	two_command("ip addr add 10.2.0.2/24 dev v2");
	assert_false(two_run(t, 1000));
	assert_int_equal(usrsctp_cmt_event_addresses(t->ev, own, 4), 4); /* with the loopback ones */
	wait_for_paths(&f, 2, paths);
	two_command("ip addr del 10.2.0.2/24 dev v2");
	assert_false(two_run(t, 1000));
	assert_int_equal(usrsctp_cmt_event_get_stats(t->ev, &stats), 0);
	assert_int_equal(stats.address_changes - before.address_changes, 2);
	f.idle = false;
	give(f.conn, &f);
	assert_true(two_run(t, 10000));
	finish(&f);
}

static void addresses_that_come_and_go_are_announced(void **state)
{
	(void)state;
	two_hosts(TWO_VETH, watch_addresses, change_addresses);
}

/* --- the kernel's buffer is full --- */

static void shrink_kernel_buffers(void)
{
	const int bytes = 4608;

	for (int fd = 3; fd < 64; fd++) {
		int protocol = 0;
		socklen_t len = sizeof(protocol);

		if (getsockopt(fd, SOL_SOCKET, SO_PROTOCOL, &protocol, &len) == 0 &&
		    protocol == IPPROTO_UDP) {
			assert_int_equal(setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &bytes, sizeof(bytes)), 0);
		}
	}
}

static void send_through_small_buffers(struct two *t)
{
	struct traffic f = {.total = 300000, .idle = true};
	struct sctp_cmt_path_stats paths[SCTP_CMT_MAX_PATHS];
	struct usrsctp_cmt_event_stats stats = {.size = sizeof(stats)};

	two_command("tc qdisc add dev v1 root tbf rate 2mbit burst 2k latency 5s");
	two_command("tc qdisc add dev v2 root tbf rate 2mbit burst 2k latency 5s");
	t->connection.sndbuf_bytes = 60000; /* less than a batch takes, and than a timeout of queue */
	/* What keeps queues short meets a full buffer by chance only. */
	t->connection.scheduler = "rr";
	t->connection.cc = "uncoupled";
	t->connection.cc_options = "pacing=0,hystart=0";
	t->config.no_offload = true;
	start(t, &f, 2);
	shrink_kernel_buffers();
	wait_for_paths(&f, 2, paths);
	f.idle = false;
	give(f.conn, &f);
	assert_true(two_run(t, 20000));
	assert_int_equal(usrsctp_cmt_event_get_stats(t->ev, &stats), 0);
	assert_int_equal(stats.dropped_pkts, 0);
	assert_false(stats.gso || stats.gro);
	assert_true(stats.blocked_calls > 10);
	finish(&f);
}

static void a_full_kernel_buffer_delays_and_loses_nothing(void **state)
{
	(void)state;
	two_hosts(TWO_VETH, serve_plainly, send_through_small_buffers);
}

/* --- MTU, families, transports, DSCP --- */

static void send_with_small_mtu(struct two *t)
{
	struct traffic f = {.total = 200000};
	struct sctp_cmt_path_stats paths[SCTP_CMT_MAX_PATHS];

	two_command("ip link set v1 mtu 1300 && ip link set v2 mtu 9000");
	t->config.mtu_max_bytes = 4000;
	start(t, &f, 2);
	f.idle = true;
	wait_for_paths(&f, 2, paths);
	send_some(&f, 100000);
	wait_for_mtu(&f, 0, 1300 - 8, 1300 - 8);
	wait_for_mtu(&f, 1, 4000 - 8, 4000 - 8);
	send_rest(&f);
	assert_true(two_run(t, 10000));
	finish(&f);
}

static void serve_with_small_mtu(struct two *t)
{
	two_command("ip link set v1 mtu 1300 && ip link set v2 mtu 9000");
	serve_plainly(t);
}

static void the_mtu_is_that_of_the_interface_up_to_a_limit(void **state)
{
	(void)state;
	two_hosts(TWO_VETH, serve_with_small_mtu, send_with_small_mtu);
}

static void send_on_a_route_with_mtu(struct two *t)
{
	struct traffic f = {.total = 200000, .idle = true};

	two_command("ip route add 10.1.0.1/32 dev v1 mtu 1100");
	start(t, &f, 1);
	send_some(&f, 20000);
	wait_for_mtu(&f, 0, 1100 - 8, 1100 - 8);
	two_command("ip route change 10.1.0.1/32 dev v1 mtu 1400"); /* heard of through netlink */
	send_some(&f, 40000);
	wait_for_mtu(&f, 0, 1400 - 8, 1400 - 8);
	send_rest(&f);
	assert_true(two_run(t, 10000));
	finish(&f);
}

static void a_routes_mtu_counts(void **state)
{
	(void)state;
	two_hosts(TWO_VETH, serve_plainly, send_on_a_route_with_mtu);
}

static pid_t router; /* a process in its network */

/* Path 1 gets a router in between, whose far side takes packets of that size: only its ICMP says so. */
static void insert_router(const struct two *t, unsigned mtu_bytes)
{
	const int server = (int)t->server;

	router = two_network();
	two_command("ip link del v1 && ip link add v1 type veth peer name r0 netns %d", (int)router);
	two_command("ip addr add 10.1.0.2/25 dev v1 && ip link set v1 up && "
	            "ip route add 10.1.0.128/25 via 10.1.0.3");
	two_command("nsenter -t %d -n sh -c 'ip link add r1 type veth peer name v1 netns %d && "
	            "ip addr add 10.1.0.3/25 dev r0 && ip link set r0 up && "
	            "ip addr add 10.1.0.130/25 dev r1 && ip link set r1 mtu %u up && "
	            "echo 1 > /proc/sys/net/ipv4/ip_forward'",
	            (int)router, server, mtu_bytes);
	two_command("nsenter -t %d -n sh -c 'ip addr add 10.1.0.129/25 dev v1 && ip link set v1 mtu %u up && "
	            "ip route add 10.1.0.0/25 via 10.1.0.130'",
	            server, mtu_bytes);
}

static void send_through_a_narrow_router(struct two *t)
{
	struct traffic f = {.total = 200000, .idle = true};
	struct usrsctp_cmt_event_stats stats = {.size = sizeof(stats)};

	insert_router(t, 1200);
	two_tell(t);
	((struct sockaddr_in *)&t->peer[0])->sin_addr.s_addr = inet_addr("10.1.0.129");
	t->config.n_addresses = 1;
	start(t, &f, 1);
	send_some(&f, 20000);
	wait_for_mtu(&f, 0, 1200 - 8, 1200 - 8);
	send_rest(&f);
	assert_true(two_run(t, 10000));
	assert_int_equal(usrsctp_cmt_event_get_stats(t->ev, &stats), 0);
	assert_int_equal(stats.dropped_pkts, 0);
	finish(&f);
}

static void serve_behind_a_router(struct two *t)
{
	assert_int_equal(read(t->from_other, &(char){0}, 1), 1);
	((struct sockaddr_in *)&t->own[0])->sin_addr.s_addr = inet_addr("10.1.0.129");
	t->config.n_addresses = 1;
	serve_plainly(t);
}

static void a_router_that_asks_for_smaller_packets_gets_them(void **state)
{
	(void)state;
	two_hosts(TWO_VETH, serve_behind_a_router, send_through_a_narrow_router);
}

/* What is larger than a veth device takes is dropped on its way in, whatever the sender's device takes.
 * Packets that the kernel is to cut up are not looked at. */
static void narrow_links(void)
{
	two_command("ip link set v1 mtu 1280 && ip link set v2 mtu 1280");
}

static void serve_behind_narrow_links(struct two *t)
{
	narrow_links();
	serve_plainly(t);
}

static void send_over_narrow_links(struct two *t)
{
	struct traffic f = {.total = 3000000, .idle = true};
	struct sctp_cmt_path_stats paths[SCTP_CMT_MAX_PATHS];

	t->config.no_offload = true;
	start(t, &f, 2);
	wait_for_paths(&f, 2, paths);
	send_some(&f, 1000000);
	wait_for_mtu(&f, 0, 1220, 1280);
	wait_for_mtu(&f, 1, 1220, 1280);
	assert_int_equal(get_paths(&f, paths), 2);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(paths[i].failures, 0);
	}
	send_rest(&f);
	assert_true(two_run(t, 10000));
	finish(&f);
}

static void networks_that_drop_large_packets_and_say_nothing_are_used(void **state)
{
	(void)state;
	two_hosts(TWO_VETH, serve_behind_narrow_links, send_over_narrow_links);
}

/* The router keeps its ICMP to itself: what it sends of its own has no way out. */
static void silence_router(void)
{
	two_command("nsenter -t %d -n sh -c 'ip route add blackhole default table 100 && "
	            "ip rule add iif lo lookup 100 pref 1'",
	            (int)router);
}

struct progress {
	uint64_t acked_bytes, waiting_bytes;
	unsigned gap_ms, longest_ms; /* in which nothing was acknowledged, though something waited */
};

/* Runs for a round; false at the end. Rounds are counted, not what the clock says: one that waits for the
 * processor is no gap. */
static bool follow(const struct traffic *f, struct progress *p)
{
	struct sctp_cmt_path_stats paths[SCTP_CMT_MAX_PATHS];
	struct sctp_cmt_stats stats = {.size = sizeof(stats)};
	socklen_t len = sizeof(stats);

	if (two_run(f->two, LOOK_MS)) {
		return false;
	}
	assert_int_equal(
	    usrsctp_getsockopt(usrsctp_cmt_conn_socket(f->conn), IPPROTO_SCTP, SCTP_CMT_STATS, &stats, &len),
	    0);
	assert_int_equal(get_paths(f, paths), 1);
	if (paths[0].acked_bytes != p->acked_bytes || stats.send_queue_bytes == 0) {
		p->gap_ms = 0;
	} else {
		p->gap_ms += LOOK_MS;
	}
	p->acked_bytes = paths[0].acked_bytes;
	p->waiting_bytes = stats.send_queue_bytes;
	p->longest_ms = p->gap_ms > p->longest_ms ? p->gap_ms : p->longest_ms;
	assert_in_range(p->longest_ms, 0, 2000);
	return true;
}

static void send_while_a_router_becomes_narrow(struct two *t)
{
	struct traffic f = {.total = 3000000, .idle = true};
	struct progress progress = {.gap_ms = 0};

	insert_router(t, 1500);
	silence_router();
	two_tell(t);
	((struct sockaddr_in *)&t->peer[0])->sin_addr.s_addr = inet_addr("10.1.0.129");
	t->config.n_addresses = 1;
	t->config.no_offload = true;
	start(t, &f, 1);
	send_some(&f, 1000000);
	wait_for_mtu(&f, 0, 1500 - 8, 1500 - 8);
	two_command("nsenter -t %d -n ip link set r1 mtu 1300", (int)router);
	f.idle = false;
	f.pause_at = 2000000;
	give(f.conn, &f);
	do {
		assert_true(follow(&f, &progress));
	} while (progress.waiting_bytes > 0);
	wait_for_mtu(&f, 0, 1220, 1300);
	send_rest(&f);
	while (follow(&f, &progress)) {
	}
	print_message("longest gap %u ms\n", progress.longest_ms);
	finish(&f);
}

static void a_router_that_becomes_narrow_and_says_nothing_costs_two_seconds_at_most(void **state)
{
	(void)state;
	two_hosts(TWO_VETH, serve_behind_a_router, send_while_a_router_becomes_narrow);
}

static void use_raw_sctp(struct two *t)
{
	t->config.transport = USRSCTP_CMT_EVENT_RAW;
}

static void serve_raw(struct two *t)
{
	use_raw_sctp(t);
	serve_plainly(t);
}

static void send_raw(struct two *t)
{
	struct traffic f = {.total = 3000000};
	struct sctp_cmt_path_stats paths[SCTP_CMT_MAX_PATHS];

	use_raw_sctp(t);
	start(t, &f, 2);
	f.idle = true;
	wait_for_paths(&f, 2, paths);
	send_some(&f, 100000);
	wait_for_mtu(&f, 0, 1500, 1500);
	assert_int_equal(usrsctp_cmt_event_udp_port(t->ev), 0);
	send_rest(&f);
	assert_true(two_run(t, 20000));
	finish(&f);
}

static void sctp_goes_without_udp_too(void **state)
{
	(void)state;
	two_hosts(TWO_VETH, serve_raw, send_raw);
}

static void use_ipv6(struct two *t, int side)
{
	for (int path = 0; path < TWO_ADDRESSES; path++) {
		struct sockaddr_in6 *own = (struct sockaddr_in6 *)&t->own[path];
		struct sockaddr_in6 *peer = (struct sockaddr_in6 *)&t->peer[path];
		char text[INET6_ADDRSTRLEN];

		*own = (struct sockaddr_in6){.sin6_family = AF_INET6, .sin6_port = htons(TWO_PORT)};
		*peer = *own;
		snprintf(text, sizeof(text), "fd00:%d::%d", path + 1, side + 1);
		inet_pton(AF_INET6, text, &own->sin6_addr);
		snprintf(text, sizeof(text), "fd00:%d::%d", path + 1, 2 - side);
		inet_pton(AF_INET6, text, &peer->sin6_addr);
		two_command("ip addr add fd00:%d::%d/64 dev v%d nodad", path + 1, side + 1, path + 1);
	}
}

static void serve_ipv6(struct two *t)
{
	use_ipv6(t, 0);
	serve_plainly(t);
}

static void send_ipv6(struct two *t)
{
	struct traffic f = {.total = 3000000, .idle = true};
	struct sctp_cmt_path_stats paths[SCTP_CMT_MAX_PATHS];

	use_ipv6(t, 1);
	use_both_paths(t, &f, paths);
	for (int i = 0; i < 2; i++) {
		assert_memory_equal(&((struct sockaddr_in6 *)&paths[i].local)->sin6_addr,
		                    &((struct sockaddr_in6 *)&paths[i].remote)->sin6_addr, 8);
	}
	give(f.conn, &f);
	assert_true(two_run(t, 20000));
	finish(&f);
}

static void ipv6_has_its_paths(void **state)
{
	(void)state;
	two_hosts(TWO_VETH, serve_ipv6, send_ipv6);
}

static void add_link_local(int side)
{
	for (int path = 1; path <= TWO_ADDRESSES; path++) {
		two_command("ip addr add fe80::%d:%d/64 dev v%d nodad", path, side + 1, path);
	}
}

static void serve_link_local(struct two *t)
{
	add_link_local(0);
	t->config.n_addresses = 0;
	serve_plainly(t);
}

static void expect_path_from_its_link(const struct sctp_cmt_path_stats *path, const char *remote)
{
	const struct sockaddr_in6 *const to = (const struct sockaddr_in6 *)&path->remote;
	const struct sockaddr_in6 *const from = (const struct sockaddr_in6 *)&path->local;
	struct in6_addr expected;

	assert_int_equal(inet_pton(AF_INET6, remote, &expected), 1);
	assert_int_equal(to->sin6_family, AF_INET6);
	assert_memory_equal(&to->sin6_addr, &expected, sizeof(expected));
	assert_true(IN6_IS_ADDR_LINKLOCAL(&from->sin6_addr));
	assert_true(path->sent_bytes > 0);
}

/* Nothing is bound by name on either side: the interface in the peer's address is enough. */
static void send_to_link_local(struct two *t)
{
	struct traffic f = {.total = 3000000, .idle = true};
	struct sctp_cmt_path_stats paths[SCTP_CMT_MAX_PATHS];
	struct sockaddr_in6 *const peer = (struct sockaddr_in6 *)&t->peer[0];

	add_link_local(1);
	t->config.n_addresses = 0;
	*peer = (struct sockaddr_in6){
	    .sin6_family = AF_INET6, .sin6_port = htons(TWO_PORT), .sin6_scope_id = if_nametoindex("v2")};
	assert_int_equal(inet_pton(AF_INET6, "fe80::2:1", &peer->sin6_addr), 1);
	start(t, &f, 1);
	wait_for_paths(&f, 3, paths); /* and the server's IPv4 addresses */
	send_some(&f, f.total / 2);
	assert_int_equal(get_paths(&f, paths), 3);
	expect_path_from_its_link(&paths[0], "fe80::2:1");
	f.pause_at = 0;
	f.idle = false;
	give(f.conn, &f);
	assert_true(two_run(t, 20000));
	finish(&f);
}

static void the_interface_in_a_link_local_address_is_enough(void **state)
{
	(void)state;
	two_hosts(TWO_VETH, serve_link_local, send_to_link_local);
}

/* A plain UDP socket that reads the type of service of what arrives. */
static void expect_dscp(struct two *t)
{
	int fd = socket(AF_INET, SOCK_DGRAM, 0), on = 1;
	struct sockaddr_in in = *(struct sockaddr_in *)&t->own[0];
	char bytes[2000], control[64];
	struct iovec iov = {bytes, sizeof(bytes)};
	struct msghdr m = {
	    .msg_iov = &iov, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof(control)};

	in.sin_port = htons(USRSCTP_CMT_EVENT_UDP_PORT);
	assert_int_equal(setsockopt(fd, IPPROTO_IP, IP_RECVTOS, &on, sizeof(on)), 0);
	assert_int_equal(bind(fd, (struct sockaddr *)&in, sizeof(in)), 0);
	two_tell(t);
	assert_true(recvmsg(fd, &m, 0) > 0);
	assert_non_null(CMSG_FIRSTHDR(&m));
	while ((*CMSG_DATA(CMSG_FIRSTHDR(&m)) & 0xfc) != 0xb8) { /* the first INIT may have left before */
		assert_true(recvmsg(fd, &m, 0) > 0);
	}
	close(fd);
}

static void send_with_dscp(struct two *t)
{
	struct traffic f = {.total = 1};
	struct sctp_paddrparams path = {
	    .spp_address.ss_family = AF_INET, .spp_flags = SPP_DSCP, .spp_dscp = 0xb8};

	start(t, &f, 1);
	assert_int_equal(usrsctp_setsockopt(usrsctp_cmt_conn_socket(f.conn), IPPROTO_SCTP,
	                                    SCTP_PEER_ADDR_PARAMS, &path, sizeof(path)),
	                 0);
	assert_false(two_run(t, 1500));
	usrsctp_cmt_conn_abort(f.conn);
	two_close(t);
}

static void the_code_point_is_kept(void **state)
{
	(void)state;
	two_hosts(TWO_VETH, expect_dscp, send_with_dscp);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(source_and_destination_of_a_path_match),
	    cmocka_unit_test(all_addresses_are_used_when_none_is_named),
	    cmocka_unit_test(a_link_that_is_pulled_neither_ends_nor_corrupts_a_transfer),
	    cmocka_unit_test(addresses_that_come_and_go_are_announced),
	    cmocka_unit_test(a_full_kernel_buffer_delays_and_loses_nothing),
	    cmocka_unit_test(the_mtu_is_that_of_the_interface_up_to_a_limit),
	    cmocka_unit_test(a_routes_mtu_counts),
	    cmocka_unit_test(networks_that_drop_large_packets_and_say_nothing_are_used),
	    cmocka_unit_test(a_router_that_becomes_narrow_and_says_nothing_costs_two_seconds_at_most),
	    cmocka_unit_test(a_router_that_asks_for_smaller_packets_gets_them),
	    cmocka_unit_test(sctp_goes_without_udp_too),
	    cmocka_unit_test(ipv6_has_its_paths),
	    cmocka_unit_test(the_interface_in_a_link_local_address_is_enough),
	    cmocka_unit_test(the_code_point_is_kept),
	};

	if (argc > 1) {
		cmocka_set_test_filter(argv[1]);
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
