/* SPDX-License-Identifier: BSD-3-Clause
 *
 * An address of a listening host goes and comes back: the socket that listens and those that it accepted are
 * bound to it again, whoever asks first. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/isolate.h"
#include "support/raw.h"
#include "support/variant.h"

/* Upstream's thread for addresses is now and then quick enough to hide it. */
enum { SOON_US = 1000, ATTEMPTS = 8 };

static struct raw r;
static const struct raw_options options = {
    .n_paths = 2, .parameters = {RAW_ADDRESS(0), RAW_ADDRESS(1)}, .parameters_bytes = 16};

struct outcome {
	bool first, second; /* bound again */
	bool alive, accepts;
};

static bool change(struct socket *so, int flags)
{
	struct sockaddr_storage address;

	REQUIRE(usrsctp_cmt_sim_address(r.sim, 0, 1, RAW_STACK_PORT, &address) == 0);
	return usrsctp_bindx(so, (struct sockaddr *)&address, 1, flags) == 0;
}

/* A stranger's INIT there is answered by INIT-ACK, not by ABORT. */
static bool accepts_there(void)
{
	struct packet_draft d;
	unsigned since = r.n_heard;

	packet_begin(&d, RAW_PEER_PORT + 1, RAW_STACK_PORT, 0);
	raw_add_init(&r, &d, CHUNK_INIT, NULL, 0);
	raw_send(&r, 1, &d);
	raw_run(&r, SOON_US);
	return raw_count(&r, since, CHUNK_INIT_ACK) == 1;
}

static void come_back(const void *job, void *outcome)
{
	const bool listener_first = *(const bool *)job;
	struct outcome *o = outcome;
	struct socket *first, *second;

	raw_accepted(&r, &options);
	first = listener_first ? r.listener : r.so;
	second = listener_first ? r.so : r.listener;
	REQUIRE(change(first, SCTP_BINDX_REM_ADDR) && change(second, SCTP_BINDX_REM_ADDR));
	raw_run(&r, SOON_US);
	o->first = change(first, SCTP_BINDX_ADD_ADDR);
	o->second = change(second, SCTP_BINDX_ADD_ADDR);
	/* Once more changes nothing. */
	REQUIRE(!CMT_TEST_FIXED ||
	        (change(first, SCTP_BINDX_ADD_ADDR) && change(second, SCTP_BINDX_ADD_ADDR)));
	o->alive = raw_alive(&r);
	o->accepts = accepts_there();
	raw_close(&r);
}

static void listener_and_accepted_sockets_share_an_address_that_comes_back(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		const bool listener_first = i == 1;
		unsigned bound = 0;

		for (unsigned k = 0; k < ATTEMPTS; k++) {
			struct outcome o;

			isolate_run(come_back, &listener_first, &o, sizeof(o));
			assert_true(o.alive);
			assert_true(o.accepts || !CMT_TEST_FIXED);
			bound += o.first && o.second;
		}
		assert_int_equal(bound == ATTEMPTS, CMT_TEST_FIXED);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(listener_and_accepted_sockets_share_an_address_that_comes_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
