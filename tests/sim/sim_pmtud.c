/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How large packets may be (RFC 8899): what passes is found by probes, and when routers begin to drop large
 * packets in silence the transfer goes on.
 *
 * cost: 8 s */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "support/isolate.h"
#include "support/packet.h"
#include "support/sanitized.h"
#include "support/transfer.h"

enum {
	BASE_SCTP_BYTES = 1200,
	IPV4_BYTES = 20,
	IPV6_BYTES = 40,
	MTU_BYTES = 1500,
	BLACK_HOLE_BYTES = 1280,
	RTT_US = 40000,
	MESSAGE_BYTES = 5000,
	S = 1000000
};

/* Marks of the outcome. */
enum {
	N_PROBES,      /* packets with PAD */
	FIRST_DATA_US, /* when it left */
	EARLY_BYTES,   /* largest packet without PAD that left before an answer to that was possible */
	N_SWALLOWED,   /* packets with DATA and without PAD */
	N_UNSTAMPED,   /* packets with DATA that say nothing of when they left */
	TOLD           /* reports of routers */
};

static const char *const schedulers[] = {"auto", "rr", "minrtt", "arrival"};
enum { N_SCHEDULERS = SCHEDULERS_TO_RUN(4) };

static struct transfer_message message(int host, uint32_t index)
{
	(void)host;
	(void)index;
	return (struct transfer_message){.bytes = MESSAGE_BYTES};
}

static void watch(struct transfer *t, const struct usrsctp_cmt_sim_packet *packet)
{
	uint64_t *marks = t->outcome->marks;
	bool data = packet_has(packet->packet, packet->packet_bytes, CHUNK_DATA);
	bool probe = packet_has(packet->packet, packet->packet_bytes, CHUNK_PAD);

	if (packet->direction == 1)
		return;
	if (packet->event == USRSCTP_CMT_SIM_SENT) {
		marks[N_PROBES] += probe;
		marks[N_UNSTAMPED] += data && !packet_has(packet->packet, packet->packet_bytes, CHUNK_TIMESTAMP);
		if (data && marks[FIRST_DATA_US] == 0)
			marks[FIRST_DATA_US] = packet->at_us;
		if (!probe && (marks[FIRST_DATA_US] == 0 || packet->at_us < marks[FIRST_DATA_US] + RTT_US) &&
		    packet->packet_bytes > marks[EARLY_BYTES])
			marks[EARLY_BYTES] = packet->packet_bytes;
	}
	marks[N_SWALLOWED] += packet->event == USRSCTP_CMT_SIM_DROPPED && data && !probe;
}

/* 5 Mbit/s each, which take `ms` for the data together. */
static struct transfer_job paths(const char *scheduler, int n_paths, uint32_t ms)
{
	struct transfer_job job = {.scheduler = scheduler,
	                           .seed = 1,
	                           .n_paths = n_paths,
	                           .message = message,
	                           .n_messages = {(uint32_t)n_paths * ms * 5 / (8 * MESSAGE_BYTES / 1000)},
	                           .tap = watch};

	for (int p = 0; p < n_paths; p++)
		job.links[p] = (struct usrsctp_cmt_sim_link){
		    .rate_bps = 5000000, .delay_us = RTT_US / 2, .queue_pkts = 60};
	return job;
}

static struct transfer_outcome run(const struct transfer_job *job)
{
	struct transfer_outcome o = transfer_run(job);

	print_message("%s, %d paths, family %d, seed %llu: %.3f s, gap %.0f ms, %llu probes, %llu lost with "
	              "data, MTU %u\n",
	              job->scheduler, job->n_paths, job->family, (unsigned long long)job->seed,
	              (double)(o.last_us - o.up_us) / S, (double)o.longest_gap_us / 1e3,
	              (unsigned long long)o.marks[N_PROBES], (unsigned long long)o.marks[N_SWALLOWED],
	              o.paths[0].mtu_bytes);
	transfer_assert_arrived(job, &o);
	return o;
}

static void set_black_hole(struct transfer *t, uint32_t bytes)
{
	for (int path = 0; path < t->job->n_paths; path++) {
		for (int direction = 0; direction < 2; direction++) {
			struct usrsctp_cmt_sim_link link;

			REQUIRE(usrsctp_cmt_sim_get_link(t->sim, path, direction, &link) == 0);
			link.black_hole_bytes = bytes;
			REQUIRE(usrsctp_cmt_sim_set_link(t->sim, path, direction, &link) == 0);
		}
	}
}

static void assert_size(const struct transfer_outcome *o, uint32_t bytes)
{
	for (int p = 0; p < o->n_paths; p++)
		assert_in_range(o->paths[p].mtu_bytes, bytes - 3, bytes);
}

/* --- ordinary networks --- */

static void a_path_without_narrow_places_is_asked_once(void **state)
{
	(void)state;
	for (unsigned s = 0; s < N_SCHEDULERS; s++) {
		struct transfer_job job = paths(schedulers[s], 2, 1000);
		struct transfer_outcome o = run(&job);

		assert_int_equal(o.marks[N_PROBES], 2);
		assert_in_range(o.marks[EARLY_BYTES], 1000, BASE_SCTP_BYTES);
		assert_size(&o, MTU_BYTES);
	}
}

static struct transfer_message keystroke(int host, uint32_t index)
{
	(void)host;
	(void)index;
	return (struct transfer_message){.bytes = 100};
}

/* One small packet now and then, over the other path. */
static void a_path_that_carries_nothing_is_asked_after_a_second(void **state)
{
	(void)state;
	for (unsigned s = 0; s < N_SCHEDULERS; s++) {
		struct transfer_job job = paths(schedulers[s], 2, 1000);
		struct transfer_outcome o;

		job.message = keystroke;
		job.n_messages[TRANSFER_CLIENT] = 6;
		job.interval_us = 300000;
		o = run(&job);
		assert_int_equal(o.marks[N_PROBES], 2);
		assert_size(&o, MTU_BYTES);
	}
}

static void nobody_is_asked_who_is_only_answered(void **state)
{
	struct transfer_job job = paths("auto", 2, 1000);
	struct transfer_outcome o;

	(void)state;
	job.n_messages[TRANSFER_SERVER] = job.n_messages[TRANSFER_CLIENT];
	job.n_messages[TRANSFER_CLIENT] = 0;
	o = transfer_run(&job);
	transfer_assert_arrived(&job, &o);
	assert_int_equal(o.marks[N_PROBES], 0);
}

/* --- black holes --- */

static void one_that_was_always_there_is_found_by_probes_alone(void **state)
{
	(void)state;
	for (int n = 1; n <= 4; n *= 2) {
		for (int family = 0; family < 2; family++) {
			struct transfer_job job = paths("auto", n, 30000);
			struct transfer_outcome o;

			job.family = family == 0 ? AF_INET : AF_INET6;
			for (int p = 0; p < n; p++)
				job.links[p].black_hole_bytes = BLACK_HOLE_BYTES;
			o = run(&job);
			assert_in_range(o.longest_gap_us, 0, 300000);
			assert_int_equal(o.marks[N_SWALLOWED], 0);
			assert_size(&o, BLACK_HOLE_BYTES);
			/* What is lost with probes is no error of the path. */
			assert_int_equal(o.timeouts, 0);
			for (int p = 0; p < n; p++)
				assert_int_equal(o.paths[p].failures, 0);
		}
	}
}

static void begin(struct usrsctp_cmt_sim *sim, void *arg)
{
	(void)sim;
	set_black_hole(arg, BLACK_HOLE_BYTES);
}

static void begin_after_1_s(struct transfer *t)
{
	transfer_after(t, S, begin);
}

static void one_that_begins_in_a_transfer_stops_it_for_less_than_2_s(void **state)
{
	(void)state;
	for (unsigned s = 0; s < N_SCHEDULERS; s++) {
		for (int n = 1; n <= 4; n *= 2) {
			for (uint64_t seed = 1; seed <= 4; seed++) {
				struct transfer_job job = paths(schedulers[s], n, 4000);
				struct transfer_outcome o;

				job.family = seed % 2 == 0 ? AF_INET6 : AF_INET;
				job.seed = seed;
				/* Unequal paths, in half of the runs. */
				for (int p = 1; p < n && seed > 2; p++)
					job.links[p].delay_us *= (uint64_t)p + 1;
				job.on_up = begin_after_1_s;
				o = run(&job);
				assert_in_range(o.longest_gap_us, 0, 2 * S);
				assert_in_range(o.marks[N_SWALLOWED], 1, UINT32_MAX);
				/* What was cut for a larger MTU included. */
				assert_int_equal(o.marks[N_UNSTAMPED], 0);
			}
		}
	}
}

static void begin_small(struct usrsctp_cmt_sim *sim, void *arg)
{
	(void)sim;
	set_black_hole(arg, 900);
}

static void begin_small_after_1_s(struct transfer *t)
{
	transfer_after(t, S, begin_small);
}

static void one_below_base_is_found_as_well(void **state)
{
	struct transfer_job job = paths("auto", 2, 25000);
	struct transfer_outcome o;

	(void)state;
	job.on_up = begin_small_after_1_s;
	o = run(&job);
	assert_in_range(o.longest_gap_us, 0, 4 * S);
	assert_size(&o, 900);
}

static void end(struct usrsctp_cmt_sim *sim, void *arg)
{
	(void)sim;
	set_black_hole(arg, 0);
}

static void come_and_go(struct transfer *t)
{
	transfer_after(t, S, begin);
	transfer_after(t, 60 * (uint64_t)S, end);
}

/* PMTU_RAISE_TIMER: ten minutes after the search ended. */
static void what_passes_again_is_found_when_the_raise_timer_expires(void **state)
{
	struct transfer_job job = paths("auto", 2, 0);
	struct transfer_outcome o;

	(void)state;
	job.interval_us = 50000;
	job.limit_us = 800 * (uint64_t)S;
	job.n_messages[TRANSFER_CLIENT] = 580 * 20;
	job.on_up = come_and_go;
	o = run(&job);
	assert_size(&o, BLACK_HOLE_BYTES);
	job.n_messages[TRANSFER_CLIENT] = 680 * 20;
	o = run(&job);
	assert_size(&o, MTU_BYTES);
}

/* --- routers that tell --- */

enum { QUOTE_BYTES = 28 };

struct report {
	struct transfer *t;
	int path;
	uint8_t quote[QUOTE_BYTES];
	bool used;
};
static struct report reports[1000];

static void deliver(struct usrsctp_cmt_sim *sim, void *arg)
{
	struct report *r = arg;

	REQUIRE(usrsctp_cmt_sim_too_big(sim, r->path, TRANSFER_CLIENT, r->quote, sizeof(r->quote),
	                                BLACK_HOLE_BYTES) == 0);
	r->t->outcome->marks[TOLD]++;
}

static void tell(struct transfer *t, const struct usrsctp_cmt_sim_packet *packet)
{
	static unsigned n;

	watch(t, packet);
	if (packet->event != USRSCTP_CMT_SIM_DROPPED || packet->direction != 0 ||
	    packet->wire_bytes <= BLACK_HOLE_BYTES || n == sizeof(reports) / sizeof(reports[0]))
		return;
	reports[n] = (struct report){.t = t, .path = packet->path};
	memcpy(reports[n].quote, packet->packet, QUOTE_BYTES);
	REQUIRE(usrsctp_cmt_sim_at(t->sim, packet->at_us + RTT_US / 4, deliver, &reports[n++]) == 0);
}

static void a_router_that_tells_is_believed_after_a_probe(void **state)
{
	struct transfer_job job = paths("auto", 2, 2500);
	struct transfer_outcome o;

	(void)state;
	job.on_up = begin_after_1_s;
	job.tap = tell;
	o = run(&job);
	assert_in_range(o.longest_gap_us, 0, S);
	assert_in_range(o.marks[TOLD], 4, UINT32_MAX);
	assert_size(&o, BLACK_HOLE_BYTES);
}

struct forgery {
	uint32_t tag_error, mtu_bytes;
};

static void forge(struct usrsctp_cmt_sim *sim, void *arg)
{
	struct transfer *t = arg;
	const struct forgery *f = t->job->arg;
	uint8_t quote[QUOTE_BYTES];

	(void)sim;
	memcpy(quote, reports[0].quote, sizeof(quote));
	packet_put32(quote + 4, packet_get32(quote + 4) + f->tag_error);
	for (int i = 0; i < 3; i++)
		REQUIRE(usrsctp_cmt_sim_too_big(t->sim, 0, TRANSFER_CLIENT, quote, sizeof(quote),
		                                f->mtu_bytes) == 0);
	t->outcome->marks[TOLD]++;
}

static void forge_after_1_s(struct transfer *t)
{
	transfer_after(t, S, forge);
}

static void learn_tag(struct transfer *t, const struct usrsctp_cmt_sim_packet *packet)
{
	watch(t, packet);
	if (packet->direction == 0 && packet_has(packet->packet, packet->packet_bytes, CHUNK_DATA))
		memcpy(reports[0].quote, packet->packet, QUOTE_BYTES);
}

static void a_forged_report_costs_a_probe_at_most(void **state)
{
	const struct {
		struct forgery forgery;
		unsigned probes;
	} cases[] = {{{1, BLACK_HOLE_BYTES}, 0}, {{0, 68}, 0}, {{0, 575}, 0}, {{0, 1500}, 0}, {{0, 576}, 3},
	             {{0, BLACK_HOLE_BYTES}, 3}};

	(void)state;
	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct transfer_job job = paths("auto", 2, 2000);
		struct transfer_outcome o;

		job.arg = &cases[i].forgery;
		job.on_up = forge_after_1_s;
		job.tap = learn_tag;
		o = run(&job);
		assert_int_equal(o.marks[TOLD], 1);
		assert_in_range(o.marks[N_PROBES], 2, 2 + cases[i].probes);
		assert_size(&o, MTU_BYTES);
	}
}

/* --- who decides --- */

static void fix(struct socket *so)
{
	struct sctp_paddrparams p = {
	    .spp_assoc_id = SCTP_FUTURE_ASSOC, .spp_pathmtu = 1368, .spp_flags = SPP_PMTUD_DISABLE};

	REQUIRE(usrsctp_setsockopt(so, IPPROTO_SCTP, SCTP_PEER_ADDR_PARAMS, &p, sizeof(p)) == 0);
}

static void a_size_that_the_application_fixed_is_used_unasked(void **state)
{
	struct transfer_job job = paths("auto", 2, 1000);
	struct transfer_outcome o;

	(void)state;
	job.configure = fix;
	o = run(&job);
	assert_int_equal(o.marks[N_PROBES], 0);
	assert_size(&o, 1400);
}

static void without_a_scheduler_the_interface_decides(void **state)
{
	struct transfer_job job = paths(NULL, 1, 1000);
	struct transfer_outcome o;

	(void)state;
	o = transfer_run(&job);
	transfer_assert_arrived(&job, &o);
	assert_int_equal(o.marks[N_PROBES], 0);
	assert_size(&o, MTU_BYTES);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_path_without_narrow_places_is_asked_once),
	    cmocka_unit_test(a_path_that_carries_nothing_is_asked_after_a_second),
	    cmocka_unit_test(nobody_is_asked_who_is_only_answered),
	    cmocka_unit_test(one_that_was_always_there_is_found_by_probes_alone),
	    cmocka_unit_test(one_that_begins_in_a_transfer_stops_it_for_less_than_2_s),
	    cmocka_unit_test(one_below_base_is_found_as_well),
	    cmocka_unit_test(what_passes_again_is_found_when_the_raise_timer_expires),
	    cmocka_unit_test(a_router_that_tells_is_believed_after_a_probe),
	    cmocka_unit_test(a_forged_report_costs_a_probe_at_most),
	    cmocka_unit_test(a_size_that_the_application_fixed_is_used_unasked),
	    cmocka_unit_test(without_a_scheduler_the_interface_decides),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
