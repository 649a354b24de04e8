/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The peer restarts (RFC 9260, section 5.2.4, action A) and lists fewer addresses, has requests under way, or
 * is left with old windows and counts: pointers into the old association are used after it is gone
 * (CVE-2021-30523), and its measurements outlive it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "support/isolate.h"
#include "support/raw.h"
#include "support/variant.h"

enum { RESTARTED_TAG = 0x0badcafe, RESTARTED_TSN = 70000, MESSAGE_BYTES = 1000 };

static const uint8_t both_addresses[] = {
    RAW_ADDRESS(0), RAW_ADDRESS(1), 0x80, 8, 0, 5, CHUNK_RECONFIG, 0, 0, 0};
enum { ONE_ADDRESS_BYTES = 8 };

static struct raw r;
static struct raw_options options;

static void configure(struct socket *so)
{
	const int buffer_bytes = 1000000;
	struct sctp_assoc_value allow = {.assoc_id = SCTP_FUTURE_ASSOC,
	                                 .assoc_value = SCTP_ENABLE_RESET_STREAM_REQ};

	REQUIRE(usrsctp_setsockopt(so, SOL_SOCKET, SO_SNDBUF, &buffer_bytes, sizeof(buffer_bytes)) == 0);
	REQUIRE(usrsctp_setsockopt(so, IPPROTO_SCTP, SCTP_ENABLE_STREAM_RESET, &allow, sizeof(allow)) == 0);
}

static void accept_on_two_paths(void)
{
	options = (struct raw_options){.n_paths = 2,
	                               .parameters_bytes = sizeof(both_addresses),
	                               .sysctl_cmt = true,
	                               .configure = configure};
	memcpy(options.parameters, both_addresses, sizeof(both_addresses));
	raw_accepted(&r, &options);
}

static void stack_sends(unsigned messages)
{
	for (unsigned i = 0; i < messages; i++)
		raw_write(&r, MESSAGE_BYTES);
	raw_run(&r, 1000);
}

/* Up to the COOKIE-ECHO of the new association, which lists that many octets of addresses. */
static void restart(struct packet_draft *cookie_echo, size_t parameters_bytes)
{
	options.parameters_bytes = parameters_bytes;
	r.tag = RESTARTED_TAG;
	r.tsn = RESTARTED_TSN;
	raw_ask_cookie(&r);
	raw_begin_cookie_echo(&r, cookie_echo);
}

static bool both_directions_work(void)
{
	unsigned since = r.n_heard;

	for (unsigned i = 0; i < 20; i++) {
		stack_sends(2);
		raw_acknowledge(&r);
	}
	raw_run(&r, 10000000); /* timers */
	raw_answer_heartbeats(&r, since);
	return raw_count(&r, since, CHUNK_DATA) >= 20 && raw_alive(&r);
}

/* The path from which the last packets came, and to which the last were sent, is not in the new INIT. */
static void leave_out_an_address(const void *job, void *outcome)
{
	const int from = *(const int *)job;
	struct packet_draft d;

	accept_on_two_paths();
	for (unsigned i = 0; i < 3; i++) {
		stack_sends(3);
		raw_acknowledge(&r);
	}
	restart(&d, ONE_ADDRESS_BYTES);
	raw_add_data(&r, &d, 0, 0, 100);
	raw_send(&r, from, &d);
	*(bool *)outcome = raw_count(&r, r.heard_before, CHUNK_COOKIE_ACK) == 1 && both_directions_work();
	raw_close(&r);
}

static void an_address_that_is_left_out_is_forgotten(void **state)
{
	(void)state;
	for (int from = 0; from < 2; from++) {
		bool works = false;
		bool survived = isolate_survives(leave_out_an_address, &from, &works, sizeof(works));

		printf("COOKIE-ECHO from path %d: %s\n", from,
		       !survived ? "crashed"
		       : works   ? "works"
		                 : "does not work");
		/* In the other case what is used after it is freed looks right, save under AddressSanitizer.
		 */
		if (CMT_TEST_FIXED || from == 1)
			assert_int_equal(survived && works, CMT_TEST_FIXED);
	}
}

struct path {
	uint32_t window_bytes, srtt, rto;
	int32_t state;
};

static struct path look(int path)
{
	struct sctp_paddrinfo info = {.spinfo_assoc_id = 0};
	socklen_t len = sizeof(info);

	REQUIRE(usrsctp_cmt_sim_address(r.sim, 1, path, RAW_PEER_PORT, &info.spinfo_address) == 0);
	REQUIRE(usrsctp_getsockopt(r.so, IPPROTO_SCTP, SCTP_GET_PEER_ADDR_INFO, &info, &len) == 0);
	return (struct path){.window_bytes = info.spinfo_cwnd,
	                     .srtt = info.spinfo_srtt,
	                     .rto = info.spinfo_rto,
	                     .state = info.spinfo_state};
}

struct outcome {
	struct path fresh[2], grown[2], restarted[2];
	bool works;
};

static void restart_after_a_transfer(const void *job, void *outcome)
{
	struct outcome *o = outcome;
	struct packet_draft d;

	(void)job;
	accept_on_two_paths();
	for (int i = 0; i < 2; i++)
		o->fresh[i] = look(i);
	for (unsigned i = 0; i < 40; i++) {
		stack_sends(20);
		raw_run(&r, 30000);
		raw_acknowledge(&r);
	}
	for (int i = 0; i < 2; i++)
		o->grown[i] = look(i);
	stack_sends(20); /* nobody acknowledges these */
	raw_run(&r, 20000000);
	restart(&d, sizeof(both_addresses));
	raw_send(&r, 0, &d);
	REQUIRE(raw_count(&r, r.heard_before, CHUNK_COOKIE_ACK) == 1);
	for (int i = 0; i < 2; i++)
		o->restarted[i] = look(i);
	o->works = both_directions_work();
	raw_close(&r);
}

static void windows_and_measurements_begin_anew(void **state)
{
	struct outcome o;
	bool survived;

	(void)state;
	survived = isolate_survives(restart_after_a_transfer, NULL, &o, sizeof(o));
	for (unsigned i = 0; i < 2; i++) {
		printf("path %u: window %u, %u, then %u; RTT %u, RTO %u, state %d\n", i,
		       o.fresh[i].window_bytes, o.grown[i].window_bytes, o.restarted[i].window_bytes,
		       o.restarted[i].srtt, o.restarted[i].rto, (int)o.restarted[i].state);
		assert_true(o.grown[i].window_bytes > o.fresh[i].window_bytes);
	}
	if (!CMT_TEST_FIXED) {
		assert_false(survived && o.works && o.restarted[0].window_bytes == o.fresh[0].window_bytes &&
		             o.restarted[1].window_bytes == o.fresh[1].window_bytes);
		return;
	}
	assert_true(survived && o.works);
	for (unsigned i = 0; i < 2; i++) {
		assert_int_equal(o.restarted[i].window_bytes, o.fresh[i].window_bytes);
		assert_int_equal(o.restarted[i].srtt, 0);
		assert_int_equal(o.restarted[i].rto, 0);
		assert_int_equal(o.restarted[i].state, SCTP_ACTIVE);
	}
}

static void ask_stream_reset(int expected)
{
	uint8_t bytes[sizeof(struct sctp_reset_streams) + sizeof(uint16_t)] = {0};
	struct sctp_reset_streams *reset = (struct sctp_reset_streams *)bytes;

	reset->srs_flags = SCTP_STREAM_RESET_OUTGOING;
	reset->srs_number_streams = 1;
	reset->srs_stream_list[0] = 1;
	REQUIRE(usrsctp_setsockopt(r.so, IPPROTO_SCTP, SCTP_RESET_STREAMS, reset, sizeof(bytes)) == expected);
	raw_run(&r, 1000);
}

static void restart_amid_a_stream_reset(const void *job, void *outcome)
{
	struct packet_draft d;
	unsigned since;

	(void)job;
	accept_on_two_paths();
	ask_stream_reset(0);
	REQUIRE(raw_count(&r, 0, CHUNK_RECONFIG) == 1);
	restart(&d, sizeof(both_addresses));
	raw_send(&r, 0, &d);
	since = r.n_heard;
	ask_stream_reset(0);
	*(bool *)outcome = raw_count(&r, since, CHUNK_RECONFIG) == 1 && both_directions_work();
	raw_close(&r);
}

static void a_stream_reset_under_way_is_forgotten(void **state)
{
	bool works = false;

	(void)state;
	works = isolate_survives(restart_amid_a_stream_reset, NULL, &works, sizeof(works)) && works;
	assert_int_equal(works, CMT_TEST_FIXED);
}

/* The application has read the first fragment of a message; the rest never comes. */
static void restart_amid_a_message(const void *job, void *outcome)
{
	const uint32_t at_once_bytes = 1;
	struct packet_draft d;

	(void)job;
	accept_on_two_paths();
	REQUIRE(usrsctp_setsockopt(r.so, IPPROTO_SCTP, SCTP_PARTIAL_DELIVERY_POINT, &at_once_bytes,
	                           sizeof(at_once_bytes)) == 0);
	raw_begin(&r, &d);
	raw_add_data(&r, &d, 0, 0, MESSAGE_BYTES);
	d.bytes[COMMON_HEADER_BYTES + 1] = 2; /* the first fragment, not the last */
	raw_send(&r, 0, &d);
	REQUIRE(r.received_bytes == MESSAGE_BYTES);
	restart(&d, sizeof(both_addresses));
	raw_send(&r, 0, &d);
	*(bool *)outcome = raw_alive(&r);
	raw_close(&r);
}

static void a_message_that_was_begun_holds_up_nothing(void **state)
{
	bool works = false;

	(void)state;
	works = isolate_survives(restart_amid_a_message, NULL, &works, sizeof(works)) && works;
	assert_int_equal(works, CMT_TEST_FIXED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(an_address_that_is_left_out_is_forgotten),
	    cmocka_unit_test(windows_and_measurements_begin_anew),
	    cmocka_unit_test(a_stream_reset_under_way_is_forgotten),
	    cmocka_unit_test(a_message_that_was_begun_holds_up_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
