/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Echoes that lie, and chunks of every wrong length. Somebody who knows ports and tag sends a false copy
 * ahead of each true SACK ("beside"), or a liar's echoes take the place of all true ones ("instead"): samples
 * are rejected and counted, the SACK in front of them is processed, the transfer is none the slower. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "support/impostor.h"
#include "support/isolate.h"
#include "support/packet.h"
#include "support/pair.h"
#include "wire/cmt_wire.h"

enum { UNDER_WAY_MAX = 20 }; /* forgeries that have not arrived when the transfer is complete */

enum forgery {
	FORGE_NOTHING,
	FORGE_TS,      /* a time stamp that no packet had */
	FORGE_NUMBER,  /* a packet that was never sent */
	FORGE_REPLAY,  /* the first echo of all, again and again */
	FORGE_ELAPSED, /* an arrival before the packet was sent */
	FORGE_PATH,    /* a path that does not exist */
	FORGE_FIELD    /* one field set to a boundary value */
};

struct job {
	enum forgery forgery;
	bool instead;   /* of the true ones, which get lost */
	unsigned field; /* FORGE_FIELD: octet in the entry */
	uint32_t value; /* FORGE_FIELD */
	const char *scheduler;
};

struct outcome {
	uint64_t samples, rejected, malformed, of_no_path, done_us;
	uint32_t forged, timeouts;
	bool delivered;
};

struct liar {
	const struct job *job;
	struct outcome *o;
	uint8_t first_echo[CMT_ECHO_MAX_BYTES];
	size_t first_echo_bytes;
	struct impostor impostor;
};

static void forge_entry(const struct job *job, uint8_t *entry)
{
	switch (job->forgery) {
	case FORGE_NOTHING:
	case FORGE_REPLAY: return;
	case FORGE_TS: packet_put32(entry + 4, packet_get32(entry + 4) + 1); return;
	case FORGE_ELAPSED: packet_put32(entry + 8, 600000000); return;
	case FORGE_NUMBER: packet_put32(entry + 12, packet_get32(entry + 12) + 100000); return;
	case FORGE_PATH: packet_put16(entry, 77); return;
	case FORGE_FIELD:
		if (job->field < 4)
			packet_put16(entry + job->field, (uint16_t)job->value);
		else
			packet_put32(entry + job->field, job->value);
		return;
	}
}

/* A copy of `packet` with another echo; 0 when there is none to change. */
static size_t forge(const struct usrsctp_cmt_sim_packet *packet, uint8_t *out, size_t size, void *arg)
{
	struct liar *l = arg;
	size_t echo_len;
	uint8_t *at = impostor_copy_echo(packet, out, size, &echo_len);

	if (at == NULL)
		return 0;
	if (l->first_echo_bytes == 0) {
		memcpy(l->first_echo, at, echo_len);
		l->first_echo_bytes = echo_len;
		return 0;
	}
	if (l->job->forgery == FORGE_REPLAY) {
		memcpy(at, l->first_echo, l->first_echo_bytes);
		return (size_t)(at - out) + l->first_echo_bytes;
	}
	for (size_t i = CMT_ECHO_FIXED_BYTES; i < echo_len; i += CMT_ECHO_ENTRY_BYTES)
		forge_entry(l->job, at + i);
	return packet->packet_bytes;
}

static void lie(struct usrsctp_cmt_sim *sim, const struct usrsctp_cmt_sim_packet *packet, void *arg)
{
	struct liar *l = arg;

	if (l->job->forgery != FORGE_NOTHING)
		impostor_meet(&l->impostor, sim, packet);
}

static void transfer(const void *job, void *outcome)
{
	const struct usrsctp_cmt_sim_link fast = {.rate_bps = 4000000, .delay_us = 10000, .queue_pkts = 100};
	const struct usrsctp_cmt_sim_link slow = {.rate_bps = 2000000, .delay_us = 40000, .queue_pkts = 100};
	struct sctp_cmt_path_stats paths[USRSCTP_CMT_SIM_MAX_PATHS];
	struct liar l = {.job = job, .o = outcome, .impostor = {.forge = forge, .arg = &l}};
	struct pair_options options = {.seed = 9,
	                               .n_paths = 2,
	                               .forward = {fast, slow},
	                               .backward = {fast, slow},
	                               .bytes = 500000,
	                               .scheduler = l.job->scheduler,
	                               .tap = lie,
	                               .arg = &l};
	struct sctpstat stats;
	struct pair p;

	l.impostor.beside = !l.job->instead;
	pair_open(&p, &options);
	pair_run(&p, UINT64_C(600000000));
	l.o->forged = l.impostor.forged;
	l.o->delivered = p.complete && p.intact;
	l.o->done_us = p.done_us;
	usrsctp_get_stat(&stats);
	l.o->timeouts = stats.sctps_timodata;
	l.o->malformed = pair_stats(p.client).malformed_chunks;
	l.o->of_no_path = pair_stats(p.client).samples_of_no_path;
	for (int i = 0, n = pair_path_stats(p.client, paths); i < n; i++) {
		l.o->samples += paths[i].samples;
		l.o->rejected += paths[i].samples_rejected;
	}
	pair_close(&p);
}

static struct outcome run(struct job job)
{
	struct outcome o;

	isolate_run(transfer, &job, &o, sizeof(o));
	printf("%s, forgery %d, field %u value %u, %s: %u forged, %llu samples, %llu rejected, %llu us\n",
	       job.scheduler, (int)job.forgery, job.field, job.value, job.instead ? "instead" : "beside",
	       o.forged, (unsigned long long)o.samples, (unsigned long long)o.rejected,
	       (unsigned long long)o.done_us);
	assert_true(o.delivered);
	assert_int_equal(o.timeouts, 0);
	assert_int_equal(o.malformed, 0);
	return o;
}

static const char *const schedulers[] = {"arrival", "lcm"};

static void false_copies_are_rejected_and_cost_nothing(void **state)
{
	const enum forgery kinds[] = {FORGE_TS, FORGE_NUMBER, FORGE_REPLAY, FORGE_ELAPSED, FORGE_PATH};

	(void)state;
	for (unsigned s = 0; s < 2; s++) {
		struct outcome undisturbed = run((struct job){.scheduler = schedulers[s]});

		assert_int_equal(undisturbed.rejected, 0);
		for (unsigned i = 0; i < 5; i++) {
			struct outcome o = run((struct job){.scheduler = schedulers[s], .forgery = kinds[i]});

			assert_in_range(o.forged, 100, 1000);
			if (kinds[i] == FORGE_PATH)
				assert_true(o.of_no_path + UNDER_WAY_MAX >= o.forged);
			else if (kinds[i] == FORGE_ELAPSED)
				/* When an echo that others overtook says that its packet arrived is not read.
				 */
				assert_true(o.rejected + UNDER_WAY_MAX >= o.samples);
			else
				assert_true(o.rejected + UNDER_WAY_MAX >= o.forged);
			assert_true(o.samples > undisturbed.samples / 2);
			assert_true(o.done_us * 9 <= undisturbed.done_us * 10);
		}
	}
}

static const uint32_t values[] = {0, 1, INT32_MAX, UINT32_C(0x80000000), UINT32_MAX};

static void boundary_values_are_survived(void **state)
{
	const unsigned fields[] = {0, 4, 8, 12}; /* Path ID, Ts, Te, Path Packet Number */
	struct outcome undisturbed = run((struct job){.scheduler = "arrival"});

	(void)state;
	for (unsigned f = 0; f < 4; f++) {
		for (unsigned v = 0; v < 5; v++) {
			struct outcome o = run((struct job){.scheduler = "arrival",
			                                    .forgery = FORGE_FIELD,
			                                    .field = fields[f],
			                                    .value = values[v]});

			assert_true(o.done_us * 9 <= undisturbed.done_us * 10);
			/* Te 0 and 1 are possible; the second of two echoes of one packet is the false one.
			 */
			if (fields[f] != 0)
				assert_true(o.rejected > 100);
		}
	}
}

static void false_counts_cost_no_more_than_echoes_that_tell_nothing(void **state)
{
	struct outcome undisturbed = run((struct job){.scheduler = "arrival"});

	(void)state;
	for (unsigned v = 0; v < 5; v++) {
		struct outcome o = run((struct job){
		    .scheduler = "arrival", .forgery = FORGE_FIELD, .field = 2, .value = values[v]});

		assert_true(o.done_us * 2 <= undisturbed.done_us * 3);
		assert_in_range(o.forged, 100, 1000);
	}
}

static void sacks_in_front_of_false_echoes_are_processed(void **state)
{
	const enum forgery kinds[] = {FORGE_TS, FORGE_NUMBER, FORGE_REPLAY, FORGE_ELAPSED, FORGE_PATH};
	struct outcome undisturbed = run((struct job){.scheduler = "arrival"});

	(void)state;
	for (unsigned i = 0; i < 5; i++) {
		struct outcome o =
		    run((struct job){.scheduler = "arrival", .forgery = kinds[i], .instead = true});

		assert_in_range(o.forged, 100, 1000);
		assert_in_range(o.samples, 0, 4);
		if (kinds[i] != FORGE_PATH)
			assert_true(o.rejected + UNDER_WAY_MAX >= o.forged);
		/* No measurement at all is as good as a peer without the extension. */
		assert_true(o.done_us * 2 <= undisturbed.done_us * 3);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(false_copies_are_rejected_and_cost_nothing),
	    cmocka_unit_test(boundary_values_are_survived),
	    cmocka_unit_test(false_counts_cost_no_more_than_echoes_that_tell_nothing),
	    cmocka_unit_test(sacks_in_front_of_false_echoes_are_processed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
