/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What cmt-recv brings to disk beside its event loop. The disk is slow here: fsync() is this file's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <event2/event.h>

#include "commits.h"

#define FSYNC_MS 50
#define FILES    4

static atomic_int syncing, syncing_most;

int fsync(int fd)
{
	const struct timespec pause = {.tv_nsec = FSYNC_MS * 1000000L};
	int now = ++syncing, most = syncing_most;

	(void)fd;
	while (now > most && !atomic_compare_exchange_weak(&syncing_most, &most, now)) {
	}
	nanosleep(&pause, NULL);
	syncing--;
	return 0;
}

struct receiver {
	char folder[64];
	struct event_base *base;
	struct store store;
	struct commits *commits;
	int in_place, failed, ticks;
	char error[512];
};

static int set_up(void **state)
{
	struct receiver *r = calloc(1, sizeof(*r));
	struct app_error error;

	snprintf(r->folder, sizeof(r->folder), "/tmp/test-recv-commits-XXXXXX");
	assert_non_null(mkdtemp(r->folder));
	r->base = event_base_new();
	assert_int_equal(store_open(&r->store, r->folder, &error), 0);
	r->commits = commits_new(r->base, &r->store);
	assert_non_null(r->commits);
	syncing_most = 0;
	*state = r;
	return 0;
}

static void path_of(const struct receiver *r, const char *name, char path[128])
{
	snprintf(path, 128, "%s/%s", r->folder, name);
}

static bool is_there(const struct receiver *r, const char *name)
{
	char path[128];

	path_of(r, name, path);
	return access(path, F_OK) == 0;
}

static const char *const names[] = {"a",          "b",          "c",          "d",
                                    "a.cmt-part", "b.cmt-part", "c.cmt-part", "d.cmt-part"};

static int tear_down(void **state)
{
	struct receiver *r = *state;
	char path[128];

	commits_free(r->commits);
	store_close(&r->store);
	event_base_free(r->base);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		path_of(r, names[i], path);
		(void)unlink(path);
	}
	assert_int_equal(rmdir(r->folder), 0);
	free(r);
	return 0;
}

static void on_committed(const char *error, void *arg)
{
	struct receiver *r = arg;

	if (error == NULL) {
		r->in_place++;
	} else {
		r->failed++;
		snprintf(r->error, sizeof(r->error), "%s", error);
	}
	if (r->in_place + r->failed == FILES) {
		event_base_loopbreak(r->base);
	}
}

/* Four files have arrived. */
static void commit_all(struct receiver *r)
{
	struct app_error error;

	for (int i = 0; i < FILES; i++) {
		struct commit_request request = {.name = names[i],
		                                 .fd = store_write(&r->store, names[i], 0, &error),
		                                 .attributes = {.mode = 0600},
		                                 .fn = on_committed,
		                                 .arg = r};

		assert_true(request.fd >= 0);
		assert_int_equal(commits_add(r->commits, &request), 0);
	}
}

static void on_tick(evutil_socket_t fd, short what, void *arg)
{
	(void)fd;
	(void)what;
	((struct receiver *)arg)->ticks += ((struct receiver *)arg)->in_place == 0;
}

static void the_loop_runs_while_the_disk_is_busy(void **state)
{
	struct receiver *r = *state;
	struct event *tick = event_new(r->base, -1, EV_PERSIST, on_tick, r);

	event_add(tick, &(struct timeval){.tv_usec = 1000});
	commit_all(r);
	event_base_dispatch(r->base);
	event_free(tick);
	assert_int_equal(r->in_place, FILES);
	assert_true(r->ticks > 3);
	for (int i = 0; i < FILES; i++) {
		assert_true(is_there(r, names[i]));
		assert_false(is_there(r, names[FILES + i]));
	}
}

static void the_disk_gets_several_at_once(void **state)
{
	struct receiver *r = *state;

	commit_all(r);
	event_base_dispatch(r->base);
	assert_true(syncing_most > 1);
}

static void a_name_that_is_taken_is_told_and_nothing_lost(void **state)
{
	struct receiver *r = *state;
	char path[128];

	path_of(r, "b", path);
	close(open(path, O_CREAT | O_WRONLY, 0600));
	commit_all(r);
	event_base_dispatch(r->base);
	assert_int_equal(r->in_place, FILES - 1);
	assert_int_equal(r->failed, 1);
	assert_string_equal(r->error,
	                    "b: has appeared at the receiver in the meantime; --overwrite there replaces it");
	assert_true(is_there(r, "b.cmt-part"));
}

static void the_end_waits_for_what_is_under_way(void **state)
{
	struct receiver *r = *state;

	commit_all(r);
	commits_free(r->commits);
	r->commits = NULL;
	assert_int_equal(r->in_place, FILES);
	assert_true(is_there(r, "d"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(the_loop_runs_while_the_disk_is_busy, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(the_disk_gets_several_at_once, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(a_name_that_is_taken_is_told_and_nothing_lost, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(the_end_waits_for_what_is_under_way, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
