/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A FORWARD-TSN gives up an unordered message of which a part was delivered already, and behind it two
 * fragments of the next one wait. They are put together under the lock of the read queue, and delivered by
 * the receive callback: upstream took the lock once more there, and stood still for good. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#include "support/isolate.h"
#include "support/raw.h"
#include "support/variant.h"

enum { LIMIT_SECONDS = 2, FRAGMENT_BYTES = 100 };
enum { FIRST_UNORDERED = 6, UNORDERED = 4, LAST_UNORDERED = 5 };

static struct raw r;
static size_t delivered_bytes;

static int on_delivery(struct socket *so, union sctp_sockstore from, void *data, size_t bytes,
                       struct sctp_rcvinfo info, int flags, void *arg)
{
	(void)so;
	(void)from;
	(void)info;
	(void)flags;
	(void)arg;
	free(data);
	delivered_bytes += bytes;
	return 1;
}

/* Parts of messages are delivered from here on. */
static void deliver_parts(struct socket *so)
{
	const uint32_t bytes = FRAGMENT_BYTES + 1;

	REQUIRE(usrsctp_setsockopt(so, IPPROTO_SCTP, SCTP_PARTIAL_DELIVERY_POINT, &bytes, sizeof(bytes)) ==
	        0);
}

static const struct raw_options options = {.parameters = {0xc0, 0, 0, 4}, /* PR-SCTP */
                                           .parameters_bytes = 4,
                                           .configure = deliver_parts,
                                           .receive = on_delivery};

static void send_fragment(uint32_t number, uint8_t flags)
{
	uint8_t body[12 + FRAGMENT_BYTES] = {0};
	struct packet_draft d;

	packet_put32(body, RAW_TSN + number);
	raw_begin(&r, &d);
	packet_add(&d, CHUNK_DATA, 16 + FRAGMENT_BYTES, body, sizeof(body));
	d.bytes[COMMON_HEADER_BYTES + 1] = flags;
	raw_send(&r, 0, &d);
}

static void give_up_what_is_delivered_in_part(const void *job, void *outcome)
{
	uint8_t body[4];
	struct packet_draft d;

	(void)job;
	raw_accepted(&r, &options);
	send_fragment(0, FIRST_UNORDERED);
	send_fragment(1, UNORDERED);
	REQUIRE(delivered_bytes == 2 * FRAGMENT_BYTES);
	/* 2 is lost. */
	send_fragment(3, FIRST_UNORDERED);
	send_fragment(4, UNORDERED);
	packet_put32(body, RAW_TSN + 2);
	raw_begin(&r, &d);
	packet_add(&d, CHUNK_FORWARD_TSN, 8, body, sizeof(body));
	raw_send(&r, 0, &d);
	send_fragment(5, LAST_UNORDERED);
	*(size_t *)outcome = delivered_bytes;
	raw_close(&r);
}

static void what_waits_behind_it_is_delivered(void **state)
{
	size_t bytes = 0;

	(void)state;
	assert_int_equal(
	    isolate_ends_well(give_up_what_is_delivered_in_part, NULL, &bytes, sizeof(bytes), LIMIT_SECONDS),
	    CMT_TEST_FIXED);
	assert_int_equal(bytes, CMT_TEST_FIXED ? 5 * FRAGMENT_BYTES : 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(what_waits_behind_it_is_delivered)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
