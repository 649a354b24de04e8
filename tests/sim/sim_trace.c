/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Trace events (usrsctp_cmt_trace.h) tell the same as the statistics, and change nothing that is sent. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include <usrsctp_cmt_trace.h>

#include "support/pair.h"
#include "support/transfer.h"

/* Sums of a path's events, from the first mark on; then what is not of a path. */
enum { SENT_PKTS, SENT_BYTES, ACKED_BYTES, LOST_CHUNKS, LOST_BYTES, SPURIOUS_CHUNKS, RETRANSMITS, PER_PATH };
enum { AHEAD_CHUNKS = 2 * PER_PATH, BROKEN };
/* Of compare_flight(), by path id: moments with something in flight; moments at which events tell otherwise.
 */
enum { MOMENTS, OTHERWISE = MOMENTS + 3, COMPARE_EVERY_US = 7000 };

/* In the child process that runs the job. */
static struct {
	struct transfer *t;
	uint64_t sums[BROKEN + 1];
	uint64_t at_us;
	uint32_t number[3];
	uint32_t flight_bytes[3]; /* as told last, and sent since */
} seen;

static bool is_consistent(const struct usrsctp_cmt_trace *e)
{
	uint64_t chunks = 0;

	if (e->size != sizeof(*e) || e->at_us < seen.at_us || e->assoc == 0 ||
	    e->local_port == e->remote_port)
		return false;
	if (e->type != USRSCTP_CMT_TRACE_SENT)
		return true;
	for (size_t i = 0; i < e->of.packet.n_tsns; i++)
		chunks += e->of.packet.tsns[i].last - e->of.packet.tsns[i].first + 1;
	return chunks == e->of.packet.chunks && e->of.packet.numbered &&
	       e->of.packet.number == ++seen.number[e->path_id];
}

static void on_event(const struct usrsctp_cmt_trace *e, void *arg)
{
	uint64_t *const path = &seen.sums[e->path_id == 2 ? PER_PATH : 0];

	(void)arg;
	/* The client's association is the first one. */
	if (e->assoc == 1) {
		seen.sums[BROKEN] += !is_consistent(e);
		seen.at_us = e->at_us;
		switch (e->type) {
		case USRSCTP_CMT_TRACE_SENT:
			path[SENT_PKTS]++;
			path[SENT_BYTES] += e->of.packet.bytes;
			seen.flight_bytes[e->path_id] += e->of.packet.bytes;
			path[RETRANSMITS] += e->of.packet.retransmission ? e->of.packet.chunks : 0;
			seen.sums[AHEAD_CHUNKS] += e->of.packet.ahead_tsns > 0 ? e->of.packet.chunks : 0;
			break;
		case USRSCTP_CMT_TRACE_ACKED: path[ACKED_BYTES] += e->of.chunk.bytes; break;
		case USRSCTP_CMT_TRACE_LOST:
			path[LOST_CHUNKS]++;
			path[LOST_BYTES] += e->of.chunk.bytes;
			break;
		case USRSCTP_CMT_TRACE_SPURIOUS: path[SPURIOUS_CHUNKS]++; break;
		case USRSCTP_CMT_TRACE_METRICS:
			seen.flight_bytes[e->path_id] = e->of.metrics.flight_bytes;
			break;
		case USRSCTP_CMT_TRACE_ASSOC_STARTED:
		case USRSCTP_CMT_TRACE_ASSOC_ENDED:
		case USRSCTP_CMT_TRACE_PATH:
		case USRSCTP_CMT_TRACE_RECEIVED:
		case USRSCTP_CMT_TRACE_MTU:
		case USRSCTP_CMT_TRACE_TYPES: break;
		}
	}
	/* The statistics are read when the client shuts down. */
	if (seen.t != NULL && !seen.t->shut)
		memcpy(seen.t->outcome->marks, seen.sums, sizeof(seen.sums));
}

static void listen_to_it(struct socket *so)
{
	static bool listening;

	(void)so;
	if (!listening)
		assert_int_equal(usrsctp_cmt_trace_add(on_event, NULL, USRSCTP_CMT_TRACE_ALL), 0);
	listening = true;
}

/* Packets of a while are so late that timers expire, and are acknowledged before they were all sent again. */
static void set_delay(struct usrsctp_cmt_sim *sim, uint64_t delay_us)
{
	for (int p = 0; p < 2; p++) {
		struct usrsctp_cmt_sim_link link;

		(void)usrsctp_cmt_sim_get_link(sim, p, 0, &link);
		link.delay_us = delay_us;
		(void)usrsctp_cmt_sim_set_link(sim, p, 0, &link);
	}
}

static void delay_begins(struct usrsctp_cmt_sim *sim, void *arg)
{
	(void)arg;
	set_delay(sim, 900000);
}

static void delay_ends(struct usrsctp_cmt_sim *sim, void *arg)
{
	(void)arg;
	set_delay(sim, 30000);
}

static void on_up(struct transfer *t)
{
	seen.t = t;
	transfer_after(t, 400000, delay_begins);
	transfer_after(t, 700000, delay_ends);
}

static struct transfer_message kilobyte(int host, uint32_t index)
{
	(void)host;
	return (struct transfer_message){.bytes = index % 7 == 0 ? 5000 : 1000};
}

/* Losses, and jitter that reorders: retransmissions, some of them spurious. */
static struct transfer_job disturbed(const char *scheduler)
{
	struct transfer_job job = transfer_two_paths(scheduler, 3);

	job.message = kilobyte;
	job.n_messages[TRANSFER_CLIENT] = 1500;
	job.links[0].loss = 0.02;
	job.links[1].jitter = USRSCTP_CMT_SIM_JITTER_EXPONENTIAL;
	job.links[1].jitter_us = 20000;
	job.links[1].jitter_reorders = true;
	return job;
}

/* Without copies: a path's bytes are acknowledged with each of them. */
static void events_add_up_to_the_statistics(void **state)
{
	struct transfer_job job = disturbed("bulk");
	struct transfer_outcome o;
	uint64_t lost = 0, spurious = 0;

	(void)state;
	job.configure = listen_to_it;
	job.on_up = on_up;
	o = transfer_run(&job);
	transfer_assert_arrived(&job, &o);
	assert_int_equal(o.n_paths, 2);
	for (int i = 0; i < 2; i++) {
		const struct sctp_cmt_path_stats *p = &o.paths[i];
		const uint64_t *sums = &o.marks[(p->path_id - 1) * PER_PATH];

		assert_int_equal(sums[SENT_PKTS], p->sent_pkts);
		assert_int_equal(sums[SENT_BYTES], p->sent_bytes);
		assert_int_equal(sums[ACKED_BYTES], p->acked_bytes);
		assert_int_equal(sums[LOST_CHUNKS], p->lost_chunks);
		assert_int_equal(sums[LOST_BYTES], p->lost_bytes);
		assert_int_equal(sums[SPURIOUS_CHUNKS], p->spurious_chunks);
		assert_int_equal(sums[RETRANSMITS], p->retransmits);
		lost += p->lost_chunks;
		spurious += p->spurious_chunks;
	}
	print_message("%llu lost, %llu spurious\n", (unsigned long long)lost, (unsigned long long)spurious);
	assert_true(lost > 10 && spurious > 0);
	assert_int_equal(o.marks[AHEAD_CHUNKS], o.stats[TRANSFER_CLIENT].sent_ahead_units);
	assert_true(o.marks[AHEAD_CHUNKS] > 0);
	assert_int_equal(o.marks[BROKEN], 0);
}

static void compare_flight(struct usrsctp_cmt_sim *sim, void *arg)
{
	struct sctp_cmt_path_stats paths[USRSCTP_CMT_SIM_MAX_PATHS];
	struct transfer *t = arg;
	int n = t->shut ? 0 : pair_path_stats(t->sides[TRANSFER_CLIENT].so, paths);

	(void)sim;
	for (int i = 0; i < n; i++) {
		unsigned id = paths[i].path_id;

		t->outcome->marks[MOMENTS + id] += paths[i].flight_bytes > 0;
		t->outcome->marks[OTHERWISE + id] += paths[i].flight_bytes != seen.flight_bytes[id];
	}
	if (n > 0)
		transfer_after(t, COMPARE_EVERY_US, compare_flight);
}

static void compare_from_now_on(struct transfer *t)
{
	transfer_after(t, COMPARE_EVERY_US, compare_flight);
}

static void events_count_copies_in_flight_as_the_statistics_do(void **state)
{
	struct transfer_job job = transfer_two_paths("redundant", 3);
	struct transfer_outcome o;

	(void)state;
	job.message = kilobyte;
	job.n_messages[TRANSFER_CLIENT] = 500;
	job.interval_us = 4000;
	job.configure = listen_to_it;
	job.on_up = compare_from_now_on;
	o = transfer_run(&job);
	transfer_assert_arrived(&job, &o);
	assert_true(o.stats[TRANSFER_CLIENT].copies > 300);
	for (int id = 1; id <= 2; id++) {
		print_message("path %d: %llu moments, otherwise %llu\n", id,
		              (unsigned long long)o.marks[MOMENTS + id],
		              (unsigned long long)o.marks[OTHERWISE + id]);
		assert_true(o.marks[MOMENTS + id] > 100);
		assert_int_equal(o.marks[OTHERWISE + id], 0);
	}
}

static void who_listens_changes_nothing(void **state)
{
	static const char *const schedulers[] = {"arrival", "rr", "stock"};

	(void)state;
	for (size_t i = 0; i < sizeof(schedulers) / sizeof(schedulers[0]); i++) {
		struct transfer_job job = disturbed(schedulers[i]);
		const struct transfer_outcome alone = transfer_run(&job);
		struct transfer_outcome watched;

		job.configure = listen_to_it;
		watched = transfer_run(&job);
		assert_true(alone.hash == watched.hash);
	}
}

static void callback_a(const struct usrsctp_cmt_trace *e, void *arg)
{
	(void)e;
	(void)arg;
}

static void there_is_room_for_four(void **state)
{
	int args[5];

	(void)state;
	assert_int_equal(usrsctp_cmt_trace_add(NULL, NULL, USRSCTP_CMT_TRACE_ALL), EINVAL);
	assert_int_equal(usrsctp_cmt_trace_add(callback_a, NULL, 0), EINVAL);
	for (int i = 0; i < 4; i++)
		assert_int_equal(usrsctp_cmt_trace_add(callback_a, &args[i], 1), 0);
	assert_int_equal(usrsctp_cmt_trace_add(callback_a, &args[4], 1), ENOSPC);
	usrsctp_cmt_trace_remove(callback_a, &args[2]);
	assert_int_equal(usrsctp_cmt_trace_add(callback_a, &args[4], 1), 0);
	for (int i = 0; i < 5; i++)
		usrsctp_cmt_trace_remove(callback_a, &args[i]);
}

static void a_qlog_is_one_at_a_time_and_says_when_it_failed(void **state)
{
	(void)state;
	assert_int_equal(usrsctp_cmt_qlog_open("/no/such/folder/file", NULL), -1);
	assert_int_equal(errno, ENOENT);
	assert_int_equal(usrsctp_cmt_qlog_open("/dev/full", "title"), 0);
	assert_int_equal(usrsctp_cmt_qlog_open("/dev/null", NULL), -1);
	assert_int_equal(errno, EBUSY);
	assert_int_equal(usrsctp_cmt_qlog_close(), -1);
	assert_int_equal(errno, ENOSPC);
	assert_int_equal(usrsctp_cmt_qlog_close(), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(events_add_up_to_the_statistics),
	    cmocka_unit_test(events_count_copies_in_flight_as_the_statistics_do),
	    cmocka_unit_test(who_listens_changes_nothing),
	    cmocka_unit_test(there_is_room_for_four),
	    cmocka_unit_test(a_qlog_is_one_at_a_time_and_says_when_it_failed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
