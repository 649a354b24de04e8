/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Upstream defect 5: usrsctp_init_nothreads() starts a thread all the same. That nobody can ask when the next
 * timer is due: sim_next_timeout.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>

#include <usrsctp.h>

#include "support/isolate.h"
#include "support/variant.h"

static unsigned count_threads(void)
{
	DIR *tasks = opendir("/proc/self/task");
	unsigned n = 0;

	REQUIRE(tasks != NULL);
	for (const struct dirent *entry; (entry = readdir(tasks)) != NULL;)
		n += entry->d_name[0] != '.';
	closedir(tasks);
	return n;
}

static void count_after_init(const void *job, void *outcome)
{
	unsigned *added = outcome, before = count_threads();

	(void)job;
	usrsctp_init_nothreads(0, NULL, NULL);
	*added = count_threads() - before;
	/* Upstream's thread may still be on its way when the library is taken down: leave it to exit. */
	if (*added == 0)
		usrsctp_finish();
}

static void no_thread_is_started(void **state)
{
	unsigned added;

	(void)state;
	isolate_run(count_after_init, NULL, &added, sizeof(added));
	assert_int_equal(added, CMT_TEST_FIXED ? 0 : 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_thread_is_started),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
