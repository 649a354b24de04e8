/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Paths and addresses of the application's own come and go while data flow, and packets that are too large.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <arpa/inet.h>
#include <errno.h>
#include <string.h>

#include "support/carrier.h"
#include "support/isolate.h"
#include "support/packet.h"

enum { BYTES = 2000000, DELAY_US = 20000, LIMIT_US = 60000000, SMALL_BYTES = 1000 };

static struct carrier c;

static void open_pair(unsigned n_paths)
{
	c.in_virtual_time = true;
	c.delay_us = DELAY_US;
	c.n_paths = n_paths;
	REQUIRE(carrier_open(&c) == 0);
	carrier_connect(&c, 0, BYTES);
}

static void in_a_process(isolate_scenario *scenario)
{
	uint8_t nothing;

	isolate_run(scenario, NULL, &nothing, sizeof(nothing));
}

static void remove_path(unsigned host, unsigned path)
{
	const struct sockaddr_in local = carrier_address(host, path),
	                         remote = carrier_address(host ^ 1, path);

	REQUIRE(usrsctp_cmt_packets_remove_path(c.hosts[host].packets, (const struct sockaddr *)&local,
	                                        (const struct sockaddr *)&remote) == 0);
}

static enum sctp_cmt_path_state state_of(unsigned path)
{
	struct sctp_cmt_path_stats s;

	REQUIRE(carrier_path(&c, 0, path, &s));
	return s.state;
}

static void expect_all(void)
{
	REQUIRE(carrier_run(&c, 0, BYTES, LIMIT_US));
	REQUIRE(c.hosts[1].received == BYTES && c.hosts[1].intact);
	carrier_close(&c);
}

/* --- paths --- */

static void cut_a_path(const void *job, void *outcome)
{
	size_t sent_pkts;
	uint64_t began_us;

	(void)job, (void)outcome;
	open_pair(2);
	REQUIRE(carrier_run(&c, 0, BYTES / 4, LIMIT_US));
	REQUIRE(state_of(0) == SCTP_CMT_PATH_ACTIVE && state_of(1) == SCTP_CMT_PATH_ACTIVE);
	remove_path(0, 0);
	/* At once, and nothing leaves there any more. */
	REQUIRE(state_of(0) == SCTP_CMT_PATH_FAILED && state_of(1) == SCTP_CMT_PATH_ACTIVE);
	carrier_step(&c, 0);
	sent_pkts = c.hosts[0].out_pkts[0];
	began_us = carrier_now_us(&c);
	REQUIRE(carrier_run(&c, 0, c.hosts[1].received + BYTES / 4, LIMIT_US));
	REQUIRE(c.hosts[0].out_pkts[0] == sent_pkts);
	REQUIRE(carrier_now_us(&c) - began_us < 1000000);
	/* Named again it is asked again, and takes its part. */
	carrier_add_path(&c, 0, 0);
	while (state_of(0) != SCTP_CMT_PATH_ACTIVE) {
		REQUIRE(c.now_us < LIMIT_US);
		carrier_step(&c, DELAY_US);
	}
	REQUIRE(c.hosts[0].out_pkts[0] > sent_pkts);
	expect_all();
}

static void a_path_that_is_removed_fails_at_once(void **state)
{
	(void)state;
	in_a_process(cut_a_path);
}

static void take_turns(struct socket *so, const struct carrier_host *host)
{
	struct sctp_cmt_policy policy = {.size = sizeof(policy), .name = "rr"};

	(void)host;
	REQUIRE(usrsctp_setsockopt(so, IPPROTO_SCTP, SCTP_CMT_SCHEDULER, &policy, sizeof(policy)) == 0);
}

/* What still comes from there is not taken in: the other end alone is told that the path is gone. */
static void hear_a_removed_path(const void *job, void *outcome)
{
	struct sctp_cmt_path_stats s;
	uint64_t received_bytes;

	(void)job, (void)outcome;
	c.configure = take_turns;
	open_pair(2);
	REQUIRE(carrier_run(&c, 0, BYTES / 4, LIMIT_US));
	REQUIRE(carrier_path(&c, 1, 1, &s));
	remove_path(1, 1);
	REQUIRE(carrier_path(&c, 1, 1, &s));
	received_bytes = s.received_bytes;
	REQUIRE(carrier_run(&c, 0, BYTES, LIMIT_US));
	REQUIRE(carrier_path(&c, 1, 1, &s));
	REQUIRE(s.received_bytes == received_bytes && received_bytes > 0);
	expect_all();
}

static void nothing_comes_in_on_a_removed_path(void **state)
{
	(void)state;
	in_a_process(hear_a_removed_path);
}

/* A second address and path, named when the association is up. */
static void add_a_path(const void *job, void *outcome)
{
	struct sctp_cmt_path_stats s;
	struct sockaddr_in address;

	(void)job, (void)outcome;
	open_pair(1);
	REQUIRE(carrier_run(&c, 0, BYTES / 32, LIMIT_US));
	REQUIRE(!carrier_path(&c, 0, 1, &s));
	carrier_add_address(&c, 1, 1);
	carrier_add_address(&c, 0, 1);
	/* To the address that the server has on the first path: two of ours to one of its. */
	address = carrier_address(0, 1);
	{
		const struct sockaddr_in remote = carrier_address(1, 0);

		REQUIRE(usrsctp_cmt_packets_add_path(c.hosts[0].packets, (struct sockaddr *)&address,
		                                     (const struct sockaddr *)&remote, 0) == 0);
	}
	address.sin_port = htons(CARRIER_SCTP_PORT + 1);
	REQUIRE(usrsctp_bindx(c.hosts[0].so, (struct sockaddr *)&address, 1, SCTP_BINDX_ADD_ADDR) == 0);
	while (!carrier_path(&c, 0, 1, &s) || s.state != SCTP_CMT_PATH_ACTIVE) {
		REQUIRE(c.now_us < LIMIT_US && c.hosts[1].received < BYTES);
		carrier_step(&c, DELAY_US);
	}
	REQUIRE(carrier_path(&c, 0, 1, &s));
	address = carrier_address(1, 0);
	REQUIRE(((struct sockaddr_in *)&s.remote)->sin_addr.s_addr == address.sin_addr.s_addr);
	REQUIRE(carrier_run(&c, 0, BYTES, LIMIT_US));
	REQUIRE(carrier_path(&c, 0, 1, &s) && s.sent_pkts > 0);
	expect_all();
}

static void a_path_that_is_named_later_is_opened(void **state)
{
	(void)state;
	in_a_process(add_a_path);
}

/* --- addresses --- */

static void take_an_address(const void *job, void *outcome)
{
	const struct sockaddr_in address = carrier_address(0, 1);
	size_t sent_pkts;

	(void)job, (void)outcome;
	open_pair(2);
	REQUIRE(carrier_run(&c, 0, BYTES / 4, LIMIT_US));
	REQUIRE(state_of(1) == SCTP_CMT_PATH_ACTIVE);
	REQUIRE(usrsctp_cmt_packets_remove_address(c.hosts[0].packets, (const struct sockaddr *)&address) ==
	        0);
	carrier_step(&c, 0);
	sent_pkts = c.hosts[0].out_pkts[1];
	REQUIRE(carrier_run(&c, 0, BYTES, LIMIT_US));
	REQUIRE(c.hosts[0].out_pkts[1] == sent_pkts);
	expect_all();
}

static void from_an_address_that_is_removed_nothing_leaves(void **state)
{
	(void)state;
	in_a_process(take_an_address);
}

static void pull_a_cable(const void *job, void *outcome)
{
	const struct sockaddr_in address = carrier_address(0, 0), none = carrier_address(0, 2);
	struct usrsctp_cmt_packets *packets;

	(void)job, (void)outcome;
	open_pair(2);
	packets = c.hosts[0].packets;
	REQUIRE(carrier_run(&c, 0, BYTES / 4, LIMIT_US));
	REQUIRE(state_of(0) == SCTP_CMT_PATH_ACTIVE && state_of(1) == SCTP_CMT_PATH_ACTIVE);
	REQUIRE(usrsctp_cmt_packets_address_down(packets, (const struct sockaddr *)&none) == -1 &&
	        errno == ENOENT);
	REQUIRE(usrsctp_cmt_packets_address_down(packets, (const struct sockaddr *)&address) == 0);
	REQUIRE(state_of(0) == SCTP_CMT_PATH_FAILED && state_of(1) == SCTP_CMT_PATH_ACTIVE);
	/* It was put in again before anybody noticed. */
	while (state_of(0) != SCTP_CMT_PATH_ACTIVE) {
		REQUIRE(c.now_us < LIMIT_US);
		carrier_step(&c, DELAY_US);
	}
	expect_all();
}

static void paths_from_an_address_that_is_down_fail_at_once_and_are_asked(void **state)
{
	(void)state;
	in_a_process(pull_a_cable);
}

/* --- packets that are too large --- */

static uint32_t mtu_of(unsigned path)
{
	struct sctp_cmt_path_stats s;

	REQUIRE(carrier_path(&c, 0, path, &s));
	return s.mtu_bytes;
}

static uint8_t quote[USRSCTP_CMT_QUOTE_BYTES];

static bool keep_quote(struct carrier *carrier, const struct carrier_packet *packet)
{
	(void)carrier;
	if (packet->to == &c.hosts[1])
		memcpy(quote, packet->bytes, sizeof(quote));
	return true;
}

static void say_too_big(unsigned path)
{
	const struct sockaddr_in local = carrier_address(0, path);
	struct sockaddr_in remote = carrier_address(1, path);

	remote.sin_port = htons(CARRIER_UDP_PORT + 1);
	REQUIRE(
	    usrsctp_cmt_packets_too_big(
	        c.hosts[0].packets, &(struct usrsctp_cmt_too_big){.size = sizeof(struct usrsctp_cmt_too_big),
	                                                          .local = (const struct sockaddr *)&local,
	                                                          .remote = (const struct sockaddr *)&remote,
	                                                          .bytes = quote,
	                                                          .len = sizeof(quote),
	                                                          .mtu_bytes = SMALL_BYTES}) == 0);
}

static void believe_a_router(const void *job, void *outcome)
{
	(void)job, (void)outcome;
	c.passes = keep_quote;
	open_pair(2);
	REQUIRE(carrier_run(&c, 0, BYTES / 2, LIMIT_US));
	REQUIRE(mtu_of(0) > SMALL_BYTES && mtu_of(1) > SMALL_BYTES);
	quote[7] ^= 1; /* the tag */
	say_too_big(1);
	REQUIRE(mtu_of(1) > SMALL_BYTES);
	quote[7] ^= 1;
	say_too_big(1);
	REQUIRE(mtu_of(0) > SMALL_BYTES && mtu_of(1) <= SMALL_BYTES);
	expect_all();
}

static void a_router_is_believed_that_quotes_the_tag(void **state)
{
	(void)state;
	in_a_process(believe_a_router);
}

/* `mtu_bytes` of a path counts from the start, and anew. */
static bool are_small(struct carrier *carrier, const struct carrier_packet *packet)
{
	(void)carrier;
	/* IP and UDP headers. */
	REQUIRE(packet->to != &c.hosts[1] || packet->len + 28 <= SMALL_BYTES);
	return true;
}

static void name_a_size(const void *job, void *outcome)
{
	const struct sockaddr_in local = carrier_address(0, 0), remote = carrier_address(1, 0);

	(void)job, (void)outcome;
	c.passes = are_small;
	c.in_virtual_time = true;
	c.delay_us = DELAY_US;
	REQUIRE(carrier_open(&c) == 0);
	REQUIRE(usrsctp_cmt_packets_add_path(c.hosts[0].packets, (const struct sockaddr *)&local,
	                                     (const struct sockaddr *)&remote, SMALL_BYTES) == 0);
	carrier_connect(&c, 0, BYTES);
	expect_all();
}

static void packets_are_as_small_as_their_path(void **state)
{
	(void)state;
	in_a_process(name_a_size);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_path_that_is_removed_fails_at_once),
	    cmocka_unit_test(nothing_comes_in_on_a_removed_path),
	    cmocka_unit_test(a_path_that_is_named_later_is_opened),
	    cmocka_unit_test(from_an_address_that_is_removed_nothing_leaves),
	    cmocka_unit_test(paths_from_an_address_that_is_down_fail_at_once_and_are_asked),
	    cmocka_unit_test(a_router_is_believed_that_quotes_the_tag),
	    cmocka_unit_test(packets_are_as_small_as_their_path),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
