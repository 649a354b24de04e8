/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Addresses of simulated hosts go and come while data flow, as interfaces lose and get them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>

#include "support/isolate.h"
#include "support/pair.h"

enum { BYTES = 1500000, WAIT_US = 120000000, GONE_US = 500000, BACK_US = 1500000 };

struct job {
	bool one_server_address; /* the second path is one that the stack opens by itself */
	bool unheard;            /* the application does not follow */
	bool from_the_start;     /* the address is not there before BACK_US */
};

struct outcome {
	bool complete;
	unsigned calls;
	uint64_t at_gone, at_back, at_end; /* bytes that path 1 delivered until then */
	uint64_t absent_pkts;
};

static const struct job *job;
static struct outcome *outcome;
static struct pair pair;

static uint64_t delivered(void)
{
	struct usrsctp_cmt_sim_link_stats s;

	REQUIRE(usrsctp_cmt_sim_link_stats(pair.sim, 1, 0, &s) == 0);
	return s.delivered_bytes;
}

static void on_address(struct usrsctp_cmt_sim *sim, int host, int path, bool present, void *arg)
{
	REQUIRE(arg == &pair);
	REQUIRE(host == PAIR_CLIENT && (path == 1));
	outcome->calls++;
	if (pair.client != NULL)
		REQUIRE(usrsctp_cmt_sim_rebind(sim, pair.client, host, path, present) == 0);
}

static void set_addresses(struct usrsctp_cmt_sim *sim, bool present)
{
	for (int path = 1; path < 2; path++) {
		REQUIRE(usrsctp_cmt_sim_set_address(sim, PAIR_CLIENT, path, present) == 0);
		/* Once more changes nothing. */
		REQUIRE(usrsctp_cmt_sim_set_address(sim, PAIR_CLIENT, path, present) == 0);
	}
}

static void go(struct usrsctp_cmt_sim *sim, void *arg)
{
	(void)arg;
	static const uint8_t packet[100];

	outcome->at_gone = delivered();
	set_addresses(sim, false);
	REQUIRE(usrsctp_cmt_sim_inject(sim, 1, PAIR_SERVER, packet, sizeof(packet)) == 0);
}

static void come(struct usrsctp_cmt_sim *sim, void *arg)
{
	(void)arg;
	outcome->at_back = delivered();
	set_addresses(sim, true);
}

static void build(struct usrsctp_cmt_sim *sim, void *arg)
{
	(void)arg;
	if (job->one_server_address)
		REQUIRE(usrsctp_cmt_sim_share_address(sim, 1, PAIR_SERVER, 0) == 0);
	if (job->from_the_start)
		set_addresses(sim, false);
	else
		REQUIRE(usrsctp_cmt_sim_at(sim, GONE_US, go, NULL) == 0);
	REQUIRE(usrsctp_cmt_sim_at(sim, BACK_US, come, NULL) == 0);
	usrsctp_cmt_sim_on_address(sim, job->unheard ? NULL : on_address, &pair);
}

static void run(const void *what, void *out)
{
	static const struct usrsctp_cmt_sim_link link = {
	    .rate_bps = 2000000, .delay_us = 20000, .queue_pkts = 60};
	const struct pair_options o = {.seed = 1,
	                               .n_paths = 2,
	                               .forward = {link, link},
	                               .backward = {link, link},
	                               .bytes = BYTES,
	                               .scheduler = "auto",
	                               .build = build};
	struct usrsctp_cmt_sim_link_stats s;

	job = what;
	outcome = out;
	pair_open(&pair, &o);
	pair_run(&pair, WAIT_US);
	outcome->complete = pair.complete && pair.intact;
	outcome->at_end = delivered();
	for (int path = 0; path < 2; path++) {
		REQUIRE(usrsctp_cmt_sim_link_stats(pair.sim, path, 1, &s) == 0);
		outcome->absent_pkts += s.absent_pkts;
	}
	usrsctp_cmt_sim_on_address(pair.sim, NULL, NULL);
	pair_close(&pair);
}

static struct outcome run_isolated(struct job what)
{
	struct outcome o;

	isolate_run(run, &what, &o, sizeof(o));
	print_message("path 1 delivered %llu bytes until the address went, %llu until it came, %llu in all\n",
	              (unsigned long long)o.at_gone, (unsigned long long)o.at_back,
	              (unsigned long long)o.at_end);
	return o;
}

static void nothing_leaves_from_an_address_that_is_gone(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 4; i++) {
		const bool unheard = i > 1;
		struct outcome o =
		    run_isolated((struct job){.one_server_address = i % 2 != 0, .unheard = unheard});

		assert_true(o.complete);
		assert_int_equal(o.calls, unheard ? 0 : 2);
		assert_true(o.at_gone > 20000);
		/* What was on its way, and the queue. */
		assert_true(o.at_back < o.at_gone + 100000);
	}
}

static void what_arrives_for_it_is_dropped(void **state)
{
	struct outcome o = run_isolated((struct job){.one_server_address = true});

	(void)state;
	assert_true(o.absent_pkts >= 1);
}

static void an_address_that_comes_leads_to_the_path_that_ends_there(void **state)
{
	struct outcome o = run_isolated((struct job){.from_the_start = true});

	(void)state;
	assert_true(o.complete);
	assert_int_equal(o.calls, 1);
	assert_int_equal(o.at_back, 0);
	assert_true(o.at_end > BYTES / 10);
}

static void wrong_arguments_are_refused(void **state)
{
	struct usrsctp_cmt_sim_config config = {.size = sizeof(config), .seed = 1};
	const struct usrsctp_cmt_sim_link link = {.rate_bps = 1000000};
	struct usrsctp_cmt_sim *sim = usrsctp_cmt_sim_new(&config);

	(void)state;
	assert_int_equal(usrsctp_cmt_sim_add_path(sim, &link, &link), 0);
	assert_int_equal(usrsctp_cmt_sim_set_address(sim, 2, 0, false), -1);
	assert_int_equal(errno, EINVAL);
	assert_int_equal(usrsctp_cmt_sim_set_address(sim, 0, 1, false), -1);
	assert_int_equal(usrsctp_cmt_sim_set_address(sim, 0, 0, false), 0);
	assert_int_equal(usrsctp_cmt_sim_free(sim), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(nothing_leaves_from_an_address_that_is_gone),
	    cmocka_unit_test(what_arrives_for_it_is_dropped),
	    cmocka_unit_test(an_address_that_comes_leads_to_the_path_that_ends_there),
	    cmocka_unit_test(wrong_arguments_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
