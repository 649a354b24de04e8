/* SPDX-License-Identifier: BSD-3-Clause
 *
 * An application takes an address away and gives it back while data flow, and the ASCONF that asks for that
 * is lost again and again: until the peer agrees nothing but the ASCONF leaves from that address, since it
 * would be answered by ABORT. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>

#include "support/isolate.h"
#include "support/packet.h"
#include "support/transfer.h"

enum { SEEDS = 5, MESSAGES = 1500, REMOVED_AT_US = 300000, BACK_AT_US = 600000, LOST_UNTIL_US = 1700000 };
enum { N_LOST }; /* mark */

static struct transfer_message kilobyte(int host, uint32_t index)
{
	(void)host;
	(void)index;
	return (struct transfer_message){.bytes = 1000};
}

static void change_second_address(struct transfer *t, int flags)
{
	struct sockaddr_storage address;

	REQUIRE(usrsctp_cmt_sim_address(t->sim, TRANSFER_CLIENT, 1, 0, &address) == 0);
	REQUIRE(usrsctp_bindx(t->sides[TRANSFER_CLIENT].so, (struct sockaddr *)&address, 1, flags) == 0);
}

static void take_away(struct usrsctp_cmt_sim *sim, void *t)
{
	(void)sim;
	change_second_address(t, SCTP_BINDX_REM_ADDR);
}

static void give_back(struct usrsctp_cmt_sim *sim, void *t)
{
	(void)sim;
	change_second_address(t, SCTP_BINDX_ADD_ADDR);
}

static void start(struct transfer *t)
{
	transfer_after(t, REMOVED_AT_US, take_away);
	transfer_after(t, BACK_AT_US, give_back);
}

/* Loses the second ASCONF for a while. */
static void lose_request(struct transfer *t, const struct usrsctp_cmt_sim_packet *packet)
{
	const bool waits = packet->at_us > BACK_AT_US && packet->at_us < LOST_UNTIL_US;
	struct usrsctp_cmt_sim_link link;

	if (packet->event != USRSCTP_CMT_SIM_SENT || packet->direction != 0)
		return;
	REQUIRE(usrsctp_cmt_sim_get_link(t->sim, packet->path, 0, &link) == 0);
	link.down = waits && packet_has(packet->packet, packet->packet_bytes, CHUNK_ASCONF);
	REQUIRE(usrsctp_cmt_sim_set_link(t->sim, packet->path, 0, &link) == 0);
	t->outcome->marks[N_LOST] += link.down;
}

static void an_address_comes_back_under_load(const char *scheduler)
{
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct transfer_job job = transfer_two_paths(scheduler, seed);
		struct transfer_outcome o;

		job.message = kilobyte;
		job.n_messages[0] = MESSAGES;
		job.on_up = start;
		job.tap = lose_request;
		job.links[0].loss = job.links[1].loss = 0.02;
		o = transfer_run(&job);
		printf("%s, seed %llu: %llu ASCONFs lost\n", scheduler, (unsigned long long)seed,
		       (unsigned long long)o.marks[N_LOST]);
		assert_true(o.marks[N_LOST] > 1);
		transfer_assert_arrived(&job, &o);
	}
}

static void nothing_leaves_from_an_address_before_the_peer_agrees(void **state)
{
	(void)state;
	an_address_comes_back_under_load("arrival");
	an_address_comes_back_under_load("rr");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(nothing_leaves_from_an_address_before_the_peer_agrees),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
