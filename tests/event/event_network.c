/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Addresses, interfaces, paths: two network namespaces joined by two veth pairs. */
#include "support/traffic.h"

#include <arpa/inet.h>
#include <errno.h>
#include <net/if.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static uint32_t ip4(const struct sockaddr_storage *address)
{
	return ntohl(((const struct sockaddr_in *)address)->sin_addr.s_addr);
}

/* --- each path has its own pair of addresses --- */

static void send_over_both(struct two *t)
{
	struct traffic f = {.total = 3000000, .idle = true};
	struct sctp_cmt_path_stats paths[SCTP_CMT_MAX_PATHS];

	traffic_use_both_paths(t, &f, paths);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(ip4(&paths[i].local) & 0xffffff00u, ip4(&paths[i].remote) & 0xffffff00u);
		assert_int_equal(paths[i].mtu_bytes, 1500 - 8);
	}
	traffic_give(f.conn, &f);
	assert_true(two_run(t, 20000));
	traffic_finish(&f);
}

static void source_and_destination_of_a_path_match(void **state)
{
	(void)state;
	two_hosts(TWO_VETH, traffic_serve_plainly, send_over_both);
}

static void send_from_any_address(struct two *t)
{
	t->config.n_addresses = 0;
	send_over_both(t);
}

static void all_addresses_are_used_when_none_is_named(void **state)
{
	(void)state;
	two_hosts(TWO_VETH, traffic_serve_plainly, send_from_any_address);
}

/* --- an interface goes down and up again --- */

static void send_while_a_link_is_down(struct two *t)
{
	struct traffic f = {.total = 4000000};

	two_command("tc qdisc add dev v1 root tbf rate 8mbit burst 5k latency 50ms");
	two_command("tc qdisc add dev v2 root tbf rate 8mbit burst 5k latency 50ms");
	traffic_start(t, &f, 2);
	traffic_wait_for_sent(&f, 1500000); /* more than the buffer takes */
	two_command("ip link set v1 down");
	traffic_wait_for_sent(&f, 2500000);
	assert_true(f.sent < f.total); /* going on, not done */
	two_command("ip link set v1 up");
	assert_true(two_run(t, 20000));
	assert_int_equal(f.count[USRSCTP_CMT_CONN_CLOSED], 1);
	traffic_finish(&f);
}

static void serve_every_byte(struct two *t)
{
	struct traffic f = {.conn = NULL};

	traffic_serve(t, &f);
	assert_int_equal(f.received, (4000000 + TRAFFIC_MESSAGE_BYTES - 1) / TRAFFIC_MESSAGE_BYTES *
	                                 TRAFFIC_MESSAGE_BYTES);
}

static void a_link_that_is_pulled_neither_ends_nor_corrupts_a_transfer(void **state)
{
	(void)state;
	two_hosts(TWO_VETH, serve_every_byte, send_while_a_link_is_down);
}

/* Nothing is sent there meanwhile that could be missed: the carrier says it. */
static void idle_while_a_link_is_down(struct two *t)
{
	struct traffic f = {.total = 100000, .idle = true};
	struct sctp_cmt_path_stats paths[SCTP_CMT_MAX_PATHS];

	traffic_use_both_paths(t, &f, paths);
	two_command("ip link set v1 down");
	traffic_wait_for_event(&f, USRSCTP_CMT_CONN_PATH_DOWN);
	two_command("ip link set v1 up");
	traffic_wait_for_event(&f, USRSCTP_CMT_CONN_PATH_UP);
	f.idle = false;
	traffic_give(f.conn, &f);
	assert_true(two_run(t, 10000));
	traffic_finish(&f);
}

static void a_path_without_carrier_fails_at_once(void **state)
{
	(void)state;
	two_hosts(TWO_VETH, traffic_serve_plainly, idle_while_a_link_is_down);
}

/* --- addresses come and go --- */

static void watch_addresses(struct two *t)
{
	struct traffic f = {.conn = NULL};

	traffic_serve(t, &f);
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
	traffic_start(t, &f, 2);
	traffic_wait_for_event(&f, USRSCTP_CMT_CONN_UP);
	assert_false(two_run(t, 500)); /* IPv6 addresses may have come late */
	assert_int_equal(usrsctp_cmt_event_get_stats(t->ev, &before), 0);
	two_command("ip addr add 10.2.0.2/24 dev v2");
	assert_false(two_run(t, 1000));
	assert_int_equal(usrsctp_cmt_event_addresses(t->ev, own, 4), 4); /* with the loopback ones */
	traffic_wait_for_paths(&f, 2, paths);
	two_command("ip addr del 10.2.0.2/24 dev v2");
	assert_false(two_run(t, 1000));
	assert_int_equal(usrsctp_cmt_event_get_stats(t->ev, &stats), 0);
	assert_int_equal(stats.address_changes - before.address_changes, 2);
	f.idle = false;
	traffic_give(f.conn, &f);
	assert_true(two_run(t, 10000));
	traffic_finish(&f);
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
	traffic_start(t, &f, 2);
	shrink_kernel_buffers();
	traffic_wait_for_paths(&f, 2, paths);
	f.idle = false;
	traffic_give(f.conn, &f);
	assert_true(two_run(t, 20000));
	assert_int_equal(usrsctp_cmt_event_get_stats(t->ev, &stats), 0);
	assert_int_equal(stats.dropped_pkts, 0);
	assert_false(stats.gso || stats.gro);
	assert_true(stats.blocked_calls > 10);
	traffic_finish(&f);
}

static void a_full_kernel_buffer_delays_and_loses_nothing(void **state)
{
	(void)state;
	two_hosts(TWO_VETH, traffic_serve_plainly, send_through_small_buffers);
}

/* --- families, transports, DSCP --- */

static void use_raw_sctp(struct two *t)
{
	t->config.transport = USRSCTP_CMT_EVENT_RAW;
}

static void serve_raw(struct two *t)
{
	use_raw_sctp(t);
	traffic_serve_plainly(t);
}

static void send_raw(struct two *t)
{
	struct traffic f = {.total = 3000000};
	struct sctp_cmt_path_stats paths[SCTP_CMT_MAX_PATHS];

	use_raw_sctp(t);
	traffic_start(t, &f, 2);
	f.idle = true;
	traffic_wait_for_paths(&f, 2, paths);
	traffic_send_some(&f, 100000);
	traffic_wait_for_mtu(&f, 0, 1500, 1500);
	assert_int_equal(usrsctp_cmt_event_udp_port(t->ev), 0);
	traffic_send_rest(&f);
	assert_true(two_run(t, 20000));
	traffic_finish(&f);
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
	traffic_serve_plainly(t);
}

static void send_ipv6(struct two *t)
{
	struct traffic f = {.total = 3000000, .idle = true};
	struct sctp_cmt_path_stats paths[SCTP_CMT_MAX_PATHS];

	use_ipv6(t, 1);
	traffic_use_both_paths(t, &f, paths);
	for (int i = 0; i < 2; i++) {
		assert_memory_equal(&((struct sockaddr_in6 *)&paths[i].local)->sin6_addr,
		                    &((struct sockaddr_in6 *)&paths[i].remote)->sin6_addr, 8);
	}
	traffic_give(f.conn, &f);
	assert_true(two_run(t, 20000));
	traffic_finish(&f);
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
	traffic_serve_plainly(t);
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
	traffic_start(t, &f, 1);
	traffic_wait_for_paths(&f, 3, paths); /* and the server's IPv4 addresses */
	traffic_send_some(&f, f.total / 2);
	assert_int_equal(traffic_paths(&f, paths), 3);
	expect_path_from_its_link(&paths[0], "fe80::2:1");
	f.pause_at = 0;
	f.idle = false;
	traffic_give(f.conn, &f);
	assert_true(two_run(t, 20000));
	traffic_finish(&f);
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

	traffic_start(t, &f, 1);
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

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(source_and_destination_of_a_path_match),
	    cmocka_unit_test(all_addresses_are_used_when_none_is_named),
	    cmocka_unit_test(a_link_that_is_pulled_neither_ends_nor_corrupts_a_transfer),
	    cmocka_unit_test(a_path_without_carrier_fails_at_once),
	    cmocka_unit_test(addresses_that_come_and_go_are_announced),
	    cmocka_unit_test(a_full_kernel_buffer_delays_and_loses_nothing),
	    cmocka_unit_test(sctp_goes_without_udp_too),
	    cmocka_unit_test(ipv6_has_its_paths),
	    cmocka_unit_test(the_interface_in_a_link_local_address_is_enough),
	    cmocka_unit_test(the_code_point_is_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
