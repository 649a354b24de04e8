/* SPDX-License-Identifier: BSD-3-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>

#include "nat.h"

#define INDEPENDENT USRSCTP_CMT_SIM_NAT_ENDPOINT_INDEPENDENT
#define ADDRESS     USRSCTP_CMT_SIM_NAT_ADDRESS_DEPENDENT
#define PORT        USRSCTP_CMT_SIM_NAT_ADDRESS_AND_PORT_DEPENDENT

static struct simnet_nat nat;

static const struct simnet_endpoint host = {.address = {10, 1, 0, 1}, .port = 9899},
                                    server = {.address = {10, 1, 0, 2}, .port = 9899},
                                    other_port = {.address = {10, 1, 0, 2}, .port = 9900},
                                    other_address = {.address = {10, 2, 0, 2}, .port = 9899};

static void start(enum usrsctp_cmt_sim_nat_kind mapping, enum usrsctp_cmt_sim_nat_kind filtering,
                  uint64_t timeout_us)
{
	const struct usrsctp_cmt_sim_nat config = {
	    .mapping = mapping, .filtering = filtering, .timeout_us = timeout_us};

	assert_int_equal(simnet_nat_check(&config), 0);
	simnet_nat_init(&nat, &config, 1, 7);
}

/* The public port of a packet to `to`. */
static uint16_t out(uint64_t now_us, const struct simnet_endpoint *to)
{
	uint16_t port = 0;

	assert_int_equal(simnet_nat_out(&nat, now_us, 3, &host, to, &port), SIMNET_NAT_PASSES);
	assert_true(port >= SIMNET_NAT_PORT_MIN);
	return port;
}

static enum simnet_nat_fate in(uint64_t now_us, const struct simnet_endpoint *from, uint16_t port)
{
	struct simnet_endpoint inside = {.port = 0};
	enum simnet_nat_fate fate = simnet_nat_in(&nat, now_us, from, port, &inside);

	if (fate == SIMNET_NAT_PASSES) {
		assert_memory_equal(&inside, &host, sizeof(inside));
	}
	return fate;
}

static void an_independent_mapping_is_one_for_all_peers(void **state)
{
	uint16_t port;

	(void)state;
	start(INDEPENDENT, INDEPENDENT, 0);
	port = out(0, &server);
	assert_int_equal(out(0, &other_port), port);
	assert_int_equal(out(0, &other_address), port);
	assert_int_equal(nat.stats.made_mappings, 1);
	assert_int_equal(simnet_nat_of_port(&nat, 0, port)->path, 3);
}

static void a_mapping_by_address_is_one_for_each_address(void **state)
{
	uint16_t port;

	(void)state;
	start(ADDRESS, INDEPENDENT, 0);
	port = out(0, &server);
	assert_int_equal(out(0, &other_port), port);
	assert_int_not_equal(out(0, &other_address), port);
	assert_int_equal(nat.stats.made_mappings, 2);
}

static void a_symmetric_mapping_is_one_for_each_peer(void **state)
{
	uint16_t ports[3];

	(void)state;
	start(PORT, INDEPENDENT, 0);
	ports[0] = out(0, &server);
	ports[1] = out(0, &other_port);
	ports[2] = out(0, &other_address);
	assert_true(ports[0] != ports[1] && ports[1] != ports[2] && ports[0] != ports[2]);
	assert_int_equal(out(0, &server), ports[0]);
}

static void two_hosts_behind_it_have_two_ports(void **state)
{
	const struct simnet_endpoint second = {.address = {10, 2, 0, 1}, .port = 9899};
	struct simnet_endpoint inside;
	uint16_t first_port, port;

	(void)state;
	start(INDEPENDENT, PORT, 0);
	first_port = out(0, &server);
	assert_int_equal(simnet_nat_out(&nat, 0, 1, &second, &server, &port), SIMNET_NAT_PASSES);
	assert_int_not_equal(port, first_port);
	assert_int_equal(simnet_nat_in(&nat, 0, &server, port, &inside), SIMNET_NAT_PASSES);
	assert_memory_equal(&inside, &second, sizeof(inside));
	assert_int_equal(in(0, &server, first_port), SIMNET_NAT_PASSES);
}

static void filters_let_in_what_their_kind_says(void **state)
{
	static const struct {
		enum usrsctp_cmt_sim_nat_kind kind;
		enum simnet_nat_fate port, address;
	} cases[3] = {{INDEPENDENT, SIMNET_NAT_PASSES, SIMNET_NAT_PASSES},
	              {ADDRESS, SIMNET_NAT_PASSES, SIMNET_NAT_FILTERED},
	              {PORT, SIMNET_NAT_FILTERED, SIMNET_NAT_FILTERED}};

	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		uint16_t port;

		start(INDEPENDENT, cases[i].kind, 0);
		port = out(0, &server);
		assert_int_equal(in(0, &server, port), SIMNET_NAT_PASSES);
		assert_int_equal(in(0, &other_port, port), cases[i].port);
		assert_int_equal(in(0, &other_address, port), cases[i].address);
		out(0, &other_address);
		assert_int_equal(in(0, &other_address, port), SIMNET_NAT_PASSES);
		assert_int_equal(in(0, &server, (uint16_t)(port ^ 1)), SIMNET_NAT_UNMAPPED);
		assert_int_equal(nat.stats.dropped_unmapped_pkts, 1);
		assert_int_equal(nat.stats.dropped_filtered_pkts, i);
	}
}

static void only_what_leaves_keeps_a_mapping(void **state)
{
	uint16_t port;

	(void)state;
	start(INDEPENDENT, PORT, 30000000);
	port = out(0, &server);
	assert_int_equal(out(29999999, &server), port);
	assert_int_equal(in(59999998, &server, port), SIMNET_NAT_PASSES);
	assert_non_null(simnet_nat_of_port(&nat, 59999998, port));
	assert_null(simnet_nat_of_port(&nat, 59999999, port));
	assert_int_equal(in(59999999, &server, port), SIMNET_NAT_UNMAPPED);
	assert_int_equal(nat.stats.expired_mappings, 1);
	assert_int_not_equal(out(60000000, &server), port);
	assert_int_equal(nat.stats.made_mappings, 2);
}

static void what_comes_in_keeps_it_where_that_is_chosen(void **state)
{
	uint16_t port;

	(void)state;
	start(INDEPENDENT, PORT, 30000000);
	nat.config.arrivals_keep = true;
	port = out(0, &server);
	assert_int_equal(in(29000000, &server, port), SIMNET_NAT_PASSES);
	assert_int_equal(in(58000000, &server, port), SIMNET_NAT_PASSES);
	assert_int_equal(in(70000000, &other_port, port), SIMNET_NAT_FILTERED);
	assert_int_equal(in(88000000, &server, port), SIMNET_NAT_UNMAPPED);
}

static void rebinding_ends_mappings_but_not_forwarded_ports(void **state)
{
	uint16_t port;

	(void)state;
	start(INDEPENDENT, PORT, 30000000);
	port = out(0, &server);
	simnet_nat_forget(&nat);
	assert_int_equal(in(0, &server, port), SIMNET_NAT_UNMAPPED);
	assert_int_not_equal(out(0, &server), port);
	assert_int_equal(nat.stats.rebindings, 1);
	start(PORT, PORT, 30000000);
	assert_int_equal(simnet_nat_forward(&nat, 5000, &host, 0), 0);
	assert_int_equal(simnet_nat_forward(&nat, 5000, &host, 0), -EEXIST);
	simnet_nat_forget(&nat);
	/* Whoever asks, whenever, and what leaves from there leaves from that port. */
	assert_int_equal(in(90000000, &other_address, 5000), SIMNET_NAT_PASSES);
	assert_int_equal(out(90000000, &server), 5000);
	assert_int_equal(out(90000000, &other_address), 5000);
}

static void a_full_table_drops_what_needs_one_more(void **state)
{
	struct simnet_endpoint peer = server;
	uint16_t port;

	(void)state;
	start(PORT, PORT, 1000);
	for (unsigned i = 0; i < SIMNET_NAT_MAPPINGS; i++) {
		peer.port = (uint16_t)(1 + i);
		out(0, &peer);
	}
	peer.port = 1;
	out(0, &peer);
	peer.port = 30000;
	assert_int_equal(simnet_nat_out(&nat, 999, 0, &host, &peer, &port), SIMNET_NAT_FULL);
	assert_int_equal(simnet_nat_forward(&nat, 80, &host, 0), -ENOSPC);
	assert_int_equal(nat.stats.dropped_full_pkts, 1);
	out(1000, &peer);
	assert_int_equal(nat.stats.expired_mappings, SIMNET_NAT_MAPPINGS);
}

static void the_oldest_of_too_many_peers_is_forgotten(void **state)
{
	struct simnet_endpoint peer = server;
	uint16_t port = 0;

	(void)state;
	start(INDEPENDENT, PORT, 0);
	for (unsigned i = 0; i <= SIMNET_NAT_PEERS; i++) {
		peer.port = (uint16_t)(1 + i);
		port = out(0, &peer);
	}
	peer.port = 1;
	assert_int_equal(in(0, &peer, port), SIMNET_NAT_FILTERED);
	peer.port = 2;
	assert_int_equal(in(0, &peer, port), SIMNET_NAT_PASSES);
	peer.port = 1 + SIMNET_NAT_PEERS;
	assert_int_equal(in(0, &peer, port), SIMNET_NAT_PASSES);
}

static void ports_depend_on_the_seed_alone(void **state)
{
	const struct usrsctp_cmt_sim_nat config = {.mapping = PORT};
	uint16_t ports[3][8], port;
	unsigned differ = 0;

	(void)state;
	for (unsigned run = 0; run < 3; run++) {
		simnet_nat_init(&nat, &config, run / 2, 7);
		for (unsigned i = 0; i < 8; i++) {
			struct simnet_endpoint peer = server;

			peer.port = (uint16_t)i;
			simnet_nat_out(&nat, 0, 0, &host, &peer, &port);
			ports[run][i] = port;
		}
	}
	assert_memory_equal(ports[0], ports[1], sizeof(ports[0]));
	for (unsigned i = 0; i < 8; i++) {
		differ += ports[0][i] != ports[2][i];
	}
	assert_true(differ >= 7);
}

static void wrong_configurations_are_refused(void **state)
{
	struct usrsctp_cmt_sim_nat config = {.timeout_us = UINT64_C(1) << 41};

	(void)state;
	assert_int_equal(simnet_nat_check(&config), -EINVAL);
	config = (struct usrsctp_cmt_sim_nat){.mapping = (enum usrsctp_cmt_sim_nat_kind)3};
	assert_int_equal(simnet_nat_check(&config), -EINVAL);
	config = (struct usrsctp_cmt_sim_nat){.filtering = (enum usrsctp_cmt_sim_nat_kind)7};
	assert_int_equal(simnet_nat_check(&config), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(an_independent_mapping_is_one_for_all_peers),
	    cmocka_unit_test(a_mapping_by_address_is_one_for_each_address),
	    cmocka_unit_test(a_symmetric_mapping_is_one_for_each_peer),
	    cmocka_unit_test(two_hosts_behind_it_have_two_ports),
	    cmocka_unit_test(filters_let_in_what_their_kind_says),
	    cmocka_unit_test(only_what_leaves_keeps_a_mapping),
	    cmocka_unit_test(what_comes_in_keeps_it_where_that_is_chosen),
	    cmocka_unit_test(rebinding_ends_mappings_but_not_forwarded_ports),
	    cmocka_unit_test(a_full_table_drops_what_needs_one_more),
	    cmocka_unit_test(the_oldest_of_too_many_peers_is_forgotten),
	    cmocka_unit_test(ports_depend_on_the_seed_alone),
	    cmocka_unit_test(wrong_configurations_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
