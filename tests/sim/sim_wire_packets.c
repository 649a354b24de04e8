/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What stands in packets once the extension is negotiated: the order of chunks, stamps and their numbering,
 * echoes that say what really arrived, and SACKs on the path that the sender wishes. The tap sees everything,
 * so each field is compared with the truth. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>

#include "support/isolate.h"
#include "support/packet.h"
#include "support/pair.h"
#include "support/tsn_log.h"
#include "wire/cmt_wire.h"

enum { PACKETS_MAX = 8192, PATHS = 2, MTU_BYTES = 1500 };

struct job {
	const char *scheduler;
	bool nr_sack;
	double loss;
	uint64_t back_delay_us[PATHS];
	uint64_t first_back_rate_bps; /* 0 = as fast as the other path's */
};

struct seen_packet {
	uint32_t ts_us;
	bool arrived, echoed;
	uint64_t arrived_us;
};

struct outcome {
	struct seen_packet packets[PATHS][PACKETS_MAX]; /* by Path Packet Number */
	uint32_t last_number[PATHS];
	uint32_t arrived_pkts, counted_pkts[PATHS]; /* the second as told by the echoes */
	uint32_t sacks[PATHS], sacks_late[PATHS], nr_sacks, echoes;
	uint64_t echo_us; /* of the newest echo */
	uint32_t out_of_order, unstamped, misnumbered, misread, oversized;
	struct tsn_log log;
	bool delivered;
};

struct watch {
	const struct job *job;
	struct outcome *o;
};

enum place { START, CONTROL, SACK, ECHO, STAMP, DATA };

static enum place place_of(uint8_t type)
{
	switch (type) {
	case CHUNK_SACK:
	case CHUNK_NR_SACK: return SACK;
	case CHUNK_ECHO: return ECHO;
	case CHUNK_TIMESTAMP: return STAMP;
	case CHUNK_DATA:
	case CHUNK_IDATA: return DATA;
	default: return CONTROL;
	}
}

/* An echo directly behind its SACK, one stamp directly in front of DATA, nothing but DATA behind. Control
 * that upstream queued before the SACK may stand in front of it. */
static void check_order(struct outcome *o, const struct usrsctp_cmt_sim_packet *packet)
{
	enum place last = START;
	size_t offset = 0;
	struct chunk c;

	while (packet_next_chunk(packet->packet, packet->packet_bytes, &offset, &c)) {
		enum place place = place_of(c.type);

		switch (place) {
		case START:
		case CONTROL:
		case SACK:
		case STAMP: o->out_of_order += last >= STAMP; break;
		case ECHO: o->out_of_order += last != SACK; break;
		case DATA: o->unstamped += last < STAMP; break;
		}
		last = place;
	}
	o->out_of_order += last == STAMP;
	o->oversized += packet->wire_bytes > MTU_BYTES;
}

static void check_stamp(struct outcome *o, const struct usrsctp_cmt_sim_packet *packet, const struct chunk *c)
{
	struct cmt_timestamp ts;
	uint32_t *last = &o->last_number[packet->path];

	if (c->len != CMT_TIMESTAMP_BYTES || c->bytes[1] != 0 ||
	    cmt_timestamp_decode(c->bytes, c->len, &ts) != 0 || ts.path_id == 0 || ts.path_id > PATHS ||
	    ts.path_packet_number >= PACKETS_MAX) {
		o->misread++;
		return;
	}
	/* Path ids are given in the order of the peer's addresses, which is that of the paths. */
	if (packet->event == USRSCTP_CMT_SIM_SENT) {
		o->misnumbered += ts.path_packet_number != *last + 1 || ts.path_id != packet->path + 1;
		*last = ts.path_packet_number;
		o->packets[packet->path][*last].ts_us = ts.ts_us;
	} else if (packet->event == USRSCTP_CMT_SIM_DELIVERED) {
		struct seen_packet *seen = &o->packets[packet->path][ts.path_packet_number];

		o->arrived_pkts++;
		seen->arrived = true;
		seen->arrived_us = packet->at_us;
	}
}

static void check_echo(struct outcome *o, const struct usrsctp_cmt_sim_packet *packet, const struct chunk *c)
{
	struct cmt_echo echo;

	o->echoes++;
	if (c->bytes[1] != 0 || cmt_echo_decode(c->bytes, c->len, &echo) != 0) {
		o->misread++;
		return;
	}
	/* Two in the same microsecond are a microsecond apart. */
	o->echo_us = packet->at_us > o->echo_us ? packet->at_us : o->echo_us + 1;
	for (uint32_t i = 0; i < echo.n_entries; i++) {
		const struct cmt_echo_entry *e = &echo.entries[i];
		struct seen_packet *seen;

		if (e->path_id == 0 || e->path_id > PATHS || e->path_packet_number >= PACKETS_MAX) {
			o->misread++;
			continue;
		}
		seen = &o->packets[e->path_id - 1][e->path_packet_number];
		o->misread += !seen->arrived || seen->echoed || seen->ts_us != e->ts_us ||
		              e->elapsed_us != o->echo_us - seen->arrived_us;
		seen->echoed = true;
		o->counted_pkts[e->path_id - 1] = e->packets;
	}
}

static void watch(struct usrsctp_cmt_sim *sim, const struct usrsctp_cmt_sim_packet *packet, void *arg)
{
	struct outcome *o = ((struct watch *)arg)->o;
	struct chunk c;

	(void)sim;
	tsn_log_packet(&o->log, packet);
	if (packet->event == USRSCTP_CMT_SIM_SENT)
		check_order(o, packet);
	if (packet->direction == 0 && packet_find(packet->packet, packet->packet_bytes, CHUNK_TIMESTAMP, &c))
		check_stamp(o, packet, &c);
	if (packet->direction == 0 || packet->event != USRSCTP_CMT_SIM_SENT)
		return;
	if (packet_find(packet->packet, packet->packet_bytes, CHUNK_ECHO, &c))
		check_echo(o, packet, &c);
	o->nr_sacks += packet_has(packet->packet, packet->packet_bytes, CHUNK_NR_SACK);
	if (packet_find(packet->packet, packet->packet_bytes, CHUNK_SACK, &c) ||
	    packet_find(packet->packet, packet->packet_bytes, CHUNK_NR_SACK, &c)) {
		o->sacks[packet->path]++;
		o->sacks_late[packet->path] += o->log.data_pkts > 250;
	}
}

static void want_nr_sacks(struct socket *so, int host, void *arg)
{
	struct sctp_assoc_value v = {.assoc_id = SCTP_FUTURE_ASSOC, .assoc_value = 1};

	(void)host;
	if (((struct watch *)arg)->job->nr_sack)
		REQUIRE(usrsctp_setsockopt(so, IPPROTO_SCTP, SCTP_NRSACK_SUPPORTED, &v, sizeof(v)) == 0);
}

static void transfer(const void *job, void *outcome)
{
	const struct job *j = job;
	struct watch w = {.job = job, .o = outcome};
	struct pair_options options = {
	    .seed = 5,
	    .n_paths = PATHS,
	    .forward = {{.rate_bps = 4000000, .delay_us = 10000, .queue_pkts = 100, .loss = j->loss},
	                {.rate_bps = 1500000, .delay_us = 40000, .queue_pkts = 100, .loss = j->loss}},
	    .backward = {{.rate_bps = j->first_back_rate_bps > 0 ? j->first_back_rate_bps : 4000000,
	                  .delay_us = j->back_delay_us[0],
	                  .queue_pkts = 100,
	                  .loss = j->loss},
	                 {.rate_bps = 4000000, .delay_us = j->back_delay_us[1], .loss = j->loss}},
	    .bytes = 500000,
	    .scheduler = j->scheduler,
	    .configure = want_nr_sacks,
	    .tap = watch,
	    .arg = &w};
	struct pair p;

	pair_open(&p, &options);
	pair_run(&p, UINT64_C(600000000));
	w.o->delivered = p.complete && p.intact;
	/* Delayed SACKs. */
	pair_linger(&p, p.done_us + 1000000);
	pair_close(&p);
}

static const struct outcome *run(struct job job)
{
	static struct outcome o;

	isolate_run(transfer, &job, &o, sizeof(o));
	printf("%s: %u packets with DATA, %u retransmissions, %u echoes, SACKs %u + %u (late %u + %u)\n",
	       job.scheduler, o.log.data_pkts, tsn_log_retransmissions(&o.log), o.echoes, o.sacks[0],
	       o.sacks[1], o.sacks_late[0], o.sacks_late[1]);
	assert_true(o.delivered);
	assert_int_equal(o.out_of_order, 0);
	assert_int_equal(o.unstamped, 0);
	assert_int_equal(o.misnumbered, 0);
	assert_int_equal(o.misread, 0);
	assert_int_equal(o.oversized, 0);
	assert_int_equal(o.last_number[0] + o.last_number[1], o.log.data_pkts);
	assert_int_equal(o.counted_pkts[0] + o.counted_pkts[1], o.arrived_pkts);
	assert_in_range(o.echoes, 100, 1000);
	return &o;
}

static void every_packet_is_stamped_numbered_and_echoed_in_the_right_place(void **state)
{
	const char *const names[3] = {"rr", "lcm", "arrival"};

	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		const struct outcome *o =
		    run((struct job){.scheduler = names[i], .back_delay_us = {10000, 40000}});

		assert_int_equal(tsn_log_losses(&o->log), 0);
		assert_true(o->last_number[0] > 100 && o->last_number[1] > 50);
	}
}

static void retransmissions_are_stamped_and_numbered_too(void **state)
{
	const char *const names[3] = {"rr", "lcm", "arrival"};

	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		const struct outcome *o =
		    run((struct job){.scheduler = names[i], .loss = 0.03, .back_delay_us = {10000, 40000}});

		assert_in_range(tsn_log_retransmissions(&o->log), 5, 200);
	}
}

static void echoes_stand_behind_nr_sacks_as_well(void **state)
{
	const struct outcome *o = run((struct job){
	    .scheduler = "arrival", .nr_sack = true, .loss = 0.02, .back_delay_us = {10000, 40000}});

	(void)state;
	assert_true(o->nr_sacks >= o->echoes);
}

static void sacks_take_the_return_path_that_the_sender_wishes(void **state)
{
	const struct outcome *o;

	(void)state;
	o = run((struct job){.scheduler = "rr", .back_delay_us = {120000, 10000}});
	assert_true(o->sacks_late[1] > 9 * o->sacks_late[0] && o->sacks_late[1] > 20);
	o = run((struct job){.scheduler = "rr", .back_delay_us = {10000, 120000}});
	/* At the end path 0 has nothing left to send: a silent path is not trusted with SACKs. */
	assert_true(o->sacks_late[0] > 4 * o->sacks_late[1] && o->sacks_late[0] > 20);
}

/* It has the shortest delay, but SACKs alone fill it. */
static void sacks_leave_a_return_path_that_is_too_narrow_for_them(void **state)
{
	const char *const names[2] = {"rr", "arrival"};

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		const struct outcome *o = run((struct job){
		    .scheduler = names[i], .back_delay_us = {10000, 40000}, .first_back_rate_bps = 50000});

		assert_true(o->sacks_late[1] > 3 * o->sacks_late[0]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_packet_is_stamped_numbered_and_echoed_in_the_right_place),
	    cmocka_unit_test(retransmissions_are_stamped_and_numbered_too),
	    cmocka_unit_test(echoes_stand_behind_nr_sacks_as_well),
	    cmocka_unit_test(sacks_take_the_return_path_that_the_sender_wishes),
	    cmocka_unit_test(sacks_leave_a_return_path_that_is_too_narrow_for_them),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
