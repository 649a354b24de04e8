/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a monitor makes of readings: rates, events, sums, JSON and metrics. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "board_json.h"
#include "prometheus.h"

static struct sctp_cmt_path_stats path(uint16_t id, enum sctp_cmt_path_state state)
{
	struct sctp_cmt_path_stats p = {.path_id = id,
	                                .state = (uint16_t)state,
	                                .fwd_delay_us = SCTP_CMT_UNKNOWN_US,
	                                .fwd_delay_base_us = SCTP_CMT_UNKNOWN_US,
	                                .fwd_delay_uncertainty_us = SCTP_CMT_UNKNOWN_US,
	                                .queue_us = SCTP_CMT_UNKNOWN_US};
	struct sockaddr_in *const remote = (struct sockaddr_in *)&p.remote;

	remote->sin_family = AF_INET;
	remote->sin_addr.s_addr = htonl(0x0a000002u + ((uint32_t)id << 16));
	return p;
}

static struct monitor_reading reading(uint64_t at_us, size_t n_paths)
{
	struct monitor_reading r = {.at_us = at_us, .stats = {.n_paths = n_paths}};

	for (size_t i = 0; i < n_paths; i++) {
		r.stats.paths[i] = path((uint16_t)(i + 1), SCTP_CMT_PATH_ACTIVE);
	}
	(void)snprintf(r.stats.all.scheduler, sizeof(r.stats.all.scheduler), "arrival");
	(void)snprintf(r.stats.all.cc, sizeof(r.stats.all.cc), "veno");
	(void)snprintf(r.stats.all.recovery, sizeof(r.stats.all.recovery), "all");
	return r;
}

static void rates_and_shares_are_of_the_time_between_two_readings(void **state)
{
	struct monitor_reading before = reading(1000000, 2), now = reading(1500000, 2);
	struct monitor_change change;

	(void)state;
	before.stats.paths[0].acked_bytes = 5000;
	before.stats.paths[0].sent_bytes = 7000;
	now.stats.paths[0].acked_bytes = 67500; /* 62500 in half a second: 1 Mbit/s */
	now.stats.paths[0].sent_bytes = 67000;  /* 60000 */
	now.stats.paths[0].lost_bytes = 6000;
	now.stats.paths[1].received_bytes = 20000;
	change = monitor_path_change(&before, &now, 0);
	assert_float_equal(change.send_bps, 1e6, 1e-6);
	assert_float_equal(change.receive_bps, 0, 1e-6);
	assert_float_equal(change.share, 0.75, 1e-9);
	assert_float_equal(change.loss, 0.1, 1e-9);
	change = monitor_path_change(&before, &now, 1);
	assert_float_equal(change.receive_bps, 320000, 1e-6);
	assert_float_equal(change.share, 0.25, 1e-9);
	change = monitor_assoc_change(&before, &now);
	assert_float_equal(change.send_bps, 1e6, 1e-6);
	assert_float_equal(change.receive_bps, 320000, 1e-6);
	assert_float_equal(change.share, 1, 1e-9);
}

static void one_reading_has_no_rate(void **state)
{
	const struct monitor_reading none = {.at_us = 0};
	struct monitor_reading now = reading(5, 1);

	(void)state;
	now.stats.paths[0].acked_bytes = now.stats.paths[0].sent_bytes = 1000000;
	assert_float_equal(monitor_path_change(&none, &now, 0).send_bps, 0, 0);
	assert_float_equal(monitor_assoc_change(&none, &now).send_bps, 0, 0);
	assert_float_equal(monitor_assoc_change(&now, &now).send_bps, 0, 0);
}

static void losses_that_are_found_late_are_at_most_all(void **state)
{
	struct monitor_reading before = reading(1, 1), now = reading(2, 1);

	(void)state;
	now.stats.paths[0].lost_bytes = 9;
	now.stats.paths[0].sent_bytes = 3;
	assert_float_equal(monitor_path_change(&before, &now, 0).loss, 1, 0);
	now.stats.paths[0].sent_bytes = 0;
	assert_float_equal(monitor_path_change(&before, &now, 0).loss, 1, 0);
	now.stats.paths[0].lost_bytes = 0;
	assert_float_equal(monitor_path_change(&before, &now, 0).loss, 0, 0);
}

struct told {
	char text[200];
};

static void tell(enum monitor_event_kind kind, const struct sctp_cmt_path_stats *p, void *arg)
{
	struct told *const told = arg;
	const size_t at = strlen(told->text);

	(void)snprintf(told->text + at, sizeof(told->text) - at, "%s %u;", monitor_event_name(kind),
	               p->path_id);
}

static const char *events(const struct monitor_reading *before, const struct monitor_reading *now)
{
	static struct told told;

	told.text[0] = '\0';
	monitor_events_between(before, now, tell, &told);
	return told.text;
}

static void every_change_of_a_path_is_an_event(void **state)
{
	static const struct {
		enum sctp_cmt_path_state before, now;
		uint64_t failures; /* meanwhile */
		const char *events;
	} cases[] = {
	    {SCTP_CMT_PATH_ACTIVE, SCTP_CMT_PATH_ACTIVE, 0, ""},
	    {SCTP_CMT_PATH_ACTIVE, SCTP_CMT_PATH_FAILED, 1, "failed 1;"},
	    {SCTP_CMT_PATH_ACTIVE, SCTP_CMT_PATH_FAILED, 0, "failed 1;"},
	    {SCTP_CMT_PATH_ACTIVE, SCTP_CMT_PATH_ACTIVE, 1, "failed 1;back 1;"},
	    {SCTP_CMT_PATH_ACTIVE, SCTP_CMT_PATH_STANDBY, 2, "failed 1;standby 1;"},
	    {SCTP_CMT_PATH_ACTIVE, SCTP_CMT_PATH_STANDBY, 0, "standby 1;"},
	    {SCTP_CMT_PATH_FAILED, SCTP_CMT_PATH_ACTIVE, 0, "back 1;"},
	    {SCTP_CMT_PATH_FAILED, SCTP_CMT_PATH_FAILED, 0, ""},
	    {SCTP_CMT_PATH_FAILED, SCTP_CMT_PATH_FAILED, 1, "failed 1;"},
	    {SCTP_CMT_PATH_STANDBY, SCTP_CMT_PATH_ACTIVE, 0, "back 1;"},
	    {SCTP_CMT_PATH_UNCONFIRMED, SCTP_CMT_PATH_ACTIVE, 0, ""},
	    {SCTP_CMT_PATH_UNCONFIRMED, SCTP_CMT_PATH_STANDBY, 0, ""},
	    {SCTP_CMT_PATH_UNCONFIRMED, SCTP_CMT_PATH_FAILED, 1, "failed 1;"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct monitor_reading before = reading(1, 1), now = reading(2, 1);

		before.stats.paths[0].state = (uint16_t)cases[i].before;
		now.stats.paths[0].state = (uint16_t)cases[i].now;
		now.stats.paths[0].failures = cases[i].failures;
		assert_string_equal(events(&before, &now), cases[i].events);
	}
}

static void paths_come_and_go(void **state)
{
	const struct monitor_reading none = {.at_us = 0};
	struct monitor_reading one = reading(1, 1), two = reading(2, 2);

	(void)state;
	assert_string_equal(events(&none, &two), "");
	assert_string_equal(events(&one, &two), "added 2;");
	assert_string_equal(events(&two, &one), "removed 2;");
	two.stats.paths[1].state = SCTP_CMT_PATH_FAILED;
	assert_string_equal(events(&none, &two), "failed 2;");
}

/* A board on which associations 1 to `n` were read twice. */
static struct monitor_board *new_board(size_t n)
{
	struct monitor_board *const b = calloc(1, sizeof(*b));

	assert_non_null(b);
	b->program = "test";
	for (size_t i = 0; i < n; i++) {
		struct monitor_reading first = reading(1000000, 2), second = reading(2000000, 2);
		struct monitor_assoc *const a = monitor_board_add(
		    b, (struct usrsctp_cmt_conn *)(uintptr_t)(i + 1), "film \"1\" \\ \x1b[2J\xff", 0);

		second.stats.paths[0].acked_bytes = second.stats.paths[0].sent_bytes = 125000 * (i + 1);
		monitor_board_note(b, a, &first, 1000);
		monitor_board_note(b, a, &second, 1001);
	}
	return b;
}

static void free_board(struct monitor_board *b)
{
	monitor_board_free(b);
	free(b);
}

static json_t *json_of(const struct monitor_board *b, size_t max_assocs)
{
	return monitor_board_json(
	    b, &(struct monitor_json_request){
	           .now_us = 2500000, .calendar_s = 1001.5, .period_s = 0.5, .max_assocs = max_assocs});
}

static void json_has_what_the_page_draws(void **state)
{
	struct monitor_board *const b = new_board(1);
	json_t *const json = json_of(b, 0);
	const char *program, *name, *scheduler, *remote, *path_state;
	double rate, total, share, state_s;
	int id, paths;
	json_t *delay, *local;

	(void)state;
	assert_int_equal(
	    json_unpack(
	        json,
	        "{s:s, s:{s:F, s:i}, s:[{s:i, s:s, s:s, s:F, s:[{s:s, s:s, s:F, s:F, s:o, s:o}]}], s:[]}",
	        "program", &program, "total", "send_rate_bps", &total, "paths", &paths, "associations", "id",
	        &id, "name", &name, "scheduler", &scheduler, "send_rate_bps", &rate, "paths", "remote",
	        &remote, "state", &path_state, "share", &share, "state_s", &state_s, "fwd_delay_us", &delay,
	        "local", &local, "events"),
	    0);
	assert_string_equal(program, "test");
	assert_string_equal(name, "film \"1\" \\ \\x1b[2J\\xff");
	assert_string_equal(scheduler, "arrival");
	assert_string_equal(remote, "10.1.0.2");
	assert_string_equal(path_state, "active");
	assert_float_equal(rate, 1e6, 1e-6);
	assert_float_equal(total, 1e6, 1e-6);
	assert_float_equal(share, 1, 1e-9);
	assert_float_equal(state_s, 1.5, 1e-9);
	assert_true(json_is_null(delay));
	assert_true(json_is_null(local));
	assert_int_equal(paths, 2);
	json_decref(json);
	free_board(b);
}

/* What happened to `n` associations in the JSON, by their ids. */
static const char *ids(const struct monitor_board *b, size_t max_assocs)
{
	static char text[100];
	json_t *const json = json_of(b, max_assocs);
	const json_t *assoc;
	size_t i;

	text[0] = '\0';
	json_array_foreach(json_object_get(json, "associations"), i, assoc)
	{
		const size_t at = strlen(text);

		(void)snprintf(text + at, sizeof(text) - at, "%d ",
		               (int)json_integer_value(json_object_get(assoc, "id")));
	}
	json_decref(json);
	return text;
}

static void of_too_many_those_with_failed_paths_and_the_busiest_are_shown(void **state)
{
	struct monitor_board *const b = new_board(5);
	struct monitor_reading failed = reading(3000000, 2);
	struct monitor_assoc *idle = b->assocs;

	(void)state;
	assert_string_equal(ids(b, 0), "1 2 3 4 5 ");
	assert_string_equal(ids(b, 2), "4 5 ");
	while (idle->id != 2) {
		idle = idle->next;
	}
	failed.stats.paths[1].state = SCTP_CMT_PATH_FAILED;
	monitor_board_note(b, idle, &failed, 1002);
	assert_string_equal(ids(b, 2), "2 5 ");
	free_board(b);
}

static void the_newest_events_are_kept(void **state)
{
	struct monitor_board *const b = new_board(1);
	json_t *json, *list;

	(void)state;
	for (unsigned i = 0; i < 2 * MONITOR_EVENTS; i++) {
		struct monitor_reading next = reading(3000000 + i, 2);

		next.stats.paths[0].state = i % 2 == 0 ? SCTP_CMT_PATH_FAILED : SCTP_CMT_PATH_ACTIVE;
		monitor_board_note(b, b->assocs, &next, 2000 + i);
	}
	json = json_of(b, 0);
	list = json_object_get(json, "events");
	assert_int_equal(json_array_size(list), MONITOR_EVENTS);
	assert_int_equal(json_integer_value(json_object_get(json_array_get(list, 0), "number")),
	                 MONITOR_EVENTS + 1);
	list = json_array_get(list, MONITOR_EVENTS - 1);
	assert_int_equal(json_integer_value(json_object_get(list, "number")), 2 * MONITOR_EVENTS);
	assert_string_equal(json_string_value(json_object_get(list, "event")), "back");
	assert_string_equal(json_string_value(json_object_get(list, "remote")), "10.1.0.2");
	assert_float_equal(json_number_value(json_object_get(list, "at_s")), 2000 + 2 * MONITOR_EVENTS - 1,
	                   1e-9);
	json_decref(json);
	free_board(b);
}

static void labels_are_escaped_and_cut_between_characters(void **state)
{
	char out[100];

	(void)state;
	assert_string_equal(monitor_label("a\"b\\c\nd", out, sizeof(out)), "a\\\"b\\\\c\\nd");
	assert_string_equal(monitor_label("\xc3\xa4\xc3\xb6", out, 4), "\xc3\xa4");
	assert_string_equal(monitor_label("ab\"", out, 4), "ab");
	assert_string_equal(monitor_label("", out, 1), "");
}

static char *metrics_of(const struct monitor_board *b)
{
	struct evbuffer *const buffer = evbuffer_new();
	char *text;

	assert_non_null(buffer);
	monitor_prometheus(b, buffer);
	assert_int_equal(evbuffer_add(buffer, "", 1), 0);
	text = strdup((const char *)evbuffer_pullup(buffer, -1));
	evbuffer_free(buffer);
	assert_non_null(text);
	return text;
}

#define ONE "association=\"1\",name=\"film \\\"1\\\" \\\\ \\\\x1b[2J\\\\xff\""

static void metrics_are_in_base_units_and_leave_out_what_is_unknown(void **state)
{
	struct monitor_board *const b = new_board(1);
	struct monitor_reading next = reading(3000000, 2);
	char *text;

	(void)state;
	next.stats.paths[0].sent_bytes = 125000;
	next.stats.paths[0].fwd_delay_us = 12500;
	next.stats.paths[0].rate_bps = 8000000;
	next.stats.paths[1].state = SCTP_CMT_PATH_FAILED;
	monitor_board_note(b, b->assocs, &next, 1002);
	text = metrics_of(b);
	assert_non_null(strstr(text, "\ncmt_path_sent_bytes_total{" ONE
	                             ",path=\"1\",local=\"\",remote=\"10.1.0.2\"} 125000\n"));
	assert_non_null(strstr(text, "\ncmt_path_forward_delay_seconds{" ONE
	                             ",path=\"1\",local=\"\",remote=\"10.1.0.2\"} 0.012500\n"));
	assert_non_null(strstr(text, "\ncmt_path_delivery_rate_bytes_per_second{" ONE
	                             ",path=\"1\",local=\"\",remote=\"10.1.0.2\"} 1000000\n"));
	assert_non_null(strstr(text, "\ncmt_path_state{" ONE
	                             ",path=\"2\",local=\"\",remote=\"10.2.0.2\",state=\"failed\"} 1\n"));
	assert_non_null(strstr(text, "\ncmt_path_state{" ONE
	                             ",path=\"2\",local=\"\",remote=\"10.2.0.2\",state=\"active\"} 0\n"));
	assert_null(strstr(text, "cmt_path_forward_delay_seconds{" ONE ",path=\"2\""));
	assert_null(strstr(text, "cmt_path_delivery_rate_bytes_per_second{" ONE ",path=\"2\""));
	assert_null(strstr(text, "cmt_path_queue_seconds{"));
	free(text);
	free_board(b);
}

static void sums_keep_what_has_ended(void **state)
{
	struct monitor_board *const b = new_board(2);
	struct monitor_reading without = reading(3000000, 1);
	char *text;

	(void)state;
	b->assocs->now.stats.paths[1].received_bytes = 7;
	monitor_board_note(b, b->assocs, &without, 1002); /* path 2 is gone; path 1 begins anew */
	monitor_board_remove(b, monitor_board_find(b, (struct usrsctp_cmt_conn *)(uintptr_t)1));
	text = metrics_of(b);
	assert_non_null(strstr(text, "\ncmt_sent_bytes_total 125000\n"));
	assert_non_null(strstr(text, "\ncmt_received_bytes_total 7\n"));
	assert_non_null(strstr(text, "\ncmt_associations 1\n"));
	assert_non_null(strstr(text, "\ncmt_associations_opened_total 2\n"));
	free(text);
	free_board(b);
}

static void of_too_many_the_oldest_have_metrics(void **state)
{
	struct monitor_board *const b = new_board(MONITOR_PROMETHEUS_ASSOCS + 5);
	char *const text = metrics_of(b);

	(void)state;
	assert_non_null(strstr(text, "\ncmt_associations 1005\n"));
	assert_non_null(strstr(text, "\ncmt_associations_shown 1000\n"));
	assert_non_null(strstr(text, "\ncmt_path_mtu_bytes{association=\"1\","));
	assert_non_null(strstr(text, "\ncmt_path_mtu_bytes{association=\"1000\","));
	assert_null(strstr(text, "\ncmt_path_mtu_bytes{association=\"1001\","));
	free(text);
	free_board(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(rates_and_shares_are_of_the_time_between_two_readings),
	    cmocka_unit_test(one_reading_has_no_rate),
	    cmocka_unit_test(losses_that_are_found_late_are_at_most_all),
	    cmocka_unit_test(every_change_of_a_path_is_an_event),
	    cmocka_unit_test(paths_come_and_go),
	    cmocka_unit_test(json_has_what_the_page_draws),
	    cmocka_unit_test(of_too_many_those_with_failed_paths_and_the_busiest_are_shown),
	    cmocka_unit_test(the_newest_events_are_kept),
	    cmocka_unit_test(labels_are_escaped_and_cut_between_characters),
	    cmocka_unit_test(metrics_are_in_base_units_and_leave_out_what_is_unknown),
	    cmocka_unit_test(sums_keep_what_has_ended),
	    cmocka_unit_test(of_too_many_the_oldest_have_metrics),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
