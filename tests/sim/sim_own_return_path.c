/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which way SACKs take. A narrow, short path stands beside a wide, long one: the narrow path's return path is
 * not flooded by the SACKs for the wide one's packets; those for its own come back on it, and what it lost is
 * sent again after a round trip of its own, while the window of the wide path is still open. A shorter
 * return path is found, however late its path comes; one that stands still is left. And the first echo of a
 * long path comes back on a short one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/isolate.h"
#include "support/packet.h"
#include "support/transfer.h"

enum { NARROW, WIDE, N_PATHS, SETTLED_US = 3000000, OWN_ROUND_TRIPS_US = 100000 };

/* marks: by path, the rest of NARROW */
enum { DATA, SACKS = DATA + N_PATHS, DROPPED_SACKS = SACKS + N_PATHS };

static struct transfer_message message(int host, uint32_t index)
{
	(void)host;
	(void)index;
	return (struct transfer_message){.bytes = 1400};
}

static void count(struct transfer *t, const struct usrsctp_cmt_sim_packet *packet)
{
	bool data = packet->direction == 0 && packet_has(packet->packet, packet->packet_bytes, CHUNK_DATA);
	bool sack = packet->direction == 1 && packet_has(packet->packet, packet->packet_bytes, CHUNK_SACK);
	uint64_t *marks = t->outcome->marks;

	if (packet->at_us < SETTLED_US)
		return;
	if (packet->event == USRSCTP_CMT_SIM_SENT) {
		marks[DATA + packet->path] += data;
		marks[SACKS + packet->path] += sack;
	}
	marks[DROPPED_SACKS] += sack && packet->path == NARROW && packet->event == USRSCTP_CMT_SIM_DROPPED;
}

static void what_a_narrow_path_lost_is_told_on_its_own_return_path(void **state)
{
	const struct transfer_job job = {
	    .scheduler = "arrival",
	    .seed = 1,
	    .n_paths = N_PATHS,
	    .links = {[NARROW] = {.rate_bps = 2400000, .delay_us = 10000, .queue_pkts = 100, .loss = 0.01},
	              [WIDE] = {.rate_bps = 32000000, .delay_us = 175000, .queue_pkts = 1000}},
	    .message = message,
	    .n_messages = {[TRANSFER_CLIENT] = 30000},
	    .sndbuf_bytes = 6000000,
	    .rcvbuf_bytes = 2150000,
	    .configure = transfer_take_many_chunks,
	    .tap = count};
	struct transfer_outcome o = transfer_run(&job);

	(void)state;
	transfer_assert_arrived(&job, &o);
	print_message("narrow path: %llu packets, %llu SACKs (%llu dropped), srtt %u us; wide path: %llu and "
	              "%llu; %llu ms\n",
	              (unsigned long long)o.marks[DATA + NARROW], (unsigned long long)o.marks[SACKS + NARROW],
	              (unsigned long long)o.marks[DROPPED_SACKS], o.paths[NARROW].srtt_us,
	              (unsigned long long)o.marks[DATA + WIDE], (unsigned long long)o.marks[SACKS + WIDE],
	              (unsigned long long)((o.last_us - o.up_us) / 1000));
	assert_in_range(o.marks[SACKS + NARROW], o.marks[DATA + NARROW] / 2, o.marks[DATA + NARROW]);
	assert_in_range(o.marks[DROPPED_SACKS], 0, o.marks[SACKS + NARROW] / 50);
	assert_in_range(o.paths[NARROW].srtt_us, 1, OWN_ROUND_TRIPS_US);
}

/* --- a return path that stands still ----------------------------------------------------------------------
 */

enum { STILL_FROM_US = 3000000, STILL_UNTIL_US = 6000000 };

static const struct usrsctp_cmt_sim_point still_points[] = {
    {0, 20000000}, {STILL_FROM_US, 0}, {STILL_UNTIL_US, 20000000}};
static const struct usrsctp_cmt_sim_rates still = {
    .period_us = UINT64_C(1000000000), .n = 3, .points = still_points};

/* As that of a mobile network does for seconds: what waits there comes later. */
static void stand_still(struct transfer *t)
{
	struct usrsctp_cmt_sim_link link;

	REQUIRE(usrsctp_cmt_sim_get_link(t->sim, 0, 1, &link) == 0);
	link.rates = &still;
	REQUIRE(usrsctp_cmt_sim_set_link(t->sim, 0, 1, &link) == 0);
}

static void count_meanwhile(struct transfer *t, const struct usrsctp_cmt_sim_packet *packet)
{
	if (packet->event == USRSCTP_CMT_SIM_DELIVERED && packet->direction == 0 &&
	    packet->at_us > STILL_FROM_US && packet->at_us < STILL_UNTIL_US &&
	    packet_has(packet->packet, packet->packet_bytes, CHUNK_DATA))
		t->outcome->marks[packet->path]++;
}

/* `second_bps`: a wide one carries all SACKs then, a narrow one those of its own packets. */
static void fill_while_the_return_path_stands_still(uint64_t second_bps, unsigned least_percent)
{
	const struct transfer_job job = {
	    .scheduler = "auto",
	    .seed = 1,
	    .n_paths = 2,
	    .links = {{.rate_bps = 20000000, .delay_us = 20000, .queue_pkts = 100},
	              {.rate_bps = second_bps, .delay_us = 40000, .queue_pkts = 100}},
	    .message = message,
	    .n_messages = {[TRANSFER_CLIENT] = 14000},
	    .sndbuf_bytes = 4000000,
	    .rcvbuf_bytes = 4000000,
	    .configure = transfer_take_many_chunks,
	    .on_up = stand_still,
	    .tap = count_meanwhile};
	const struct transfer_outcome o = transfer_run(&job);
	const uint64_t most_pkts =
	    job.links[0].rate_bps / 8 * (STILL_UNTIL_US - STILL_FROM_US) / 1000000 / 1464;

	transfer_assert_arrived(&job, &o);
	print_message(
	    "%llu kbit/s beside: %llu of %llu packets there, %llu on the second path, %u timeouts\n",
	    (unsigned long long)second_bps / 1000, (unsigned long long)o.marks[0],
	    (unsigned long long)most_pkts, (unsigned long long)o.marks[1], o.timeouts);
	assert_true(o.marks[0] * 100 > most_pkts * least_percent);
}

static void a_path_is_filled_while_its_return_path_stands_still(void **state)
{
	(void)state;
	fill_while_the_return_path_stands_still(10000000, 80);
	fill_while_the_return_path_stands_still(1000000, 80);
}

/* ----------------------------------------------------------------------------------------------------------
 */

enum { FAR, NEAR, UP_AT_US = 1000000 };

static void set_near_down(struct transfer *t, bool down)
{
	for (int direction = 0; direction < 2; direction++) {
		struct usrsctp_cmt_sim_link link;

		REQUIRE(usrsctp_cmt_sim_get_link(t->sim, NEAR, direction, &link) == 0);
		link.down = down;
		REQUIRE(usrsctp_cmt_sim_set_link(t->sim, NEAR, direction, &link) == 0);
	}
}

static void near_comes_up(struct usrsctp_cmt_sim *sim, void *t)
{
	(void)sim;
	set_near_down(t, false);
}

static void without_near(struct transfer *t)
{
	set_near_down(t, true);
	transfer_after(t, UP_AT_US, near_comes_up);
}

/* When it is confirmed, SACKs have their way already. */
static void the_shorter_return_path_of_a_path_that_comes_later_is_found(void **state)
{
	const struct transfer_job job = {
	    .scheduler = "rr",
	    .seed = 1,
	    .n_paths = N_PATHS,
	    .links = {[FAR] = {.rate_bps = 8000000, .delay_us = 60000, .queue_pkts = 100},
	              [NEAR] = {.rate_bps = 8000000, .delay_us = 10000, .queue_pkts = 100}},
	    .message = message,
	    .n_messages = {[TRANSFER_CLIENT] = 6000},
	    .on_up = without_near,
	    .tap = count};
	struct transfer_outcome o = transfer_run(&job);

	(void)state;
	transfer_assert_arrived(&job, &o);
	print_message("SACKs on the long way %llu, on the short one %llu\n",
	              (unsigned long long)o.marks[SACKS + FAR], (unsigned long long)o.marks[SACKS + NEAR]);
	assert_true(o.marks[DATA + NEAR] > 100);
	assert_true(o.marks[SACKS + NEAR] > 20 * o.marks[SACKS + FAR]);
}

/* Of the wide path: when its first packet left, and how many more within MEASURED_US. */
enum { FIRST_US, MORE, WIDE_DELAY_US = 200000, MEASURED_US = WIDE_DELAY_US + 50000 };

static void watch_wide(struct transfer *t, const struct usrsctp_cmt_sim_packet *packet)
{
	uint64_t *marks = t->outcome->marks;

	if (packet->direction != 0 || packet->path != WIDE || packet->event != USRSCTP_CMT_SIM_SENT ||
	    !packet_has(packet->packet, packet->packet_bytes, CHUNK_DATA))
		return;
	if (marks[FIRST_US] == 0)
		marks[FIRST_US] = packet->at_us;
	marks[MORE] += packet->at_us > marks[FIRST_US] && packet->at_us <= marks[FIRST_US] + MEASURED_US;
}

/* Copies measure the wide path, of which nothing is known, before its own round trip is over. */
static void the_first_echo_of_a_long_path_comes_back_on_the_short_one(void **state)
{
	const struct transfer_job job = {
	    .scheduler = "auto",
	    .seed = 1,
	    .n_paths = N_PATHS,
	    .links = {[NARROW] = {.rate_bps = 2000000, .delay_us = 10000, .queue_pkts = 100},
	              [WIDE] = {.rate_bps = 20000000, .delay_us = WIDE_DELAY_US, .queue_pkts = 1000}},
	    .message = message,
	    .n_messages = {[TRANSFER_CLIENT] = 1000},
	    .tap = watch_wide};
	struct transfer_outcome o = transfer_run(&job);

	(void)state;
	transfer_assert_arrived(&job, &o);
	print_message("wide path: the first packet after %llu ms, %llu more within its delay and 50 ms\n",
	              (unsigned long long)((o.marks[FIRST_US] - o.up_us) / 1000),
	              (unsigned long long)o.marks[MORE]);
	assert_in_range(o.marks[FIRST_US], o.up_us, o.up_us + 100000);
	assert_in_range(o.marks[MORE], 6, 20);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_path_is_filled_while_its_return_path_stands_still),
	    cmocka_unit_test(what_a_narrow_path_lost_is_told_on_its_own_return_path),
	    cmocka_unit_test(the_shorter_return_path_of_a_path_that_comes_later_is_found),
	    cmocka_unit_test(the_first_echo_of_a_long_path_comes_back_on_the_short_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
