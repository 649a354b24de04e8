/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Inner packets of cmt-tun: what their headers say, MSS, marks, answers to those that are too big. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "inner/checksum.h"
#include "inner/mss_clamp.h"
#include "inner/packet.h"
#include "inner/segments.h"
#include "inner/too_big.h"

#define SYN_IPV4_BYTES 48u
#define SYN_IPV6_BYTES 68u

/* SYN with NOP, NOP, MSS 1460, NOP, NOP (or 1460 at an odd place), and a right checksum. */
static void put_tcp(uint8_t *tcp, const uint8_t *addresses, size_t address_bytes, bool odd)
{
	static const uint8_t even[8] = {1, 1, 2, 4, 0x05, 0xb4, 1, 1};
	static const uint8_t uneven[8] = {1, 2, 4, 0x05, 0xb4, 1, 1, 1};

	inner_put16(tcp, 40000);
	inner_put16(tcp + 2, 443);
	tcp[12] = 7 << 4;
	tcp[13] = 0x02;
	memcpy(tcp + 20, odd ? uneven : even, 8);
	inner_put16(tcp + 16, 0);
	inner_put16(tcp + 16,
	            inner_checksum(inner_sum(inner_sum(28 + INNER_TCP, addresses, address_bytes), tcp, 28)));
}

static bool tcp_is_right(const uint8_t *tcp, const uint8_t *addresses, size_t address_bytes)
{
	return inner_checksum(inner_sum(inner_sum(28 + INNER_TCP, addresses, address_bytes), tcp, 28)) == 0;
}

static void make_ipv4(uint8_t out[SYN_IPV4_BYTES], bool odd)
{
	static const uint8_t header[20] = {
	    0x45, 0xb8 | 1, 0, SYN_IPV4_BYTES, 0, 0, 0x40, 0, 64, INNER_TCP, 0, 0, 10, 8, 0, 2, 192, 0, 2, 7};

	memset(out, 0, SYN_IPV4_BYTES);
	memcpy(out, header, sizeof(header));
	inner_put16(out + 10, inner_checksum(inner_sum(0, out, 20)));
	put_tcp(out + 20, out + 12, 8, odd);
}

static void make_ipv6(uint8_t out[SYN_IPV6_BYTES])
{
	memset(out, 0, SYN_IPV6_BYTES);
	out[0] = 0x60;
	out[1] = 0x10; /* ECN-capable */
	inner_put16(out + 4, 28);
	out[6] = INNER_TCP;
	out[7] = 64;
	out[8] = 0xfd;
	out[23] = 2;
	out[24] = 0x20;
	out[39] = 7;
	put_tcp(out + 40, out + 8, 32, false);
}

static void headers_say_what_a_packet_is(void **state)
{
	uint8_t four[SYN_IPV4_BYTES], six[SYN_IPV6_BYTES];
	struct inner_packet p;

	(void)state;
	make_ipv4(four, false);
	assert_int_equal(inner_parse(four, sizeof(four), &p), 0);
	assert_int_equal(p.version, 4);
	assert_int_equal(p.protocol, INNER_TCP);
	assert_int_equal(p.ecn, 1);
	assert_true(p.dont_fragment);
	assert_false(p.fragment);
	assert_int_equal(p.transport_at, 20);
	assert_ptr_equal(p.destination, four + 16);
	make_ipv6(six);
	assert_int_equal(inner_parse(six, sizeof(six), &p), 0);
	assert_int_equal(p.version, 6);
	assert_int_equal(p.transport_at, 40);
	assert_int_equal(p.ecn, 1);
}

static void what_is_no_packet_is_refused(void **state)
{
	uint8_t four[SYN_IPV4_BYTES], six[SYN_IPV6_BYTES];
	struct inner_packet p;

	(void)state;
	make_ipv4(four, false);
	make_ipv6(six);
	assert_int_equal(inner_parse(four, 0, &p), -1);
	for (size_t len = 1; len < sizeof(four); len++) {
		assert_int_equal(inner_parse(four, len, &p), -1);
	}
	for (size_t len = 1; len < sizeof(six); len++) {
		assert_int_equal(inner_parse(six, len, &p), -1);
	}
	four[0] = 0x44; /* a header of 16 bytes */
	assert_int_equal(inner_parse(four, sizeof(four), &p), -1);
	four[0] = 0x75;
	assert_int_equal(inner_parse(four, sizeof(four), &p), -1);
	six[6] = 0; /* hop-by-hop options, longer than the packet */
	six[41] = 200;
	assert_int_equal(inner_parse(six, sizeof(six), &p), -1);
}

static void extension_headers_are_stepped_over(void **state)
{
	uint8_t bytes[SYN_IPV6_BYTES + 8], six[SYN_IPV6_BYTES];
	struct inner_packet p;

	(void)state;
	make_ipv6(six);
	memcpy(bytes, six, 40);
	memset(bytes + 40, 0, 8);
	memcpy(bytes + 48, six + 40, 28);
	bytes[6] = 60;
	bytes[40] = INNER_TCP;
	inner_put16(bytes + 4, 36);
	assert_int_equal(inner_parse(bytes, sizeof(bytes), &p), 0);
	assert_int_equal(p.protocol, INNER_TCP);
	assert_int_equal(p.transport_at, 48);
	/* A fragment that is not the first. */
	bytes[6] = 44;
	inner_put16(bytes + 42, 8 * 20);
	assert_int_equal(inner_parse(bytes, sizeof(bytes), &p), 0);
	assert_true(p.fragment);
	assert_false(inner_clamp_mss(bytes, &p, 1280));
}

static void flows_differ_by_addresses_ports_and_protocol(void **state)
{
	uint8_t a[SYN_IPV4_BYTES], b[SYN_IPV4_BYTES];
	struct inner_packet p, q;

	(void)state;
	make_ipv4(a, false);
	make_ipv4(b, true);
	b[30] = 9; /* in the TCP header, no port */
	assert_int_equal(inner_parse(a, sizeof(a), &p), 0);
	assert_int_equal(inner_parse(b, sizeof(b), &q), 0);
	assert_int_equal(inner_flow(a, &p), inner_flow(b, &q));
	b[21]++;
	assert_int_not_equal(inner_flow(a, &p), inner_flow(b, &q));
	b[21]--;
	b[19]++;
	assert_int_not_equal(inner_flow(a, &p), inner_flow(b, &q));
	b[19]--;
	q.protocol = INNER_UDP;
	assert_int_not_equal(inner_flow(a, &p), inner_flow(b, &q));
}

static void a_syn_is_told_of_the_tunnels_packets(void **state)
{
	uint8_t bytes[SYN_IPV6_BYTES];
	struct inner_packet p;

	(void)state;
	for (int odd = 0; odd <= 1; odd++) {
		make_ipv4(bytes, odd != 0);
		assert_int_equal(inner_parse(bytes, SYN_IPV4_BYTES, &p), 0);
		assert_true(tcp_is_right(bytes + 20, bytes + 12, 8));
		assert_true(inner_clamp_mss(bytes, &p, 1376));
		assert_int_equal(inner_get16(bytes + (odd ? 43 : 44)), 1376 - 40);
		assert_true(tcp_is_right(bytes + 20, bytes + 12, 8));
		assert_false(inner_clamp_mss(bytes, &p, 1376));
	}
	make_ipv6(bytes);
	assert_int_equal(inner_parse(bytes, sizeof(bytes), &p), 0);
	assert_true(inner_clamp_mss(bytes, &p, 1376));
	assert_int_equal(inner_get16(bytes + 64), 1376 - 60);
	assert_true(tcp_is_right(bytes + 40, bytes + 8, 32));
}

static void what_is_no_syn_or_has_broken_options_is_left_alone(void **state)
{
	uint8_t bytes[SYN_IPV4_BYTES];
	struct inner_packet p;

	(void)state;
	make_ipv4(bytes, false);
	assert_int_equal(inner_parse(bytes, sizeof(bytes), &p), 0);
	bytes[33] = 0x10;
	assert_false(inner_clamp_mss(bytes, &p, 1280));
	bytes[33] = 0x02;
	bytes[43] = 0; /* an option without a length */
	assert_false(inner_clamp_mss(bytes, &p, 1280));
	bytes[43] = 200;
	assert_false(inner_clamp_mss(bytes, &p, 1280));
	bytes[32] = 15 << 4; /* a header beyond the end */
	assert_false(inner_clamp_mss(bytes, &p, 1280));
}

static void congestion_is_marked_and_the_checksum_stays_right(void **state)
{
	uint8_t four[SYN_IPV4_BYTES], six[SYN_IPV6_BYTES];
	struct inner_packet p;

	(void)state;
	make_ipv4(four, false);
	assert_int_equal(inner_parse(four, sizeof(four), &p), 0);
	inner_mark_ce(four, &p);
	assert_int_equal(inner_parse(four, sizeof(four), &p), 0);
	assert_int_equal(p.ecn, 3);
	assert_int_equal(four[1] & 0xfc, 0xb8); /* DSCP is as it was */
	assert_int_equal(inner_checksum(inner_sum(0, four, 20)), 0);
	make_ipv6(six);
	assert_int_equal(inner_parse(six, sizeof(six), &p), 0);
	inner_mark_ce(six, &p);
	assert_int_equal(inner_parse(six, sizeof(six), &p), 0);
	assert_int_equal(p.ecn, 3);
}

static void ipv4_that_is_too_big_is_answered(void **state)
{
	uint8_t bytes[SYN_IPV4_BYTES], out[INNER_TOO_BIG_BYTES], none[INNER_TOO_BIG_BYTES];
	struct inner_packet p, answer;
	size_t len;

	(void)state;
	make_ipv4(bytes, false);
	assert_int_equal(inner_parse(bytes, sizeof(bytes), &p), 0);
	len = inner_too_big(bytes, &p, 1300, out);
	assert_int_equal(len, 20 + 8 + SYN_IPV4_BYTES);
	assert_int_equal(inner_parse(out, len, &answer), 0);
	assert_int_equal(answer.protocol, INNER_ICMP);
	assert_memory_equal(answer.destination, bytes + 12, 4);
	assert_memory_equal(answer.source, bytes + 16, 4);
	assert_int_equal(out[20], 3);
	assert_int_equal(out[21], 4);
	assert_int_equal(inner_get16(out + 26), 1300);
	assert_int_equal(inner_checksum(inner_sum(0, out, 20)), 0);
	assert_int_equal(inner_checksum(inner_sum(0, out + 20, len - 20)), 0);
	/* Errors are not answered, nor is what may be fragmented. */
	answer.dont_fragment = true;
	assert_int_equal(inner_too_big(out, &answer, 1300, none), 0);
	make_ipv4(bytes, false);
	bytes[6] = 0;
	assert_int_equal(inner_parse(bytes, sizeof(bytes), &p), 0);
	assert_int_equal(inner_too_big(bytes, &p, 1300, out), 0);
}

static void ipv6_that_is_too_big_is_answered(void **state)
{
	uint8_t bytes[1400] = {0}, out[INNER_TOO_BIG_BYTES];
	struct inner_packet p, answer;
	size_t len;

	(void)state;
	make_ipv6(bytes);
	inner_put16(bytes + 4, sizeof(bytes) - 40);
	assert_int_equal(inner_parse(bytes, sizeof(bytes), &p), 0);
	len = inner_too_big(bytes, &p, 1300, out);
	assert_int_equal(len, 1280);
	assert_int_equal(inner_parse(out, len, &answer), 0);
	assert_int_equal(answer.protocol, INNER_ICMPV6);
	assert_int_equal(out[40], 2);
	assert_int_equal(inner_get16(out + 46), 1300);
	assert_int_equal(inner_checksum(inner_sum(inner_sum((uint32_t)len - 40 + INNER_ICMPV6, out + 8, 32),
	                                          out + 40, len - 40)),
	                 0);
	bytes[8] = 0xff; /* from no single host */
	assert_int_equal(inner_too_big(bytes, &p, 1300, out), 0);
}

/* TCP over IPv6, 32 bytes of TCP header, `payload_bytes` of payload. */
static struct inner_packet make_joined(uint8_t *out, size_t payload_bytes)
{
	struct inner_packet p;

	memset(out, 0, 40 + 32 + payload_bytes);
	out[0] = 0x60;
	inner_put16(out + 4, (uint16_t)(32 + payload_bytes));
	out[6] = INNER_TCP;
	out[40 + 12] = 8 << 4;
	assert_int_equal(inner_parse(out, 40 + 32 + payload_bytes, &p), 0);
	return p;
}

static void a_packet_that_stands_for_several_is_as_large_as_the_largest_of_them(void **state)
{
	uint8_t bytes[5000];
	struct inner_packet p = make_joined(bytes, 4000);

	(void)state;
	assert_int_equal(inner_largest_bytes(&p), 4072);
	assert_int_equal(inner_set_segments(bytes, &p, 1304), 0);
	assert_int_equal(p.segment_bytes, 1304);
	assert_int_equal(p.headers_bytes, 72);
	assert_int_equal(inner_largest_bytes(&p), 1376);
}

static void what_does_not_stand_for_several_is_refused(void **state)
{
	uint8_t bytes[5000];
	struct inner_packet p = make_joined(bytes, 100);

	(void)state;
	assert_int_equal(inner_set_segments(bytes, &p, 0), -1);
	assert_int_equal(inner_set_segments(bytes, &p, INNER_LEAST_SEGMENT_BYTES - 1), -1);
	assert_int_equal(inner_set_segments(bytes, &p, 100), -1); /* for one */
	assert_int_equal(inner_set_segments(bytes, &p, UINT16_MAX), -1);
	assert_int_equal(p.segment_bytes, 0);
	assert_int_equal(inner_set_segments(bytes, &p, 99), 0);
	p = make_joined(bytes, 100);
	bytes[40 + 12] = 4 << 4; /* no TCP header is that short */
	assert_int_equal(inner_set_segments(bytes, &p, 60), -1);
	bytes[40 + 12] = 15 << 4;
	assert_int_equal(inner_set_segments(bytes, &p, 99), -1);
	bytes[40 + 12] = 8 << 4;
	bytes[6] = INNER_UDP;
	assert_int_equal(inner_parse(bytes, 172, &p), 0);
	assert_int_equal(inner_set_segments(bytes, &p, 60), -1);
	p = make_joined(bytes, 0);
	p.bytes = 50; /* no room for a TCP header */
	assert_int_equal(inner_set_segments(bytes, &p, 48), -1);
}

static void a_checksum_that_was_left_to_the_card_is_filled_in(void **state)
{
	uint8_t bytes[SYN_IPV6_BYTES];
	uint16_t right;

	(void)state;
	make_ipv6(bytes);
	right = inner_get16(bytes + 40 + INNER_TCP_CHECKSUM_AT);
	/* The pseudo-header alone, as kernels leave it. */
	inner_put16(bytes + 40 + INNER_TCP_CHECKSUM_AT,
	            (uint16_t)~inner_checksum(inner_sum(28 + INNER_TCP, bytes + 8, 32)));
	inner_complete_checksum(bytes, sizeof(bytes), 40, INNER_TCP_CHECKSUM_AT);
	assert_int_equal(inner_get16(bytes + 40 + INNER_TCP_CHECKSUM_AT), right);
	/* Never 0, which of UDP says that there is none. */
	memset(bytes, 0xff, sizeof(bytes));
	inner_put16(bytes + 6, 0);
	inner_complete_checksum(bytes, 16, 0, 6);
	assert_int_equal(inner_get16(bytes + 6), 0xffff);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(headers_say_what_a_packet_is),
	    cmocka_unit_test(what_is_no_packet_is_refused),
	    cmocka_unit_test(extension_headers_are_stepped_over),
	    cmocka_unit_test(flows_differ_by_addresses_ports_and_protocol),
	    cmocka_unit_test(a_syn_is_told_of_the_tunnels_packets),
	    cmocka_unit_test(what_is_no_syn_or_has_broken_options_is_left_alone),
	    cmocka_unit_test(congestion_is_marked_and_the_checksum_stays_right),
	    cmocka_unit_test(a_packet_that_stands_for_several_is_as_large_as_the_largest_of_them),
	    cmocka_unit_test(what_does_not_stand_for_several_is_refused),
	    cmocka_unit_test(a_checksum_that_was_left_to_the_card_is_filled_in),
	    cmocka_unit_test(ipv4_that_is_too_big_is_answered),
	    cmocka_unit_test(ipv6_that_is_too_big_is_answered),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
