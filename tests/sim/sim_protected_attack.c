/* SPDX-License-Identifier: BSD-3-Clause
 *
 * An attacker on the path of a protected association, who sees every packet and sends whatever he likes from
 * the right addresses: records again, changed, cut and made up, and every chunk in the clear. What he does
 * leaves no trace at all: the ends send the same packets at the same times as without him. Where he can do
 * more, by being faster than a packet itself, or by speaking in the name of routers and of strangers, every
 * byte arrives all the same.
 *
 * SIM_ATTACK_PACKETS in the environment: how many packets he sends, in place of some 10^5.
 *
 * cost: 6 s */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <malloc.h>
#include <netinet/in.h>
#include <stdlib.h>

#include "support/eavesdropper.h"
#include "support/isolate.h"
#include "support/packet.h"
#include "support/protected.h"

enum {
	S = 1000000,
	MS = 1000,
	N_PATHS = 2,
	WARM_UP_PKTS = 2000,
	BURST_PKTS = 50,
	SPAN_US = 1800 * MS,
	REKEY_US = 250 * MS
};

/* Marks of the outcome. */
enum {
	SENT,
	GROWN,
	OPENED,
	SEALED = OPENED + 2,
	CLEAR = SEALED + 2,
	FORGED,
	REPLAYED,
	UNKNOWN,
	FAILED_QUERIES,
	N_PATHS_LEFT
};

struct attack {
	uint32_t n_pkts;
	bool meddles; /* what has consequences, too */
};

static size_t warm_bytes;

static void too_big(struct transfer *t)
{
	struct eavesdropper_packet quoted;

	if (eavesdropper_copy(&quoted, 100))
		REQUIRE(usrsctp_cmt_sim_too_big(t->sim, (int)eavesdropper_draw(N_PATHS), 1 - quoted.to,
		                                quoted.bytes, quoted.len, 68 + eavesdropper_draw(1400)) == 0);
}

static void choose_source(struct transfer *t, int to, int path, bool stranger, struct sockaddr_storage *out)
{
	struct sockaddr_in *sin = (struct sockaddr_in *)out;

	REQUIRE(usrsctp_cmt_sim_address(t->sim, 1 - to, path, 0, out) == 0);
	sin->sin_port = 0;
	if (!stranger)
		return;
	sin->sin_addr.s_addr = htonl(0xc6120000 | eavesdropper_draw(300));
	sin->sin_port = htons((uint16_t)(USRSCTP_CMT_SIM_UDP_PORT + 1 + eavesdropper_draw(50000)));
}

static void look(struct transfer *t, const struct usrsctp_cmt_sim_packet *p)
{
	(void)t;
	eavesdropper_see(p);
}

static void watch_memory(struct transfer *t)
{
	uint64_t *marks = t->outcome->marks;
	const size_t bytes = mallinfo2().uordblks;

	if (marks[SENT] == WARM_UP_PKTS)
		warm_bytes = bytes;
	if (marks[SENT] > WARM_UP_PKTS && bytes > warm_bytes + marks[GROWN])
		marks[GROWN] = bytes - warm_bytes;
}

static void send_one(struct transfer *t)
{
	const struct attack *a = t->job->arg;
	const bool meddles = a->meddles && eavesdropper_draw(20) == 0;
	static struct eavesdropper_packet f;
	struct sockaddr_storage from;
	const int path = (int)eavesdropper_draw(N_PATHS);

	if (meddles && eavesdropper_draw(50) == 0)
		too_big(t);
	/* Before it comes itself, perhaps from somewhere else. */
	if (!(meddles ? eavesdropper_copy(&f, 10) : eavesdropper_forge(&f)))
		return;
	choose_source(t, f.to, path, a->meddles && eavesdropper_draw(3) == 0, &from);
	if (eavesdropper_draw(16) != 0)
		packet_put_checksum(f.bytes, f.len);
	REQUIRE(usrsctp_cmt_sim_arrive(t->sim, f.to, path, &from, f.bytes, f.len) == 0);
	t->outcome->marks[SENT]++;
	watch_memory(t);
}

static void burst(struct usrsctp_cmt_sim *sim, void *arg)
{
	struct transfer *t = arg;
	const struct attack *a = t->job->arg;

	(void)sim;
	for (unsigned i = 0; i < BURST_PKTS && t->outcome->marks[SENT] < a->n_pkts; i++)
		send_one(t);
	if (t->outcome->marks[SENT] < a->n_pkts)
		transfer_after(t, (uint64_t)SPAN_US * BURST_PKTS / a->n_pkts, burst);
}

static void on_up(struct transfer *t)
{
	protected_rekey_every(t, REKEY_US);
	transfer_after(t, 60 * MS, burst);
}

static void on_handed(struct transfer *t, int host, uint32_t index)
{
	uint64_t *marks = t->outcome->marks;

	if (host != TRANSFER_CLIENT || index % 100 != 99)
		return;
	marks[CLEAR] = marks[FORGED] = marks[REPLAYED] = marks[UNKNOWN] = 0;
	for (int h = 0; h < 2; h++) {
		struct sctp_dtls_stats s;

		marks[FAILED_QUERIES] += !protected_stats(t->sides[h].so, &s);
		marks[OPENED + h] = s.sds_recv_protected;
		marks[SEALED + h] = s.sds_sent_protected;
		marks[CLEAR] += s.sds_dropped_unprotected;
		marks[FORGED] += s.sds_aead_failures;
		marks[REPLAYED] += s.sds_replayed;
		marks[UNKNOWN] += s.sds_unknown_epoch;
	}
}

static struct transfer_outcome attacked(uint32_t n_pkts, bool meddles, uint64_t seed)
{
	static const struct usrsctp_cmt_sim_link fast = {
	    .rate_bps = 8000000, .delay_us = 10000, .queue_pkts = 100};
	static const struct usrsctp_cmt_sim_link slow = {
	    .rate_bps = 8000000, .delay_us = 40000, .queue_pkts = 100};
	const struct attack a = {.n_pkts = n_pkts, .meddles = meddles};
	struct transfer_job job = {.scheduler = "auto",
	                           .seed = seed,
	                           .n_paths = N_PATHS,
	                           .links = {fast, slow},
	                           .n_messages = {2000, 500},
	                           .message = protected_message,
	                           .protect = true,
	                           .tap = look,
	                           .on_up = on_up,
	                           .on_handed = on_handed,
	                           .arg = &a};
	struct transfer_outcome o;

	eavesdropper_begin(seed);
	o = transfer_run(&job);
	transfer_assert_arrived(&job, &o);
	assert_int_equal(o.end[TRANSFER_CLIENT], TRANSFER_CLOSED);
	assert_int_not_equal(o.end[TRANSFER_SERVER], TRANSFER_OPEN);
	print_message(
	    "%llu packets of an attacker's: dropped %llu in the clear, %llu forged, %llu replayed, %llu of "
	    "no keys; "
	    "%llu and %llu of %llu and %llu records opened; memory + %llu KiB; transfer in %.3f s\n",
	    (unsigned long long)o.marks[SENT], (unsigned long long)o.marks[CLEAR],
	    (unsigned long long)o.marks[FORGED], (unsigned long long)o.marks[REPLAYED],
	    (unsigned long long)o.marks[UNKNOWN], (unsigned long long)o.marks[OPENED + 1],
	    (unsigned long long)o.marks[OPENED], (unsigned long long)o.marks[SEALED],
	    (unsigned long long)o.marks[SEALED + 1], (unsigned long long)o.marks[GROWN] / 1024,
	    (double)(o.last_us - o.up_us) / S);
	assert_int_equal(o.marks[FAILED_QUERIES], 0);
	assert_int_equal(o.marks[SENT], n_pkts);
	assert_in_range(o.marks[OPENED + 1], 0, o.marks[SEALED]);
	assert_in_range(o.marks[OPENED], 0, o.marks[SEALED + 1]);
	return o;
}

static uint32_t n_packets(void)
{
	const char *wanted = getenv("SIM_ATTACK_PACKETS");

	return wanted != NULL ? (uint32_t)strtoul(wanted, NULL, 10) : ISOLATE_WATCHES_MEMORY ? 50000 : 200000;
}

enum { ENTERED_MAX_BYTES = 512 * 1024 };

static void who_sees_everything_leaves_no_trace(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 2; seed++) {
		struct transfer_outcome undisturbed = attacked(0, false, seed),
		                        o = attacked(n_packets(), false, seed);

		assert_in_range(o.marks[CLEAR], n_packets() / 10, n_packets());
		assert_in_range(o.marks[FORGED], n_packets() / 10, n_packets());
		assert_in_range(o.marks[REPLAYED], n_packets() / 50, n_packets());
		assert_in_range(o.marks[UNKNOWN], n_packets() / 50, n_packets());
		assert_in_range(o.marks[GROWN], 0, undisturbed.marks[GROWN] + ENTERED_MAX_BYTES);
		assert_int_equal(o.last_us, undisturbed.last_us);
		assert_true(o.hash == undisturbed.hash);
	}
}

static void who_is_faster_than_the_packets_changes_no_byte(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 3; seed++) {
		struct transfer_outcome undisturbed = attacked(0, false, seed),
		                        o = attacked(n_packets(), true, seed);

		assert_in_range(o.marks[GROWN], 0, undisturbed.marks[GROWN] + 2 * ENTERED_MAX_BYTES);
		assert_in_range(o.last_us, 0, 10 * undisturbed.last_us);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(who_sees_everything_leaves_no_trace),
	    cmocka_unit_test(who_is_faster_than_the_packets_changes_no_byte),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
