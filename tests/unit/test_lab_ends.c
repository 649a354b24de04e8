/* SPDX-License-Identifier: BSD-3-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "scenario/ceiling.h"
#include "scenario/scenario.h"

static struct lab_scenario s;
static struct lab_error error;

static void load(const char *text)
{
	if (lab_scenario_load_inline(&s, text, &error) != 0) {
		fail_msg("%s", error.text);
	}
}

static void is_refused(const char *text, const char *why)
{
	assert_int_equal(lab_scenario_load_inline(&s, text, &error), -1);
	assert_string_equal(error.text, why);
}

#define TWO "8Mbit/10ms,4Mbit/20ms"

static void ends_and_nats_fill_every_field(void **state)
{
	(void)state;
	load("8Mbit/10ms/from_nat=home/from_absent=1s-2s,4Mbit/20ms/to=1/from_nat=phone,nat.home.timeout=30s,"
	     "nat.home.filtering=port,nat.phone.mapping=address,nat.phone.rebind=5s:address,udp=yes");
	assert_int_equal(s.n_nats, 2);
	assert_int_equal(lab_end_path(&s, 1, 1), 0);
	assert_int_equal(lab_end_path(&s, 1, 0), 1);
	assert_string_equal(s.nats[lab_end_nat(&s, 0, 0) - 1].name, "home");
	assert_string_equal(s.nats[lab_end_nat(&s, 1, 0) - 1].name, "phone");
	assert_int_equal(lab_end_nat(&s, 1, 1), 0);
	assert_int_equal(s.ends[0][0].absent_from_us, 1000000);
	assert_int_equal(s.ends[0][0].absent_until_us, 2000000);
	for (int i = 0; i < 2; i++) {
		const struct lab_nat *n = &s.nats[i];
		const bool home = strcmp(n->name, "home") == 0;

		assert_int_equal(n->config.timeout_us, home ? 30000000 : 0);
		assert_int_equal(n->config.filtering, home ? USRSCTP_CMT_SIM_NAT_ADDRESS_AND_PORT_DEPENDENT
		                                           : USRSCTP_CMT_SIM_NAT_ENDPOINT_INDEPENDENT);
		assert_int_equal(n->config.mapping, home ? USRSCTP_CMT_SIM_NAT_ENDPOINT_INDEPENDENT
		                                         : USRSCTP_CMT_SIM_NAT_ADDRESS_DEPENDENT);
		assert_int_equal(n->rebind_us, home ? 0 : 5000000);
		assert_int_equal(n->new_address, !home);
	}
	assert_false(lab_scenario_is_lossless(&s));
}

static void a_rebinding_or_a_lost_address_may_lose_packets(void **state)
{
	(void)state;
	load("8Mbit/10ms/from_nat=home,nat.home.timeout=30s");
	assert_true(lab_scenario_is_lossless(&s));
	load("8Mbit/10ms/from_nat=home,nat.home.rebind=5s");
	assert_false(lab_scenario_is_lossless(&s));
	load("8Mbit/10ms/to_absent=1s-2s");
	assert_false(lab_scenario_is_lossless(&s));
}

static void a_receiver_behind_a_nat_has_a_forwarded_port(void **state)
{
	(void)state;
	load("8Mbit/10ms/to_nat=office,nat.office.forward=9899");
	assert_int_equal(s.nats[0].forward, 9899);
	assert_int_equal(lab_end_nat(&s, 0, 1), 1);
	assert_true(lab_scenario_is_lossless(&s));
}

static void udp_takes_eight_bytes_of_each_packet(void **state)
{
	double plain_bps, udp_bps;

	(void)state;
	load("8Mbit/10ms,msg=1000");
	assert_false(lab_is_in_udp(&s));
	plain_bps = lab_path_ceiling_bps(&s, 0, false);
	load("8Mbit/10ms,msg=1000,udp=yes");
	assert_true(lab_is_in_udp(&s));
	udp_bps = lab_path_ceiling_bps(&s, 0, false);
	/* 1000 of 1048, and of 1056. */
	assert_true(plain_bps / udp_bps > 1056.0 / 1048.0 - 1e-6);
	assert_true(plain_bps / udp_bps < 1056.0 / 1048.0 + 1e-6);
	load("8Mbit/10ms/from_nat=home,msg=1000");
	assert_true(lab_is_in_udp(&s));
}

static void encryption_takes_28_bytes_of_each_packet(void **state)
{
	double plain_bps, encrypted_bps;

	(void)state;
	load("8Mbit/10ms,msg=1000,encrypt=no");
	assert_false(s.encrypted);
	plain_bps = lab_path_ceiling_bps(&s, 0, true);
	load("8Mbit/10ms,msg=1000,encrypt=yes");
	assert_true(s.encrypted);
	encrypted_bps = lab_path_ceiling_bps(&s, 0, true);
	/* 1000 of 1064, and of 1092. */
	assert_true(plain_bps / encrypted_bps > 1092.0 / 1064.0 - 1e-6);
	assert_true(plain_bps / encrypted_bps < 1092.0 / 1064.0 + 1e-6);
	/* Two messages of 706 bytes fit without, with 16 bytes of a time stamp; with encryption one. */
	load("8Mbit/10ms,msg=706");
	plain_bps = lab_path_ceiling_bps(&s, 0, true);
	load("8Mbit/10ms,msg=706,encrypt=yes");
	encrypted_bps = lab_path_ceiling_bps(&s, 0, true);
	assert_true(plain_bps / encrypted_bps > 2 * 800.0 / 1496.0 - 1e-6);
	assert_true(plain_bps / encrypted_bps < 2 * 800.0 / 1496.0 + 1e-6);
}

static void what_is_wrong_is_named(void **state)
{
	(void)state;
	is_refused(TWO "/to=2",
	           "inline scenario: path.2.to: \"2\" is not an earlier path; write its number, or own");
	is_refused(TWO "/to=1/from=1", "inline scenario: path.2: ends in the same two addresses as path.1; "
	                               "leave from or to out of one");
	is_refused(TWO "/from_absent=8s",
	           "inline scenario: path.2.from_absent: \"8s\" is not a time without the "
	           "address; write FROM-UNTIL as 3s-8s, or never");
	is_refused(
	    TWO "/to=1/to_absent=1s-2s",
	    "inline scenario: path.2: its address is that of path.1; write to_nat and to_absent there");
	is_refused(TWO ",nat.x.timeout=30s",
	           "inline scenario: nat.x: no path ends behind it; give a path the key "
	           "from_nat or to_nat");
	is_refused(TWO "/from_nat=x/to_nat=x",
	           "inline scenario: nat.x: a NAT is on one side; name another one for the other side");
	is_refused(TWO "/from_nat=x,nat.x.mapping=cone",
	           "inline scenario: nat.x.mapping: \"cone\" is not a kind of "
	           "NAT; write independent, address or port");
	is_refused(
	    TWO "/from_nat=x,nat.x.rebind=5s:port",
	    "inline scenario: nat.x.rebind: \"5s:port\" is not a rebinding; write its time, as 5s, with "
	    ":address appended if the NAT gets another address, too");
	is_refused(TWO "/from_nat=x,nat.x.timeout=0s",
	           "inline scenario: nat.x.timeout: \"0s\" is not a time; write "
	           "500us, 10ms or 1.5s, or none");
	is_refused(TWO "/to_nat=x,nat.x.forward=0",
	           "inline scenario: nat.x.forward: \"0\" is not a UDP port; write 1 to 65535");
	is_refused(TWO "/from_nat=x,nat.x.size=1",
	           "inline scenario: nat.x.size: no such key; there are mapping, "
	           "filtering, timeout, rebind, forward");
	is_refused(TWO "/from_nat=a b",
	           "inline scenario: path.2.from_nat: a NAT's name has 1 to 23 letters, digits, "
	           "- or _");
	is_refused(TWO ",nat.home=1", "inline scenario: nat.home: write nat.NAME.KEY, as nat.home.timeout");
	is_refused(TWO "/from_nat=a,nat.b.forward=1,nat.c.forward=1,nat.d.forward=1,nat.e.forward=1",
	           "inline scenario: path.2.from_nat: too many NATs; at most 4");
	is_refused(TWO ",udp=perhaps", "inline scenario: udp: \"perhaps\" is not a choice; write yes or no");
	is_refused(TWO ",encrypt=aes", "inline scenario: encrypt: \"aes\" is not a choice; write yes or no");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(ends_and_nats_fill_every_field),
	    cmocka_unit_test(a_rebinding_or_a_lost_address_may_lose_packets),
	    cmocka_unit_test(a_receiver_behind_a_nat_has_a_forwarded_port),
	    cmocka_unit_test(udp_takes_eight_bytes_of_each_packet),
	    cmocka_unit_test(encryption_takes_28_bytes_of_each_packet),
	    cmocka_unit_test(what_is_wrong_is_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
