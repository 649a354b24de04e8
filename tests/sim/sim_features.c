/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Every way of handing over messages, under every scheduler: sizes, streams, order, interleaving, explicit
 * end of record, NR-SACK. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "support/isolate.h"
#include "support/packet.h"
#include "support/transfer.h"

static const char *const schedulers[] = {"rr", "lcm", "arrival"};
enum { N_SCHEDULERS = sizeof(schedulers) / sizeof(schedulers[0]) };

/* Not in usrsctp.h. */
enum { OPTION_INTERLEAVING_SUPPORTED = 0x1206 };

static uint32_t size_bytes, n_streams;

static struct transfer_message one_size(int host, uint32_t index)
{
	(void)host;
	(void)index;
	return (struct transfer_message){.bytes = size_bytes};
}

static void messages_of_every_size_keep_their_boundaries(void **state)
{
	const struct {
		uint32_t bytes, n;
	} sizes[] = {{1, 3000},   {2, 3000},   {100, 2000}, {999, 500},  {1000, 500},
	             {1452, 300}, {1453, 300}, {3000, 200}, {65536, 20}, {1 << 20, 2}};

	(void)state;
	for (unsigned s = 0; s < N_SCHEDULERS; s++) {
		for (unsigned i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
			struct transfer_job job = transfer_two_paths(schedulers[s], 1 + i);
			struct transfer_outcome outcome;

			size_bytes = sizes[i].bytes;
			job.message = one_size;
			job.n_messages[TRANSFER_CLIENT] = sizes[i].n;
			job.sndbuf_bytes = 1200000;
			job.rcvbuf_bytes = 300000;
			outcome = transfer_run(&job);
			print_message("%s, %u bytes: %.3f s, %llu ahead\n", schedulers[s], size_bytes,
			              (double)(outcome.last_us - outcome.up_us) / 1e6,
			              (unsigned long long)outcome.stats[0].sent_ahead_units);
			transfer_assert_delivered(&job, &outcome);
		}
	}
}

static struct transfer_message mixed(int host, uint32_t index)
{
	const uint32_t sizes[8] = {1, 1452, 40, 3000, 999, 1453, 65000, 7};

	(void)host;
	return (struct transfer_message){.bytes = sizes[(index * 5 + index / 8) % 8],
	                                 .stream = (uint16_t)(index * 7 % n_streams),
	                                 .unordered = n_streams > 1 && index % 3 == 0};
}

static void set_value(struct socket *so, int option, uint32_t value)
{
	struct sctp_assoc_value v = {.assoc_id = SCTP_FUTURE_ASSOC, .assoc_value = value};

	REQUIRE(usrsctp_setsockopt(so, IPPROTO_SCTP, option, &v, sizeof(v)) == 0);
}

static void interleave(struct socket *so)
{
	/* Ten messages of 65 kB at once exceed the receive buffer: they must be delivered piece by piece. */
	uint32_t partial_bytes = 4000;
	int level = 2;

	REQUIRE(usrsctp_setsockopt(so, IPPROTO_SCTP, SCTP_FRAGMENT_INTERLEAVE, &level, sizeof(level)) == 0);
	REQUIRE(usrsctp_setsockopt(so, IPPROTO_SCTP, SCTP_PARTIAL_DELIVERY_POINT, &partial_bytes,
	                           sizeof(partial_bytes)) == 0);
	set_value(so, OPTION_INTERLEAVING_SUPPORTED, 1);
}

static void use_nr_sack(struct socket *so)
{
	set_value(so, SCTP_NRSACK_SUPPORTED, 1);
}

static void run_mixed(uint32_t streams, void (*adapt)(struct transfer_job *job), const char *what)
{
	for (unsigned s = 0; s < N_SCHEDULERS; s++) {
		struct transfer_job job = transfer_two_paths(schedulers[s], 20 + s);
		struct transfer_outcome outcome;

		n_streams = streams;
		job.message = mixed;
		job.n_messages[TRANSFER_CLIENT] = 160;
		if (adapt != NULL)
			adapt(&job);
		outcome = transfer_run(&job);
		print_message("%s, %s: %.3f s, %llu ahead\n", schedulers[s], what,
		              (double)(outcome.last_us - outcome.up_us) / 1e6,
		              (unsigned long long)outcome.stats[0].sent_ahead_units);
		transfer_assert_delivered(&job, &outcome);
		if (job.configure == interleave)
			assert_true(outcome.chunks[CHUNK_IDATA] > 0 && outcome.chunks[CHUNK_DATA] == 0);
		if (job.configure == use_nr_sack)
			assert_true(outcome.chunks[CHUNK_NR_SACK] > 0 && outcome.chunks[CHUNK_SACK] == 0);
	}
}

static void messages_of_mixed_sizes_on_one_stream(void **state)
{
	(void)state;
	run_mixed(1, NULL, "one stream");
}

static void ten_streams_ordered_and_unordered(void **state)
{
	(void)state;
	run_mixed(10, NULL, "ten streams");
}

static void adapt_nagle(struct transfer_job *job)
{
	job->nagle = true;
}

static void small_messages_that_wait_for_company(void **state)
{
	(void)state;
	run_mixed(10, adapt_nagle, "Nagle");
}

static void adapt_interleaving(struct transfer_job *job)
{
	job->configure = interleave;
}

static void interleaved_messages_of_ten_streams(void **state)
{
	(void)state;
	run_mixed(10, adapt_interleaving, "I-DATA");
}

static void adapt_pieces(struct transfer_job *job)
{
	job->piece_bytes = 700;
}

static void messages_handed_over_in_pieces(void **state)
{
	(void)state;
	run_mixed(1, adapt_pieces, "pieces, one stream");
	run_mixed(10, adapt_pieces, "pieces, ten streams");
}

static void adapt_interleaved_pieces(struct transfer_job *job)
{
	job->piece_bytes = 2000;
	job->configure = interleave;
}

static void interleaved_messages_handed_over_in_pieces(void **state)
{
	(void)state;
	run_mixed(10, adapt_interleaved_pieces, "I-DATA in pieces");
}

static void adapt_nr_sack(struct transfer_job *job)
{
	job->configure = use_nr_sack;
	job->links[0].loss = 0.02;
}

static void non_renegable_acknowledgements_on_a_lossy_path(void **state)
{
	(void)state;
	run_mixed(10, adapt_nr_sack, "NR-SACK");
}

static void the_same_seed_gives_the_same_packets(void **state)
{
	(void)state;
	for (unsigned s = 0; s < N_SCHEDULERS; s++) {
		struct transfer_job job = transfer_two_paths(schedulers[s], 40);
		struct transfer_outcome a, b;

		n_streams = 10;
		job.message = mixed;
		job.n_messages[TRANSFER_CLIENT] = job.n_messages[TRANSFER_SERVER] = 60;
		job.links[1].loss = 0.02;
		a = transfer_run(&job);
		b = transfer_run(&job);
		transfer_assert_delivered(&job, &a);
		assert_true(a.hash == b.hash);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(messages_of_every_size_keep_their_boundaries),
	    cmocka_unit_test(messages_of_mixed_sizes_on_one_stream),
	    cmocka_unit_test(ten_streams_ordered_and_unordered),
	    cmocka_unit_test(small_messages_that_wait_for_company),
	    cmocka_unit_test(interleaved_messages_of_ten_streams),
	    cmocka_unit_test(messages_handed_over_in_pieces),
	    cmocka_unit_test(interleaved_messages_handed_over_in_pieces),
	    cmocka_unit_test(non_renegable_acknowledgements_on_a_lossy_path),
	    cmocka_unit_test(the_same_seed_gives_the_same_packets),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
