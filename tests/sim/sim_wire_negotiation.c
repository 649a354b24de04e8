/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Negotiation of CMT-TIMESTAMP and CMT-ECHO: who has a scheduler lists both in its INIT, who is called
 * answers in kind, and nothing new is on the wire unless both sides listed them; schedulers work without. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "support/isolate.h"
#include "support/packet.h"
#include "support/pair.h"
#include "support/policy.h"
#include "support/raw.h"

enum { PARAMETER_SUPPORTED_EXTENSIONS = 0x8008, INIT_ACK_GROWTH_MAX_BYTES = 8 };

enum { LEAVE = 9 }; /* SCTP_CMT_EXTENSION is not set */

/* By host: the client sends and calls. */
struct job {
	int family;
	uint32_t extension[2];
	const char *scheduler[2]; /* NULL = none is set */
};

struct outcome {
	bool listed[2][2];       /* by host: CMT-TIMESTAMP, CMT-ECHO */
	size_t init_bytes[2];    /* INIT, INIT-ACK */
	uint32_t stamps, echoes; /* chunks on the wire */
	uint16_t extension[2];   /* as the hosts see it */
	uint32_t data_pkts[2];   /* by path */
	uint64_t samples;        /* of the client */
	uint64_t illegal_decisions;
	char scheduler[SCTP_CMT_POLICY_NAME_MAX];
	bool delivered;
};

static void note_init(struct outcome *o, int host, const struct chunk *init)
{
	struct chunk list;

	o->init_bytes[host] = init->len;
	if (!packet_find_parameter(init, PARAMETER_SUPPORTED_EXTENSIONS, &list))
		return;
	o->listed[host][0] = memchr(list.bytes + 4, CHUNK_TIMESTAMP, list.len - 4) != NULL;
	o->listed[host][1] = memchr(list.bytes + 4, CHUNK_ECHO, list.len - 4) != NULL;
}

static void watch(struct usrsctp_cmt_sim *sim, const struct usrsctp_cmt_sim_packet *packet, void *arg)
{
	void **args = arg;
	struct outcome *o = args[1];
	size_t offset = 0;
	bool data = false;
	struct chunk c;

	(void)sim;
	if (packet->event != USRSCTP_CMT_SIM_SENT)
		return;
	while (packet_next_chunk(packet->packet, packet->packet_bytes, &offset, &c)) {
		if (c.type == CHUNK_INIT || c.type == CHUNK_INIT_ACK)
			note_init(o, packet->direction, &c);
		o->stamps += c.type == CHUNK_TIMESTAMP;
		o->echoes += c.type == CHUNK_ECHO;
		data |= chunk_is_data(&c);
	}
	if (data && packet->direction == 0)
		o->data_pkts[packet->path]++;
}

static void choose(struct socket *so, int host, void *arg)
{
	const struct job *job = ((void **)arg)[0];
	const struct sctp_assoc_value v = {.assoc_value = job->extension[host]};

	policy_choose(so, SCTP_CMT_SCHEDULER, job->scheduler[host]);
	if (job->extension[host] != LEAVE)
		REQUIRE(usrsctp_setsockopt(so, IPPROTO_SCTP, SCTP_CMT_EXTENSION, &v, sizeof(v)) == 0);
}

static void transfer(const void *job, void *outcome)
{
	const struct usrsctp_cmt_sim_link fast = {.rate_bps = 4000000, .delay_us = 10000, .queue_pkts = 100};
	const struct usrsctp_cmt_sim_link slow = {.rate_bps = 3000000, .delay_us = 20000, .queue_pkts = 100};
	const struct job *j = job;
	struct outcome *o = outcome;
	const void *args[2] = {job, outcome};
	struct sctp_cmt_path_stats paths[USRSCTP_CMT_SIM_MAX_PATHS];
	struct pair_options options = {.family = j->family,
	                               .seed = 3,
	                               .n_paths = 2,
	                               .forward = {fast, slow},
	                               .backward = {fast, slow},
	                               .bytes = 500000,
	                               .configure = choose,
	                               .tap = watch,
	                               .arg = args};
	struct pair p;

	pair_open(&p, &options);
	pair_run(&p, UINT64_C(600000000));
	o->delivered = p.complete && p.intact;
	o->extension[0] = pair_stats(p.client).extension;
	o->extension[1] = pair_stats(p.server).extension;
	o->illegal_decisions = pair_stats(p.client).illegal_decisions;
	memcpy(o->scheduler, pair_stats(p.client).scheduler, sizeof(o->scheduler));
	for (int i = 0, n = pair_path_stats(p.client, paths); i < n; i++)
		o->samples += paths[i].samples;
	pair_close(&p);
}

static const char *const schedulers[] = {"rr", "lcm", "arrival"};

static struct outcome run(struct job job)
{
	struct outcome o;

	isolate_run(transfer, &job, &o, sizeof(o));
	for (int host = 0; host < 2; host++)
		printf("%s %u, ", job.scheduler[host] != NULL ? job.scheduler[host] : "-",
		       job.extension[host]);
	printf("%u stamps, %u echoes, %u + %u packets\n", o.stamps, o.echoes, o.data_pkts[0], o.data_pkts[1]);
	assert_true(o.delivered);
	assert_string_equal(o.scheduler, job.scheduler[0] != NULL ? job.scheduler[0] : "stock");
	assert_int_equal(o.illegal_decisions, 0);
	return o;
}

/* Both ends with a scheduler, and SCTP_CMT_EXTENSION. */
static struct job scheduled(const char *scheduler, uint32_t client, uint32_t server)
{
	return (struct job){.scheduler = {scheduler, scheduler}, .extension = {client, server}};
}

static void assert_listed(const struct outcome *o, bool client, bool server)
{
	const bool expected[2] = {client, server};

	for (int host = 0; host < 2; host++) {
		assert_int_equal(o->listed[host][0], expected[host]);
		assert_int_equal(o->listed[host][1], expected[host]);
		assert_int_equal(o->extension[host], client && server);
	}
}

static void assert_measured(const struct outcome *o)
{
	assert_listed(o, true, true);
	assert_in_range(o->stamps, 400, 1000);
	assert_in_range(o->echoes, 100, 1000);
	assert_in_range(o->samples, 100, 1000);
}

static void both_list_both_types_and_use_them(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		struct job job = scheduled(schedulers[i], LEAVE, LEAVE);
		struct outcome o;

		job.family = i == 1 ? AF_INET6 : AF_INET;
		o = run(job);
		assert_measured(&o);
	}
}

static void who_is_called_needs_no_scheduler(void **state)
{
	const uint32_t extensions[] = {LEAVE, SCTP_CMT_EXTENSION_AUTO, SCTP_CMT_EXTENSION_ALWAYS};

	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		struct outcome o =
		    run((struct job){.scheduler = {"arrival", NULL}, .extension = {LEAVE, extensions[i]}});

		assert_measured(&o);
	}
}

static void assert_nothing_new(const struct outcome *o)
{
	assert_int_equal(o->stamps, 0);
	assert_int_equal(o->echoes, 0);
	assert_int_equal(o->samples, 0);
	assert_int_equal(o->extension[0], 0);
	assert_int_equal(o->extension[1], 0);
	/* Without forward delays schedulers go by srtt / 2. lcm may find one path enough. */
	assert_true(o->data_pkts[0] + o->data_pkts[1] >= 500);
	if (strcmp(o->scheduler, "lcm") != 0 && strcmp(o->scheduler, "stock") != 0)
		assert_true(o->data_pkts[0] > 50 && o->data_pkts[1] > 50);
}

static void a_client_without_a_scheduler_lists_nothing_and_gets_nothing(void **state)
{
	const char *const servers[] = {NULL, "arrival"};

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		struct outcome o =
		    run((struct job){.scheduler = {NULL, servers[i]}, .extension = {LEAVE, LEAVE}});

		assert_listed(&o, false, false);
		assert_nothing_new(&o);
	}
}

/* It receives, and asks for what the server's scheduler needs. Nothing is stamped, so nothing is echoed. */
static void a_client_without_a_scheduler_lists_them_when_told_to(void **state)
{
	struct outcome o = run(
	    (struct job){.scheduler = {NULL, "arrival"}, .extension = {SCTP_CMT_EXTENSION_ALWAYS, LEAVE}});

	(void)state;
	assert_listed(&o, true, true);
	assert_int_equal(o.stamps, 0);
	assert_int_equal(o.echoes, 0);
}

static void a_server_that_is_told_to_lists_them_to_everybody(void **state)
{
	struct outcome o = run(
	    (struct job){.scheduler = {NULL, "arrival"}, .extension = {LEAVE, SCTP_CMT_EXTENSION_ALWAYS}});

	(void)state;
	assert_listed(&o, false, true);
	assert_nothing_new(&o);
}

static void a_client_that_never_lists_them_gets_nothing_new(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		struct outcome o = run(scheduled(schedulers[i], SCTP_CMT_EXTENSION_NEVER, LEAVE));

		assert_listed(&o, false, false);
		assert_nothing_new(&o);
	}
}

static void a_server_that_never_lists_them_gets_nothing_new(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		struct outcome o = run(scheduled(schedulers[i], LEAVE, SCTP_CMT_EXTENSION_NEVER));

		assert_listed(&o, true, false);
		assert_nothing_new(&o);
	}
}

static void the_lists_cost_few_bytes(void **state)
{
	struct outcome on = run(scheduled("rr", LEAVE, LEAVE));
	struct outcome off = run(scheduled("rr", SCTP_CMT_EXTENSION_NEVER, SCTP_CMT_EXTENSION_NEVER));

	(void)state;
	printf("INIT grows by %u bytes, INIT-ACK by %u\n", (unsigned)(on.init_bytes[0] - off.init_bytes[0]),
	       (unsigned)(on.init_bytes[1] - off.init_bytes[1]));
	for (unsigned i = 0; i < 2; i++)
		assert_in_range(on.init_bytes[i] - off.init_bytes[i], 0, INIT_ACK_GROWTH_MAX_BYTES);
	assert_nothing_new(&off);
}

static void never_list(struct socket *so)
{
	const struct sctp_assoc_value v = {.assoc_value = SCTP_CMT_EXTENSION_NEVER};

	REQUIRE(usrsctp_setsockopt(so, IPPROTO_SCTP, SCTP_CMT_EXTENSION, &v, sizeof(v)) == 0);
}

/* By time: the first INIT, one for the association that is there. */
struct answers {
	bool listed[2];
};

static void restart(const void *job, void *outcome)
{
	const bool *never = job;
	const struct raw_options options = {.parameters = {RAW_SPEAKS_OURS},
	                                    .parameters_bytes = RAW_SPEAKS_OURS_BYTES,
	                                    .configure = *never ? never_list : NULL};
	struct answers *answers = outcome;
	struct outcome o = {.delivered = false};
	unsigned since = 0;
	struct chunk c;
	struct raw r;

	raw_accepted(&r, &options);
	raw_ask_cookie(&r);
	for (int i = 0; i < 2; i++) {
		REQUIRE(raw_hear(&r, &since, CHUNK_INIT_ACK, &c));
		note_init(&o, 1, &c);
		answers->listed[i] = o.listed[1][0] && o.listed[1][1];
	}
	raw_close(&r);
}

static void what_a_listener_was_told_holds_when_the_peer_restarts(void **state)
{
	(void)state;
	for (int never = 0; never < 2; never++) {
		const bool job = never;
		struct answers answers;

		isolate_run(restart, &job, &answers, sizeof(answers));
		assert_int_equal(answers.listed[0], !job);
		assert_int_equal(answers.listed[1], !job);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(both_list_both_types_and_use_them),
	    cmocka_unit_test(who_is_called_needs_no_scheduler),
	    cmocka_unit_test(a_client_without_a_scheduler_lists_nothing_and_gets_nothing),
	    cmocka_unit_test(a_client_without_a_scheduler_lists_them_when_told_to),
	    cmocka_unit_test(a_server_that_is_told_to_lists_them_to_everybody),
	    cmocka_unit_test(a_client_that_never_lists_them_gets_nothing_new),
	    cmocka_unit_test(a_server_that_never_lists_them_gets_nothing_new),
	    cmocka_unit_test(the_lists_cost_few_bytes),
	    cmocka_unit_test(what_a_listener_was_told_holds_when_the_peer_restarts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
