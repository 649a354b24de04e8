/* SPDX-License-Identifier: BSD-3-Clause */
#include "isolate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

_Noreturn void isolate_fail(const char *file, int line, const char *condition)
{
	fprintf(stderr, "%s:%d: %s does not hold\n", file, line, condition);
	fflush(NULL);
	_exit(2);
}

bool isolate_ends_well(isolate_scenario *scenario, const void *job, void *outcome, size_t outcome_bytes,
                       unsigned limit_s)
{
	void *shared = mmap(NULL, outcome_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int status = -1;
	pid_t child;

	assert_true(shared != MAP_FAILED);
	fflush(NULL);
	child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		/* cmocka catches these and would go on with the next test. */
		signal(SIGSEGV, SIG_DFL);
		signal(SIGABRT, SIG_DFL);
		signal(SIGFPE, SIG_DFL);
		alarm(limit_s);
		scenario(job, shared);
		fflush(NULL);
		_exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	memcpy(outcome, shared, outcome_bytes);
	munmap(shared, outcome_bytes);
	return status == 0;
}

void isolate_run(isolate_scenario *scenario, const void *job, void *outcome, size_t outcome_bytes)
{
	assert_true(isolate_ends_well(scenario, job, outcome, outcome_bytes, 0));
}

bool isolate_survives(isolate_scenario *scenario, const void *job, void *outcome, size_t outcome_bytes)
{
	return isolate_ends_well(scenario, job, outcome, outcome_bytes, ISOLATE_HANGS_SECONDS);
}
