/* SPDX-License-Identifier: BSD-3-Clause
 *
 * One spoofed packet kills a live association: an INIT with verification tag 0 whose mandatory part is bad.
 * RFC 9260, section 5.2: the association stays; the INIT is answered by an ABORT that carries its own tag,
 * or, when that is 0 (section 3.3.2), not at all. Where there is no association it is the same.
 *
 * cost: 3 s */
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

enum { FORGED_TAG = 0x55667788, JUMBO_BYTES = 65500, LARGEST_INIT_BYTES = 65535 - 2048 };

enum bad_init {
	TAG_ZERO,
	WINDOW_SMALL,
	NO_INBOUND,
	NO_OUTBOUND,
	BAD_AUTH, /* ASCONF without AUTH */
	TOO_LARGE,
	TOO_SHORT,        /* 16 octets */
	TOO_SHORT_PADDED, /* 17, padded to 20 */
	N_BAD_INITS,
	NO_LENGTH /* a parameter */
};

enum whose { CONNECTED, ACCEPTED, NONE, N_WHOSE }; /* what the stack has done */

struct job {
	enum bad_init bad;
	enum whose whose;
};

struct outcome {
	bool alive;
	unsigned aborts, aborts_with_its_tag, others;
};

static void forge(uint8_t *packet, size_t *len, const struct raw *r, const struct job *job)
{
	const uint8_t extensions[8] = {0x80, 0x08, 0, 6, CHUNK_ASCONF, CHUNK_ASCONF_ACK};
	uint8_t *init = packet + COMMON_HEADER_BYTES;
	uint16_t init_bytes = 20;

	memset(packet, 0, JUMBO_BYTES);
	packet_put16(packet, RAW_PEER_PORT);
	packet_put16(packet + 2, r->stack_port);
	packet_put32(init + 4, job->bad == TAG_ZERO ? 0 : FORGED_TAG);
	packet_put32(init + 8, job->bad == WINDOW_SMALL ? 1499 : 1500);
	packet_put16(init + 12, job->bad == NO_OUTBOUND ? 0 : 1);
	packet_put16(init + 14, job->bad == NO_INBOUND ? 0 : 1);
	packet_put32(init + 16, 1);
	if (job->bad == BAD_AUTH) {
		memcpy(init + 20, extensions, sizeof(extensions));
		init_bytes += 8;
	}
	if (job->bad == NO_LENGTH) {
		packet_put16(init + 20, 0x9000);
		init_bytes += 4;
	}
	if (job->bad == TOO_SHORT || job->bad == TOO_SHORT_PADDED)
		init_bytes = job->bad == TOO_SHORT ? 16 : 17;
	if (job->bad == TOO_LARGE) {
		/* An unknown parameter, to be skipped. */
		packet_put16(init + 20, 0x9000);
		packet_put16(init + 22, LARGEST_INIT_BYTES + 1 - 20);
		init_bytes = LARGEST_INIT_BYTES + 1;
	}
	init[0] = CHUNK_INIT;
	packet_put16(init + 2, init_bytes);
	*len = (COMMON_HEADER_BYTES + init_bytes + 3u) & ~3u;
	packet_put_checksum(packet, *len);
}

static void attack(const void *arg, void *result)
{
	static struct raw r;
	static uint8_t packet[JUMBO_BYTES];
	const struct raw_options options = {.n_paths = 2};
	const struct usrsctp_cmt_sim_link jumbo = {.mtu_bytes = 65535};
	const struct job *job = arg;
	struct outcome *o = result;
	unsigned since;
	struct chunk c;
	size_t len;

	if (job->whose == CONNECTED) {
		raw_connect(&r, &options);
		raw_establish(&r);
	} else if (job->whose == ACCEPTED) {
		raw_accepted(&r, &options);
	} else {
		raw_listen(&r, &options);
	}
	REQUIRE(job->whose == NONE || raw_alive(&r));
	since = r.n_heard;
	forge(packet, &len, &r, job);
	REQUIRE(usrsctp_cmt_sim_set_link(r.sim, 0, 1, &jumbo) == 0);
	REQUIRE(usrsctp_cmt_sim_inject(r.sim, 0, 1, packet, len) == 0);
	raw_run(&r, 1000);
	for (unsigned i = since; i < r.n_heard; i++) {
		bool is_abort = packet_find(r.heard[i].bytes, r.heard[i].len, CHUNK_ABORT, &c);

		o->aborts += is_abort;
		o->aborts_with_its_tag +=
		    is_abort && (c.bytes[1] & 1) == 0 && packet_get32(r.heard[i].bytes + 4) == FORGED_TAG;
		o->others += !is_abort;
	}
	o->alive = job->whose == NONE || raw_alive(&r);
	raw_close(&r);
}

static void bad_inits_leave_the_association_alone(void **state)
{
	(void)state;
	for (int i = 0; i < N_WHOSE * N_BAD_INITS; i++) {
		const struct job job = {.bad = (enum bad_init)(i / N_WHOSE),
		                        .whose = (enum whose)(i % N_WHOSE)};
		struct outcome o;

		isolate_run(attack, &job, &o, sizeof(o));
		printf("variant %d, stack %d: %s, %u ABORTs, %u with the INIT's tag\n", (int)job.bad,
		       (int)job.whose, o.alive ? "alive" : "dead", o.aborts, o.aborts_with_its_tag);
		assert_int_equal(o.others, 0);
		if (!CMT_TEST_FIXED) {
			assert_int_equal(o.alive, job.whose == NONE || job.bad == TOO_SHORT);
			assert_int_equal(o.aborts, job.bad != TOO_SHORT);
			continue;
		}
		assert_true(o.alive);
		assert_int_equal(o.aborts, job.bad < TOO_SHORT && job.bad != TAG_ZERO);
		assert_int_equal(o.aborts_with_its_tag, o.aborts);
	}
}

static void a_parameter_without_length_does_not_hold_up_the_stack(void **state)
{
	const struct job job = {.bad = NO_LENGTH, .whose = ACCEPTED};
	struct outcome o = {.alive = false};

	(void)state;
	assert_int_equal(isolate_survives(attack, &job, &o, sizeof(o)), CMT_TEST_FIXED);
	assert_int_equal(o.alive, CMT_TEST_FIXED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(bad_inits_leave_the_association_alone),
	    cmocka_unit_test(a_parameter_without_length_does_not_hold_up_the_stack),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
