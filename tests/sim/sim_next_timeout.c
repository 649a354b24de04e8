/* SPDX-License-Identifier: BSD-3-Clause
 *
 * An application that drives the timers can ask when the next one is due. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/isolate.h"
#include "support/pair.h"

struct timeouts {
	int64_t before_init, after_init, connecting, later, closed;
};

/* An INIT is under way: its timer runs. */
static void ask_timeouts(const void *job, void *outcome)
{
	struct usrsctp_cmt_sim_config config = {.size = sizeof(config), .seed = 1};
	const struct usrsctp_cmt_sim_link dead = {.down = true};
	struct timeouts *t = outcome;
	struct usrsctp_cmt_sim *sim;
	struct socket *so;

	(void)job;
	t->before_init = usrsctp_cmt_next_timeout();
	sim = usrsctp_cmt_sim_new(&config);
	REQUIRE(sim != NULL && usrsctp_cmt_sim_add_path(sim, &dead, &dead) == 0);
	t->after_init = usrsctp_cmt_next_timeout();
	so = usrsctp_socket(AF_INET, SOCK_STREAM, IPPROTO_SCTP, NULL, NULL, 0, NULL);
	REQUIRE(so != NULL && usrsctp_set_non_blocking(so, 1) == 0);
	REQUIRE(usrsctp_cmt_sim_bind(sim, so, PAIR_CLIENT, PAIR_CLIENT_PORT, -1) == 0);
	REQUIRE(usrsctp_cmt_sim_connect(sim, so, PAIR_SERVER, PAIR_SERVER_PORT, -1) == 0);
	t->connecting = usrsctp_cmt_next_timeout();
	usrsctp_handle_timers(1);
	t->later = usrsctp_cmt_next_timeout();
	usrsctp_close(so);
	REQUIRE(usrsctp_cmt_sim_free(sim) == 0);
	t->closed = usrsctp_cmt_next_timeout();
}

static void the_next_timeout_is_known(void **state)
{
	struct timeouts t;

	(void)state;
	isolate_run(ask_timeouts, NULL, &t, sizeof(t));
	assert_int_equal(t.before_init, -1);
	assert_in_range(t.connecting, 1, 3000); /* RTO.Initial */
	assert_int_equal(t.later, t.connecting - 1);
	assert_int_equal(t.closed, -1);
}
int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_next_timeout_is_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
