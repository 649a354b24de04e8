/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A host gets one more uplink while data flow: how many round trips of it pass until it carries data, from
 * the moment when the address comes to the arrival of the first data there.
 *
 * cost: 6 s */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/isolate.h"
#include "support/packet.h"
#include "support/transfer.h"

enum { N_MESSAGES = 4000, MESSAGE_BYTES = 1400, COMES_US = 1000000, ROUND_TRIPS = 3 };

/* Marks of the outcome. */
enum { SENT_US, ARRIVED_US, N_ASCONFS, N_ABORTS, ARRIVED_PKTS, ENDED };

static const struct usrsctp_cmt_sim_link near = {.rate_bps = 8000000, .delay_us = 10000, .queue_pkts = 100},
                                         far = {.rate_bps = 8000000, .delay_us = 50000, .queue_pkts = 100};

struct setting {
	int family, sender;
	bool one_server_address, nats, comes_near; /* the new uplink is the shorter one */
	bool named;                                /* the INIT names addresses */
};
static struct setting setting;
static struct transfer *running;

static struct transfer_message message(int host, uint32_t index)
{
	(void)host;
	(void)index;
	return (struct transfer_message){.bytes = MESSAGE_BYTES};
}

static void on_address(struct usrsctp_cmt_sim *sim, int host, int path, bool present, void *arg)
{
	(void)arg;
	if (running->sides[TRANSFER_CLIENT].so != NULL)
		REQUIRE(usrsctp_cmt_sim_rebind(sim, running->sides[host].so, host, path, present) == 0);
}

static void come(struct usrsctp_cmt_sim *sim, void *arg)
{
	(void)arg;
	REQUIRE(usrsctp_cmt_sim_set_address(sim, TRANSFER_CLIENT, 1, true) == 0);
}

static void build(struct transfer *t)
{
	static const struct usrsctp_cmt_sim_nat symmetric = {
	    .mapping = USRSCTP_CMT_SIM_NAT_ADDRESS_AND_PORT_DEPENDENT,
	    .filtering = USRSCTP_CMT_SIM_NAT_ADDRESS_AND_PORT_DEPENDENT};

	running = t;
	for (int path = 0; path < 2 && setting.nats; path++) {
		REQUIRE(usrsctp_cmt_sim_add_nat(t->sim, TRANSFER_CLIENT, &symmetric) == path);
		REQUIRE(usrsctp_cmt_sim_behind(t->sim, path, path) == 0);
	}
	usrsctp_cmt_sim_on_address(t->sim, on_address, NULL);
	REQUIRE(usrsctp_cmt_sim_set_address(t->sim, TRANSFER_CLIENT, 1, false) == 0);
	REQUIRE(usrsctp_cmt_sim_at(t->sim, COMES_US, come, NULL) == 0);
}

static void configure(struct socket *so)
{
	const bool listens = running->sides[TRANSFER_CLIENT].so == NULL;
	const struct sctp_assoc_value names = {.assoc_value = setting.named ? SCTP_CMT_INIT_ADDRESSES_ALL
	                                                                    : SCTP_CMT_INIT_ADDRESSES_NONE};

	REQUIRE(usrsctp_setsockopt(so, IPPROTO_SCTP, SCTP_CMT_INIT_ADDRESSES, &names, sizeof(names)) == 0);
	if (setting.nats)
		REQUIRE(usrsctp_cmt_sim_encapsulate(running->sim, so, TRANSFER_SERVER, listens ? -1 : 0) ==
		        0);
}

static void note_first(uint64_t *mark, uint64_t at_us)
{
	if (*mark == 0)
		*mark = at_us;
}

static void watch(struct transfer *t, const struct usrsctp_cmt_sim_packet *p)
{
	uint64_t *marks = t->outcome->marks;
	const bool data = packet_has(p->packet, p->packet_bytes, CHUNK_DATA) ||
	                  packet_has(p->packet, p->packet_bytes, CHUNK_IDATA);

	if (p->event == USRSCTP_CMT_SIM_SENT) {
		marks[N_ASCONFS] += packet_has(p->packet, p->packet_bytes, CHUNK_ASCONF);
		marks[ENDED] |= packet_has(p->packet, p->packet_bytes, CHUNK_SHUTDOWN_COMPLETE);
		/* Then they answer what is still on the longer path. */
		marks[N_ABORTS] += marks[ENDED] == 0 && packet_has(p->packet, p->packet_bytes, CHUNK_ABORT);
	}
	if (!data || p->path != 1)
		return;
	if (p->event == USRSCTP_CMT_SIM_SENT)
		note_first(&marks[SENT_US], p->at_us);
	if (p->event == USRSCTP_CMT_SIM_DELIVERED) {
		note_first(&marks[ARRIVED_US], p->at_us);
		marks[ARRIVED_PKTS]++;
	}
}

static void run(struct setting what)
{
	struct transfer_job job = {.scheduler = "auto",
	                           .seed = 1,
	                           .family = what.family,
	                           .n_paths = 2,
	                           .links = {what.comes_near ? far : near, what.comes_near ? near : far},
	                           .one_address = {[TRANSFER_SERVER] = what.one_server_address},
	                           .message = message,
	                           .rcvbuf_bytes = 1000000,
	                           .sndbuf_bytes = 1000000, /* more than both windows: data wait at any time */
	                           .build = build,
	                           .configure = configure,
	                           .tap = watch};
	const uint64_t round_trip_us = 2 * job.links[1].delay_us;
	struct transfer_outcome o;
	double sent, arrived;

	setting = what;
	job.n_messages[what.sender] = N_MESSAGES;
	o = transfer_run(&job);
	transfer_assert_delivered(&job, &o);
	sent = ((double)o.marks[SENT_US] - COMES_US) / (double)round_trip_us;
	arrived = ((double)o.marks[ARRIVED_US] - COMES_US) / (double)round_trip_us;
	print_message(
	    "family %d, host %d sends, %s, %s, %s, the %s one comes: data leave after %.2f round trips, "
	    "arrive after %.2f; %llu of %d packets there, %llu ASCONFs\n",
	    what.family, what.sender, what.one_server_address ? "one address" : "two addresses",
	    what.nats ? "NATs" : "no NATs", what.named ? "named" : "not named",
	    what.comes_near ? "shorter" : "longer", sent, arrived, (unsigned long long)o.marks[ARRIVED_PKTS],
	    N_MESSAGES, (unsigned long long)o.marks[N_ASCONFS]);
	assert_int_equal(o.marks[N_ABORTS], 0);
	assert_true(!what.named || o.marks[N_ASCONFS] > 0);
	assert_true(what.named || o.marks[N_ASCONFS] == 0);
	assert_true(o.marks[ARRIVED_PKTS] > N_MESSAGES / 6);
	assert_true(sent > 0 && arrived <= ROUND_TRIPS);
}

static void a_new_uplink_carries_data_after_three_round_trips(void **state)
{
	static const int families[] = {AF_INET, AF_INET6};

	(void)state;
	for (unsigned i = 0; i < 64; i++) {
		run((struct setting){.family = families[i / 16 % 2],
		                     .sender = i / 8 % 2,
		                     .one_server_address = i / 4 % 2 != 0,
		                     .nats = i / 2 % 2 != 0,
		                     .comes_near = i % 2 != 0,
		                     .named = i / 32 != 0});
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_new_uplink_carries_data_after_three_round_trips),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
