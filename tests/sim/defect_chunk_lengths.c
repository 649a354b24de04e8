/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A chunk of a wrong length is skipped (RFC 9260, section 3.2): the DATA bundled behind it count. The
 * ECN-Echo of the Linux kernel is 8 octets long, which is right. */
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

struct misfit {
	uint8_t type;
	uint16_t len;
};

/* What upstream does with the DATA that follow. */
enum fate { READ, DROPPED, ABORTED };
struct outcome {
	enum fate fate;
	uint32_t cwr_tsns[2], sent_tsn;
};

static struct raw r;
static struct raw_options options = {
    .parameters = {0x80, 0, 0, 4, 0xc0, 0, 0, 4, 0x80, 8, 0, 6, CHUNK_RECONFIG, 0xc0},
    .parameters_bytes = 16}; /* ECN, PR-SCTP, RE-CONFIG */

static void bundle(const void *job, void *outcome)
{
	const struct misfit *m = job;
	const uint8_t body[60] = {0};
	struct outcome *o = outcome;
	struct packet_draft d;
	unsigned since;

	raw_accepted(&r, &options);
	since = r.n_heard;
	raw_begin(&r, &d);
	packet_add(&d, m->type, m->len, body, m->len - 4u);
	raw_add_data(&r, &d, 0, 0, 100);
	raw_send(&r, 0, &d);
	o->fate = raw_count(&r, since, CHUNK_ABORT) > 0 ? ABORTED : r.received_bytes == 100 ? READ : DROPPED;
	raw_close(&r);
}

static void what_follows_a_misfit_counts(void **state)
{
	static const struct {
		struct misfit misfit;
		enum fate before;
	} cases[] = {
	    {{CHUNK_HEARTBEAT_ACK, 8}, DROPPED},
	    {{CHUNK_SHUTDOWN, 4}, DROPPED},
	    {{CHUNK_SHUTDOWN, 12}, DROPPED},
	    {{CHUNK_SHUTDOWN_ACK, 8}, DROPPED},
	    {{CHUNK_COOKIE_ACK, 8}, ABORTED},
	    {{CHUNK_ECNE, 4}, DROPPED},
	    {{CHUNK_ECNE, 16}, DROPPED},
	    {{CHUNK_CWR, 4}, DROPPED},
	    {{CHUNK_CWR, 12}, DROPPED},
	    {{CHUNK_RECONFIG, 4}, DROPPED},
	    {{CHUNK_FORWARD_TSN, 4}, DROPPED},
	    {{CHUNK_ASCONF_ACK, 4}, READ},
	    {{0x81, 12}, DROPPED},
	    {{CHUNK_ERROR, 4}, READ},
	    {{CHUNK_SACK, 12}, READ},
	    {{CHUNK_SACK, 20}, READ},
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct outcome o;

		isolate_run(bundle, &cases[i].misfit, &o, sizeof(o));
		printf("chunk %#x of %u octets: %d\n", cases[i].misfit.type, cases[i].misfit.len,
		       (int)o.fate);
		assert_int_equal(o.fate, CMT_TEST_FIXED ? READ : cases[i].before);
	}
}

static void echo_congestion(uint32_t tsn, uint16_t len)
{
	struct packet_draft d;
	uint8_t body[8] = {0};

	packet_put32(body, tsn);
	raw_begin(&r, &d);
	packet_add(&d, CHUNK_ECNE, len, body, len - 4u);
	raw_send(&r, 0, &d);
}

static void two_echoes(const void *job, void *outcome)
{
	const uint8_t message[100] = {0};
	struct outcome *o = outcome;
	unsigned since;
	struct chunk c;

	(void)job;
	raw_accepted(&r, &options);
	/* A TSN that nobody knows: the answer is the last CWR. */
	since = r.n_heard;
	echo_congestion(r.stack_tsn - 5, 12);
	REQUIRE(raw_hear(&r, &since, CHUNK_CWR, &c));
	o->cwr_tsns[0] = packet_get32(c.bytes + 4);
	REQUIRE(usrsctp_sendv(r.so, message, sizeof(message), NULL, 0, NULL, 0, SCTP_SENDV_NOINFO, 0) > 0);
	raw_run(&r, 1000);
	o->sent_tsn = r.stack_tsn;
	since = r.n_heard;
	echo_congestion(r.stack_tsn, 8);
	if (raw_hear(&r, &since, CHUNK_CWR, &c))
		o->cwr_tsns[1] = packet_get32(c.bytes + 4);
	raw_close(&r);
}

static void ecn_echoes_of_linux_are_answered(void **state)
{
	struct outcome o;

	(void)state;
	isolate_run(two_echoes, NULL, &o, sizeof(o));
	printf("TSN %u sent, CWR for %u, %u\n", o.sent_tsn, o.cwr_tsns[0], o.cwr_tsns[1]);
	assert_int_equal(o.cwr_tsns[0] == o.sent_tsn - 1, CMT_TEST_FIXED);
	assert_int_equal(o.cwr_tsns[1], CMT_TEST_FIXED ? o.sent_tsn : 0);
}

/* --- data that wait for an acknowledgement (Nagle) --- */

enum dropped { BUNDLED_INIT, SHORT_INIT, LATE_COOKIE_ECHO, DATA_BEHIND_SHUTDOWN, N_DROPPED };

static void acknowledge_in_front_of(const void *job, void *outcome)
{
	const enum dropped dropped = *(const enum dropped *)job;
	uint8_t body[12] = {0};
	struct packet_draft d;
	unsigned since;

	raw_accepted(&r, &options);
	raw_write(&r, 100);
	raw_run(&r, 1000);
	raw_write(&r, 100);
	since = r.n_heard;
	packet_put32(body, r.stack_tsn);
	packet_put32(body + 4, RAW_WINDOW_BYTES);
	raw_begin(&r, &d);
	if (dropped == DATA_BEHIND_SHUTDOWN) {
		packet_add(&d, CHUNK_SHUTDOWN, 8, body, 4);
		raw_add_data(&r, &d, 0, 0, 100);
	} else {
		packet_add(&d, CHUNK_SACK, 16, body, sizeof(body));
		if (dropped == BUNDLED_INIT)
			raw_add_init(&r, &d, CHUNK_INIT, NULL, 0);
		else
			packet_add(&d, dropped == SHORT_INIT ? CHUNK_INIT : CHUNK_COOKIE_ECHO, 8, body, 4);
	}
	raw_send(&r, 0, &d);
	raw_run(&r, 500000);
	*(unsigned *)outcome = raw_count(&r, since, CHUNK_DATA);
	raw_close(&r);
}

static void data_leave_whatever_is_dropped_behind_their_acknowledgement(void **state)
{
	(void)state;
	for (enum dropped dropped = 0; dropped < N_DROPPED; dropped++) {
		unsigned n_sent;

		isolate_run(acknowledge_in_front_of, &dropped, &n_sent, sizeof(n_sent));
		printf("dropped %d: %u DATA chunks\n", (int)dropped, n_sent);
		assert_int_equal(n_sent, CMT_TEST_FIXED);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(what_follows_a_misfit_counts),
	    cmocka_unit_test(data_leave_whatever_is_dropped_behind_their_acknowledgement),
	    cmocka_unit_test(ecn_echoes_of_linux_are_answered),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
