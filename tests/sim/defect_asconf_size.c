/* SPDX-License-Identifier: BSD-3-Clause
 *
 * An application adds more addresses than one ASCONF can tell: upstream filled the chunk up to the path MTU,
 * and the headers around it came on top. Such a packet is too large for every path, however often it is sent.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "packets.h"
#include "support/isolate.h"
#include "support/raw.h"
#include "support/variant.h"

enum { ADDRESSES = 120, IPV4_HEADER_BYTES = 20 };

static struct raw r;
static const struct raw_options options = {.parameters = {RAW_TAKES_ASCONF},
                                           .parameters_bytes = RAW_TAKES_ASCONF_BYTES};

struct outcome {
	uint32_t mtu_bytes,
	    packet_bytes; /* of the path; of the largest packet with an ASCONF, and its IP header */
};

static void add_addresses(void)
{
	for (unsigned i = 0; i < ADDRESSES; i++) {
		struct sockaddr_in address = {.sin_family = AF_INET,
		                              .sin_port = htons(RAW_STACK_PORT),
		                              .sin_addr.s_addr = htonl(0x0a640001 + i)};

		REQUIRE(usrsctp_cmt_packets_add_address(cmt_packets_at(0), (struct sockaddr *)&address) == 0);
		REQUIRE(usrsctp_bindx(r.so, (struct sockaddr *)&address, 1, SCTP_BINDX_ADD_ADDR) == 0);
	}
}

/* They are told of when the association is up. */
static void tell_of_many_addresses(const void *job, void *outcome)
{
	struct outcome *o = outcome;
	struct sctp_status status;
	socklen_t status_bytes = sizeof(status);

	(void)job;
	raw_connect(&r, &options);
	add_addresses();
	if (!CMT_TEST_FIXED)
		(void)usleep(200000);
	raw_establish(&r);
	raw_run(&r, 100000);
	memset(&status, 0, sizeof(status));
	REQUIRE(usrsctp_getsockopt(r.so, IPPROTO_SCTP, SCTP_STATUS, &status, &status_bytes) == 0);
	o->mtu_bytes = status.sstat_primary.spinfo_mtu;
	for (unsigned i = 0; i < r.n_heard; i++) {
		struct chunk c;

		if (packet_find(r.heard[i].bytes, r.heard[i].len, CHUNK_ASCONF, &c) &&
		    r.heard[i].len + IPV4_HEADER_BYTES > o->packet_bytes)
			o->packet_bytes = (uint32_t)r.heard[i].len + IPV4_HEADER_BYTES;
	}
	raw_close(&r);
}

static void an_asconf_fits_its_path(void **state)
{
	struct outcome o;

	(void)state;
	/* Upstream leaves it to a thread, which may sleep on. */
	do
		isolate_run(tell_of_many_addresses, NULL, &o, sizeof(o));
	while (!CMT_TEST_FIXED && o.packet_bytes + 100 < o.mtu_bytes);
	printf("%u octets with the ASCONF, path MTU %u\n", o.packet_bytes, o.mtu_bytes);
	assert_true(o.packet_bytes > o.mtu_bytes - 100);
	assert_int_equal(o.packet_bytes <= o.mtu_bytes, CMT_TEST_FIXED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(an_asconf_fits_its_path)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
