/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Packet sizes: what interfaces, routes and routers take, whether they say so or not. Two network namespaces
 * joined by two veth pairs, or by a router. */
#include "support/traffic.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <unistd.h>

enum { NETLINK_MS = 200 };

static void send_with_small_mtu(struct two *t)
{
	struct traffic f = {.total = 200000};
	struct sctp_cmt_path_stats paths[SCTP_CMT_MAX_PATHS];

	two_command("ip link set v1 mtu 1300 && ip link set v2 mtu 9000");
	t->config.mtu_max_bytes = 4000;
	traffic_start(t, &f, 2);
	f.idle = true;
	traffic_wait_for_paths(&f, 2, paths);
	traffic_send_some(&f, 100000);
	traffic_wait_for_mtu(&f, 0, 1300 - 8, 1300 - 8);
	traffic_wait_for_mtu(&f, 1, 4000 - 8, 4000 - 8);
	traffic_send_rest(&f);
	assert_true(two_run(t, 10000));
	traffic_finish(&f);
}

static void serve_with_small_mtu(struct two *t)
{
	two_command("ip link set v1 mtu 1300 && ip link set v2 mtu 9000");
	traffic_serve_plainly(t);
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
	traffic_start(t, &f, 1);
	traffic_send_some(&f, 20000);
	traffic_wait_for_mtu(&f, 0, 1100 - 8, 1100 - 8);
	two_command("ip route change 10.1.0.1/32 dev v1 mtu 1400");
	assert_false(two_run(t, NETLINK_MS)); /* where it is heard of; then there are data to ask with */
	traffic_send_some(&f, 40000);
	traffic_wait_for_mtu(&f, 0, 1400 - 8, 1400 - 8);
	traffic_send_rest(&f);
	assert_true(two_run(t, 10000));
	traffic_finish(&f);
}

static void a_routes_mtu_counts(void **state)
{
	(void)state;
	two_hosts(TWO_VETH, traffic_serve_plainly, send_on_a_route_with_mtu);
}

/* Sends over one path, of which packets of `mtu_bytes` prove to pass. How many this host took back. */
static uint64_t send_in_packets_of(struct two *t, uint32_t mtu_bytes)
{
	struct traffic f = {.total = 200000, .idle = true};
	struct usrsctp_cmt_event_stats stats = {.size = sizeof(stats)};

	t->config.n_addresses = 1;
	traffic_start(t, &f, 1);
	traffic_send_some(&f, 20000);
	traffic_wait_for_mtu(&f, 0, mtu_bytes - 8, mtu_bytes - 8);
	traffic_send_rest(&f);
	assert_true(two_run(t, 10000));
	assert_int_equal(usrsctp_cmt_event_get_stats(t->ev, &stats), 0);
	traffic_finish(&f);
	return stats.dropped_pkts;
}

/* The client's address is on its loopback interface, as a service's that several links lead to; its packets
 * leave by v1. */
static void serve_behind_v1(struct two *t)
{
	two_command("ip link set v1 mtu 1300 && ip route add 10.9.0.2 via 10.1.0.2");
	traffic_serve_plainly(t);
}

static uint64_t send_from_loopback_address(struct two *t)
{
	((struct sockaddr_in *)&t->own[0])->sin_addr.s_addr = inet_addr("10.9.0.2");
	return send_in_packets_of(t, 1300);
}

static void send_by_the_interface_of_the_route(struct two *t)
{
	two_command("ip link set v1 mtu 1300 && ip addr add 10.9.0.2/32 dev lo");
	assert_int_equal(send_from_loopback_address(t), 0);
}

static void the_mtu_is_that_of_the_interface_by_which_packets_leave(void **state)
{
	(void)state;
	two_hosts(TWO_VETH, serve_behind_v1, send_by_the_interface_of_the_route);
}

/* The kernel's table says v2 to who has no address, and v1 to ours. */
static void send_by_a_rule_for_its_address(struct two *t)
{
	two_command("ip link set v1 mtu 1300 && ip link set v2 mtu 9000 && ip addr add 10.9.0.2/32 dev lo && "
	            "ip route add 10.1.0.1 via 10.2.0.1 && ip rule add from 10.9.0.2 lookup 100 && "
	            "ip route add 10.1.0.1 dev v1 table 100");
	assert_true(send_from_loopback_address(t) > 0);
}

static void a_probe_that_this_host_would_cut_is_lost(void **state)
{
	(void)state;
	two_hosts(TWO_VETH, serve_behind_v1, send_by_a_rule_for_its_address);
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
	insert_router(t, 1200);
	two_tell(t);
	((struct sockaddr_in *)&t->peer[0])->sin_addr.s_addr = inet_addr("10.1.0.129");
	assert_int_equal(send_in_packets_of(t, 1200), 0);
}

static void serve_behind_a_router(struct two *t)
{
	assert_int_equal(read(t->from_other, &(char){0}, 1), 1);
	((struct sockaddr_in *)&t->own[0])->sin_addr.s_addr = inet_addr("10.1.0.129");
	t->config.n_addresses = 1;
	traffic_serve_plainly(t);
}

static void a_router_that_asks_for_smaller_packets_gets_them(void **state)
{
	(void)state;
	two_hosts(TWO_VETH, serve_behind_a_router, send_through_a_narrow_router);
}

/* What is larger than a veth device takes is dropped on its way in, whatever the sender's device takes.
 * Packets that the kernel is to cut up are not looked at. That no path fails meanwhile is sim_pmtud's to say: here a
 * process that waits for the processor lets timers expire. */
static void narrow_links(void)
{
	two_command("ip link set v1 mtu 1280 && ip link set v2 mtu 1280");
}

static void serve_behind_narrow_links(struct two *t)
{
	narrow_links();
	traffic_serve_plainly(t);
}

static void send_over_narrow_links(struct two *t)
{
	struct traffic f = {.total = 3000000, .idle = true};
	struct sctp_cmt_path_stats paths[SCTP_CMT_MAX_PATHS];

	t->config.no_offload = true;
	traffic_start(t, &f, 2);
	traffic_wait_for_paths(&f, 2, paths);
	traffic_send_some(&f, 1000000);
	traffic_wait_for_mtu(&f, 0, 1220, 1280);
	traffic_wait_for_mtu(&f, 1, 1220, 1280);
	traffic_send_rest(&f);
	assert_true(two_run(t, 10000));
	traffic_finish(&f);
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

	if (two_run(f->two, TRAFFIC_LOOK_MS)) {
		return false;
	}
	assert_int_equal(
	    usrsctp_getsockopt(usrsctp_cmt_conn_socket(f->conn), IPPROTO_SCTP, SCTP_CMT_STATS, &stats, &len),
	    0);
	assert_int_equal(traffic_paths(f, paths), 1);
	if (paths[0].acked_bytes != p->acked_bytes || stats.send_queue_bytes == 0) {
		p->gap_ms = 0;
	} else {
		p->gap_ms += TRAFFIC_LOOK_MS;
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
	traffic_start(t, &f, 1);
	traffic_send_some(&f, 1000000);
	traffic_wait_for_mtu(&f, 0, 1500 - 8, 1500 - 8);
	two_command("nsenter -t %d -n ip link set r1 mtu 1300", (int)router);
	f.idle = false;
	f.pause_at = 2000000;
	traffic_give(f.conn, &f);
	do {
		assert_true(follow(&f, &progress));
	} while (progress.waiting_bytes > 0);
	traffic_wait_for_mtu(&f, 0, 1220, 1300);
	traffic_send_rest(&f);
	while (follow(&f, &progress)) {
	}
	print_message("longest gap %u ms\n", progress.longest_ms);
	traffic_finish(&f);
}

static void a_router_that_becomes_narrow_and_says_nothing_costs_two_seconds_at_most(void **state)
{
	(void)state;
	two_hosts(TWO_VETH, serve_behind_a_router, send_while_a_router_becomes_narrow);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_mtu_is_that_of_the_interface_up_to_a_limit),
	    cmocka_unit_test(a_routes_mtu_counts),
	    cmocka_unit_test(the_mtu_is_that_of_the_interface_by_which_packets_leave),
	    cmocka_unit_test(a_probe_that_this_host_would_cut_is_lost),
	    cmocka_unit_test(a_router_that_asks_for_smaller_packets_gets_them),
	    cmocka_unit_test(networks_that_drop_large_packets_and_say_nothing_are_used),
	    cmocka_unit_test(a_router_that_becomes_narrow_and_says_nothing_costs_two_seconds_at_most),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
