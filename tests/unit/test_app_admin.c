/* SPDX-License-Identifier: BSD-3-Clause
 *
 * --admin [ADDR:]PORT. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <netinet/in.h>
#include <stdio.h>
#include <string.h>

#include "net/addresses.h"
#include "options/transport_options.h"

static void a_port_alone_is_on_loopback(void **state)
{
	static const struct {
		const char *text, *address;
		uint16_t port;
	} right[] = {
	    {"9090", "127.0.0.1", 9090},       {"0", "127.0.0.1", 0},
	    {"localhost:80", "127.0.0.1", 80}, {"10.1.0.1:65535", "10.1.0.1", 65535},
	    {"[::1]:9090", "::1", 9090},       {"0.0.0.0:1", "0.0.0.0", 1},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(right) / sizeof(right[0]); i++) {
		struct app_transport t;
		struct app_error error;
		char text[APP_ADDRESS_TEXT_BYTES];

		app_transport_init(&t);
		assert_false(app_admin_wanted(&t.admin));
		assert_int_equal(app_transport_take(&t, APP_OPT_ADMIN, "admin", right[i].text, &error), 0);
		assert_true(app_admin_wanted(&t.admin));
		assert_string_equal(app_address_text(&t.admin.address, text, sizeof(text)), right[i].address);
		assert_int_equal(ntohs(((struct sockaddr_in *)&t.admin.address)->sin_port), right[i].port);
	}
}

static void what_is_neither_is_named(void **state)
{
	static const char *const wrong[] = {
	    "",       "x",         "65536", "-1",        "9090x",    "::1:9090",  "[::1]",
	    "[::1:1", "host:9090", ":9090", "10.0.0.1:", "1,2:9090", "[10::x]:1", "10.0.0.256:9090"};

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct app_admin admin = {.address = {.ss_family = AF_UNSPEC}};
		struct app_error error;
		char message[200];

		(void)snprintf(message, sizeof(message),
		               "--admin: \"%s\" is not [ADDR:]PORT; write 9090, 127.0.0.1:9090 or [::1]:9090",
		               wrong[i]);
		assert_int_equal(app_admin_parse(&admin, "--admin", wrong[i], &error), -1);
		assert_string_equal(error.text, message);
		assert_false(app_admin_wanted(&admin));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_port_alone_is_on_loopback),
	    cmocka_unit_test(what_is_neither_is_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
