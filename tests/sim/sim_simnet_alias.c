/* SPDX-License-Identifier: BSD-3-Clause
 *
 * An address that only the stack knows on the wire: the simulated network ends the process. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <arpa/inet.h>
#include <netinet/in.h>

#include "packets.h"
#include "support/isolate.h"
#include "support/pair.h"

/* Bound like one of ours, so that INIT lists it. */
static void bind_to(struct socket *so, int host, void *address)
{
	struct sockaddr_in sin = {.sin_family = AF_INET, .sin_port = htons(PAIR_CLIENT_PORT)};

	if (host != PAIR_CLIENT)
		return;
	REQUIRE(inet_pton(AF_INET, address, &sin.sin_addr) == 1);
	REQUIRE(usrsctp_cmt_packets_add_address(cmt_packets_at(0), (struct sockaddr *)&sin) == 0);
	REQUIRE(usrsctp_bindx(so, (struct sockaddr *)&sin, 1, SCTP_BINDX_ADD_ADDR) == 0);
}

static void connect_from(const void *address, void *outcome)
{
	static const struct usrsctp_cmt_sim_link link = {.rate_bps = 8000000, .delay_us = 10000};
	const struct pair_options o = {.seed = 1,
	                               .n_paths = 1,
	                               .forward = {link},
	                               .backward = {link},
	                               .bytes = 10000,
	                               .configure = bind_to,
	                               .arg = (void *)(uintptr_t)address};
	struct pair p;

	pair_open(&p, &o);
	pair_run(&p, 10000000);
	*(bool *)outcome = p.complete;
	pair_close(&p);
}

static void it_ends_the_process(void **state)
{
	bool complete;

	(void)state;
	assert_true(isolate_survives(connect_from, "10.9.0.1", &complete, sizeof(complete)));
	assert_true(complete);
	assert_false(isolate_survives(connect_from, "240.0.0.1", &complete, sizeof(complete)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(it_ends_the_process),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
