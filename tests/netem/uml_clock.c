/* SPDX-License-Identifier: BSD-3-Clause
 *
 * uml_clock.c - the time without a system call, preloaded into programs inside User Mode Linux (LD_PRELOAD):
 * what the vDSO does on other kernels. There a look at the clock costs 5 us, and a stack looks a dozen times
 * per packet.
 *
 * The kernel is asked every 2 ms; in between the processor's time stamp counter goes on from there. Needs a
 * constant one. Not for time travel, where the counter knows nothing of the time. */
#define _GNU_SOURCE
#include <stdbool.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
#include <x86intrin.h>

#define NS_PER_S       1000000000
#define ASK_EVERY_NS   2000000
#define ATTEMPTS       3
#define UNDISTURBED_NS 50000 /* an answer that took longer says too little about when it was given */
#define RATE_KNOWN_NS  2000000

struct reading {
	uint64_t ticks;
	int64_t monotonic_ns, realtime_ns;
};

static __thread struct {
	bool known;
	struct reading first, last;
	double ns_per_tick; /* 0 = not known yet */
	int64_t told_ns;    /* the latest monotonic time that was told; never back */
} now;

static int64_t ask(clockid_t id)
{
	struct timespec ts;

	syscall(SYS_clock_gettime, id, &ts);
	return (int64_t)ts.tv_sec * NS_PER_S + ts.tv_nsec;
}

/* False when something came in between. */
static bool read_both(struct reading *out)
{
	int64_t before_ns = ask(CLOCK_MONOTONIC), after_ns;

	out->ticks = __rdtsc();
	out->monotonic_ns = ask(CLOCK_MONOTONIC);
	out->realtime_ns = ask(CLOCK_REALTIME);
	after_ns = ask(CLOCK_MONOTONIC);
	return after_ns - before_ns < UNDISTURBED_NS;
}

static void ask_kernel(void)
{
	struct reading r;

	for (int i = 0; i < ATTEMPTS; i++) {
		if (!read_both(&r))
			continue;
		if (!now.known)
			now.first = r;
		now.known = true;
		now.last = r;
		if (r.monotonic_ns - now.first.monotonic_ns >= RATE_KNOWN_NS)
			now.ns_per_tick = (double)(r.monotonic_ns - now.first.monotonic_ns) /
			                  (double)(r.ticks - now.first.ticks);
		return;
	}
}

static int64_t since_last_ns(void)
{
	return (int64_t)((double)(__rdtsc() - now.last.ticks) * now.ns_per_tick);
}

static int64_t monotonic_ns(void)
{
	int64_t ns;

	if (now.ns_per_tick == 0 || since_last_ns() > ASK_EVERY_NS)
		ask_kernel();
	ns = now.ns_per_tick == 0 ? ask(CLOCK_MONOTONIC) : now.last.monotonic_ns + since_last_ns();
	if (ns > now.told_ns)
		now.told_ns = ns;
	return now.told_ns;
}

int clock_gettime(clockid_t id, struct timespec *ts)
{
	int64_t ns;

	if (id != CLOCK_MONOTONIC && id != CLOCK_REALTIME)
		return (int)syscall(SYS_clock_gettime, id, ts);
	ns = monotonic_ns();
	if (id == CLOCK_REALTIME)
		ns = now.known ? ns - now.last.monotonic_ns + now.last.realtime_ns : ask(CLOCK_REALTIME);
	ts->tv_sec = ns / NS_PER_S;
	ts->tv_nsec = ns % NS_PER_S;
	return 0;
}

int gettimeofday(struct timeval *restrict tv, void *restrict zone)
{
	struct timespec ts;

	(void)zone;
	clock_gettime(CLOCK_REALTIME, &ts);
	tv->tv_sec = ts.tv_sec;
	tv->tv_usec = ts.tv_nsec / 1000;
	return 0;
}
