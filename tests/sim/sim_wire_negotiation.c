/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Negotiation of CMT-TIMESTAMP and CMT-ECHO: both are listed in INIT and INIT-ACK, and nothing new is on the
 * wire unless both sides listed them; schedulers work without. */
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

enum { PARAMETER_SUPPORTED_EXTENSIONS = 0x8008, INIT_ACK_GROWTH_MAX_BYTES = 8 };

struct job {
	bool off[2]; /* by host */
	int family;
	const char *scheduler;
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

static void leave_out(struct socket *so, int host, void *arg)
{
	struct sctp_assoc_value v = {.assoc_value = 0};
	const struct job *job = ((void **)arg)[0];

	if (job->off[host])
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
	                               .scheduler = j->scheduler,
	                               .configure = leave_out,
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
	printf("%s, off %d %d: %u stamps, %u echoes, %u + %u packets\n", job.scheduler, job.off[0],
	       job.off[1], o.stamps, o.echoes, o.data_pkts[0], o.data_pkts[1]);
	assert_true(o.delivered);
	assert_string_equal(o.scheduler, job.scheduler);
	assert_int_equal(o.illegal_decisions, 0);
	return o;
}

static void both_list_both_types_and_use_them(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		struct outcome o =
		    run((struct job){.scheduler = schedulers[i], .family = i == 1 ? AF_INET6 : AF_INET});

		for (unsigned host = 0; host < 2; host++) {
			assert_true(o.listed[host][0] && o.listed[host][1]);
			assert_int_equal(o.extension[host], 1);
		}
		assert_in_range(o.stamps, 400, 1000);
		assert_in_range(o.echoes, 100, 1000);
		assert_in_range(o.samples, 100, 1000);
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
	if (strcmp(o->scheduler, "lcm") != 0)
		assert_true(o->data_pkts[0] > 50 && o->data_pkts[1] > 50);
}

static void a_client_that_does_not_list_them_gets_nothing_new(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		struct outcome o = run((struct job){.scheduler = schedulers[i], .off = {true, false}});

		assert_false(o.listed[0][0] || o.listed[0][1]);
		assert_nothing_new(&o);
	}
}

static void a_server_that_does_not_list_them_gets_nothing_new(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		struct outcome o = run((struct job){.scheduler = schedulers[i], .off = {false, true}});

		assert_true(o.listed[0][0] && o.listed[0][1]);
		assert_false(o.listed[1][0] || o.listed[1][1]);
		assert_nothing_new(&o);
	}
}

static void the_lists_cost_few_bytes(void **state)
{
	struct outcome on = run((struct job){.scheduler = "rr"});
	struct outcome off = run((struct job){.scheduler = "rr", .off = {true, true}});

	(void)state;
	printf("INIT grows by %u bytes, INIT-ACK by %u\n", (unsigned)(on.init_bytes[0] - off.init_bytes[0]),
	       (unsigned)(on.init_bytes[1] - off.init_bytes[1]));
	for (unsigned i = 0; i < 2; i++)
		assert_in_range(on.init_bytes[i] - off.init_bytes[i], 0, INIT_ACK_GROWTH_MAX_BYTES);
	assert_nothing_new(&off);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(both_list_both_types_and_use_them),
	    cmocka_unit_test(a_client_that_does_not_list_them_gets_nothing_new),
	    cmocka_unit_test(a_server_that_does_not_list_them_gets_nothing_new),
	    cmocka_unit_test(the_lists_cost_few_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
