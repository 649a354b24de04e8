/* SPDX-License-Identifier: BSD-3-Clause
 *
 * SCTP_CMT_CC and SCTP_CMT_RECOVERY: errors change nothing, FUTURE, CURRENT, ALL and single associations
 * differ, upstream's controls still work under a scheduler, a control can change in mid-transfer, and
 * structures of older and newer programs are taken. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "support/isolate.h"
#include "support/policy.h"
#include "support/transfer.h"

/* Not in the public header of upstream. */
#ifndef SCTP_PLUGGABLE_CC
#define SCTP_PLUGGABLE_CC 0x00001202
#endif
enum { FIRST_PORT = 6000, N_PEERS = 2 };
static const int options[] = {SCTP_CMT_CC, SCTP_CMT_RECOVERY};
/* Of both: the default, and three others. */
static const char *const names[2][4] = {{"veno", "linked", "olia", "uncoupled"},
                                        {"all", "dsack", "none", "frto"}};

static void assert_policy(struct socket *so, int option, sctp_assoc_t id, const char *name, const char *keys)
{
	struct sctp_cmt_policy policy = policy_get(so, option, id);

	assert_string_equal(policy.name, name);
	assert_string_equal(policy.options, keys);
}

static void assert_refused(struct socket *so, int option, const char *name, const char *keys)
{
	assert_int_equal(policy_set(so, option, SCTP_FUTURE_ASSOC, name, keys), -1);
	assert_int_equal(errno, EINVAL);
}

/* --- one socket -------------------------------------------------------------------------------------------
 */

static void what_is_wrong_changes_nothing(void **state)
{
	static const char *const wrong_keys[] = {
	    "nonesuch=1", "hystart", "hystart=", "hystart=2x", "=1", ","};
	struct sctp_cmt_policy policy = {.size = sizeof(policy), .name = "linked"};
	struct socket *so = policy_socket(SOCK_STREAM);

	(void)state;
	assert_int_equal(policy_set(so, SCTP_CMT_CC, 0, "linked", "hystart=0,pacing=1"), 0);
	assert_int_equal(policy_set(so, SCTP_CMT_RECOVERY, 0, "dsack", ""), 0);
	for (unsigned i = 0; i < 2; i++) {
		assert_refused(so, options[i], "nonesuch", "");
		assert_refused(so, options[i], "", "");
		assert_refused(so, options[i], "Linked", "");
		assert_refused(so, options[i], i == 0 ? "dsack" : "linked", "");
		for (unsigned k = 0; k < sizeof(wrong_keys) / sizeof(wrong_keys[0]); k++)
			assert_refused(so, options[i], names[i][1], wrong_keys[k]);
	}
	assert_refused(so, SCTP_CMT_CC, "stock", "hystart=0");
	assert_refused(so, SCTP_CMT_RECOVERY, "stock", "");
	assert_refused(so, SCTP_CMT_RECOVERY, "all", "hystart=0");
	/* Too short, a smaller structure, names and options without an end. */
	assert_int_equal(usrsctp_setsockopt(so, IPPROTO_SCTP, SCTP_CMT_CC, &policy, sizeof(policy) - 1), -1);
	policy.size--;
	assert_int_equal(usrsctp_setsockopt(so, IPPROTO_SCTP, SCTP_CMT_CC, &policy, sizeof(policy)), -1);
	policy.size++;
	memset(policy.options, '1', sizeof(policy.options));
	assert_int_equal(usrsctp_setsockopt(so, IPPROTO_SCTP, SCTP_CMT_CC, &policy, sizeof(policy)), -1);
	memset(policy.name, 'l', sizeof(policy.name));
	assert_int_equal(usrsctp_setsockopt(so, IPPROTO_SCTP, SCTP_CMT_RECOVERY, &policy, sizeof(policy)),
	                 -1);
	assert_int_equal(errno, EINVAL);
	assert_policy(so, SCTP_CMT_CC, 0, "linked", "hystart=0,pacing=1");
	assert_policy(so, SCTP_CMT_RECOVERY, 0, "dsack", "");
	usrsctp_close(so);
}

static void every_listed_name_can_be_set(void **state)
{
	struct socket *so = policy_socket(SOCK_STREAM);
	unsigned n = 0;

	(void)state;
	assert_string_equal(usrsctp_cmt_cc_name(0), names[0][0]);
	assert_policy(so, SCTP_CMT_CC, 0, names[0][0], "");
	for (const char *name; (name = usrsctp_cmt_cc_name(n)) != NULL; n++) {
		assert_int_equal(policy_set(so, SCTP_CMT_CC, 0, name, "hystart=0"), 0);
		assert_policy(so, SCTP_CMT_CC, 0, name, "hystart=0");
		assert_non_null(usrsctp_cmt_cc_summary(n));
		assert_non_null(usrsctp_cmt_cc_options(n));
	}
	assert_true(n >= 7);
	assert_null(usrsctp_cmt_cc_summary(n));
	assert_int_equal(policy_set(so, SCTP_CMT_CC, 0, "stock", ""), 0);
	assert_policy(so, SCTP_CMT_CC, 0, "stock", "");

	assert_string_equal(usrsctp_cmt_recovery_name(0), names[1][0]);
	assert_policy(so, SCTP_CMT_RECOVERY, 0, names[1][0], "");
	for (n = 0; usrsctp_cmt_recovery_name(n) != NULL; n++) {
		assert_int_equal(policy_set(so, SCTP_CMT_RECOVERY, 0, usrsctp_cmt_recovery_name(n), ""), 0);
		assert_policy(so, SCTP_CMT_RECOVERY, 0, usrsctp_cmt_recovery_name(n), "");
		assert_non_null(usrsctp_cmt_recovery_summary(n));
	}
	assert_int_equal(n, 5);
	assert_null(usrsctp_cmt_recovery_summary(n));
	usrsctp_close(so);
}

/* --- associations -----------------------------------------------------------------------------------------
 */

struct association {
	struct socket *so;
	sctp_assoc_t ids[N_PEERS + 1];
	struct socket *peers[N_PEERS + 1];
};

static void add_peer(struct usrsctp_cmt_sim *sim, struct association *a, unsigned i)
{
	struct sockaddr_storage address;

	a->peers[i] = policy_socket(SOCK_STREAM);
	assert_int_equal(usrsctp_cmt_sim_bind(sim, a->peers[i], 1, (uint16_t)(FIRST_PORT + 1 + i), -1), 0);
	assert_int_equal(usrsctp_listen(a->peers[i], 1), 0);
	assert_int_equal(usrsctp_cmt_sim_address(sim, 1, 0, (uint16_t)(FIRST_PORT + 1 + i), &address), 0);
	assert_int_equal(usrsctp_connectx(a->so, (struct sockaddr *)&address, 1, &a->ids[i]), 0);
	usrsctp_cmt_sim_run(sim, usrsctp_cmt_sim_now_us(sim) + 1000000);
}

static void open_associations(struct usrsctp_cmt_sim *sim, struct association *a)
{
	*a = (struct association){.so = policy_socket(SOCK_SEQPACKET)};
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

	for (unsigned i = 0; i < 2; i++) {
		const char *const *n = names[i];
		int option = options[i];
		struct association a;

		open_associations(sim, &a);
		assert_int_equal(policy_set(a.so, option, SCTP_FUTURE_ASSOC, n[1], ""), 0);
		assert_policy(a.so, option, SCTP_FUTURE_ASSOC, n[1], "");
		assert_policy(a.so, option, a.ids[0], n[0], "");

		assert_int_equal(policy_set(a.so, option, SCTP_CURRENT_ASSOC, n[2], ""), 0);
		assert_policy(a.so, option, SCTP_FUTURE_ASSOC, n[1], "");
		assert_policy(a.so, option, a.ids[0], n[2], "");
		assert_policy(a.so, option, a.ids[1], n[2], "");

		assert_int_equal(policy_set(a.so, option, a.ids[1], n[3], ""), 0);
		assert_policy(a.so, option, a.ids[0], n[2], "");
		assert_policy(a.so, option, a.ids[1], n[3], "");

		assert_int_equal(policy_set(a.so, option, SCTP_ALL_ASSOC, "nonesuch", ""), -1);
		assert_int_equal(errno, EINVAL);
		assert_int_equal(policy_set(a.so, option, a.ids[1] + 1000, n[0], ""), -1);
		assert_policy(a.so, option, SCTP_FUTURE_ASSOC, n[1], "");
		assert_policy(a.so, option, a.ids[0], n[2], "");
		assert_policy(a.so, option, a.ids[1], n[3], "");

		add_peer(sim, &a, N_PEERS);
		assert_policy(a.so, option, a.ids[N_PEERS], n[1], "");
		assert_int_equal(policy_set(a.so, option, SCTP_ALL_ASSOC, n[0], ""), 0);
		assert_policy(a.so, option, SCTP_FUTURE_ASSOC, n[0], "");
		for (unsigned k = 0; k < N_PEERS + 1; k++)
			assert_policy(a.so, option, a.ids[k], n[0], "");
		close_associations(sim, &a);
	}
}

/* Programs built against older headers pass less, against newer ones more. */
static void statistics_fit_older_and_newer_programs(void **state)
{
	enum { MORE = 64, MARK = 0xa5 };
	union {
		uint8_t bytes[2 * sizeof(struct sctp_cmt_path_stats) + 2 * MORE];
		struct sctp_cmt_path_stats path;
		struct sctp_cmt_stats all;
	} u;
	const size_t first_path = offsetof(struct sctp_cmt_path_stats, spurious_dsack);
	const size_t first_all = offsetof(struct sctp_cmt_stats, send_queue_bytes);
	struct usrsctp_cmt_sim *sim = *state;
	struct association a;

	open_associations(sim, &a);
	for (size_t size = first_path - 1; size <= sizeof(u.path) + MORE; size++) {
		socklen_t len = (socklen_t)size;
		int result;

		memset(&u, MARK, sizeof(u));
		u.path.size = size;
		u.path.assoc_id = a.ids[0];
		result = usrsctp_getsockopt(a.so, IPPROTO_SCTP, SCTP_CMT_PATH_STATS, &u, &len);
		if (size < first_path) {
			assert_int_equal(result, -1);
			assert_int_equal(errno, EINVAL);
			continue;
		}
		assert_int_equal(result, 0);
		assert_int_equal(len, size);
		assert_int_equal(u.path.size, size < sizeof(u.path) ? size : sizeof(u.path));
		assert_int_equal(u.path.path_id, 1);
		for (size_t i = u.path.size; i < sizeof(u); i++)
			assert_int_equal(u.bytes[i], MARK);
	}
	for (size_t size = first_all - 1; size <= sizeof(u.all) + MORE; size++) {
		socklen_t len = (socklen_t)size;
		int result;

		memset(&u, MARK, sizeof(u));
		u.all.size = size;
		u.all.assoc_id = a.ids[0];
		result = usrsctp_getsockopt(a.so, IPPROTO_SCTP, SCTP_CMT_STATS, &u, &len);
		if (size < first_all) {
			assert_int_equal(result, -1);
			assert_int_equal(errno, EINVAL);
			continue;
		}
		assert_int_equal(result, 0);
		assert_int_equal(u.all.size, size < sizeof(u.all) ? size : sizeof(u.all));
		assert_int_equal(len, u.all.size);
		assert_string_equal(u.all.scheduler, "stock");
		for (size_t i = u.all.size; i < sizeof(u); i++)
			assert_int_equal(u.bytes[i], MARK);
	}
	close_associations(sim, &a);
}

/* --- transfers --------------------------------------------------------------------------------------------
 */

static struct transfer_message kilobyte(int host, uint32_t index)
{
	(void)host;
	(void)index;
	return (struct transfer_message){.bytes = 1000};
}

static struct transfer_outcome run(const char *what, struct transfer_job *job)
{
	struct transfer_outcome o;

	job->message = kilobyte;
	job->n_messages[TRANSFER_CLIENT] = 1500;
	o = transfer_run(job);
	print_message("%s, %s: %.3f s, cc %s\n", job->scheduler, what, (double)(o.last_us - o.up_us) / 1e6,
	              o.stats[0].cc);
	transfer_assert_delivered(job, &o);
	return o;
}

static uint32_t module, mode;

static void use_upstreams(struct socket *so)
{
	struct sctp_assoc_value v = {.assoc_id = SCTP_FUTURE_ASSOC, .assoc_value = module};

	REQUIRE(usrsctp_setsockopt(so, IPPROTO_SCTP, SCTP_PLUGGABLE_CC, &v, sizeof(v)) == 0);
	v.assoc_value = mode;
	REQUIRE(usrsctp_setsockopt(so, IPPROTO_SCTP, SCTP_CMT_ON_OFF, &v, sizeof(v)) == 0);
}

static void upstreams_controls_work_under_a_scheduler(void **state)
{
	static const struct {
		const char *what;
		uint32_t module, mode;
	} cases[] = {{"RFC 2581", SCTP_CC_RFC2581, SCTP_CMT_BASE}, {"HS-TCP", SCTP_CC_HSTCP, SCTP_CMT_BASE},
	             {"H-TCP", SCTP_CC_HTCP, SCTP_CMT_BASE},       {"RTCC", SCTP_CC_RTCC, SCTP_CMT_BASE},
	             {"RPv1", SCTP_CC_RFC2581, SCTP_CMT_RPV1},     {"RPv2", SCTP_CC_RFC2581, SCTP_CMT_RPV2},
	             {"MPTCP", SCTP_CC_RFC2581, SCTP_CMT_MPTCP}};

	(void)state;
	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		for (unsigned lossy = 0; lossy < 2; lossy++) {
			struct transfer_job job = transfer_two_paths("arrival", 1);
			struct transfer_outcome o;

			module = cases[i].module;
			mode = cases[i].mode;
			job.configure = use_upstreams;
			for (int p = 0; p < 2; p++)
				job.links[p].loss = lossy * 0.01;
			o = run(cases[i].what, &job);
			/* 1.2 s at the sum of both rates; one path alone takes 1.5 s at best. */
			if (lossy == 0)
				assert_true(o.last_us - o.up_us < 4000000);
		}
	}
}

static void stock_control_works_under_a_scheduler(void **state)
{
	struct transfer_job job = transfer_two_paths("arrival", 1);
	struct transfer_outcome o;

	(void)state;
	job.cc = "stock";
	o = run("stock", &job);
	assert_string_equal(o.stats[0].cc, "stock");
	job.cc = "olia";
	o = run("olia", &job);
	assert_string_equal(o.stats[0].cc, "olia");
}

static const char *next_cc(unsigned i)
{
	const char *name = usrsctp_cmt_cc_name(i);

	return name != NULL ? name : i % 2 == 0 ? "stock" : "veno";
}

/* The next control and detectors every hundred messages. */
static void change(struct transfer *t, int host, uint32_t index)
{
	const char *const chosen[2] = {next_cc(index / 100), usrsctp_cmt_recovery_name(index / 100 % 5)};

	if (host != TRANSFER_CLIENT || index % 100 != 99)
		return;
	for (unsigned i = 0; i < 2; i++) {
		struct sctp_cmt_policy policy = {.size = sizeof(policy), .assoc_id = SCTP_CURRENT_ASSOC};
		socklen_t len = sizeof(policy);

		snprintf(policy.name, sizeof(policy.name), "%s", chosen[i]);
		REQUIRE(usrsctp_setsockopt(t->sides[host].so, IPPROTO_SCTP, options[i], &policy,
		                           sizeof(policy)) == 0);
		REQUIRE(usrsctp_getsockopt(t->sides[host].so, IPPROTO_SCTP, options[i], &policy, &len) == 0);
		REQUIRE(strcmp(policy.name, chosen[i]) == 0);
	}
	t->outcome->marks[0]++;
}

static void policies_can_change_in_mid_transfer(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 3; seed++) {
		struct transfer_job job = transfer_two_paths("arrival", seed);
		struct transfer_outcome o;

		for (int p = 0; p < 2; p++)
			job.links[p].loss = 0.01;
		job.sndbuf_bytes = 50000;
		job.on_handed = change;
		o = run("changing", &job);
		assert_int_equal(o.marks[0], 15);
		assert_true(o.last_us - o.up_us < 6000000);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(what_is_wrong_changes_nothing, policy_new_sim, policy_free_sim),
	    cmocka_unit_test_setup_teardown(every_listed_name_can_be_set, policy_new_sim, policy_free_sim),
	    cmocka_unit_test_setup_teardown(future_current_all_and_one_differ, policy_new_sim,
	                                    policy_free_sim),
	    cmocka_unit_test_setup_teardown(statistics_fit_older_and_newer_programs, policy_new_sim,
	                                    policy_free_sim),
	    cmocka_unit_test(upstreams_controls_work_under_a_scheduler),
	    cmocka_unit_test(stock_control_works_under_a_scheduler),
	    cmocka_unit_test(policies_can_change_in_mid_transfer),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
