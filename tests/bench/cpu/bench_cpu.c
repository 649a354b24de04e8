/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bench_cpu.c - processor time per byte of a sender: the event back end against upstream's release in its
 * threaded mode. One association between two processes over loopback, SCTP in UDP, messages and buffers as
 * side.h says. The kinds of sender take turns, each with a receiver of its own kind. The event back end with
 * packets as small as upstream's may need a third (times.h), by the cheapest round of each: who else uses the
 * machine makes rounds dearer, never cheaper. What is missed is tried ATTEMPTS times.
 *
 *     bench_cpu [--rounds N] [--bytes N] SIDE_PRISTINE SIDE_THREADS SIDE_EVENT */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "times.h"

enum { KINDS = 4, MAX_ROUNDS = 20, ATTEMPTS = 4, PRISTINE = 0, EVENT = 2, FIRST_UDP_PORT = 21000 };

static const double RATIO_MAX = 1.0 / 3;

struct kind {
	const char *title;
	const char *program; /* its place among the arguments is that of the kind; the last two share one */
	unsigned mtu_bytes;
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
static struct side_process start(const struct kind *kind, bool sends, unsigned ports, uint64_t bytes)
{
	char own[16], peer[16], mtu[16], total[32];
	struct side_process side;
	int fds[2];

	(void)snprintf(own, sizeof(own), "%u", ports + sends);
	(void)snprintf(peer, sizeof(peer), "%u", ports + !sends);
	(void)snprintf(mtu, sizeof(mtu), "%u", kind->mtu_bytes);
	(void)snprintf(total, sizeof(total), "%llu", (unsigned long long)bytes);
	require(pipe(fds) == 0, "pipe");
	(void)fflush(NULL);
	side.pid = fork();
	require(side.pid >= 0, "fork");
	if (side.pid == 0) {
		(void)dup2(fds[1], STDOUT_FILENO);
		(void)close(fds[0]);
		(void)close(fds[1]);
		(void)execl(kind->program, kind->program, sends ? "send" : "receive", own, peer, mtu, total,
		            (char *)NULL);
		require(false, kind->program);
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

static void transfer(struct kind *kind, unsigned round, uint64_t bytes)
{
	static unsigned ports = FIRST_UDP_PORT;
	struct side_process receiver = start(kind, false, ports, bytes), sender;
	double sent_us, sent_wall_us, received_us, received_wall_us;
	char word[16];

	require(fscanf(receiver.out, "%15s", word) == 1 && strcmp(word, "ready") == 0, "receiver");
	sender = start(kind, true, ports, bytes);
	ports += 2;
	finish(&sender, &sent_us, &sent_wall_us);
	finish(&receiver, &received_us, &received_wall_us);
	kind->sent_ns[round] = sent_us * 1000 / (double)bytes;
	kind->received_ns[round] = received_us * 1000 / (double)bytes;
	kind->bps[round] = (double)bytes * 8 / sent_wall_us * 1e6;
}

static int by_value(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(double *values, unsigned n)
{
	qsort(values, n, sizeof(*values), by_value);
	return values[n / 2];
}

static double print(struct kind *kind, unsigned rounds, double pristine_ns)
{
	const double sent_ns = median(kind->sent_ns, rounds);
	const double lowest_ns = kind->sent_ns[0], highest_ns = kind->sent_ns[rounds - 1];

	if (pristine_ns < 0)
		pristine_ns = sent_ns;
	printf("%-34s %6.2f ns/B (%5.2f .. %5.2f) %8.2f ns/B %8.0f Mbit/s %7.3f\n", kind->title, sent_ns,
	       lowest_ns, highest_ns, median(kind->received_ns, rounds), median(kind->bps, rounds) / 1e6,
	       sent_ns / pristine_ns);
	return sent_ns;
}

static double lowest(const double *values, unsigned n)
{
	double low = values[0];

	for (unsigned i = 1; i < n; i++)
		low = values[i] < low ? values[i] : low;
	return low;
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
	struct kind kinds[KINDS] = {{.title = "upstream 0.9.5.0, threads"},
	                            {.title = "fork, threads"},
	                            {.title = "event back end, MTU 1500", .mtu_bytes = 1500},
	                            {.title = "event back end, MTU of the kernel"}};
	double ns[KINDS], ratio;
	unsigned done = 0;

	if (argc != KINDS || rounds < 1 || rounds > MAX_ROUNDS) {
		(void)fputs("bench_cpu: [--rounds N] [--bytes N] SIDE_PRISTINE SIDE_THREADS SIDE_EVENT\n",
		            stderr);
		return 2;
	}
	do {
		for (const unsigned until = done + rounds; done < until; done++) {
			for (int k = 0; k < KINDS; k++) {
				kinds[k].program = argv[k < KINDS - 1 ? k + 1 : k];
				transfer(&kinds[k], done, bytes);
			}
		}
		ratio = lowest(kinds[EVENT].sent_ns, done) / lowest(kinds[PRISTINE].sent_ns, done);
	} while (ratio > RATIO_MAX && done < ATTEMPTS * rounds);
	printf("%-34s %11s %16s %13s %15s %7s\n", "", "sender", "", "receiver", "rate", "ratio");
	for (int k = 0; k < KINDS; k++)
		ns[k] = print(&kinds[k], done, k == PRISTINE ? -1 : ns[PRISTINE]);
	printf("processor time of the sender per byte, cheapest of %u rounds: 1/%.2f of upstream's, at least "
	       "1/%.0f is wanted\n",
	       done, 1 / ratio, 1 / RATIO_MAX);
	return report_times(ratio <= RATIO_MAX);
}
