/* SPDX-License-Identifier: BSD-3-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "ways.h"

enum { CALLS = 8 };

/* Addresses for one call each: "10.0.0.1" or "10.0.0.1:5", "fe80::1" or "fe80::1%2". */
static const struct sockaddr *at(const char *text)
{
	static union cmt_address addresses[CALLS];
	static unsigned next;
	union cmt_address *a = &addresses[next++ % CALLS];
	char address[64];
	unsigned number = 0;

	*a = (union cmt_address){.in.sin_port = 0};
	assert_true(sscanf(text, strchr(text, '.') ? "%63[^:]:%u" : "%63[^%]%%%u", address, &number) >= 1);
	if (inet_pton(AF_INET, address, &a->in.sin_addr) == 1) {
		a->in.sin_family = AF_INET;
		a->in.sin_port = htons((uint16_t)number);
	} else {
		assert_int_equal(inet_pton(AF_INET6, address, &a->in6.sin6_addr), 1);
		a->in6.sin6_family = AF_INET6;
		a->in6.sin6_scope_id = number;
	}
	return &a->any;
}

static void assert_way(const struct cmt_way *way, const char *local, const char *remote)
{
	assert_non_null(way);
	assert_true(cmt_address_equal(&way->local.any, at(local)));
	assert_true(cmt_address_equal(&way->remote.any, at(remote)));
}

static void addresses_are_equal_without_their_ports_and_with_their_scopes(void **state)
{
	(void)state;
	assert_true(cmt_address_equal(at("10.0.0.1:5"), at("10.0.0.1:6")));
	assert_false(cmt_address_equal(at("10.0.0.1"), at("10.0.0.2")));
	assert_false(cmt_address_equal(at("10.0.0.1"), at("::ffff:a00:1")));
	assert_true(cmt_address_equal(at("fe80::1%2"), at("fe80::1%2")));
	assert_false(cmt_address_equal(at("fe80::1%2"), at("fe80::1%3")));
	assert_true(cmt_address_equal(at("fe80::1%2"), at("fe80::1")));
	assert_false(cmt_address_equal(at("fe80::1"), at("fe80::2")));
}

static void the_first_one_to_an_address_is_its_route(void **state)
{
	struct cmt_ways ways = {.named = NULL};

	(void)state;
	assert_null(cmt_ways_to(&ways, at("10.0.0.9")));
	assert_int_equal(cmt_ways_add(&ways, at("10.0.0.1"), at("10.0.0.9:7"), 1400), 0);
	assert_int_equal(cmt_ways_add(&ways, at("10.0.0.2"), at("10.0.0.9"), 0), 0);
	assert_int_equal(cmt_ways_add(&ways, at("fe80::1%2"), at("fe80::9%2"), 0), 0);
	assert_way(cmt_ways_to(&ways, at("10.0.0.9:8")), "10.0.0.1", "10.0.0.9");
	assert_way(cmt_ways_to(&ways, at("fe80::9")), "fe80::1", "fe80::9");
	assert_way(cmt_ways_find(&ways, at("10.0.0.2"), at("10.0.0.9")), "10.0.0.2", "10.0.0.9");
	assert_int_equal(cmt_ways_find(&ways, at("10.0.0.1"), at("10.0.0.9"))->mtu_bytes, 1400);
	assert_null(cmt_ways_find(&ways, at("10.0.0.3"), at("10.0.0.9")));
	assert_null(cmt_ways_find(&ways, at("10.0.0.1"), at("10.0.0.8")));
	assert_int_equal(cmt_ways_add(&ways, at("10.0.0.1"), at("10.0.0.9"), 1300), 0);
	assert_int_equal(ways.n_named, 3);
	assert_int_equal(cmt_ways_find(&ways, at("10.0.0.1"), at("10.0.0.9"))->mtu_bytes, 1300);
	cmt_ways_free(&ways);
}

static void one_that_is_cut_leads_nowhere_until_it_is_added_again(void **state)
{
	struct cmt_ways ways = {.named = NULL};

	(void)state;
	assert_int_equal(cmt_ways_add(&ways, at("10.0.0.1"), at("10.0.0.9"), 0), 0);
	assert_int_equal(cmt_ways_add(&ways, at("10.0.0.2"), at("10.0.0.9"), 0), 0);
	assert_false(cmt_ways_is_cut(&ways, at("10.0.0.1"), at("10.0.0.9")));
	assert_int_equal(cmt_ways_cut(&ways, at("10.0.0.1"), at("10.0.0.9")), 0);
	assert_true(cmt_ways_is_cut(&ways, at("10.0.0.1"), at("10.0.0.9")));
	assert_false(cmt_ways_is_cut(&ways, at("10.0.0.2"), at("10.0.0.9")));
	assert_null(cmt_ways_find(&ways, at("10.0.0.1"), at("10.0.0.9")));
	assert_way(cmt_ways_to(&ways, at("10.0.0.9")), "10.0.0.2", "10.0.0.9");
	assert_int_equal(cmt_ways_cut(&ways, at("10.0.0.1"), at("10.0.0.9")), -1);
	assert_int_equal(errno, ENOENT);
	assert_int_equal(cmt_ways_add(&ways, at("10.0.0.1"), at("10.0.0.9"), 0), 0);
	assert_int_equal(ways.n_cut, 0);
	assert_false(cmt_ways_is_cut(&ways, at("10.0.0.1"), at("10.0.0.9")));
	assert_way(cmt_ways_find(&ways, at("10.0.0.1"), at("10.0.0.9")), "10.0.0.1", "10.0.0.9");
	assert_way(cmt_ways_to(&ways, at("10.0.0.9")), "10.0.0.2", "10.0.0.9"); /* now the first */
	cmt_ways_free(&ways);
}

static void one_on_which_a_peer_began_counts_where_none_is_named(void **state)
{
	struct cmt_ways ways = {.named = NULL};

	(void)state;
	cmt_ways_hear(&ways, at("10.0.0.1"), at("10.0.0.9:7"));
	cmt_ways_hear(&ways, at("10.0.0.2"), at("10.0.0.8"));
	assert_way(cmt_ways_to(&ways, at("10.0.0.9")), "10.0.0.1", "10.0.0.9");
	assert_way(cmt_ways_find(&ways, at("10.0.0.2"), at("10.0.0.8")), "10.0.0.2", "10.0.0.8");
	cmt_ways_hear(&ways, at("10.0.0.2"), at("10.0.0.9"));
	assert_way(cmt_ways_to(&ways, at("10.0.0.9")), "10.0.0.2", "10.0.0.9");
	assert_int_equal(ways.n_heard, 2);
	assert_int_equal(cmt_ways_add(&ways, at("10.0.0.3"), at("10.0.0.9"), 0), 0);
	assert_way(cmt_ways_to(&ways, at("10.0.0.9")), "10.0.0.3", "10.0.0.9");
	cmt_ways_hear(&ways, at("10.0.0.1"), at("10.0.0.9"));
	assert_way(cmt_ways_to(&ways, at("10.0.0.9")), "10.0.0.3", "10.0.0.9");
	cmt_ways_free(&ways);
}

static void a_heard_one_can_be_cut(void **state)
{
	struct cmt_ways ways = {.named = NULL};

	(void)state;
	cmt_ways_hear(&ways, at("10.0.0.1"), at("10.0.0.8"));
	cmt_ways_hear(&ways, at("10.0.0.1"), at("10.0.0.9"));
	assert_int_equal(cmt_ways_cut(&ways, at("10.0.0.1"), at("10.0.0.8")), 0);
	assert_true(cmt_ways_is_cut(&ways, at("10.0.0.1"), at("10.0.0.8")));
	assert_null(cmt_ways_to(&ways, at("10.0.0.8")));
	assert_way(cmt_ways_to(&ways, at("10.0.0.9")), "10.0.0.1", "10.0.0.9");
	cmt_ways_free(&ways);
}

static void one_that_nobody_named_can_be_cut(void **state)
{
	struct cmt_ways ways = {.named = NULL};

	(void)state;
	assert_int_equal(cmt_ways_cut(&ways, at("10.0.0.1"), at("10.0.0.9")), 0);
	assert_true(cmt_ways_is_cut(&ways, at("10.0.0.1"), at("10.0.0.9")));
	assert_false(cmt_ways_is_cut(&ways, at("10.0.0.2"), at("10.0.0.9")));
	cmt_ways_hear(&ways, at("10.0.0.2"), at("10.0.0.9"));
	assert_way(cmt_ways_to(&ways, at("10.0.0.9")), "10.0.0.2", "10.0.0.9");
	cmt_ways_free(&ways);
}

static const char *peer(unsigned i)
{
	static char text[32];

	(void)snprintf(text, sizeof(text), "10.1.0.%u", i);
	return text;
}

static void the_oldest_of_many_heard_ones_gives_way(void **state)
{
	struct cmt_ways ways = {.named = NULL};

	(void)state;
	for (unsigned i = 0; i < CMT_WAYS_HEARD + 2; i++)
		cmt_ways_hear(&ways, at("10.0.0.1"), at(peer(i)));
	assert_int_equal(ways.n_heard, CMT_WAYS_HEARD);
	assert_null(cmt_ways_to(&ways, at(peer(0))));
	assert_null(cmt_ways_to(&ways, at(peer(1))));
	for (unsigned i = 2; i < CMT_WAYS_HEARD + 2; i++)
		assert_way(cmt_ways_to(&ways, at(peer(i))), "10.0.0.1", peer(i));
	cmt_ways_free(&ways);
}

/* Those that lead somewhere stay. */
static void the_oldest_of_many_cut_ones_is_forgotten(void **state)
{
	struct cmt_ways ways = {.named = NULL};

	(void)state;
	assert_int_equal(cmt_ways_add(&ways, at("10.0.0.1"), at(peer(200)), 0), 0);
	for (unsigned i = 0; i < CMT_WAYS_CUT; i++)
		assert_int_equal(cmt_ways_add(&ways, at("10.0.0.1"), at(peer(i)), 0), 0);
	assert_int_equal(cmt_ways_add(&ways, at("10.0.0.1"), at(peer(201)), 0), 0);
	for (unsigned i = CMT_WAYS_CUT; i-- > 0;)
		assert_int_equal(cmt_ways_cut(&ways, at("10.0.0.1"), at(peer(i))), 0);
	assert_int_equal(cmt_ways_cut(&ways, at("10.0.0.1"), at(peer(202))), 0);
	assert_false(cmt_ways_is_cut(&ways, at("10.0.0.1"), at(peer(CMT_WAYS_CUT - 1))));
	for (unsigned i = 0; i < CMT_WAYS_CUT - 1; i++)
		assert_true(cmt_ways_is_cut(&ways, at("10.0.0.1"), at(peer(i))));
	assert_int_equal(ways.n_cut, CMT_WAYS_CUT);
	assert_int_equal(ways.n_named, CMT_WAYS_CUT + 2);
	assert_way(cmt_ways_to(&ways, at(peer(200))), "10.0.0.1", peer(200));
	assert_way(cmt_ways_to(&ways, at(peer(201))), "10.0.0.1", peer(201));
	cmt_ways_free(&ways);
}

static void a_local_address_that_goes_takes_its_ways_along(void **state)
{
	struct cmt_ways ways = {.named = NULL};

	(void)state;
	assert_int_equal(cmt_ways_add(&ways, at("10.0.0.1"), at("10.0.0.9"), 0), 0);
	assert_int_equal(cmt_ways_add(&ways, at("10.0.0.2"), at("10.0.0.9"), 0), 0);
	assert_int_equal(cmt_ways_add(&ways, at("10.0.0.1"), at("10.0.0.7"), 0), 0);
	cmt_ways_hear(&ways, at("10.0.0.1"), at("10.0.0.8"));
	assert_int_equal(cmt_ways_cut(&ways, at("10.0.0.1"), at("10.0.0.7")), 0);
	cmt_ways_forget(&ways, at("10.0.0.1"));
	assert_way(cmt_ways_to(&ways, at("10.0.0.9")), "10.0.0.2", "10.0.0.9");
	assert_null(cmt_ways_to(&ways, at("10.0.0.8")));
	assert_null(cmt_ways_find(&ways, at("10.0.0.1"), at("10.0.0.9")));
	assert_false(cmt_ways_is_cut(&ways, at("10.0.0.1"), at("10.0.0.7")));
	assert_int_equal(ways.n_cut, 0);
	cmt_ways_free(&ways);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(addresses_are_equal_without_their_ports_and_with_their_scopes),
	    cmocka_unit_test(the_first_one_to_an_address_is_its_route),
	    cmocka_unit_test(one_that_is_cut_leads_nowhere_until_it_is_added_again),
	    cmocka_unit_test(one_on_which_a_peer_began_counts_where_none_is_named),
	    cmocka_unit_test(a_heard_one_can_be_cut),
	    cmocka_unit_test(one_that_nobody_named_can_be_cut),
	    cmocka_unit_test(the_oldest_of_many_cut_ones_is_forgotten),
	    cmocka_unit_test(the_oldest_of_many_heard_ones_gives_way),
	    cmocka_unit_test(a_local_address_that_goes_takes_its_ways_along),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
