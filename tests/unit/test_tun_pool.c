/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt-tun's prefixes, its pool of addresses, its messages. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "pool.h"
#include "prefix.h"
#include "tun_message.h"

static void prefixes_are_written_as_they_were_read(void **state)
{
	static const char *const texts[] = {"10.8.0.0/24", "0.0.0.0/0", "fd00:8::/64", "::/0",
	                                    "192.0.2.7/32"};
	char text[TUN_PREFIX_TEXT_BYTES];
	struct tun_prefix prefix;
	struct app_error error;

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		assert_int_equal(tun_prefix_parse(texts[i], true, &prefix, &error), 0);
		assert_string_equal(tun_prefix_text(&prefix, text), texts[i]);
	}
	assert_int_equal(tun_prefix_parse("192.0.2.7", true, &prefix, &error), 0);
	assert_int_equal(prefix.bits, 32);
}

static void what_is_no_prefix_is_refused_by_name(void **state)
{
	static const char *const texts[] = {
	    "",        "/",           "10.8.0.0/33", "10.8.0/24", "fd00::/129", "10.8.0.0/-1", "10.8.0.0/2x",
	    "host/24", "10.8.0.1/24", "fd00::1/64"};
	struct tun_prefix prefix;
	struct app_error error;

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		assert_int_equal(tun_prefix_parse(texts[i], true, &prefix, &error), -1);
		assert_non_null(strstr(error.text, texts[i]));
	}
	assert_int_equal(tun_prefix_parse("10.8.0.1/24", false, &prefix, &error), 0);
}

static void all_is_both_default_routes(void **state)
{
	struct tun_prefixes list = {.n = 0};
	struct app_error error;

	(void)state;
	assert_int_equal(tun_prefixes_add(&list, "10.0.0.0/8,all", &error), 0);
	assert_int_equal(list.n, 3);
	assert_int_equal(list.list[1].family, AF_INET);
	assert_int_equal(list.list[1].bits, 0);
	assert_int_equal(list.list[2].family, AF_INET6);
	assert_int_equal(tun_prefixes_add(&list, "10.0.0.0/8,", &error), -1);
}

static void clients_have_the_same_number_in_both_families(void **state)
{
	static struct tun_pool pool;
	char text[TUN_PREFIX_TEXT_BYTES];
	struct tun_prefix address;
	struct app_error error;

	(void)state;
	memset(&pool, 0, sizeof(pool));
	assert_int_equal(tun_pool_add(&pool, "10.8.0.0/21", &error), 0);
	assert_int_equal(tun_pool_add(&pool, "fd00:8::/64", &error), 0);
	assert_int_equal(tun_pool_add(&pool, "10.9.0.0/24", &error), -1);
	assert_int_equal(pool.last, 2046);
	assert_true(tun_pool_address(&pool, AF_INET, 258, &address));
	assert_string_equal(tun_prefix_text(&address, text), "10.8.1.2/21");
	assert_int_equal(tun_pool_number(&pool, AF_INET, address.address), 258);
	assert_true(tun_pool_address(&pool, AF_INET6, 258, &address));
	assert_string_equal(tun_prefix_text(&address, text), "fd00:8::102/64");
	assert_int_equal(tun_pool_number(&pool, AF_INET6, address.address), 258);
	address.address[9] = 1; /* the same last bytes */
	assert_int_equal(tun_pool_number(&pool, AF_INET6, address.address), 0);
	address.address[1] = 1;
	assert_int_equal(tun_pool_number(&pool, AF_INET6, address.address), 0);
}

static void addresses_are_handed_out_once(void **state)
{
	static struct tun_pool pool;
	struct app_error error;

	(void)state;
	memset(&pool, 0, sizeof(pool));
	assert_int_equal(tun_pool_add(&pool, "10.8.0.8/31", &error), -1);
	assert_int_equal(tun_pool_add(&pool, "10.8.0.8/29", &error), 0);
	assert_int_equal(tun_pool_take(&pool, 0), 2);
	assert_int_equal(tun_pool_take(&pool, 5), 5);
	assert_int_equal(tun_pool_take(&pool, 5), 3);
	assert_int_equal(tun_pool_take(&pool, TUN_POOL_SERVER), 4);
	assert_int_equal(tun_pool_take(&pool, 7), 6);
	assert_int_equal(tun_pool_take(&pool, 0), 0);
	tun_pool_give_back(&pool, 3);
	assert_int_equal(tun_pool_take(&pool, 5), 3);
}

static int decode(const char *json, struct tun_message *out)
{
	struct app_error error = {""};
	const int rc = tun_message_decode(json, strlen(json), out, &error);

	assert_true((rc == 0) == (error.text[0] == '\0'));
	return rc;
}

static void messages_survive_coding(void **state)
{
	struct tun_message m = {.type = TUN_WELCOME,
	                        .has = TUN_M_VERSION | TUN_M_ADDRESS4 | TUN_M_ADDRESS6 | TUN_M_ROUTES,
	                        .version = TUN_VERSION,
	                        .address4 = "10.8.0.2/24",
	                        .address6 = "fd00:8::2/64",
	                        .routes = "10.0.0.0/8,fd00::/8"},
	                   again;
	size_t len;
	char *const text = tun_message_encode(&m, &len);

	(void)state;
	assert_non_null(text);
	assert_int_equal(decode(text, &again), 0);
	assert_memory_equal(&m, &again, sizeof(m));
	free(text);
}

static void messages_that_cannot_be_are_refused(void **state)
{
	static const char *const texts[] = {
	    "",
	    "[]",
	    "{\"type\":\"hello\",\"version\":1}",
	    "{\"type\":\"welcome\",\"version\":1}",
	    "{\"type\":\"welcome\",\"version\":2,\"address4\":\"10.8.0.2/24\"}",
	    "{\"type\":\"welcome\",\"version\":1,\"address4\":\"fd00::2/24\"}",
	    "{\"type\":\"welcome\",\"version\":1,\"address6\":\"10.8.0.2/24\"}",
	    "{\"type\":\"welcome\",\"version\":1,\"address4\":\"10.8.0.2/7\"}",
	    "{\"type\":\"welcome\",\"version\":1,\"address4\":\"127.0.0.1/32\"}",
	    "{\"type\":\"welcome\",\"version\":1,\"address4\":\"169.254.0.1/32\"}",
	    "{\"type\":\"welcome\",\"version\":1,\"address4\":\"0.0.0.1/32\"}",
	    "{\"type\":\"welcome\",\"version\":1,\"address4\":\"224.0.0.1/32\"}",
	    "{\"type\":\"welcome\",\"version\":1,\"address4\":\"10.8.0.2/24\",\"address6\":\"fd00:8::2/15\"}",
	    "{\"type\":\"welcome\",\"version\":1,\"address6\":\"fe80::2/64\"}",
	    "{\"type\":\"welcome\",\"version\":1,\"address6\":\"ff02::2/64\"}",
	    "{\"type\":\"welcome\",\"version\":1,\"address6\":\"::1/128\"}",
	    "{\"type\":\"welcome\",\"version\":1,\"address4\":\"10.8.0.2/24\",\"routes\":\"10.0.0.1/8\"}",
	    "{\"type\":\"keep\",\"mtu\":1279}",
	    "{\"type\":\"keep\",\"mtu\":1300,\"token\":1}",
	    "{\"type\":\"hello\",\"version\":1,\"token\":-1}"};
	struct tun_message m;

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		assert_int_equal(decode(texts[i], &m), -1);
	}
	assert_int_equal(decode("{\"type\":\"keep\",\"mtu\":1300}", &m), 0);
}

static void loose_headers_survive_coding(void **state)
{
	const struct tun_loose loose = {.place = TUN_LOOSE_PLACES - 1, .number = 65535};
	uint8_t bytes[TUN_LOOSE_HEADER_BYTES + 1] = {0};
	struct tun_loose again;

	(void)state;
	tun_loose_encode(loose, bytes);
	assert_int_equal(tun_loose_decode(bytes, sizeof(bytes), &again), 0);
	assert_int_equal(again.place, loose.place);
	assert_int_equal(again.number, loose.number);
	assert_int_equal(tun_loose_decode(bytes, TUN_LOOSE_HEADER_BYTES, &again), -1);
	bytes[0] = 4;
	assert_int_equal(tun_loose_decode(bytes, sizeof(bytes), &again), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(prefixes_are_written_as_they_were_read),
	    cmocka_unit_test(what_is_no_prefix_is_refused_by_name),
	    cmocka_unit_test(all_is_both_default_routes),
	    cmocka_unit_test(clients_have_the_same_number_in_both_families),
	    cmocka_unit_test(addresses_are_handed_out_once),
	    cmocka_unit_test(messages_survive_coding),
	    cmocka_unit_test(messages_that_cannot_be_are_refused),
	    cmocka_unit_test(loose_headers_survive_coding),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
