/* SPDX-License-Identifier: BSD-3-Clause
 *
 * An ASCONF that the peer does not answer is sent again to the only address there is. Each time upstream gave
 * back a reference to that address which the ASCONF still held: it was freed while the association used it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "support/isolate.h"
#include "support/raw.h"
#include "support/variant.h"

enum { SILENCE_US = 20000000 };

static struct raw r;
static const struct raw_options options = {.parameters = {RAW_TAKES_ASCONF},
                                           .parameters_bytes = RAW_TAKES_ASCONF_BYTES};

struct outcome {
	unsigned requests; /* ASCONFs heard */
	bool alive;
};

static void ask_for_primary(void)
{
	struct sctp_setpeerprim request = {.sspp_assoc_id = SCTP_CURRENT_ASSOC};
	struct sockaddr_storage address;

	REQUIRE(usrsctp_cmt_sim_address(r.sim, 0, 0, RAW_STACK_PORT, &address) == 0);
	memcpy(&request.sspp_addr, &address, sizeof(struct sockaddr_in));
	REQUIRE(usrsctp_setsockopt(r.so, IPPROTO_SCTP, SCTP_SET_PEER_PRIMARY_ADDR, &request,
	                           sizeof(request)) == 0);
}

static void hear_no_answer(const void *job, void *outcome)
{
	struct outcome *o = outcome;

	(void)job;
	raw_connect(&r, &options);
	raw_establish(&r);
	ask_for_primary();
	raw_run(&r, SILENCE_US);
	o->requests = raw_count(&r, 0, CHUNK_ASCONF);
	o->alive = raw_alive(&r);
	raw_close(&r);
}

static void a_request_without_answer_keeps_its_address(void **state)
{
	struct outcome o;

	(void)state;
	assert_int_equal(isolate_survives(hear_no_answer, NULL, &o, sizeof(o)), CMT_TEST_FIXED);
	if (!CMT_TEST_FIXED)
		return;
	assert_in_range(o.requests, 3, 10);
	assert_true(o.alive);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(a_request_without_answer_keeps_its_address)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
