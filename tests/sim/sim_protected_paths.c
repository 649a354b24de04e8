/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Protected associations on paths of all kinds: keys that change under load are lost on no packet, packets
 * are as large as each path carries and no larger, and paths that fail, come, go and move behind NATs are as
 * without protection.
 *
 * cost: 6 s */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <netinet/in.h>

#include "support/isolate.h"
#include "support/packet.h"
#include "support/protected.h"

enum {
	S = 1000000,
	MS = 1000,
	SERVER_PORT = 5001,
	CLIENT_PORT = 5000,
	DTLS_OVERHEAD_BYTES = 28,
	BASE_BYTES = 1220
};

/* Marks of the outcome. */
enum {
	EPOCH,
	UNKNOWN,
	FORGED,
	REPLAYED,
	RECORDS,
	CLEAR,
	LARGEST,
	BY_PATH = LARGEST + 2,
	TOO_LARGE = BY_PATH + 2,
	FIRST_CLEAR_US
};

static void look(struct transfer *t, const struct usrsctp_cmt_sim_packet *p)
{
	uint64_t *marks = t->outcome->marks;
	const bool record = protected_is_record(p->packet, p->packet_bytes);

	if (p->event == USRSCTP_CMT_SIM_SENT) {
		marks[RECORDS] += record;
		marks[CLEAR] += !record && marks[RECORDS] > 10;
		marks[BY_PATH + p->path] += record;
	}
	if (p->event == USRSCTP_CMT_SIM_DELIVERED && p->direction == 0 &&
	    p->packet_bytes > marks[LARGEST + p->path])
		marks[LARGEST + p->path] = p->packet_bytes;
}

static void on_handed(struct transfer *t, int host, uint32_t index)
{
	uint64_t *marks = t->outcome->marks;
	struct sctp_dtls_stats s;

	if (host != TRANSFER_CLIENT || index % 50 != 49)
		return;
	REQUIRE(protected_stats_of_both(t, &s));
	marks[UNKNOWN] = s.sds_unknown_epoch;
	marks[FORGED] = s.sds_aead_failures;
	marks[REPLAYED] = s.sds_replayed;
	marks[EPOCH] = s.sds_send_epoch;
}

static struct transfer_job protected_job(uint64_t rate_bps, uint64_t first_us, uint64_t second_us)
{
	struct transfer_job job = transfer_two_paths("auto", 1);

	job.links[0] =
	    (struct usrsctp_cmt_sim_link){.rate_bps = rate_bps, .delay_us = first_us, .queue_pkts = 200};
	job.links[1] =
	    (struct usrsctp_cmt_sim_link){.rate_bps = rate_bps, .delay_us = second_us, .queue_pkts = 200};
	job.message = protected_message;
	job.n_messages[TRANSFER_CLIENT] = 2000;
	job.n_messages[TRANSFER_SERVER] = 200;
	job.protect = true;
	job.tap = look;
	job.on_handed = on_handed;
	return job;
}

static struct transfer_outcome run(const struct transfer_job *job)
{
	const struct transfer_outcome o = transfer_run(job);

	transfer_assert_arrived(job, &o);
	print_message("%.3f s, epoch %llu, %llu records, %llu in the clear, largest %llu and %llu, by path "
	              "%llu and %llu, MTU %u %u\n",
	              (double)(o.last_us - o.up_us) / S, (unsigned long long)o.marks[EPOCH],
	              (unsigned long long)o.marks[RECORDS], (unsigned long long)o.marks[CLEAR],
	              (unsigned long long)o.marks[LARGEST], (unsigned long long)o.marks[LARGEST + 1],
	              (unsigned long long)o.marks[BY_PATH], (unsigned long long)o.marks[BY_PATH + 1],
	              o.paths[0].mtu_bytes, o.paths[1].mtu_bytes);
	assert_int_equal(o.marks[UNKNOWN] + o.marks[FORGED], 0);
	assert_in_range(o.marks[CLEAR], 0, 2);
	return o;
}

/* --- keys --- */

static void rekey(struct transfer *t)
{
	protected_rekey_every(t, 500 * MS);
}

static void keys_that_change_under_load_lose_no_packet(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 3; seed++) {
		struct transfer_job job = protected_job(8000000, 10 * MS, 300 * MS);
		struct transfer_outcome o;

		job.seed = seed;
		job.n_messages[TRANSFER_CLIENT] = 4000;
		/* Nothing gets lost in queues. */
		for (int p = 0; p < 2; p++)
			job.links[p].queue_pkts = 2000;
		job.links[0].rate_bps = 4000000;
		job.interval_us = 1500;
		job.on_up = rekey;
		o = run(&job);
		assert_in_range(o.marks[EPOCH], 14, 40);
		assert_int_equal(o.marks[REPLAYED], 0);
		assert_int_equal(o.timeouts, 0);
		for (int p = 0; p < 2; p++)
			assert_int_equal(o.paths[p].lost_chunks, 0);
		assert_in_range(o.marks[BY_PATH + 1], 500, 100000);
	}
}

/* --- sizes --- */

static void packets_are_as_large_as_each_path_carries(void **state)
{
	static const uint32_t mtus[][2] = {{1500, 1500}, {1400, 1500}, {9000, 9000},
	                                   {1500, 9000}, {1280, 1280}, {1280, 1500}};

	(void)state;
	for (unsigned i = 0; i < 2 * sizeof(mtus) / sizeof(mtus[0]); i++) {
		struct transfer_job job = protected_job(8000000, 10 * MS, 20 * MS);
		struct transfer_outcome o;
		const uint32_t headers = i % 2 == 0 ? 20 : 40;

		job.family = i % 2 == 0 ? AF_INET : AF_INET6;
		job.n_messages[TRANSFER_CLIENT] = 3000;
		job.links[0].mtu_bytes = mtus[i / 2][0];
		job.links[1].mtu_bytes = mtus[i / 2][1];
		o = run(&job);
		for (int p = 0; p < 2; p++) {
			assert_in_range(o.marks[LARGEST + p], mtus[i / 2][p] - headers - 80,
			                mtus[i / 2][p] - headers);
			assert_in_range(o.paths[p].mtu_bytes, mtus[i / 2][p] - DTLS_OVERHEAD_BYTES - 3,
			                mtus[i / 2][p]);
			assert_int_equal(o.paths[p].lost_chunks, 0);
		}
	}
}

static void black_hole(struct usrsctp_cmt_sim *sim, void *arg)
{
	struct usrsctp_cmt_sim_link link;

	(void)arg;
	for (int i = 0; i < 4; i++) {
		REQUIRE(usrsctp_cmt_sim_get_link(sim, i / 2, i % 2, &link) == 0);
		link.black_hole_bytes = 1300;
		REQUIRE(usrsctp_cmt_sim_set_link(sim, i / 2, i % 2, &link) == 0);
	}
}

static void swallow_later(struct transfer *t)
{
	transfer_after(t, S, black_hole);
}

static void routers_that_begin_to_swallow_large_packets_stop_it_for_less_than_2_s(void **state)
{
	struct transfer_job job = protected_job(4000000, 10 * MS, 20 * MS);
	struct transfer_outcome o;

	(void)state;
	job.n_messages[TRANSFER_CLIENT] = 4000;
	job.on_up = swallow_later;
	o = run(&job);
	assert_in_range(o.longest_gap_us, 0, 2 * S);
	for (int p = 0; p < 2; p++)
		assert_in_range(o.paths[p].mtu_bytes, BASE_BYTES, 1300 - DTLS_OVERHEAD_BYTES);
}

/* --- paths --- */

static void up(struct usrsctp_cmt_sim *sim, void *arg)
{
	(void)sim;
	transfer_set_down(arg, 0, false);
}

static void down(struct usrsctp_cmt_sim *sim, void *arg)
{
	(void)sim;
	transfer_set_down(arg, 0, true);
	transfer_after(arg, 3 * S, up);
}

static void fail_later(struct transfer *t)
{
	rekey(t);
	transfer_after(t, S, down);
}

static void a_path_fails_and_comes_back(void **state)
{
	struct transfer_job job = protected_job(4000000, 10 * MS, 20 * MS);
	struct transfer_outcome o;

	(void)state;
	job.n_messages[TRANSFER_CLIENT] = 4000;
	job.on_up = fail_later;
	o = run(&job);
	assert_in_range(o.longest_gap_us, 0, 2 * S);
	assert_in_range(o.marks[BY_PATH], 2000, 100000);
}

static void take_address(struct usrsctp_cmt_sim *sim, void *arg)
{
	struct transfer *t = arg;

	REQUIRE(usrsctp_cmt_sim_rebind(sim, t->sides[TRANSFER_CLIENT].so, TRANSFER_CLIENT, 1, false) == 0);
}

static void give_address(struct usrsctp_cmt_sim *sim, void *arg)
{
	struct transfer *t = arg;

	REQUIRE(usrsctp_cmt_sim_rebind(sim, t->sides[TRANSFER_CLIENT].so, TRANSFER_CLIENT, 1, true) == 0);
}

static void readdress_later(struct transfer *t)
{
	rekey(t);
	transfer_after(t, S, take_address);
	transfer_after(t, 3 * S, give_address);
}

static void an_address_goes_and_comes_without_auth(void **state)
{
	struct transfer_job job = protected_job(4000000, 10 * MS, 20 * MS);
	struct transfer_outcome o;

	(void)state;
	job.n_messages[TRANSFER_CLIENT] = 4000;
	job.on_up = readdress_later;
	o = run(&job);
	assert_in_range(o.longest_gap_us, 0, 2 * S);
	assert_in_range(o.marks[BY_PATH + 1], 1500, 100000);
	assert_int_equal(o.chunks[CHUNK_ASCONF] + o.chunks[CHUNK_AUTH], 0);
	/* Less than with both all the time. */
	assert_in_range(o.last_us - o.up_us, 85 * S / 10, 14 * S);
}

/* --- NATs --- */

static struct usrsctp_cmt_sim *simulation;
static unsigned n_sockets;

static void build_nats(struct transfer *t)
{
	static const struct usrsctp_cmt_sim_nat nat = {.filtering =
	                                                   USRSCTP_CMT_SIM_NAT_ADDRESS_AND_PORT_DEPENDENT};

	simulation = t->sim;
	REQUIRE(usrsctp_cmt_sim_share_address(t->sim, 1, TRANSFER_SERVER, 0) == 0);
	for (int path = 0; path < 2; path++) {
		REQUIRE(usrsctp_cmt_sim_add_nat(t->sim, TRANSFER_CLIENT, &nat) == path);
		REQUIRE(usrsctp_cmt_sim_behind(t->sim, path, path) == 0);
	}
}

static void encapsulate(struct socket *so)
{
	const bool is_listener = n_sockets++ == 0;

	REQUIRE(usrsctp_cmt_sim_encapsulate(simulation, so, TRANSFER_SERVER, is_listener ? -1 : 0) == 0);
}

static void forget(struct usrsctp_cmt_sim *sim, void *arg)
{
	(void)arg;
	for (int nat = 0; nat < 2; nat++)
		REQUIRE(usrsctp_cmt_sim_rebind_nat(sim, nat, true) == 0);
}

static void forget_later(struct transfer *t)
{
	rekey(t);
	transfer_after(t, S, forget);
	transfer_after(t, 4 * S, forget);
}

static void nats_move_both_uplinks_to_other_addresses(void **state)
{
	struct transfer_job job = protected_job(4000000, 10 * MS, 20 * MS);
	struct transfer_outcome o;

	(void)state;
	n_sockets = 0;
	job.n_messages[TRANSFER_CLIENT] = 4000;
	job.n_messages[TRANSFER_SERVER] = 1000;
	job.build = build_nats;
	job.configure = encapsulate;
	job.on_up = forget_later;
	o = run(&job);
	assert_in_range(o.longest_gap_us, 0, 2 * S);
	assert_in_range(o.marks[BY_PATH + 1], 1500, 100000);
}

/* --- the end --- */

static void kill(struct usrsctp_cmt_sim *sim, void *arg)
{
	(void)sim;
	transfer_kill(arg, TRANSFER_CLIENT);
}

static void kill_later(struct transfer *t)
{
	transfer_after(t, S, kill);
}

static void an_abort_is_heard_at_once(void **state)
{
	struct transfer_job job = protected_job(4000000, 10 * MS, 20 * MS);
	struct transfer_outcome o;

	(void)state;
	job.on_up = kill_later;
	job.on_handed = NULL;
	o = transfer_run(&job);
	assert_int_equal(o.wrong, 0);
	assert_int_equal(o.end[TRANSFER_SERVER], TRANSFER_FAILED);
	assert_in_range(o.ended_us - o.up_us, S, S + 200 * MS);
}

static void a_shutdown_loses_nothing(void **state)
{
	struct transfer_job job = protected_job(4000000, 10 * MS, 20 * MS);
	struct transfer_outcome o;

	(void)state;
	job.n_messages[TRANSFER_CLIENT] = 300;
	job.n_messages[TRANSFER_SERVER] = 0;
	job.shutdown_at_once = true;
	o = transfer_run(&job);
	transfer_assert_delivered(&job, &o);
	assert_int_equal(o.chunks[CHUNK_SHUTDOWN] + o.chunks[CHUNK_SHUTDOWN_ACK], 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(keys_that_change_under_load_lose_no_packet),
	    cmocka_unit_test(packets_are_as_large_as_each_path_carries),
	    cmocka_unit_test(routers_that_begin_to_swallow_large_packets_stop_it_for_less_than_2_s),
	    cmocka_unit_test(a_path_fails_and_comes_back),
	    cmocka_unit_test(an_address_goes_and_comes_without_auth),
	    cmocka_unit_test(nats_move_both_uplinks_to_other_addresses),
	    cmocka_unit_test(an_abort_is_heard_at_once),
	    cmocka_unit_test(a_shutdown_loses_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
