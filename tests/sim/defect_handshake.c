/* SPDX-License-Identifier: BSD-3-Clause
 *
 * INIT, INIT-ACK and COOKIE-ACK: when they count, what answers a bad one, and which round-trip times they
 * give (RFC 9260, sections 5.1, 5.2.3, 5.2.5, 6.3.1 and 8.5.1). */
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

enum { PARAMETER_IPV4 = 5, FORGED_TAG = 0x55667788 };

static struct raw r;
static struct raw_options options = {.n_paths = 1};

enum bad_init_ack { WINDOW_SMALL, NO_STREAMS, NO_COOKIE, BAD_PARAMETER, N_BAD_INIT_ACKS };

static void send_bad_init_ack(enum bad_init_ack bad)
{
	const uint8_t long_address[12] = {0, PARAMETER_IPV4, 0, 12, 10, 1, 0, 2};
	struct packet_draft d;
	uint8_t *init = d.bytes + COMMON_HEADER_BYTES;

	raw_begin(&r, &d);
	if (bad == BAD_PARAMETER) {
		memcpy(options.parameters, long_address, sizeof(long_address));
		options.parameters_bytes = sizeof(long_address);
	}
	raw_add_init(&r, &d, CHUNK_INIT_ACK, bad == NO_COOKIE ? NULL : "cookie!", 8);
	if (bad == WINDOW_SMALL)
		packet_put32(init + 8, 1499);
	if (bad == NO_STREAMS)
		packet_put16(init + 12, 0);
	raw_send(&r, 0, &d);
}

struct abort_outcome {
	bool alive, aborted, reflected;
	uint32_t tag;
};

static void note_abort(struct abort_outcome *o, unsigned since)
{
	struct chunk c;

	o->aborted = raw_hear(&r, &since, CHUNK_ABORT, &c);
	if (!o->aborted)
		return;
	o->reflected = (c.bytes[1] & 1) != 0;
	o->tag = packet_get32(r.heard[since - 1].bytes + 4);
}

static void bad_init_ack_when_open(const void *job, void *outcome)
{
	struct abort_outcome *o = outcome;
	unsigned since;

	raw_connect(&r, &options);
	raw_establish(&r);
	REQUIRE(raw_alive(&r));
	since = r.n_heard;
	send_bad_init_ack(*(const enum bad_init_ack *)job);
	note_abort(o, since);
	o->alive = raw_alive(&r);
	raw_close(&r);
}

static void an_init_ack_counts_only_when_it_is_waited_for(void **state)
{
	(void)state;
	for (enum bad_init_ack bad = 0; bad < N_BAD_INIT_ACKS; bad++) {
		struct abort_outcome o;

		isolate_run(bad_init_ack_when_open, &bad, &o, sizeof(o));
		/* The last two are looked at only when it is waited for. */
		assert_int_equal(o.alive, CMT_TEST_FIXED || bad >= NO_COOKIE);
		assert_int_equal(o.aborted, !o.alive);
	}
}

static void bad_init_ack_when_waited_for(const void *job, void *outcome)
{
	unsigned since;

	raw_connect(&r, &options);
	since = r.n_heard;
	send_bad_init_ack(*(const enum bad_init_ack *)job);
	note_abort(outcome, since);
	raw_close(&r);
}

static void a_bad_init_ack_is_answered_with_its_tag(void **state)
{
	(void)state;
	for (enum bad_init_ack bad = 0; bad < N_BAD_INIT_ACKS; bad++) {
		struct abort_outcome o;

		isolate_run(bad_init_ack_when_waited_for, &bad, &o, sizeof(o));
		printf("bad INIT-ACK %d: ABORT %d, reflected %d, tag %#x\n", (int)bad, o.aborted, o.reflected,
		       o.tag);
		assert_true(o.aborted);
		assert_int_equal(o.reflected, !CMT_TEST_FIXED);
		assert_int_equal(o.tag == RAW_TAG, CMT_TEST_FIXED);
	}
}

/* The INIT is lost. */
static void cookie_ack_before_init_ack(const void *job, void *outcome)
{
	struct packet_draft d;
	unsigned since;

	(void)job;
	raw_connect(&r, &options);
	since = r.n_heard;
	raw_begin(&r, &d);
	packet_add(&d, CHUNK_COOKIE_ACK, 4, NULL, 0);
	raw_send(&r, 0, &d);
	raw_run(&r, 3500000);
	*(unsigned *)outcome = raw_count(&r, since, CHUNK_INIT);
	raw_close(&r);
}

static void a_cookie_ack_counts_only_when_it_is_waited_for(void **state)
{
	unsigned inits;

	(void)state;
	isolate_run(cookie_ack_before_init_ack, NULL, &inits, sizeof(inits));
	assert_int_equal(inits > 0, CMT_TEST_FIXED);
}

static void init_with_uneven_parameter(const void *job, void *outcome)
{
	const uint8_t uneven[8] = {0, PARAMETER_IPV4, 0, 7, 10, 1, 0, 0};
	struct packet_draft d;

	(void)job;
	memcpy(options.parameters, uneven, sizeof(uneven));
	options.parameters_bytes = sizeof(uneven);
	raw_listen(&r, &options);
	raw_begin_tagged(&r, &d, 0);
	raw_add_init(&r, &d, CHUNK_INIT, NULL, 0);
	raw_send(&r, 0, &d);
	note_abort(outcome, 0);
	raw_close(&r);
}

static void parameters_have_exactly_their_length(void **state)
{
	struct abort_outcome o;

	(void)state;
	isolate_run(init_with_uneven_parameter, NULL, &o, sizeof(o));
	assert_int_equal(o.aborted, CMT_TEST_FIXED);
}

struct misfit {
	uint8_t type;
	uint16_t len; /* 20 = long enough, but not alone */
};

/* Whether it leads to nothing at all, and what is right to an association. */
static void send_misfit(const void *job, void *outcome)
{
	const struct misfit *m = job;
	struct packet_draft d;
	unsigned before;

	if (m->type == CHUNK_INIT)
		raw_listen(&r, &options);
	else
		raw_connect(&r, &options);
	before = r.n_heard;
	raw_begin_tagged(&r, &d, m->type == CHUNK_INIT ? 0 : r.stack_tag);
	if (m->len < 20) {
		packet_add(&d, m->type, m->len, "short INIT chunk", m->len - 4u);
	} else {
		raw_add_init(&r, &d, m->type, "cookie!", 8);
		packet_add(&d, CHUNK_COOKIE_ACK, 4, NULL, 0);
	}
	raw_send(&r, 0, &d);
	if (r.n_heard == before && !r.ended) {
		raw_establish(&r);
		*(bool *)outcome = raw_alive(&r);
	}
	raw_close(&r);
}

static void short_and_bundled_ones_are_dropped(void **state)
{
	const uint8_t types[2] = {CHUNK_INIT, CHUNK_INIT_ACK};

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		for (uint16_t len = 4; len <= 20; len++) {
			const struct misfit m = {.type = types[i], .len = len};
			bool dropped;

			isolate_run(send_misfit, &m, &dropped, sizeof(dropped));
			assert_int_equal(dropped, CMT_TEST_FIXED || len <= 16 || len == 20);
		}
	}
}

static void bundled_init_out_of_the_blue(const void *job, void *outcome)
{
	struct packet_draft d;

	(void)job;
	raw_listen(&r, &options);
	r.tag = FORGED_TAG;
	raw_begin_tagged(&r, &d, RAW_TAG);
	packet_add(&d, CHUNK_ERROR, 4, NULL, 0);
	raw_add_init(&r, &d, CHUNK_INIT, NULL, 0);
	raw_send(&r, 0, &d);
	note_abort(outcome, 0);
	raw_close(&r);
}

static void the_tag_of_a_bundled_init_is_not_used(void **state)
{
	struct abort_outcome o;

	(void)state;
	isolate_run(bundled_init_out_of_the_blue, NULL, &o, sizeof(o));
	assert_true(o.aborted);
	assert_int_equal(o.tag, CMT_TEST_FIXED ? RAW_TAG : FORGED_TAG);
	assert_int_equal(o.reflected, CMT_TEST_FIXED);
}

/* --- round-trip times --- */

enum lost { LOST_INIT, LOST_COOKIE_ECHO, LATE_COOKIE_ECHO, STALE_COOKIE, N_LOST };

static void lose(const void *job, void *outcome)
{
	const uint8_t stale[16] = {0, 3, 0, 8, 0, 0x0f, 0x42, 0x40, 0, 3, 0, 8, 0, 0x0f, 0x42, 0x40};
	struct sctp_paddrinfo info = {.spinfo_assoc_id = 0};
	socklen_t len = sizeof(info);
	struct packet_draft d;

	switch (*(const enum lost *)job) {
	case LOST_INIT:
		raw_connect(&r, &options);
		raw_run(&r, 3500000);
		REQUIRE(raw_count(&r, 0, CHUNK_INIT) >= 2);
		raw_establish(&r);
		break;
	case LOST_COOKIE_ECHO:
		raw_connect(&r, &options);
		raw_begin(&r, &d);
		raw_add_init(&r, &d, CHUNK_INIT_ACK, "cookie!", 8);
		raw_send(&r, 0, &d);
		raw_run(&r, 4500000);
		REQUIRE(raw_count(&r, 0, CHUNK_COOKIE_ECHO) >= 2);
		raw_begin(&r, &d);
		packet_add(&d, CHUNK_COOKIE_ACK, 4, NULL, 0);
		raw_send(&r, 0, &d);
		break;
	case STALE_COOKIE:
		/* Two causes in one ERROR, with a staleness of 1 s: one INIT. */
		raw_connect(&r, &options);
		raw_begin(&r, &d);
		raw_add_init(&r, &d, CHUNK_INIT_ACK, "cookie!", 8);
		raw_send(&r, 0, &d);
		raw_run(&r, 900000);
		raw_begin(&r, &d);
		packet_add(&d, CHUNK_ERROR, 20, stale, sizeof(stale));
		raw_send(&r, 0, &d);
		REQUIRE(raw_count(&r, 0, CHUNK_INIT) == 2);
		raw_establish(&r);
		REQUIRE(raw_alive(&r));
		break;
	case LATE_COOKIE_ECHO:
	case N_LOST:
		raw_listen(&r, &options);
		raw_ask_cookie(&r);
		raw_run(&r, 4000000);
		raw_begin_cookie_echo(&r, &d);
		raw_send(&r, 0, &d);
		break;
	}
	REQUIRE(usrsctp_cmt_sim_address(r.sim, 1, 0, RAW_PEER_PORT, &info.spinfo_address) == 0);
	REQUIRE(usrsctp_getsockopt(r.so, IPPROTO_SCTP, SCTP_GET_PEER_ADDR_INFO, &info, &len) == 0);
	*(uint32_t *)outcome = info.spinfo_srtt;
	raw_close(&r);
}

static void retransmitted_handshakes_measure_nothing(void **state)
{
	(void)state;
	for (enum lost lost = 0; lost < N_LOST; lost++) {
		uint32_t srtt_ms;

		isolate_run(lose, &lost, &srtt_ms, sizeof(srtt_ms));
		printf("lost %d: srtt %u ms\n", (int)lost, srtt_ms);
		if (CMT_TEST_FIXED)
			assert_in_range(srtt_ms, 0, 10);
		else
			assert_in_range(srtt_ms, 90, 5000);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(an_init_ack_counts_only_when_it_is_waited_for),
	    cmocka_unit_test(a_bad_init_ack_is_answered_with_its_tag),
	    cmocka_unit_test(a_cookie_ack_counts_only_when_it_is_waited_for),
	    cmocka_unit_test(parameters_have_exactly_their_length),
	    cmocka_unit_test(short_and_bundled_ones_are_dropped),
	    cmocka_unit_test(the_tag_of_a_bundled_init_is_not_used),
	    cmocka_unit_test(retransmitted_handshakes_measure_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
