/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The peer's window is closed, and nothing is under way: one packet of data may leave (RFC 9260, section 6.1,
 * A), but control chunks go to every address. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "support/isolate.h"
#include "support/raw.h"
#include "support/variant.h"

enum { CHUNK_UNKNOWN_REPORTED = 0xff, MESSAGE_BYTES = 100, SILENCE_US = 20000000 };

static const uint8_t two_addresses[] = {RAW_ADDRESS(0), RAW_ADDRESS(1), RAW_TAKES_ASCONF};

static struct raw r;
static struct raw_options options;

static void close_window(void)
{
	options = (struct raw_options){
	    .n_paths = 2, .sysctl_cmt = true, .parameters_bytes = 16 + RAW_TAKES_ASCONF_BYTES};
	memcpy(options.parameters, two_addresses, sizeof(two_addresses));
	raw_connect(&r, &options);
	raw_establish(&r);
	raw_write(&r, MESSAGE_BYTES);
	raw_run(&r, 1000);
	raw_acknowledge_within(&r, 0);
}

struct outcome {
	unsigned answers, errors; /* to what came from the second path; HEARTBEAT-ACKs on it */
	unsigned requests;        /* ASCONFs heard */
};

/* The ERROR goes to the first address. */
static void ask_from_the_second_path(const void *job, void *outcome)
{
	struct outcome *o = outcome;
	struct packet_draft d;
	struct chunk unused;
	unsigned since;

	(void)job;
	close_window();
	since = r.n_heard;
	raw_begin(&r, &d);
	packet_add(&d, CHUNK_HEARTBEAT, 16, "\0\1\0\014anything", 12);
	packet_add(&d, CHUNK_UNKNOWN_REPORTED, 4, NULL, 0);
	raw_send(&r, 1, &d);
	o->errors = raw_count(&r, since, CHUNK_ERROR);
	while (raw_hear(&r, &since, CHUNK_HEARTBEAT_ACK, &unused))
		o->answers += r.heard[since - 1].path == 1;
	raw_close(&r);
}

static void a_packet_to_one_address_keeps_none_from_another(void **state)
{
	struct outcome o = {.answers = 0};
	bool survived = isolate_survives(ask_from_the_second_path, NULL, &o, sizeof(o));

	(void)state;
	if (!CMT_TEST_FIXED) {
		assert_false(survived && o.answers == 1 && o.errors == 1);
		return;
	}
	assert_true(survived);
	assert_int_equal(o.answers, 1);
	assert_int_equal(o.errors, 1);
}

/* Each time, the path that failed is asked by a HEARTBEAT, and the request moves to the other one. */
static void hear_no_answer(const void *job, void *outcome)
{
	struct sctp_setpeerprim request = {.sspp_assoc_id = SCTP_CURRENT_ASSOC};
	struct outcome *o = outcome;
	struct sockaddr_storage address;

	(void)job;
	close_window();
	REQUIRE(usrsctp_cmt_sim_address(r.sim, 0, 0, RAW_STACK_PORT, &address) == 0);
	memcpy(&request.sspp_addr, &address, sizeof(struct sockaddr_in));
	REQUIRE(usrsctp_setsockopt(r.so, IPPROTO_SCTP, SCTP_SET_PEER_PRIMARY_ADDR, &request,
	                           sizeof(request)) == 0);
	raw_run(&r, SILENCE_US);
	o->requests = raw_count(&r, 0, CHUNK_ASCONF);
	raw_close(&r);
}

static void a_request_is_sent_again_beside_heartbeats(void **state)
{
	struct outcome o = {.requests = 0};
	bool survived = isolate_survives(hear_no_answer, NULL, &o, sizeof(o));

	(void)state;
	if (!CMT_TEST_FIXED)
		return; /* where paths do not become potentially failed, no HEARTBEAT is beside it */
	assert_true(survived);
	assert_in_range(o.requests, 4, 12);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_packet_to_one_address_keeps_none_from_another),
	    cmocka_unit_test(a_request_is_sent_again_beside_heartbeats),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
