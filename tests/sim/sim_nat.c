/* SPDX-License-Identifier: BSD-3-Clause
 *
 * NATs in front of simulated hosts: what gets through them, and why the rest does not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <netinet/in.h>
#include <pcap/pcap.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "support/isolate.h"
#include "support/packet.h"
#include "support/pair.h"

enum { BYTES = 300000, WAIT_US = 60000000, S = 1000000, FORWARDED = 4000, UDP_BYTES = 8 };

#define INDEPENDENT USRSCTP_CMT_SIM_NAT_ENDPOINT_INDEPENDENT
#define ADDRESS     USRSCTP_CMT_SIM_NAT_ADDRESS_DEPENDENT
#define PORT        USRSCTP_CMT_SIM_NAT_ADDRESS_AND_PORT_DEPENDENT

struct job {
	struct usrsctp_cmt_sim_nat nat;
	int n_paths, family;
	bool one_server_address, one_nat, server_behind, plain; /* plain: not in UDP */
	uint64_t rebind_us;                                     /* 0 = never */
	uint32_t bytes;                                         /* 0 = BYTES */
	bool new_address;
	bool plain_end[2]; /* by host: knows nothing of the extension, and names no address */
	const char *pcap;
};

struct outcome {
	bool complete, ended;
	uint64_t done_us;
	struct usrsctp_cmt_sim_nat_stats nats[2];
	uint64_t delivered_bytes[2];           /* by path */
	unsigned back_pkts[2];                 /* the same, behind the NAT */
	uint64_t largest_wire, largest_packet; /* bytes of the largest one sent */
	unsigned aborts;
};

static const struct job *job;
static struct outcome *outcome;
static struct pair pair;

static void build(struct usrsctp_cmt_sim *sim, void *arg)
{
	(void)arg;
	for (int path = 1; path < job->n_paths && job->one_server_address; path++)
		REQUIRE(usrsctp_cmt_sim_share_address(sim, path, PAIR_SERVER, 0) == 0);
	for (int path = 0; path < job->n_paths; path++) {
		const int nat = job->one_nat ? 0 : path;

		if (path == 0 || !job->one_nat)
			REQUIRE(usrsctp_cmt_sim_add_nat(sim, PAIR_CLIENT, &job->nat) == nat);
		REQUIRE(usrsctp_cmt_sim_behind(sim, path, nat) == 0);
	}
	if (job->server_behind) {
		const int nat = usrsctp_cmt_sim_add_nat(sim, PAIR_SERVER, &job->nat);

		REQUIRE(usrsctp_cmt_sim_behind(sim, 0, nat) == 0);
		REQUIRE(usrsctp_cmt_sim_forward(sim, nat, FORWARDED, 0) == 0);
	}
	if (job->pcap != NULL)
		REQUIRE(usrsctp_cmt_sim_pcap(sim, job->pcap) == 0);
}

static void set_value(struct socket *so, int option, uint32_t value)
{
	const struct sctp_assoc_value v = {.assoc_value = value};

	REQUIRE(usrsctp_setsockopt(so, IPPROTO_SCTP, option, &v, sizeof(v)) == 0);
}

static void configure(struct socket *so, int host, void *arg)
{
	(void)arg;
	if (!job->plain)
		REQUIRE(usrsctp_cmt_sim_encapsulate(pair.sim, so, PAIR_SERVER,
		                                    host == PAIR_SERVER ? -1 : 0) == 0);
	if (job->plain_end[0] || job->plain_end[1])
		set_value(so, SCTP_CMT_INIT_ADDRESSES, SCTP_CMT_INIT_ADDRESSES_NONE);
	if (job->plain_end[host])
		set_value(so, SCTP_CMT_EXTENSION, SCTP_CMT_EXTENSION_NEVER);
}

static void watch(struct usrsctp_cmt_sim *sim, const struct usrsctp_cmt_sim_packet *packet, void *arg)
{
	(void)sim;
	(void)arg;
	if (packet->event == USRSCTP_CMT_SIM_SENT && packet->packet_bytes > outcome->largest_packet) {
		outcome->largest_packet = packet->packet_bytes;
		outcome->largest_wire = packet->wire_bytes;
	}
	if (packet->event == USRSCTP_CMT_SIM_DELIVERED && packet->direction == PAIR_SERVER)
		outcome->back_pkts[packet->path]++;
	if (packet->event == USRSCTP_CMT_SIM_DELIVERED &&
	    packet_has(packet->packet, packet->packet_bytes, CHUNK_ABORT))
		outcome->aborts++;
}

static void rebind_all(struct usrsctp_cmt_sim *sim, void *arg)
{
	(void)arg;
	for (int nat = 0; usrsctp_cmt_sim_rebind_nat(sim, nat, job->new_address) == 0; nat++) {
	}
}

static void run(const void *what, void *out)
{
	static const struct usrsctp_cmt_sim_link link = {
	    .rate_bps = 2000000, .delay_us = 20000, .queue_pkts = 60};
	struct pair_options o = {.seed = 1,
	                         .bytes = BYTES,
	                         .scheduler = "auto",
	                         .build = build,
	                         .configure = configure,
	                         .tap = watch};

	job = what;
	outcome = out;
	o.family = job->family;
	o.n_paths = job->n_paths;
	for (int path = 0; path < job->n_paths; path++)
		o.forward[path] = o.backward[path] = link;
	if (job->bytes != 0)
		o.bytes = job->bytes;
	pair_open(&pair, &o);
	if (job->rebind_us != 0)
		REQUIRE(usrsctp_cmt_sim_at(pair.sim, job->rebind_us, rebind_all, NULL) == 0);
	pair_run(&pair, WAIT_US);
	outcome->complete = pair.complete && pair.intact;
	outcome->ended = pair.ended;
	outcome->done_us = usrsctp_cmt_sim_now_us(pair.sim);
	for (int path = 0; path < job->n_paths && path < 2; path++) {
		struct usrsctp_cmt_sim_link_stats s;

		REQUIRE(usrsctp_cmt_sim_link_stats(pair.sim, path, 0, &s) == 0);
		outcome->delivered_bytes[path] = s.delivered_bytes;
	}
	for (int nat = 0; nat < 2; nat++)
		(void)usrsctp_cmt_sim_nat_stats(pair.sim, nat, &outcome->nats[nat]);
	pair_close(&pair);
}

static struct outcome run_isolated(struct job what)
{
	struct outcome o;

	isolate_run(run, &what, &o, sizeof(o));
	return o;
}

static void every_kind_of_nat_lets_an_association_through_that_begins_behind_it(void **state)
{
	static const enum usrsctp_cmt_sim_nat_kind kinds[3] = {INDEPENDENT, ADDRESS, PORT};
	static const int families[2] = {AF_INET, AF_INET6};

	(void)state;
	for (unsigned m = 0; m < 3; m++) {
		for (unsigned f = 0; f < 3; f++) {
			struct outcome o = run_isolated((struct job){
			    .nat = {.mapping = kinds[m], .filtering = kinds[f], .timeout_us = 30 * S},
			    .n_paths = 1,
			    .family = families[(m + f) % 2]});

			assert_true(o.complete);
			assert_int_equal(o.nats[0].made_mappings, 1);
			assert_true(o.nats[0].out_pkts > 100 && o.nats[0].in_pkts > 50);
			assert_int_equal(o.nats[0].dropped_filtered_pkts + o.nats[0].dropped_not_udp_pkts +
			                     o.nats[0].dropped_full_pkts + o.nats[0].dropped_unmapped_pkts,
			                 0);
			assert_int_equal(o.largest_wire, o.largest_packet + UDP_BYTES +
			                                     (families[(m + f) % 2] == AF_INET6 ? 40u : 20u));
		}
	}
}

static void what_is_not_in_udp_does_not_pass(void **state)
{
	struct outcome o = run_isolated((struct job){.n_paths = 1, .plain = true});

	(void)state;
	assert_false(o.complete);
	assert_int_equal(o.delivered_bytes[0], 0);
	assert_true(o.nats[0].dropped_not_udp_pkts > 0);
}

static void a_server_behind_a_forwarded_port_is_reached(void **state)
{
	struct outcome o = run_isolated(
	    (struct job){.nat = {.mapping = PORT, .filtering = PORT}, .n_paths = 1, .server_behind = true});

	(void)state;
	assert_true(o.complete);
	assert_true(o.nats[1].in_pkts > 100);
	assert_int_equal(o.nats[1].made_mappings, 0);
	assert_int_equal(o.nats[1].dropped_filtered_pkts, 0);
}

static void two_uplinks_behind_two_nats_carry_data_to_one_address(void **state)
{
	struct outcome o =
	    run_isolated((struct job){.nat = {.mapping = PORT, .filtering = PORT, .timeout_us = 30 * S},
	                              .n_paths = 2,
	                              .one_server_address = true});

	(void)state;
	assert_true(o.complete);
	assert_int_equal(o.aborts, 0);
	assert_true(o.delivered_bytes[0] > BYTES / 4);
	assert_true(o.delivered_bytes[1] > BYTES / 4);
	/* The client has named addresses that nobody reaches. */
	assert_int_equal(o.nats[0].dropped_filtered_pkts, 0);
}

/* The second uplink may stay unused: it has an address that the server does not reach. */
static void an_end_without_the_extension_has_the_first_path(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 8; i++) {
		struct job what = {.nat = {.mapping = PORT, .filtering = PORT, .timeout_us = 30 * S},
		                   .n_paths = 2,
		                   .family = i / 4 % 2 != 0 ? AF_INET6 : AF_INET,
		                   .one_server_address = i / 2 % 2 != 0};
		struct outcome o;

		what.plain_end[i % 2] = true;
		o = run_isolated(what);
		print_message(
		    "host %u without the extension, %s server address%s: %.2f s, %llu and %llu bytes, %u "
		    "ABORTs\n",
		    i % 2, what.one_server_address ? "one" : "two", what.one_server_address ? "" : "es",
		    (double)o.done_us / S, (unsigned long long)o.delivered_bytes[0],
		    (unsigned long long)o.delivered_bytes[1], o.aborts);
		assert_true(o.complete);
		assert_int_equal(o.aborts, 0);
		/* 2.4 Mbit over 2 Mbit/s, and the start. */
		assert_in_range(o.done_us, 0, 3 * S);
	}
}

static void two_uplinks_share_a_public_address_and_are_told_apart_by_port(void **state)
{
	struct outcome o = run_isolated((struct job){.nat = {.mapping = INDEPENDENT, .filtering = PORT},
	                                             .n_paths = 2,
	                                             .one_server_address = true,
	                                             .one_nat = true});

	(void)state;
	assert_true(o.complete);
	assert_int_equal(o.nats[0].made_mappings, 2);
	assert_true(o.delivered_bytes[1] > BYTES / 10);
	/* What is for a port goes back by the uplink that has it. */
	assert_true(o.back_pkts[1] > 0);
}

static void rebinding_makes_new_mappings_and_ends_the_old_ones(void **state)
{
	(void)state;
	for (int new_address = 0; new_address < 2; new_address++) {
		struct outcome o = run_isolated((struct job){.nat = {.mapping = PORT, .filtering = PORT},
		                                             .n_paths = 1,
		                                             .rebind_us = S / 2,
		                                             .new_address = new_address != 0});

		assert_int_equal(o.nats[0].rebindings, 1);
		assert_int_equal(o.nats[0].made_mappings, 2);
		/* What was under way to the old port. */
		assert_true(o.nats[0].dropped_unmapped_pkts > 0);
		assert_true(o.complete);
		assert_int_equal(o.aborts, 0);
	}
}

/* The path ID in what comes tells which path each new port is of: both go on, with what is known of them.
 * What comes from there waits until the port has answered, a round trip of 40 ms. */
static void both_uplinks_go_on_when_their_nat_forgets_them(void **state)
{
	struct job what = {.nat = {.mapping = PORT, .filtering = PORT},
	                   .n_paths = 2,
	                   .one_server_address = true,
	                   .one_nat = true,
	                   .bytes = 2000000};
	struct outcome before = run_isolated(what), after;

	(void)state;
	what.rebind_us = 2 * S;
	after = run_isolated(what);
	print_message("%.2f s; with new ports at 2 s %.2f s, %llu and %llu bytes\n",
	              (double)before.done_us / S, (double)after.done_us / S,
	              (unsigned long long)after.delivered_bytes[0],
	              (unsigned long long)after.delivered_bytes[1]);
	assert_true(before.complete && after.complete);
	assert_int_equal(after.aborts, 0);
	assert_in_range(after.done_us, before.done_us - S / 10, before.done_us + 14 * S / 100);
	assert_true(after.delivered_bytes[0] > what.bytes * 2 / 5);
	assert_true(after.delivered_bytes[1] > what.bytes * 2 / 5);
}

/* UDP headers of the capture: as each host sees the packet. */
static void captures_show_both_sides_of_a_nat(void **state)
{
	char file[64], error[PCAP_ERRBUF_SIZE];
	struct pcap_pkthdr *header;
	const uint8_t *bytes;
	unsigned n[2] = {0, 0};
	pcap_t *pcap;

	(void)state;
	snprintf(file, sizeof(file), "sim_nat.%d.pcap", (int)getpid());
	assert_true(run_isolated((struct job){.n_paths = 1, .pcap = file}).complete);
	pcap = pcap_open_offline(file, error);
	unlink(file);
	assert_non_null(pcap);
	while (pcap_next_ex(pcap, &header, &bytes) == 1) {
		const bool sent = bytes[8] == 64, forward = bytes[19] == 2;
		const uint16_t src = (uint16_t)(bytes[20] << 8 | bytes[21]),
		               dst = (uint16_t)(bytes[22] << 8 | bytes[23]);

		assert_int_equal(bytes[9], IPPROTO_UDP);
		assert_int_equal((bytes[24] << 8 | bytes[25]), header->len - 20);
		if (forward) {
			assert_int_equal(bytes[13], sent ? 1 : 101);
			assert_int_equal(dst, USRSCTP_CMT_SIM_UDP_PORT);
			assert_true((src == USRSCTP_CMT_SIM_UDP_PORT) == sent);
		} else {
			assert_int_equal(bytes[17], sent ? 101 : 1);
			assert_int_equal(src, USRSCTP_CMT_SIM_UDP_PORT);
		}
		n[sent]++;
	}
	pcap_close(pcap);
	assert_true(n[0] > 100 && n[1] > 100);
}

static void wrong_arguments_are_refused(void **state)
{
	struct usrsctp_cmt_sim_config config = {.size = sizeof(config), .seed = 1};
	const struct usrsctp_cmt_sim_nat full_cone = {.timeout_us = 0}, wrong = {.timeout_us = UINT64_MAX};
	const struct usrsctp_cmt_sim_link link = {.rate_bps = 1000000};
	struct usrsctp_cmt_sim *sim = usrsctp_cmt_sim_new(&config);
	struct usrsctp_cmt_sim_nat_stats stats;
	struct sockaddr_storage address;
	uint16_t udp_port;

	(void)state;
	assert_int_equal(usrsctp_cmt_sim_add_path(sim, &link, &link), 0);
	assert_int_equal(usrsctp_cmt_sim_add_nat(sim, 2, &full_cone), -1);
	assert_int_equal(usrsctp_cmt_sim_add_nat(sim, 1, &wrong), -1);
	assert_int_equal(usrsctp_cmt_sim_add_nat(sim, 1, NULL), -1);
	for (int nat = 0; nat < USRSCTP_CMT_SIM_MAX_NATS; nat++)
		assert_int_equal(usrsctp_cmt_sim_add_nat(sim, 1, &full_cone), nat);
	assert_int_equal(usrsctp_cmt_sim_add_nat(sim, 1, &full_cone), -1);
	assert_int_equal(errno, ENOSPC);
	assert_int_equal(usrsctp_cmt_sim_behind(sim, 1, 0), -1);
	assert_int_equal(usrsctp_cmt_sim_behind(sim, 0, 8), -1);
	assert_int_equal(usrsctp_cmt_sim_forward(sim, 2, 80, 0), -1);
	assert_int_equal(usrsctp_cmt_sim_behind(sim, 0, 2), 0);
	assert_int_equal(usrsctp_cmt_sim_forward(sim, 2, 0, 0), -1);
	assert_int_equal(usrsctp_cmt_sim_forward(sim, 2, 80, 0), 0);
	assert_int_equal(usrsctp_cmt_sim_forward(sim, 2, 80, 0), -1);
	assert_int_equal(errno, EEXIST);
	assert_int_equal(usrsctp_cmt_sim_rebind_nat(sim, 8, false), -1);
	assert_int_equal(usrsctp_cmt_sim_nat_stats(sim, -1, &stats), -1);
	assert_int_equal(usrsctp_cmt_sim_public_address(sim, 1, 0, 5, &address, &udp_port), 0);
	assert_int_equal(udp_port, 80);
	assert_int_equal(ntohl(((struct sockaddr_in *)&address)->sin_addr.s_addr), 0x0a670001);
	assert_int_equal(ntohs(((struct sockaddr_in *)&address)->sin_port), 5);
	assert_int_equal(usrsctp_cmt_sim_rebind_nat(sim, 2, true), 0);
	assert_int_equal(usrsctp_cmt_sim_public_address(sim, 1, 0, 5, &address, NULL), 0);
	assert_int_equal(ntohl(((struct sockaddr_in *)&address)->sin_addr.s_addr), 0x0a670101);
	assert_int_equal(usrsctp_cmt_sim_free(sim), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_kind_of_nat_lets_an_association_through_that_begins_behind_it),
	    cmocka_unit_test(what_is_not_in_udp_does_not_pass),
	    cmocka_unit_test(a_server_behind_a_forwarded_port_is_reached),
	    cmocka_unit_test(two_uplinks_behind_two_nats_carry_data_to_one_address),
	    cmocka_unit_test(an_end_without_the_extension_has_the_first_path),
	    cmocka_unit_test(two_uplinks_share_a_public_address_and_are_told_apart_by_port),
	    cmocka_unit_test(rebinding_makes_new_mappings_and_ends_the_old_ones),
	    cmocka_unit_test(both_uplinks_go_on_when_their_nat_forgets_them),
	    cmocka_unit_test(captures_show_both_sides_of_a_nat),
	    cmocka_unit_test(wrong_arguments_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
