/* SPDX-License-Identifier: BSD-3-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>

#include "alias.h"

/* A packet that is put together piece by piece; lengths are the test's. */
struct packet {
	uint8_t bytes[256];
	size_t len;
};

static void put(struct packet *p, const uint8_t *bytes, size_t len)
{
	memcpy(p->bytes + p->len, bytes, len);
	p->len += len;
}

#define PUT(p, ...) put((p), (const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__}))

static struct packet header(void)
{
	return (struct packet){.len = 12};
}

/* `fixed` bytes behind the head of a chunk that is `len` bytes long. */
static void begin_chunk(struct packet *p, uint8_t type, uint8_t len, size_t fixed)
{
	PUT(p, type, 0, 0, len);
	p->len += fixed;
}

#define IPV4_ALIAS 0, 5, 0, 8, 240, 0, 0, 1
#define IPV4_OTHER 0, 5, 0, 8, 10, 1, 0, 1
#define IPV6_ALIAS 0, 6, 0, 20, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7

static void an_alias_in_init_is_seen_behind_other_parameters(void **state)
{
	struct packet p = header();

	(void)state;
	begin_chunk(&p, 1, 20 + 8 + 8 + 8, 16);
	PUT(&p, 0x80, 8, 0, 6, 0xc1, 0x80, 0, 0); /* supported extensions, padded */
	PUT(&p, IPV4_OTHER);
	assert_null(simnet_shows_alias(p.bytes, p.len + 8));
	PUT(&p, IPV4_ALIAS);
	assert_string_equal(simnet_shows_alias(p.bytes, p.len), "an address parameter of INIT");
}

static void an_alias_in_init_ack_is_seen(void **state)
{
	struct packet p = header();

	(void)state;
	begin_chunk(&p, 2, 20 + 20, 16);
	PUT(&p, IPV6_ALIAS);
	assert_string_equal(simnet_shows_alias(p.bytes, p.len), "an address parameter of INIT ACK");
}

static void an_alias_in_asconf_is_seen_in_front_and_in_requests(void **state)
{
	struct packet front = header(), request = header(), answer = header();

	(void)state;
	begin_chunk(&front, 0xc1, 8 + 8, 4);
	PUT(&front, IPV4_ALIAS);
	assert_string_equal(simnet_shows_alias(front.bytes, front.len), "an address parameter of ASCONF");
	begin_chunk(&request, 0xc1, 8 + 8 + 28, 4);
	PUT(&request, IPV4_OTHER);
	PUT(&request, 0xc0, 1, 0, 28, 0, 0, 0, 1, IPV6_ALIAS);
	assert_string_equal(simnet_shows_alias(request.bytes, request.len), "an address parameter of ASCONF");
	begin_chunk(&answer, 0x80, 8 + 16, 4);
	PUT(&answer, 0xc0, 2, 0, 16, 0, 0, 0, 1, IPV4_ALIAS);
	assert_string_equal(simnet_shows_alias(answer.bytes, answer.len),
	                    "an address parameter of ASCONF ACK");
}

static void a_bundled_chunk_is_looked_at(void **state)
{
	struct packet p = header();

	(void)state;
	begin_chunk(&p, 0x0f, 9, 8); /* AUTH, padded to 12 */
	begin_chunk(&p, 0xc1, 8 + 8, 4);
	PUT(&p, IPV4_ALIAS);
	assert_non_null(simnet_shows_alias(p.bytes, p.len));
}

static void the_same_bytes_elsewhere_are_no_address(void **state)
{
	struct packet data = header(), cookie = header();

	(void)state;
	begin_chunk(&data, 0, 20 + 8, 16);
	PUT(&data, IPV4_ALIAS);
	assert_null(simnet_shows_alias(data.bytes, data.len));
	begin_chunk(&cookie, 2, 20 + 12, 16);
	PUT(&cookie, 0, 7, 0, 12, IPV4_ALIAS);
	assert_null(simnet_shows_alias(cookie.bytes, cookie.len));
}

/* Under AddressSanitizer reading past the end fails. */
static void no_length_makes_it_read_past_the_end(void **state)
{
	struct packet whole = header();

	(void)state;
	begin_chunk(&whole, 0xc1, 8 + 8 + 16, 4);
	PUT(&whole, IPV4_OTHER);
	PUT(&whole, 0xc0, 1, 0, 16, 0, 0, 0, 1, IPV4_ALIAS);
	for (size_t len = 0; len <= whole.len; len++) {
		for (size_t at = 12; at + 1 < len; at += 2) {
			for (unsigned value = 0; value < 64; value++) {
				uint8_t *copy = test_malloc(len);

				memcpy(copy, whole.bytes, len);
				copy[at] = 0;
				copy[at + 1] = (uint8_t)value;
				(void)simnet_shows_alias(copy, len);
				test_free(copy);
			}
		}
		(void)simnet_shows_alias(whole.bytes, len);
	}
}

static void only_the_two_blocks_are_aliases(void **state)
{
	static const struct {
		const char *text;
		bool alias;
	} cases[] = {{"240.0.0.0", true},        {"255.255.255.254", true}, {"255.255.255.255", false},
	             {"239.255.255.255", false}, {"10.1.0.1", false},       {"100::", true},
	             {"100::ffff:1", true},      {"100:0:0:1::", false},    {"2001:db8::1", false}};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct sockaddr_in v4 = {.sin_family = AF_INET};
		struct sockaddr_in6 v6 = {.sin6_family = AF_INET6};
		const bool six = inet_pton(AF_INET6, cases[i].text, &v6.sin6_addr) == 1;

		assert_true(six || inet_pton(AF_INET, cases[i].text, &v4.sin_addr) == 1);
		print_message("%s\n", cases[i].text);
		assert_int_equal(simnet_is_alias(six ? (struct sockaddr *)&v6 : (struct sockaddr *)&v4),
		                 cases[i].alias);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(an_alias_in_init_is_seen_behind_other_parameters),
	    cmocka_unit_test(an_alias_in_init_ack_is_seen),
	    cmocka_unit_test(an_alias_in_asconf_is_seen_in_front_and_in_requests),
	    cmocka_unit_test(a_bundled_chunk_is_looked_at),
	    cmocka_unit_test(the_same_bytes_elsewhere_are_no_address),
	    cmocka_unit_test(only_the_two_blocks_are_aliases),
	    cmocka_unit_test(no_length_makes_it_read_past_the_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
