/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The applications' addresses, messages and transport options. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <netinet/in.h>
#include <string.h>

#include "options/transport_options.h"

static void addresses_come_in_lists_of_both_families(void **state)
{
	struct app_addresses a = {.n = 0};
	struct app_error error;
	char text[200];

	(void)state;
	assert_int_equal(app_addresses_add(&a, "127.0.1.1,[::1],127.0.1.1", 5001, false, &error), 0);
	assert_string_equal(app_addresses_text(&a, text, sizeof(text)), "127.0.1.1, ::1");
	assert_int_equal(ntohs(((struct sockaddr_in *)&a.list[0])->sin_port), 5001);
	assert_int_equal(ntohs(((struct sockaddr_in6 *)&a.list[1])->sin6_port), 5001);
}

static void what_is_no_address_is_named(void **state)
{
	static const struct {
		const char *text, *message;
	} wrong[] = {
	    {"", "\"\" is not an IP address; write 192.0.2.1 or fd00::1"},
	    {"10.0.0.1,", "\"\" is not an IP address; write 192.0.2.1 or fd00::1"},
	    {"10.0.0.256", "\"10.0.0.256\" is not an IP address; write 192.0.2.1 or fd00::1"},
	    {"fe80::1", "\"fe80::1\" is a link-local address; add its interface, as in fe80::1%eth0"},
	    {"fe80::1%nowhere", "\"fe80::1%nowhere\": this host has no interface \"nowhere\""},
	    {"10.0.0.1,[fe80::1%]", "\"fe80::1%\": this host has no interface \"\""},
	    {"localhost", "\"localhost\" is not an IP address; write 192.0.2.1 or fd00::1"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct app_addresses a = {.n = 0};
		struct app_error error;

		assert_int_equal(app_addresses_add(&a, wrong[i].text, 1, false, &error), -1);
		assert_string_equal(error.text, wrong[i].message);
	}
}

static void ports_stand_behind_addresses(void **state)
{
	static const struct {
		const char *text;
		uint16_t port;
		const char *addresses;
	} right[] = {
	    {"10.1.0.1", 0, "10.1.0.1"},
	    {"10.1.0.1:9899", 9899, "10.1.0.1"},
	    {"10.1.0.1,10.2.0.1:1", 1, "10.1.0.1, 10.2.0.1"},
	    {"10.1.0.1:65535,10.2.0.1:65535", 65535, "10.1.0.1, 10.2.0.1"},
	    {"[fd00::1]:7,10.2.0.1", 7, "fd00::1, 10.2.0.1"},
	    {"[fe80::1%lo]:9899", 9899, "fe80::1%lo"},
	    {"fd00::1:9899", 0, "fd00::1:9899"}, /* an address of its own */
	    {"::1", 0, "::1"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(right) / sizeof(right[0]); i++) {
		struct app_addresses a = {.n = 0};
		struct app_error error;
		char text[200];
		uint16_t port = 77;

		assert_int_equal(app_addresses_port(right[i].text, &port, &error), 0);
		assert_int_equal(port, right[i].port);
		assert_int_equal(app_addresses_add(&a, right[i].text, 5001, false, &error), 0);
		assert_string_equal(app_addresses_text(&a, text, sizeof(text)), right[i].addresses);
		assert_int_equal(ntohs(((struct sockaddr_in *)&a.list[0])->sin_port), 5001);
	}
}

static void what_is_no_port_is_named(void **state)
{
	static const char *const wrong[] = {
	    "10.1.0.1:", "10.1.0.1:65536", "10.1.0.1:-1",   "10.1.0.1:9899x",
	    "[::1]:",    "10.1.0.1: 1",    "10.1.0.1:0x10", "10.1.0.1:1,b:99999999999999999999"};
	struct app_error error;
	uint16_t port = 77;

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		assert_int_equal(app_addresses_port(wrong[i], &port, &error), -1);
		assert_non_null(strstr(error.text, "is not a port; write 1 to 65535"));
	}
	assert_int_equal(app_addresses_port("a:1,b:2", &port, &error), -1);
	assert_string_equal(error.text,
	                    "ports 1 and 2 differ; all addresses share one port, which is given once");
	assert_int_equal(port, 77);
}

struct written {
	int code;
	const char *value;
};

/* As a command line: `options` end with value NULL. */
static int complete(struct app_transport *t, const struct written *options, bool listens,
                    struct app_error *error)
{
	app_transport_init(t);
	t->port = t->server_udp_port = 5201;
	for (; options->value != NULL; options++) {
		assert_int_equal(app_transport_take(t, options->code, "option", options->value, error), 0);
	}
	return app_transport_complete(t, listens, error);
}

static void a_port_behind_an_address_is_the_udp_port_unless_that_is_named_or_absent(void **state)
{
	static const struct {
		struct written options[4];
		bool listens;
		uint16_t port, udp_port, peer_udp_port;
	} cases[] = {
	    {{{0, NULL}}, true, 5201, 5201, 5201},
	    {{{0, NULL}}, false, 5201, 0, 5201},
	    {{{APP_OPT_UDP_PORT, "0"}}, true, 5201, 0, 5201},
	    {{{APP_OPT_BIND, "any:7"}}, true, 5201, 7, 5201},
	    {{{APP_OPT_BIND, "127.0.0.1:7"}, {APP_OPT_RAW, ""}}, true, 7, 5201, 5201},
	    {{{APP_OPT_BIND, "127.0.0.1:7"}, {APP_OPT_UDP_PORT, "8"}}, true, 7, 8, 5201},
	    {{{APP_OPT_BIND, "127.0.0.1:7"}}, false, 5201, 7, 5201},
	    {{{APP_OPT_CONNECT, "10.1.0.1:7"}}, false, 5201, 0, 7},
	    {{{APP_OPT_CONNECT, "10.1.0.1:7"}, {APP_OPT_PEER_UDP_PORT, "8"}}, false, 7, 0, 8},
	    {{{APP_OPT_RAW, ""}, {APP_OPT_CONNECT, "10.1.0.1:7"}}, false, 7, 0, 5201},
	};
	struct app_transport t;
	struct app_error error;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_int_equal(complete(&t, cases[i].options, cases[i].listens, &error), 0);
		assert_int_equal(t.port, cases[i].port);
		assert_int_equal(t.udp_port, cases[i].udp_port);
		assert_int_equal(t.peer_udp_port, cases[i].peer_udp_port);
	}
	assert_int_equal(complete(&t,
	                          (const struct written[]){{APP_OPT_CONNECT, "10.1.0.1:7"},
	                                                   {APP_OPT_PEER_UDP_PORT, "8"},
	                                                   {APP_OPT_PORT, "9"},
	                                                   {0, NULL}},
	                          false, &error),
	                 -1);
	assert_string_equal(error.text, "--connect: port 7, but --port 9; write only one of them");
	assert_int_equal(complete(&t,
	                          (const struct written[]){
	                              {APP_OPT_BIND, "10.1.0.1:7"}, {APP_OPT_UDP_PORT, "8"}, {0, NULL}},
	                          false, &error),
	                 -1);
	assert_string_equal(error.text, "--bind: port 7 has no meaning with --udp-port; leave it out");
}

static void servers_listen_on_loopback_unless_told_otherwise(void **state)
{
	struct app_transport t;
	struct app_error error;
	char text[64];

	(void)state;
	assert_int_equal(complete(&t, (const struct written[]){{0, NULL}}, true, &error), 0);
	assert_string_equal(app_addresses_text(&t.bind, text, sizeof(text)), "127.0.0.1");
	assert_int_equal(
	    complete(&t, (const struct written[]){{APP_OPT_BIND, "any"}, {0, NULL}}, true, &error), 0);
	assert_int_equal(t.bind.n, 0);
	assert_int_equal(complete(&t, (const struct written[]){{0, NULL}}, false, &error), 0);
	assert_int_equal(t.bind.n, 0);
}

static void more_addresses_than_fit_are_refused(void **state)
{
	struct app_addresses a = {.n = 0};
	struct app_error error;

	(void)state;
	assert_int_equal(app_addresses_add(&a,
	                                   "1.0.0.1,1.0.0.2,1.0.0.3,1.0.0.4,1.0.0.5,1.0.0.6,1.0.0.7,1.0.0.8",
	                                   1, false, &error),
	                 0);
	assert_int_equal(app_addresses_add(&a,
	                                   "2.0.0.1,2.0.0.2,2.0.0.3,2.0.0.4,2.0.0.5,2.0.0.6,2.0.0.7,2.0.0.8",
	                                   1, false, &error),
	                 0);
	assert_int_equal(app_addresses_add(&a, "3.0.0.1", 1, false, &error), -1);
	assert_string_equal(error.text, "\"3.0.0.1\": one address too many; at most 16");
}

static void a_peers_words_cannot_steer_the_terminal(void **state)
{
	char out[64];

	(void)state;
	assert_string_equal(app_printable("a\033[2Jb\n\xc2\x9b\xff \xc3\xa4", out, sizeof(out)),
	                    "a\\x1b[2Jb\\x0a\\xc2\\x9b\\xff \xc3\xa4");
	assert_string_equal(app_printable("abcdefgh", out, 5), "abcd");
	assert_string_equal(app_printable("abc\x01", out, 6), "abc");
	assert_string_equal(app_printable("cut \xe2\x82", out, sizeof(out)), "cut \\xe2\\x82");
}

static void options_fill_the_configuration(void **state)
{
	struct app_transport t;
	struct app_error error;
	struct usrsctp_cmt_conn_config config;

	(void)state;
	app_transport_init(&t);
	assert_int_equal(
	    app_transport_take(&t, APP_OPT_SCHED, "sched", "lcm:queue_us=200,quantum_us=500", &error), 0);
	assert_int_equal(app_transport_take(&t, APP_OPT_SNDBUF, "sndbuf", "50kB", &error), 0);
	assert_int_equal(app_transport_take(&t, APP_OPT_PEER_UDP_PORT, "peer-udp-port", "1234", &error), 0);
	assert_int_equal(app_transport_take(&t, APP_OPT_CC, "cc", "linked:hystart=0", &error), 0);
	config = app_transport_conn_config(&t);
	assert_string_equal(config.scheduler, "lcm");
	assert_string_equal(config.scheduler_options, "queue_us=200,quantum_us=500");
	assert_string_equal(config.cc, "linked");
	assert_string_equal(config.cc_options, "hystart=0");
	assert_int_equal(config.sndbuf_bytes, 50000);
	assert_int_equal(config.rcvbuf_bytes, 1 << 20);
	assert_int_equal(config.peer_udp_port, 1234);
}

static void wrong_values_are_named_with_the_accepted_form(void **state)
{
	static const struct {
		int code;
		const char *name, *value, *message;
	} wrong[] = {
	    {APP_OPT_PORT, "port", "0", "--port: \"0\" is not a port; write 1 to 65535"},
	    {APP_OPT_UDP_PORT, "udp-port", "65536",
	     "--udp-port: \"65536\" is not a port; write 0 (any) to 65535"},
	    {APP_OPT_CC, "cc", "cubic:a=1",
	     "--cc: \"cubic\" is not a congestion control; write one of default, veno, uncoupled, coupled, "},
	    {APP_OPT_CC, "cc", "linked:", "--cc: \"linked:\" is not NAME[:KEY=VALUE,..]"},
	    {APP_OPT_CC, "cc", "linked:speed=1",
	     "--cc: linked has no option \"speed\"; it has hystart, pacing, queue_us"},
	    {APP_OPT_CC, "cc", "linked:queue_us=5,pacing=2",
	     "--cc: pacing of linked must be a whole number from 0 to 1, not \"2\""},
	    {APP_OPT_SCHED, "sched", "rr:x=1", "--sched: rr has no option \"x\"; it has none"},
	    {APP_OPT_SCHED, "sched", "single:queue_us=1",
	     "--sched: single has no option \"queue_us\"; it has none"},
	    {APP_OPT_SCHED, "sched", "osia:queue=1",
	     "--sched: osia has no option \"queue\"; it has random, seed, merge_us, drift_us, rate_part, "
	     "dupacks, "
	     "queue_us, queue_pkts"},
	    {APP_OPT_SCHED, "sched", "osia:merge_us=0",
	     "--sched: merge_us of osia must be a whole number from 1 to 1000000, not \"0\""},
	    {APP_OPT_SCHED, "sched", "lcm:queue_us=1ms,quantum_us=100",
	     "--sched: queue_us of lcm must be a whole number from 0 to 10000000, not \"1ms\""},
	    {APP_OPT_SCHED, "sched", "lcm:queue_us",
	     "--sched: queue_us of lcm must be a whole number from 0 to 10000000, not \"\""},
	    {APP_OPT_SCHED, "sched", "lcm:queue_us=99999999999999999999",
	     "--sched: queue_us of lcm must be a whole number from 0 to 10000000, not "
	     "\"99999999999999999999\""},
	    {APP_OPT_SCHED, "sched", "lcm:,queue_us=1",
	     "--sched: lcm has no option \"\"; it has quantum_us, "},
	    {APP_OPT_SCHED, "sched", "fast",
	     "--sched: \"fast\" is not a scheduler; write one of single, stock, "},
	    {APP_OPT_MTU, "mtu", "70000", "--mtu: \"70000\" is not a packet size; write 576 to 65535"},
	    {APP_OPT_SNDBUF, "sndbuf", "50q",
	     "--sndbuf: \"50q\" is not a size; write 1400, 50kB, 64KiB or 5M"},
	    {APP_OPT_SNDBUF, "sndbuf", "2G", "--sndbuf: \"2G\" is out of range; write 4096 to 1GiB"},
	    {APP_OPT_MSG, "msg", "0", "--msg: \"0\" is out of range; write 1 to 262144"},
	    {APP_OPT_MSG, "msg", "262145", "--msg: \"262145\" is out of range; write 1 to 262144"},
	    {APP_OPT_BIND, "bind", "any:x", "--bind: \"any:x\": \"x\" is not a port; write 1 to 65535"},
	    {APP_OPT_CONNECT, "connect", "h:0", "--connect: \"0\" is not a port; write 1 to 65535"},
	    {APP_OPT_RCVBUF, "rcvbuf", "1", "--rcvbuf: \"1\" is out of range; write 4096 to 1GiB"},
	    {APP_OPT_BIND, "bind", "eth0",
	     "--bind: \"eth0\" is not an IP address; write 192.0.2.1 or fd00::1"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct app_transport t;
		struct app_error error;

		app_transport_init(&t);
		assert_int_equal(app_transport_take(&t, wrong[i].code, wrong[i].name, wrong[i].value, &error),
		                 -1);
		/* The list of schedulers may grow. */
		assert_memory_equal(error.text, wrong[i].message, strlen(wrong[i].message));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(addresses_come_in_lists_of_both_families),
	    cmocka_unit_test(what_is_no_address_is_named),
	    cmocka_unit_test(ports_stand_behind_addresses),
	    cmocka_unit_test(what_is_no_port_is_named),
	    cmocka_unit_test(a_port_behind_an_address_is_the_udp_port_unless_that_is_named_or_absent),
	    cmocka_unit_test(servers_listen_on_loopback_unless_told_otherwise),
	    cmocka_unit_test(more_addresses_than_fit_are_refused),
	    cmocka_unit_test(a_peers_words_cannot_steer_the_terminal),
	    cmocka_unit_test(options_fill_the_configuration),
	    cmocka_unit_test(wrong_values_are_named_with_the_accepted_form),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
