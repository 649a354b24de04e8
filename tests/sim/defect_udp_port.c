/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Somebody who knows addresses and ports but no tag sends from another UDP port (RFC 6951, section 5.4: the
 * port is taken over from packets with the right verification tag). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <netinet/in.h>

#include "support/isolate.h"
#include "support/raw.h"
#include "support/variant.h"

enum { STRANGE_PORT = 7777 };

static struct raw r;
static const struct raw_options options = {.n_paths = 1};

struct outcome {
	unsigned sent_to_peer;
	struct usrsctp_cmt_sim_elsewhere elsewhere;
};

static void arrive(struct packet_draft *d)
{
	struct sockaddr_storage peer;

	REQUIRE(usrsctp_cmt_sim_address(r.sim, 1, 0, STRANGE_PORT, &peer) == 0);
	packet_finish(d);
	REQUIRE(usrsctp_cmt_sim_arrive(r.sim, 0, 0, &peer, d->bytes, d->len) == 0);
}

static void speak_without_tag(const void *job, void *outcome)
{
	struct outcome *o = outcome;
	struct packet_draft d;
	unsigned since;

	(void)job;
	usrsctp_sysctl_set_sctp_udp_tunneling_port(USRSCTP_CMT_SIM_UDP_PORT);
	raw_accepted(&r, &options);
	raw_begin_tagged(&r, &d, r.stack_tag + 1);
	packet_add(&d, CHUNK_SACK, 4, NULL, 0);
	arrive(&d);
	since = r.n_heard;
	raw_write(&r, 100);
	raw_run(&r, 1000);
	o->sent_to_peer = raw_count(&r, since, CHUNK_DATA);
	usrsctp_cmt_sim_get_elsewhere(r.sim, &o->elsewhere);
	raw_close(&r);
}

static void a_wrong_tag_changes_no_port(void **state)
{
	struct outcome o;

	(void)state;
	isolate_run(speak_without_tag, NULL, &o, sizeof(o));
	assert_int_equal(o.sent_to_peer, CMT_TEST_FIXED ? 1 : 0);
	assert_int_equal(o.elsewhere.sent_pkts, CMT_TEST_FIXED ? 0 : 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(a_wrong_tag_changes_no_port)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
