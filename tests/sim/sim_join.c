/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Two hosts, one of which has a single address: every address of the other is a path, in both directions.
 *
 * cost: 4 s */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "support/isolate.h"
#include "support/packet.h"
#include "support/transfer.h"

enum { N_MESSAGES = 16000, MESSAGE_BYTES = 1400, S = 1000000 };

/* Marks of the outcome. */
enum {
	SENT_BYTES /* by path */,
	N_ABORTS = SENT_BYTES + USRSCTP_CMT_SIM_MAX_PATHS,
	N_ALIASES,
	N_TOLD,
	N_TOLD_WRONG
};

static struct transfer_message message(int host, uint32_t index)
{
	(void)host;
	(void)index;
	return (struct transfer_message){.bytes = MESSAGE_BYTES};
}

/* A chunk that may hold addresses has one that only the stack itself knows. */
static bool has_alias(const struct usrsctp_cmt_sim_packet *packet)
{
	static const uint8_t types[] = {CHUNK_INIT, CHUNK_INIT_ACK, CHUNK_HEARTBEAT, CHUNK_HEARTBEAT_ACK,
	                                CHUNK_ASCONF},
	                     ipv4[3] = {240, 0, 0}, ipv6[8] = {1};
	struct chunk c;

	for (unsigned i = 0; i < sizeof(types); i++) {
		if (!packet_find(packet->packet, packet->packet_bytes, types[i], &c))
			continue;
		for (size_t at = 4; at + sizeof(ipv6) <= c.len; at += 4) {
			if (memcmp(c.bytes + at, ipv4, sizeof(ipv4)) == 0 ||
			    memcmp(c.bytes + at, ipv6, sizeof(ipv6)) == 0)
				return true;
		}
	}
	return false;
}

static void watch(struct transfer *t, const struct usrsctp_cmt_sim_packet *packet)
{
	if (packet->event != USRSCTP_CMT_SIM_DELIVERED)
		return;
	if (packet->direction ==
	    (t->job->n_messages[TRANSFER_CLIENT] > 0 ? TRANSFER_CLIENT : TRANSFER_SERVER))
		t->outcome->marks[SENT_BYTES + packet->path] += packet->packet_bytes;
	if (packet->packet[12] == CHUNK_ABORT)
		t->outcome->marks[N_ABORTS]++;
	if (has_alias(packet))
		t->outcome->marks[N_ALIASES]++;
}

static void want_path_events(struct socket *so)
{
	struct sctp_event changes = {
	    .se_assoc_id = SCTP_FUTURE_ASSOC, .se_type = SCTP_PEER_ADDR_CHANGE, .se_on = 1};

	REQUIRE(usrsctp_setsockopt(so, IPPROTO_SCTP, SCTP_EVENT, &changes, sizeof(changes)) == 0);
}

/* The address is one that the other host has. */
static void on_event(struct transfer *t, int host, const union sctp_notification *event)
{
	bool known = false;

	if (event->sn_header.sn_type != SCTP_PEER_ADDR_CHANGE)
		return;
	for (int path = 0; path < t->job->n_paths; path++) {
		struct sockaddr_storage a;
		const struct sockaddr_storage *told = &event->sn_paddr_change.spc_aaddr;

		REQUIRE(usrsctp_cmt_sim_address(t->sim, 1 - host, path, 0, &a) == 0);
		known |= a.ss_family == AF_INET6
		             ? memcmp(&((struct sockaddr_in6 *)&a)->sin6_addr,
		                      &((const struct sockaddr_in6 *)told)->sin6_addr, 16) == 0
		             : ((struct sockaddr_in *)&a)->sin_addr.s_addr ==
		                   ((const struct sockaddr_in *)told)->sin_addr.s_addr;
	}
	t->outcome->marks[known ? N_TOLD : N_TOLD_WRONG]++;
}

static void run(int family, int n_paths, int single, int sender)
{
	struct transfer_job job = {.scheduler = "auto",
	                           .seed = 1,
	                           .family = family,
	                           .n_paths = n_paths,
	                           .links = {{.rate_bps = 16000000, .delay_us = 10000, .queue_pkts = 100},
	                                     {.rate_bps = 8000000, .delay_us = 30000, .queue_pkts = 100},
	                                     {.rate_bps = 4000000, .delay_us = 20000, .queue_pkts = 100}},
	                           .message = message,
	                           .rcvbuf_bytes = 1000000,
	                           .configure = want_path_events,
	                           .on_event = on_event,
	                           .tap = watch};
	struct transfer_outcome o;
	double goodput_bps, sum_bps = 0;

	job.one_address[single] = true;
	job.n_messages[sender] = N_MESSAGES;
	for (int path = 0; path < n_paths; path++)
		sum_bps += (double)job.links[path].rate_bps;
	o = transfer_run(&job);
	transfer_assert_delivered(&job, &o);
	goodput_bps = (double)N_MESSAGES * MESSAGE_BYTES * 8 * S / (double)(o.last_us - o.up_us);
	print_message("%d paths, host %d has one address, host %d sends, family %d: %.1f Mbit/s, %.2f of the "
	              "sum; bytes",
	              n_paths, single, sender, family, goodput_bps / 1e6, goodput_bps / sum_bps);
	for (int path = 0; path < n_paths; path++)
		print_message(" %llu", (unsigned long long)o.marks[SENT_BYTES + path]);
	print_message("\n");
	assert_int_equal(o.marks[N_ABORTS], 0);
	assert_int_equal(o.marks[N_ALIASES], 0);
	assert_in_range(o.marks[N_TOLD], 1, 20);
	assert_int_equal(o.marks[N_TOLD_WRONG], 0);
	/* Headers take 5 or 6 %. */
	assert_true(goodput_bps > 0.92 * sum_bps);
}

static const int families[] = {AF_INET, AF_INET6};

static void every_uplink_of_the_client_is_a_path_to_the_one_address_of_the_server(void **state)
{
	(void)state;
	for (unsigned f = 0; f < 2; f++) {
		for (int sender = 0; sender < 2; sender++) {
			run(families[f], 2, TRANSFER_SERVER, sender);
			run(families[f], 3, TRANSFER_SERVER, sender);
		}
	}
}

static void every_address_of_the_server_is_a_path_from_the_one_address_of_the_client(void **state)
{
	(void)state;
	for (unsigned f = 0; f < 2; f++) {
		for (int sender = 0; sender < 2; sender++)
			run(families[f], 2, TRANSFER_CLIENT, sender);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_uplink_of_the_client_is_a_path_to_the_one_address_of_the_server),
	    cmocka_unit_test(every_address_of_the_server_is_a_path_from_the_one_address_of_the_client),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
