/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Upstream defect 5: usrsctp_init_nothreads() starts a thread all the same, and nobody can ask when the next
 * timer is due. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>

#include "support/isolate.h"
#include "support/pair.h"

static unsigned count_threads(void)
{
	DIR *tasks = opendir("/proc/self/task");
	unsigned n = 0;

	REQUIRE(tasks != NULL);
	for (const struct dirent *entry; (entry = readdir(tasks)) != NULL;)
		n += entry->d_name[0] != '.';
	closedir(tasks);
	return n;
}

static void count_after_init(const void *job, void *outcome)
{
	unsigned *added = outcome, before = count_threads();

	(void)job;
	usrsctp_init_nothreads(0, NULL, NULL);
	*added = count_threads() - before;
	/* Upstream's thread may still be on its way when the library is taken down: leave it to exit. */
	if (*added == 0)
		usrsctp_finish();
}

static void no_thread_is_started(void **state)
{
	unsigned added;

	(void)state;
	isolate_run(count_after_init, NULL, &added, sizeof(added));
	assert_int_equal(added, CMT_TEST_FIXED ? 0 : 1);
}

#if CMT_TEST_FIXED
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
#endif

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_thread_is_started),
#if CMT_TEST_FIXED
		cmocka_unit_test(the_next_timeout_is_known),
#endif
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
