/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Socket options of usrsctp_cmt.h: errors change nothing, defaults reach new associations, and one-to-many
 * sockets tell FUTURE, CURRENT, ALL and single associations apart. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <usrsctp_cmt_sim.h>

#include "cmt_sched.h"
#include "support/policy.h"

enum { FIRST_PORT = 6000, N_PEERS = 2 };

static int set(struct socket *so, sctp_assoc_t id, const char *name, const char *options)
{
	return policy_set(so, SCTP_CMT_SCHEDULER, id, name, options);
}

static void assert_policy(struct socket *so, sctp_assoc_t id, const char *name, const char *options)
{
	struct sctp_cmt_policy policy = policy_get(so, SCTP_CMT_SCHEDULER, id);

	assert_string_equal(policy.name, name);
	assert_string_equal(policy.options, options);
}

static uint32_t cmt_mode(struct socket *so, sctp_assoc_t id)
{
	struct sctp_assoc_value v = {.assoc_id = id};
	socklen_t len = sizeof(v);

	assert_int_equal(usrsctp_getsockopt(so, IPPROTO_SCTP, SCTP_CMT_ON_OFF, &v, &len), 0);
	return v.assoc_value;
}

/* --- one socket --- */

static void what_is_wrong_changes_nothing(void **state)
{
	struct sctp_cmt_policy policy = {.size = sizeof(policy), .name = "rr"};
	struct socket *so = policy_socket(SOCK_STREAM);

	(void)state;
	assert_policy(so, 0, "stock", "");
	assert_int_equal(cmt_mode(so, 0), SCTP_CMT_OFF);
	assert_int_equal(set(so, 0, "lcm", ""), 0);
	assert_policy(so, 0, "lcm", "");
	assert_int_equal(cmt_mode(so, 0), SCTP_CMT_BASE);

	assert_int_equal(set(so, 0, "nonesuch", ""), -1);
	assert_int_equal(errno, EINVAL);
	assert_int_equal(set(so, 0, "", ""), -1);
	assert_int_equal(errno, EINVAL);
	assert_int_equal(set(so, 0, "RR", ""), -1);
	assert_int_equal(errno, EINVAL);
	assert_int_equal(set(so, 0, "rr", "nonesuch=1"), -1);
	assert_int_equal(errno, EINVAL);
	assert_int_equal(set(so, 0, "arrival", "nonesuch=1"), -1);
	assert_int_equal(errno, EINVAL);
	assert_int_equal(set(so, 0, "stock", "key=1"), -1);
	assert_int_equal(errno, EINVAL);
	/* Too short, a smaller structure, names without an end. */
	assert_int_equal(
	    usrsctp_setsockopt(so, IPPROTO_SCTP, SCTP_CMT_SCHEDULER, &policy, sizeof(policy) - 1), -1);
	assert_int_equal(errno, EINVAL);
	policy.size--;
	assert_int_equal(usrsctp_setsockopt(so, IPPROTO_SCTP, SCTP_CMT_SCHEDULER, &policy, sizeof(policy)),
	                 -1);
	policy.size++;
	memset(policy.name, 'r', sizeof(policy.name));
	assert_int_equal(usrsctp_setsockopt(so, IPPROTO_SCTP, SCTP_CMT_SCHEDULER, &policy, sizeof(policy)),
	                 -1);
	assert_policy(so, 0, "lcm", "");
	assert_int_equal(set(so, 0, "stock", ""), 0);
	assert_policy(so, 0, "stock", "");
	usrsctp_close(so);
}

static void every_listed_scheduler_can_be_set(void **state)
{
	struct socket *so = policy_socket(SOCK_STREAM);
	unsigned n = 0;

	(void)state;
	for (const char *name; (name = usrsctp_cmt_scheduler_name(n)) != NULL; n++) {
		assert_int_equal(set(so, 0, name, ""), 0);
		assert_policy(so, 0, name, "");
		assert_non_null(usrsctp_cmt_scheduler_summary(n));
	}
	assert_true(n >= 3);
	assert_null(usrsctp_cmt_scheduler_summary(n));
	assert_null(usrsctp_cmt_scheduler_options(n));
	usrsctp_close(so);
}

/* An option with values 0 .. `automatic`, which is the default. */
static void try_choice(int option, uint32_t automatic)
{
	struct sctp_assoc_value v = {.assoc_value = 9};
	struct socket *so = policy_socket(SOCK_STREAM);
	socklen_t len = sizeof(v);

	assert_int_equal(usrsctp_setsockopt(so, IPPROTO_SCTP, option, &v, sizeof(v)), -1);
	assert_int_equal(errno, EINVAL);
	assert_int_equal(usrsctp_getsockopt(so, IPPROTO_SCTP, option, &v, &len), 0);
	assert_int_equal(v.assoc_value, automatic);
	for (uint32_t value = 0; value <= automatic; value++) {
		v.assoc_value = value;
		assert_int_equal(usrsctp_setsockopt(so, IPPROTO_SCTP, option, &v, sizeof(v) - 1), -1);
		assert_int_equal(usrsctp_setsockopt(so, IPPROTO_SCTP, option, &v, sizeof(v)), 0);
		v.assoc_value = 9;
		assert_int_equal(usrsctp_getsockopt(so, IPPROTO_SCTP, option, &v, &len), 0);
		assert_int_equal(v.assoc_value, value);
	}
	usrsctp_close(so);
}

static void the_extension_goes_by_scheduler_and_peer_unless_told_otherwise(void **state)
{
	(void)state;
	try_choice(SCTP_CMT_EXTENSION, SCTP_CMT_EXTENSION_AUTO);
}

static void an_init_names_what_was_bound_by_name_unless_told_otherwise(void **state)
{
	(void)state;
	try_choice(SCTP_CMT_INIT_ADDRESSES, SCTP_CMT_INIT_ADDRESSES_AUTO);
}

static void a_delay_error_has_limits_and_wants_an_association(void **state)
{
	const int32_t wrong[2] = {-101, 1001};
	struct socket *so = policy_socket(SOCK_STREAM);
	struct sctp_assoc_value v = {.assoc_value = 0};

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		v.assoc_value = (uint32_t)wrong[i];
		assert_int_equal(usrsctp_setsockopt(so, IPPROTO_SCTP, SCTP_CMT_DELAY_ERROR, &v, sizeof(v)),
		                 -1);
		assert_int_equal(errno, EINVAL);
	}
	v.assoc_value = (uint32_t)-50;
	assert_int_equal(usrsctp_setsockopt(so, IPPROTO_SCTP, SCTP_CMT_DELAY_ERROR, &v, sizeof(v)), -1);
	assert_int_equal(errno, ENOENT);
	usrsctp_close(so);
}

/* --- registration --- */

static struct cmt_decision always_wait(const void *st, const struct cmt_view *v)
{
	(void)st;
	(void)v;
	return (struct cmt_decision){.verdict = CMT_WAIT, .wake_us = CMT_NEVER_US};
}

static int takes_any_option(void *st, const char *options)
{
	(void)st;
	(void)options;
	return 0;
}

static void schedulers_can_be_registered_once(void **state)
{
	static const struct cmt_sched_ops good = {.size = CMT_SCHED_CONTRACT_BYTES,
	                                          .name = "test-wait",
	                                          .summary = "waits for ever",
	                                          .init = takes_any_option,
	                                          .next = always_wait};
	static const struct cmt_sched_ops nameless = {.size = CMT_SCHED_CONTRACT_BYTES, .next = always_wait};
	static const struct cmt_sched_ops stateless = {.size = CMT_SCHED_CONTRACT_BYTES, .name = "test-none"};
	static const struct cmt_sched_ops taken = {
	    .size = CMT_SCHED_CONTRACT_BYTES, .name = "rr", .next = always_wait};
	static const struct cmt_sched_ops stock = {
	    .size = CMT_SCHED_CONTRACT_BYTES, .name = "stock", .next = always_wait};
	static const struct cmt_sched_ops odd = {
	    .size = CMT_SCHED_CONTRACT_BYTES, .name = "No Good", .next = always_wait};
	static const struct cmt_sched_ops older = {
	    .size = CMT_SCHED_CONTRACT_BYTES - 8, .name = "test-old", .next = always_wait};
	const struct cmt_sched_ops *const incomplete[] = {&nameless, &stateless, &odd, &older};
	const struct cmt_sched_ops *const twice[] = {&taken, &stock, &good};
	struct socket *so = policy_socket(SOCK_STREAM);
	unsigned listed = 0;

	(void)state;
	assert_int_equal(set(so, 0, "test-wait", ""), -1);
	for (unsigned i = 0; i < sizeof(incomplete) / sizeof(incomplete[0]); i++)
		assert_int_equal(usrsctp_cmt_register_scheduler(incomplete[i]), EINVAL);
	assert_int_equal(usrsctp_cmt_register_scheduler(&good), 0);
	for (unsigned i = 0; i < sizeof(twice) / sizeof(twice[0]); i++)
		assert_int_equal(usrsctp_cmt_register_scheduler(twice[i]), EEXIST);
	for (unsigned i = 0; usrsctp_cmt_scheduler_name(i) != NULL; i++)
		listed += strcmp(usrsctp_cmt_scheduler_name(i), "test-wait") == 0;
	assert_int_equal(listed, 1);
	assert_int_equal(set(so, 0, "test-wait", "key=1,other=2"), 0);
	assert_policy(so, 0, "test-wait", "key=1,other=2");
	usrsctp_close(so);
}

/* --- associations --- */

struct association {
	struct socket *so;
	sctp_assoc_t ids[N_PEERS + 1];
	struct socket *peers[N_PEERS + 1];
};

/* One more association of the one-to-many socket. */
static void add_peer(struct usrsctp_cmt_sim *sim, struct association *a, unsigned i)
{
	struct sockaddr_storage addresses[N_PEERS];
	struct sockaddr_in packed[2];

	a->peers[i] = policy_socket(SOCK_STREAM);
	assert_int_equal(usrsctp_cmt_sim_bind(sim, a->peers[i], 1, (uint16_t)(FIRST_PORT + 1 + i), -1), 0);
	assert_int_equal(usrsctp_listen(a->peers[i], 1), 0);
	for (int path = 0; path < 2; path++) {
		assert_int_equal(
		    usrsctp_cmt_sim_address(sim, 1, path, (uint16_t)(FIRST_PORT + 1 + i), &addresses[path]),
		    0);
		memcpy(&packed[path], &addresses[path], sizeof(packed[path]));
	}
	assert_int_equal(usrsctp_connectx(a->so, (struct sockaddr *)packed, 2, &a->ids[i]), 0);
	usrsctp_cmt_sim_run(sim, usrsctp_cmt_sim_now_us(sim) + 1000000);
}

static void open_associations(struct usrsctp_cmt_sim *sim, struct association *a)
{
	a->so = policy_socket(SOCK_SEQPACKET);
	assert_int_equal(usrsctp_cmt_sim_bind(sim, a->so, 0, FIRST_PORT, -1), 0);
	for (unsigned i = 0; i < N_PEERS; i++)
		add_peer(sim, a, i);
}

static void close_associations(struct usrsctp_cmt_sim *sim, struct association *a)
{
	usrsctp_close(a->so);
	for (unsigned i = 0; i < N_PEERS + 1; i++) {
		if (a->peers[i] != NULL)
			usrsctp_close(a->peers[i]);
	}
	usrsctp_cmt_sim_run(sim, usrsctp_cmt_sim_now_us(sim) + 10000000);
}

static void future_current_all_and_one_differ(void **state)
{
	struct usrsctp_cmt_sim *sim = *state;
	struct association a = {.so = NULL};

	open_associations(sim, &a);
	assert_true(a.ids[0] != a.ids[1]);
	assert_int_equal(set(a.so, SCTP_FUTURE_ASSOC, "rr", ""), 0);
	assert_policy(a.so, SCTP_FUTURE_ASSOC, "rr", "");
	assert_policy(a.so, a.ids[0], "stock", "");
	assert_int_equal(cmt_mode(a.so, SCTP_FUTURE_ASSOC), SCTP_CMT_BASE);
	assert_int_equal(cmt_mode(a.so, a.ids[0]), SCTP_CMT_OFF);

	assert_int_equal(set(a.so, SCTP_CURRENT_ASSOC, "lcm", ""), 0);
	assert_policy(a.so, SCTP_FUTURE_ASSOC, "rr", "");
	assert_policy(a.so, a.ids[0], "lcm", "");
	assert_policy(a.so, a.ids[1], "lcm", "");
	assert_int_equal(cmt_mode(a.so, a.ids[0]), SCTP_CMT_BASE);

	assert_int_equal(set(a.so, a.ids[1], "arrival", ""), 0);
	assert_policy(a.so, a.ids[0], "lcm", "");
	assert_policy(a.so, a.ids[1], "arrival", "");

	assert_int_equal(set(a.so, SCTP_ALL_ASSOC, "nonesuch", ""), -1);
	assert_int_equal(set(a.so, a.ids[1] + 1000, "rr", ""), -1);
	assert_policy(a.so, SCTP_FUTURE_ASSOC, "rr", "");
	assert_policy(a.so, a.ids[0], "lcm", "");
	assert_policy(a.so, a.ids[1], "arrival", "");

	/* A new association takes the default, and only the default. */
	add_peer(sim, &a, N_PEERS);
	assert_policy(a.so, a.ids[N_PEERS], "rr", "");

	assert_int_equal(set(a.so, SCTP_ALL_ASSOC, "arrival", ""), 0);
	assert_policy(a.so, SCTP_FUTURE_ASSOC, "arrival", "");
	for (unsigned i = 0; i < N_PEERS + 1; i++)
		assert_policy(a.so, a.ids[i], "arrival", "");
	close_associations(sim, &a);
}

/* Path 1 of the first association, by `size` bytes of structure. */
static int use_path(struct usrsctp_cmt_sim *sim, struct association *a, struct sctp_cmt_path path)
{
	path.assoc_id = a->ids[0];
	assert_int_equal(usrsctp_cmt_sim_address(sim, 1, 0, 0, &path.address), 0);
	errno = 0;
	return usrsctp_setsockopt(a->so, IPPROTO_SCTP, SCTP_CMT_PATH, &path, sizeof(path));
}

static void assert_use(struct usrsctp_cmt_sim *sim, struct association *a, struct sctp_cmt_path expected)
{
	struct sctp_cmt_path path = {.size = sizeof(path), .assoc_id = a->ids[0]};
	socklen_t len = sizeof(path);

	assert_int_equal(usrsctp_cmt_sim_address(sim, 1, 0, 0, &path.address), 0);
	assert_int_equal(usrsctp_getsockopt(a->so, IPPROTO_SCTP, SCTP_CMT_PATH, &path, &len), 0);
	assert_int_equal(len, sizeof(path));
	assert_int_equal(path.backup, expected.backup);
	assert_int_equal(path.weight, expected.weight);
	assert_int_equal(path.cost, expected.cost);
	assert_int_equal(path.cap_bps, expected.cap_bps);
}

static void a_path_has_weight_cost_and_cap(void **state)
{
	const struct sctp_cmt_path good = {.size = sizeof(good), .weight = 50, .cost = 3, .cap_bps = 1000000};
	struct association a = {.so = NULL};
	struct sctp_cmt_path path = good;

	open_associations(*state, &a);
	assert_use(*state, &a, (struct sctp_cmt_path){.weight = 100});
	assert_int_equal(use_path(*state, &a, good), 0);
	assert_use(*state, &a, good);
	path.weight = 0;
	assert_int_equal(use_path(*state, &a, path), 0);
	path.weight = 100;
	assert_use(*state, &a, path);
	assert_int_equal(use_path(*state, &a, good), 0);
	path.weight = 101;
	assert_int_equal(use_path(*state, &a, path), -1);
	assert_int_equal(errno, EINVAL);
	path = good;
	path.cap_bps = 999;
	assert_int_equal(use_path(*state, &a, path), -1);
	assert_int_equal(errno, EINVAL);
	path = good;
	path.backup = 2;
	assert_int_equal(use_path(*state, &a, path), -1);
	path.backup = 0;
	path.size = offsetof(struct sctp_cmt_path, backup);
	assert_int_equal(use_path(*state, &a, path), -1);
	assert_use(*state, &a, good);
	/* The first release's structure: 152 bytes, of which the last four are padding. */
	path = (struct sctp_cmt_path){.size = 152, .backup = 1, .weight = 0xffffffff};
	assert_int_equal(use_path(*state, &a, path), 0);
	path = good;
	path.backup = 1;
	assert_use(*state, &a, path);
	close_associations(*state, &a);
}

/* A path that is named by both of its ends. */
static void a_path_is_its_two_ends(void **state)
{
	struct association a = {.so = NULL};
	struct sctp_cmt_path_stats stats[SCTP_CMT_MAX_PATHS];
	struct sctp_cmt_path path = {.size = sizeof(path), .cost = 7};
	socklen_t len = sizeof(stats), path_len = sizeof(path);

	open_associations(*state, &a);
	memset(stats, 0, sizeof(stats));
	stats[0].size = sizeof(stats[0]);
	stats[0].assoc_id = a.ids[0];
	assert_int_equal(usrsctp_getsockopt(a.so, IPPROTO_SCTP, SCTP_CMT_PATH_STATS, stats, &len), 0);
	assert_int_equal(stats[0].local.ss_family, AF_INET);
	assert_int_equal(stats[1].local.ss_family, AF_INET);
	path.assoc_id = a.ids[0];
	path.address = stats[1].remote;
	path.local = stats[1].local;
	assert_int_equal(usrsctp_setsockopt(a.so, IPPROTO_SCTP, SCTP_CMT_PATH, &path, sizeof(path)), 0);
	path.cost = 0;
	assert_int_equal(usrsctp_getsockopt(a.so, IPPROTO_SCTP, SCTP_CMT_PATH, &path, &path_len), 0);
	assert_int_equal(path.cost, 7);
	/* Structures that end before it mean the same path by its address alone, and leave nothing out. */
	path = (struct sctp_cmt_path){
	    .size = offsetof(struct sctp_cmt_path, local), .assoc_id = a.ids[0], .address = stats[1].remote};
	path_len = offsetof(struct sctp_cmt_path, local);
	assert_int_equal(usrsctp_getsockopt(a.so, IPPROTO_SCTP, SCTP_CMT_PATH, &path, &path_len), 0);
	assert_int_equal(path_len, offsetof(struct sctp_cmt_path, local));
	assert_int_equal(path.cost, 7);
	/* From one address to another there is none. */
	path.size = sizeof(path);
	path.local = stats[0].local;
	errno = 0;
	assert_int_equal(usrsctp_setsockopt(a.so, IPPROTO_SCTP, SCTP_CMT_PATH, &path, sizeof(path)), -1);
	assert_int_equal(errno, ENOENT);
	path.local.ss_family = AF_INET6;
	assert_int_equal(usrsctp_setsockopt(a.so, IPPROTO_SCTP, SCTP_CMT_PATH, &path, sizeof(path)), -1);
	close_associations(*state, &a);
}

static int need(const struct association *a, struct sctp_cmt_needed needed)
{
	return usrsctp_setsockopt(a->so, IPPROTO_SCTP, SCTP_CMT_NEEDED, &needed, sizeof(needed));
}

static void when_data_are_needed_has_limits_and_wants_an_association(void **state)
{
	struct association a = {.so = NULL};
	struct sctp_cmt_needed needed = {
	    .size = sizeof(needed), .in_us = 1000000000, .rate_bps = 1000000000000};

	open_associations(*state, &a);
	needed.assoc_id = a.ids[0];
	assert_int_equal(need(&a, needed), 0);
	assert_int_equal(usrsctp_setsockopt(a.so, IPPROTO_SCTP, SCTP_CMT_NEEDED, &needed, sizeof(needed) - 1),
	                 -1);
	assert_int_equal(errno, EINVAL);
	needed.in_us++;
	assert_int_equal(need(&a, needed), -1);
	assert_int_equal(errno, EINVAL);
	needed.in_us = 0;
	needed.rate_bps++;
	assert_int_equal(need(&a, needed), -1);
	assert_int_equal(errno, EINVAL);
	needed.rate_bps = 0;
	assert_int_equal(need(&a, needed), 0);
	needed.size--;
	assert_int_equal(need(&a, needed), -1);
	assert_int_equal(errno, EINVAL);
	needed.size++;
	needed.assoc_id = a.ids[1] + 1000;
	assert_int_equal(need(&a, needed), -1);
	assert_int_equal(errno, ENOENT);
	close_associations(*state, &a);
}

static void statistics_have_their_sizes_and_truths(void **state)
{
	struct sctp_cmt_path_stats paths[3] = {{.size = sizeof(paths[0])}};
	struct sctp_cmt_stats stats = {.size = sizeof(stats)};
	struct usrsctp_cmt_sim *sim = *state;
	struct association a = {.so = NULL};
	socklen_t len = sizeof(stats);

	open_associations(sim, &a);
	assert_int_equal(set(a.so, a.ids[0], "rr", ""), 0);
	stats.assoc_id = a.ids[0];
	assert_int_equal(usrsctp_getsockopt(a.so, IPPROTO_SCTP, SCTP_CMT_STATS, &stats, &len), 0);
	assert_int_equal(len, sizeof(stats));
	assert_int_equal(stats.extension, 0); /* the INIT went before there was a scheduler */
	assert_int_equal(stats.paths, 2);
	assert_int_equal(stats.paths_ignored, 0);
	assert_string_equal(stats.scheduler, "rr");
	stats.assoc_id = a.ids[1];
	assert_int_equal(usrsctp_getsockopt(a.so, IPPROTO_SCTP, SCTP_CMT_STATS, &stats, &len), 0);
	assert_string_equal(stats.scheduler, "stock");

	/* Room for one, two, three paths; a structure or buffer too small. */
	for (unsigned room = 1; room <= 3; room++) {
		len = (socklen_t)(room * sizeof(paths[0]));
		memset(paths, 0, sizeof(paths));
		paths[0].size = sizeof(paths[0]);
		paths[0].assoc_id = a.ids[0];
		assert_int_equal(usrsctp_getsockopt(a.so, IPPROTO_SCTP, SCTP_CMT_PATH_STATS, paths, &len), 0);
		assert_int_equal(len, (room < 2 ? room : 2) * sizeof(paths[0]));
		for (unsigned i = 0; i < 3; i++)
			assert_int_equal(paths[i].path_id, i < room && i < 2 ? i + 1 : 0);
		assert_int_equal(paths[0].state, SCTP_CMT_PATH_ACTIVE);
		assert_true(paths[0].fwd_delay_us == SCTP_CMT_UNKNOWN_US);
	}
	paths[0].size = offsetof(struct sctp_cmt_path_stats, spurious_dsack) - 1;
	assert_int_equal(usrsctp_getsockopt(a.so, IPPROTO_SCTP, SCTP_CMT_PATH_STATS, paths, &len), -1);
	assert_int_equal(errno, EINVAL);
	paths[0].size = sizeof(paths[0]);
	len = sizeof(paths[0]) - 1;
	assert_int_equal(usrsctp_getsockopt(a.so, IPPROTO_SCTP, SCTP_CMT_PATH_STATS, paths, &len), -1);
	assert_int_equal(errno, EINVAL);
	len = sizeof(stats) - 1;
	assert_int_equal(usrsctp_getsockopt(a.so, IPPROTO_SCTP, SCTP_CMT_STATS, &stats, &len), -1);
	assert_int_equal(errno, EINVAL);
	stats.assoc_id = a.ids[1] + 1000;
	len = sizeof(stats);
	assert_int_equal(usrsctp_getsockopt(a.so, IPPROTO_SCTP, SCTP_CMT_STATS, &stats, &len), -1);
	assert_int_equal(errno, ENOENT);
	close_associations(sim, &a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(what_is_wrong_changes_nothing, policy_new_sim, policy_free_sim),
	    cmocka_unit_test_setup_teardown(every_listed_scheduler_can_be_set, policy_new_sim,
	                                    policy_free_sim),
	    cmocka_unit_test_setup_teardown(the_extension_goes_by_scheduler_and_peer_unless_told_otherwise,
	                                    policy_new_sim, policy_free_sim),
	    cmocka_unit_test_setup_teardown(an_init_names_what_was_bound_by_name_unless_told_otherwise,
	                                    policy_new_sim, policy_free_sim),
	    cmocka_unit_test_setup_teardown(a_delay_error_has_limits_and_wants_an_association, policy_new_sim,
	                                    policy_free_sim),
	    cmocka_unit_test_setup_teardown(schedulers_can_be_registered_once, policy_new_sim,
	                                    policy_free_sim),
	    cmocka_unit_test_setup_teardown(future_current_all_and_one_differ, policy_new_sim,
	                                    policy_free_sim),
	    cmocka_unit_test_setup_teardown(statistics_have_their_sizes_and_truths, policy_new_sim,
	                                    policy_free_sim),
	    cmocka_unit_test_setup_teardown(a_path_has_weight_cost_and_cap, policy_new_sim, policy_free_sim),
	    cmocka_unit_test_setup_teardown(a_path_is_its_two_ends, policy_new_sim, policy_free_sim),
	    cmocka_unit_test_setup_teardown(when_data_are_needed_has_limits_and_wants_an_association,
	                                    policy_new_sim, policy_free_sim),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
