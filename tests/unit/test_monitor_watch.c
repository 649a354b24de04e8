/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a line that is drawn again and again tells of an association. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <netinet/in.h>
#include <string.h>

#include "watch.h"

#define S 1000000u

/* Two paths that have `sent` and all of it acknowledged; something waits. */
static struct monitor_reading at(uint64_t at_us, uint64_t sent_1, uint64_t sent_2)
{
	struct monitor_reading r = {.at_us = at_us, .stats = {.n_paths = 2, .all.send_queue_bytes = 1}};
	const uint64_t sent[2] = {sent_1, sent_2};

	for (uint16_t i = 0; i < 2; i++) {
		r.stats.paths[i].path_id = (uint16_t)(i + 1);
		r.stats.paths[i].state = SCTP_CMT_PATH_ACTIVE;
		r.stats.paths[i].sent_bytes = r.stats.paths[i].acked_bytes = sent[i];
	}
	return r;
}

static void note(struct monitor_watch *w, struct monitor_reading r)
{
	monitor_watch_note(w, &r);
}

static void shares_are_those_of_the_last_two_seconds(void **state)
{
	struct monitor_watch w = {.now.at_us = 0};
	char text[MONITOR_WATCH_TEXT_BYTES];

	(void)state;
	for (unsigned i = 0; i <= 20; i++) {
		note(&w, at(S + i * S / 4, 600 * i, 400 * i));
	}
	assert_string_equal(monitor_watch_text(&w, text), "60/40 %");
	for (unsigned i = 1; i <= 8; i++) {
		note(&w, at(6 * S + i * S / 4, 12000 + 1000 * i, 8000));
	}
	assert_string_equal(monitor_watch_text(&w, text), "100/0 %");
}

static void a_path_that_carries_nothing_is_told_with_its_time(void **state)
{
	struct monitor_watch w = {.now.at_us = 0};
	struct monitor_reading r = at(2 * S, 100, 100);
	char text[MONITOR_WATCH_TEXT_BYTES];

	(void)state;
	note(&w, at(S, 0, 0));
	r.stats.paths[1].state = SCTP_CMT_PATH_FAILED;
	note(&w, r);
	r.at_us = 8 * S;
	r.stats.paths[0].sent_bytes = 200;
	note(&w, r);
	assert_string_equal(monitor_watch_text(&w, text), "100/0 %  path 2 down for 6 s");
	r.at_us = 75 * S;
	r.stats.paths[0].state = SCTP_CMT_PATH_STANDBY;
	note(&w, r);
	r.at_us = 76 * S;
	note(&w, r);
	assert_string_equal(monitor_watch_text(&w, text),
	                    "path 1 standby for 1 s  path 2 down for 1 min 14 s");
}

static void paths_of_one_interface_are_told_apart_by_the_peers_end(void **state)
{
	struct monitor_watch w = {.now.at_us = 0};
	struct monitor_reading r = at(2 * S, 100, 100);
	char text[MONITOR_WATCH_TEXT_BYTES];

	(void)state;
	for (uint16_t i = 0; i < 2; i++) {
		struct sockaddr_in *const local = (struct sockaddr_in *)&r.stats.paths[i].local;
		struct sockaddr_in *const remote = (struct sockaddr_in *)&r.stats.paths[i].remote;

		*local = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
		*remote = (struct sockaddr_in){.sin_family = AF_INET,
		                               .sin_port = htons((uint16_t)(40001 + i)),
		                               .sin_addr = {htonl(0xcb007105)}};
	}
	r.stats.paths[1].state = SCTP_CMT_PATH_FAILED;
	note(&w, r);
	r.at_us = 8 * S;
	note(&w, r);
	assert_string_equal(monitor_watch_text(&w, text), "path 2 (lo -> 203.0.113.5:40002) down for 6 s");
	r.stats.paths[0].local.ss_family = AF_UNSPEC;
	note(&w, r);
	assert_string_equal(monitor_watch_text(&w, text), "path 2 (lo) down for 6 s");
}

static void stalled_is_where_nothing_moves_though_something_waits(void **state)
{
	struct monitor_watch w = {.now.at_us = 0};
	struct monitor_reading r = at(S, 100, 100);

	(void)state;
	assert_int_equal(monitor_watch_stalled_us(&w), 0);
	note(&w, r);
	r.at_us = 3 * S - 1;
	note(&w, r);
	assert_int_equal(monitor_watch_stalled_us(&w), 0);
	r.at_us = 7 * S;
	note(&w, r);
	assert_int_equal(monitor_watch_stalled_us(&w), 6 * S);
	r.at_us = 8 * S;
	r.stats.paths[0].acked_bytes++;
	note(&w, r);
	assert_int_equal(monitor_watch_stalled_us(&w), 0);
	r.at_us = 20 * S;
	r.stats.all.send_queue_bytes = 0;
	note(&w, r);
	assert_int_equal(monitor_watch_stalled_us(&w), 0);
	r.at_us = 21 * S;
	r.waits = true;
	note(&w, r);
	r.at_us = 24 * S;
	note(&w, r);
	assert_int_equal(monitor_watch_stalled_us(&w), 4 * S);
}

static void where_acknowledgements_are_not_counted_the_queue_tells(void **state)
{
	struct monitor_watch w = {.now.at_us = 0};
	struct monitor_reading r = at(S, 0, 0);

	(void)state;
	strcpy(r.stats.all.scheduler, "stock");
	note(&w, r);
	r.at_us = 4 * S;
	r.stats.all.send_queue_bytes += 1000;
	note(&w, r);
	assert_int_equal(monitor_watch_stalled_us(&w), 0);
	r.at_us = 7 * S;
	note(&w, r);
	assert_int_equal(monitor_watch_stalled_us(&w), 3 * S);
}

static void with_every_path_down_it_is_stalled_at_once(void **state)
{
	struct monitor_watch w = {.now.at_us = 0};
	struct monitor_reading r = at(S, 100, 100);

	(void)state;
	note(&w, r);
	r.at_us = S + 300000;
	r.stats.paths[0].state = r.stats.paths[1].state = SCTP_CMT_PATH_FAILED;
	note(&w, r);
	assert_int_equal(monitor_watch_stalled_us(&w), 300000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(shares_are_those_of_the_last_two_seconds),
	    cmocka_unit_test(a_path_that_carries_nothing_is_told_with_its_time),
	    cmocka_unit_test(paths_of_one_interface_are_told_apart_by_the_peers_end),
	    cmocka_unit_test(stalled_is_where_nothing_moves_though_something_waits),
	    cmocka_unit_test(where_acknowledgements_are_not_counted_the_queue_tells),
	    cmocka_unit_test(with_every_path_down_it_is_stalled_at_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
