/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which program has a UDP port, asked for sockets of this one on loopback. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "net/port_holder.h"

struct bound {
	int fd;
	uint16_t port;
};

static struct bound bind_to(const char *address)
{
	const struct bound closed = {.fd = -1};
	struct app_addresses a = {.n = 0};
	struct app_error error;
	struct bound b;
	socklen_t len = sizeof(a.list[0]);

	assert_int_equal(app_addresses_add(&a, address, 0, false, &error), 0);
	b.fd = socket(a.list[0].ss_family, SOCK_DGRAM, 0);
	if (b.fd < 0 || bind(b.fd, (struct sockaddr *)&a.list[0], len) != 0) {
		return closed;
	}
	assert_int_equal(getsockname(b.fd, (struct sockaddr *)&a.list[0], &len), 0);
	b.port = ntohs(a.list[0].ss_family == AF_INET6 ? ((struct sockaddr_in6 *)&a.list[0])->sin6_port
	                                               : ((struct sockaddr_in *)&a.list[0])->sin_port);
	return b;
}

/* Whether this process is said to be in the way of `wanted`, "" for all addresses. */
static bool is_in_the_way(const struct bound *b, const char *wanted)
{
	struct app_addresses a = {.n = 0};
	struct app_error error;
	char text[100], self[40];

	if (*wanted != '\0') {
		assert_int_equal(app_addresses_add(&a, wanted, 0, false, &error), 0);
	}
	(void)snprintf(self, sizeof(self), "(process %d)", getpid());
	if (app_port_holder(&a, b->port, text, sizeof(text)) == NULL) {
		return false;
	}
	assert_non_null(strstr(text, self));
	return true;
}

static void an_address_is_taken_by_a_socket_on_it_and_by_one_on_all(void **state)
{
	struct bound one = bind_to("127.0.0.1"), all = bind_to("0.0.0.0");

	(void)state;
	assert_true(is_in_the_way(&one, "127.0.0.1"));
	assert_true(is_in_the_way(&one, "127.0.0.2,127.0.0.1"));
	assert_true(is_in_the_way(&one, ""));
	assert_true(is_in_the_way(&all, "127.0.0.2"));
	close(one.fd);
	close(all.fd);
}

static void a_socket_on_another_address_is_not_in_the_way(void **state)
{
	struct bound one = bind_to("127.0.0.1");

	(void)state;
	assert_false(is_in_the_way(&one, "127.0.0.2"));
	assert_false(is_in_the_way(&one, "::1"));
	close(one.fd);
}

static void addresses_of_ipv6_are_told_apart(void **state)
{
	struct bound one = bind_to("::1");

	(void)state;
	assert_true(one.fd >= 0);
	assert_true(is_in_the_way(&one, "::1"));
	assert_false(is_in_the_way(&one, "::2"));
	assert_false(is_in_the_way(&one, "127.0.0.1"));
	close(one.fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(an_address_is_taken_by_a_socket_on_it_and_by_one_on_all),
	    cmocka_unit_test(a_socket_on_another_address_is_not_in_the_way),
	    cmocka_unit_test(addresses_of_ipv6_are_told_apart),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
