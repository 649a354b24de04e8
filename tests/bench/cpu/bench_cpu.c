/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bench_cpu.c - processor time per byte of a sender: the event back end against upstream's release in its
 * threaded mode. One association between two processes over loopback, SCTP in UDP, messages and buffers as
 * side.h says. The kinds of sender take turns, each with a receiver of its own kind. The event back end with
 * packets as small as upstream's may need a third (times.h), by the cheapest round of each: who else uses the
 * machine makes rounds dearer, never cheaper. Then the same encrypted (AES-128-GCM), and with several
 * paths, over that without and with one. What is missed is tried ATTEMPTS times. Where there is a side on
 * quinn (../quinn), that too, over the encrypted one.
 *
 *     bench_cpu [--rounds N] [--bytes N] SIDE_PRISTINE SIDE_THREADS SIDE_EVENT [SIDE_QUINN] */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "batches.h"
#include "times.h"

enum { KINDS = 9, PROGRAMS = 3, MAX_ROUNDS = 20, ATTEMPTS = 4, PRISTINE = 0, EVENT = 2, ENCRYPTED = 4 };
enum { FIRST_UDP_PORT = 21000 };

struct kind {
	const char *title;
	unsigned program; /* its place among the arguments */
	unsigned mtu_bytes, paths;
	bool has_keys;
	int over;         /* the kind that its cost is compared with; itself: none */
	double ratio_max; /* of that one's, wanted; 0 = none */
	double sent_ns[ATTEMPTS * MAX_ROUNDS], received_ns[ATTEMPTS * MAX_ROUNDS],
	    bps[ATTEMPTS * MAX_ROUNDS]; /* ns of a byte */
};

struct side_process {
	pid_t pid;
	FILE *out;
};

static void require(bool ok, const char *what)
{
	if (ok)
		return;
	perror(what);
	exit(2);
}

/* Every transfer has ports of its own: packets of the one before must not be taken for its. */
static struct side_process start(const struct kind *kind, char **programs, bool sends, unsigned ports,
                                 uint64_t bytes)
{
	char own[16], peer[16], mtu[16], total[32], paths[16];
	struct side_process side;
	int fds[2];

	(void)snprintf(own, sizeof(own), "%u", ports + sends);
	(void)snprintf(peer, sizeof(peer), "%u", ports + !sends);
	(void)snprintf(mtu, sizeof(mtu), "%u", kind->mtu_bytes);
	(void)snprintf(total, sizeof(total), "%llu", (unsigned long long)bytes);
	(void)snprintf(paths, sizeof(paths), "%u", kind->paths);
	require(pipe(fds) == 0, "pipe");
	(void)fflush(NULL);
	side.pid = fork();
	require(side.pid >= 0, "fork");
	if (side.pid == 0) {
		(void)dup2(fds[1], STDOUT_FILENO);
		(void)close(fds[0]);
		(void)close(fds[1]);
		(void)execl(programs[kind->program], programs[kind->program], sends ? "send" : "receive", own,
		            peer, mtu, total, paths, kind->has_keys ? "keys" : "clear", (char *)NULL);
		require(false, programs[kind->program]);
	}
	(void)close(fds[1]);
	side.out = fdopen(fds[0], "r");
	require(side.out != NULL, "fdopen");
	return side;
}

static void finish(struct side_process *side, double *cpu_us, double *wall_us)
{
	int status = -1;

	require(fscanf(side->out, "%lf %lf", cpu_us, wall_us) == 2, "result of a side");
	(void)fclose(side->out);
	require(waitpid(side->pid, &status, 0) == side->pid && status == 0, "end of a side");
}

static void transfer(struct kind *kind, char **programs, unsigned round, uint64_t bytes)
{
	static unsigned ports = FIRST_UDP_PORT;
	struct side_process receiver = start(kind, programs, false, ports, bytes), sender;
	double sent_us, sent_wall_us, received_us, received_wall_us;
	char word[16];

	require(fscanf(receiver.out, "%15s", word) == 1 && strcmp(word, "ready") == 0, "receiver");
	sender = start(kind, programs, true, ports, bytes);
	ports += 2;
	finish(&sender, &sent_us, &sent_wall_us);
	finish(&receiver, &received_us, &received_wall_us);
	kind->sent_ns[round] = sent_us * 1000 / (double)bytes;
	kind->received_ns[round] = received_us * 1000 / (double)bytes;
	kind->bps[round] = (double)bytes * 8 / sent_wall_us * 1e6;
}

static double median(double *values, unsigned n)
{
	qsort(values, n, sizeof(*values), by_value);
	return values[n / 2];
}

static double lowest(const double *values, unsigned n)
{
	double low = values[0];

	for (unsigned i = 1; i < n; i++)
		low = values[i] < low ? values[i] : low;
	return low;
}

static double ratio(const struct kind *kinds, unsigned kind, unsigned rounds)
{
	return lowest(kinds[kind].sent_ns, rounds) / lowest(kinds[kinds[kind].over].sent_ns, rounds);
}

static bool is_met(const struct kind *kinds, unsigned n_kinds, unsigned rounds)
{
	for (unsigned k = 0; k < n_kinds; k++) {
		if (kinds[k].ratio_max > 0 && ratio(kinds, k, rounds) > kinds[k].ratio_max)
			return false;
	}
	return true;
}

static void print(struct kind *kinds, unsigned n_kinds, unsigned rounds)
{
	printf("%-34s %11s %16s %13s %15s %7s %7s\n", "", "sender", "", "receiver", "rate", "ratio",
	       "wanted");
	for (unsigned k = 0; k < n_kinds; k++) {
		struct kind *const kind = &kinds[k];
		const double cheapest = ratio(kinds, k, rounds), sent_ns = median(kind->sent_ns, rounds);

		printf("%-34s %6.2f ns/B (%5.2f .. %5.2f) %8.2f ns/B %8.0f Mbit/s %7.3f", kind->title,
		       sent_ns, kind->sent_ns[0], kind->sent_ns[rounds - 1],
		       median(kind->received_ns, rounds), median(kind->bps, rounds) / 1e6, cheapest);
		if (kind->ratio_max > 0)
			printf(" %7.3f", kind->ratio_max);
		(void)puts("");
	}
	printf("ratio: processor time of the sender per byte, cheapest of %u rounds, over %s's, encrypted "
	       "and with paths over "
	       "%s's, quinn over %s's\n",
	       rounds, kinds[PRISTINE].title, kinds[EVENT].title, kinds[ENCRYPTED].title);
}

static uint64_t option(int *argc, char ***argv, const char *name, uint64_t value)
{
	if (*argc > 2 && strcmp((*argv)[1], name) == 0) {
		value = strtoull((*argv)[2], NULL, 10);
		*argc -= 2;
		*argv += 2;
	}
	return value;
}

int main(int argc, char **argv)
{
	const unsigned rounds = (unsigned)option(&argc, &argv, "--rounds", 3);
	const uint64_t bytes = option(&argc, &argv, "--bytes", 280000000);
	struct kind kinds[KINDS] = {
	    {.title = "upstream 0.9.5.0, threads", .paths = 1},
	    {.title = "fork, threads", .program = 1, .paths = 1},
	    {.title = "event back end, MTU 1500",
	     .program = 2,
	     .mtu_bytes = 1500,
	     .paths = 1,
	     .ratio_max = 1.0 / 3},
	    {.title = "event back end, MTU of the kernel", .program = 2, .paths = 1},
	    {.title = "MTU 1500, encrypted",
	     .program = 2,
	     .mtu_bytes = 1500,
	     .paths = 1,
	     .has_keys = true,
	     .over = EVENT,
	     .ratio_max = 1.45},
	    {.title = "2 paths, MTU 1500", .program = 2, .mtu_bytes = 1500, .paths = 2, .over = EVENT},
	    {.title = "4 paths, MTU 1500", .program = 2, .mtu_bytes = 1500, .paths = 4, .over = EVENT},
	    {.title = "8 paths, MTU 1500", .program = 2, .mtu_bytes = 1500, .paths = 8, .over = EVENT},
	    {.title = "quinn (QUIC), MTU 1500",
	     .program = PROGRAMS,
	     .mtu_bytes = 1500,
	     .paths = 1,
	     .has_keys = true,
	     .over = ENCRYPTED}};
	const bool has_quinn = argc == PROGRAMS + 2;
	const unsigned n_kinds = has_quinn ? KINDS : KINDS - 1;
	unsigned done = 0;

	if ((argc != PROGRAMS + 1 && !has_quinn) || rounds < 1 || rounds > MAX_ROUNDS) {
		(void)fputs("bench_cpu: [--rounds N] [--bytes N] SIDE_PRISTINE SIDE_THREADS SIDE_EVENT "
		            "[SIDE_QUINN]\n",
		            stderr);
		return 2;
	}
	do {
		for (const unsigned until = done + rounds; done < until; done++) {
			for (unsigned k = 0; k < n_kinds; k++)
				transfer(&kinds[k], argv + 1, done, bytes);
		}
	} while (!is_met(kinds, n_kinds, done) && done < ATTEMPTS * rounds);
	print(kinds, n_kinds, done);
	return report_times(is_met(kinds, n_kinds, done));
}
