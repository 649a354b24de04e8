/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The k-th allocation fails, from the first socket() to the last message of a transfer over two paths, for
 * every k; and every k-th. Nothing crashes, hangs or leaks; either every message arrives, or whoever asked
 * for something was refused, and both applications read an error. Exit status 0; 1 when a run failed; 2 for a
 * wrong command line. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isolate.h"
#include "memory_transfer.h"

enum { HANGS_SECONDS = 60, LAST_MAX = 1000000 };

static const char usage_text[] =
    "usage: faults_memory [OPTION...]\n"
    "  --first K, --last K  allocations that fail, from 1 (default all that there are, at most 5000)\n"
    "  --step N             every N-th of them (default 1)\n"
    "  --mode MODE          once: the k-th fails; again: so does every further k-th; both (default)\n"
    "  --tell               the place of each failure on stderr\n"
    "A run that fails is named on stderr, with the command that runs it alone.\n";

static uint64_t n_run, n_failed, n_delivered, n_told, n_refused;

static const char *verdict_of(const struct memory_outcome *o)
{
	if (o->wrong > 0)
		return "a message was altered, lost before another, or came twice";
	if (o->leaked_blocks > 0)
		return "leaked";
	if (o->refused)
		return NULL;
	/* Who sends SHUTDOWN-COMPLETE is gone when that has no memory; the other one then finds nobody. */
	if (o->delivered && o->closed[0] && (o->closed[1] || o->told[1]))
		return NULL;
	if (!o->delivered && (o->closed[0] || o->closed[1]))
		return "an application read an orderly end of an incomplete transfer";
	if (!o->delivered && o->told[0] && (o->told[1] || !o->accepted))
		return NULL;
	return o->delivered ? "everything arrived, and the association did not end"
	                    : "an application was told nothing";
}

static void run(const struct memory_job *job, const char *program)
{
	struct memory_outcome o;
	const char *why = "crashed, leaked, hung, or said above what does not hold";

	if (isolate_ends_well(memory_transfer, job, &o, sizeof(o), HANGS_SECONDS))
		why = verdict_of(&o);
	n_run++;
	n_delivered += o.delivered;
	n_refused += o.refused;
	n_told += !o.refused && !o.delivered;
	if (why == NULL)
		return;
	n_failed++;
	fprintf(stderr,
	        "allocation %llu %s FAILED: %s (sent %u %u, got %u %u)\n    %s --first %llu --last %llu "
	        "--mode %s --tell\n",
	        (unsigned long long)job->fail_at, job->again ? "and its multiples" : "alone", why, o.sent[0],
	        o.sent[1], o.got[0], o.got[1], program, (unsigned long long)job->fail_at,
	        (unsigned long long)job->fail_at, job->again ? "again" : "once");
}

static uint64_t number_of(const char *option, const char *value)
{
	char *end;
	unsigned long long n = strtoull(value, &end, 10);

	if (*value < '0' || *value > '9' || *end != '\0' || n < 1 || n > LAST_MAX) {
		fprintf(stderr,
		        "faults_memory: --%s: \"%s\" is not accepted; write a whole number from 1 to %d\n",
		        option, value, LAST_MAX);
		exit(2);
	}
	return n;
}

int main(int argc, char **argv)
{
	static const struct option options[] = {{"first", required_argument, NULL, 'f'},
	                                        {"last", required_argument, NULL, 'l'},
	                                        {"step", required_argument, NULL, 's'},
	                                        {"mode", required_argument, NULL, 'm'},
	                                        {"tell", no_argument, NULL, 't'},
	                                        {"help", no_argument, NULL, 'h'},
	                                        {NULL, 0, NULL, 0}};
	uint64_t first = 1, last = 5000, step = 1;
	bool once = true, again = true, tell = false;
	struct memory_outcome sound;

	for (int option; (option = getopt_long(argc, argv, "", options, NULL)) != -1;) {
		switch (option) {
		case 'f': first = number_of("first", optarg); break;
		case 'l': last = number_of("last", optarg); break;
		case 's': step = number_of("step", optarg); break;
		case 'm':
			once = strcmp(optarg, "again") != 0;
			again = strcmp(optarg, "once") != 0;
			break;
		case 't': tell = true; break;
		case 'h': fputs(usage_text, stdout); return 0;
		default: fputs(usage_text, stderr); return 2;
		}
	}
	if (!isolate_ends_well(memory_transfer, &(struct memory_job){.fail_at = 0}, &sound, sizeof(sound),
	                       HANGS_SECONDS) ||
	    !sound.delivered || verdict_of(&sound) != NULL) {
		fprintf(stderr, "faults_memory: the transfer fails with all memory it wants\n");
		fprintf(stderr, "%d %d c%d%d t%d%d w%u leak %lld n %llu\n", sound.refused, sound.delivered,
		        sound.closed[0], sound.closed[1], sound.told[0], sound.told[1], sound.wrong,
		        (long long)sound.leaked_blocks, (unsigned long long)sound.allocations);
		return 1;
	}
	if (last > sound.allocations)
		last = sound.allocations;
	for (uint64_t k = first; k <= last; k += step) {
		if (once)
			run(&(struct memory_job){.fail_at = k, .tell = tell}, argv[0]);
		if (again)
			run(&(struct memory_job){.fail_at = k, .again = true, .tell = tell}, argv[0]);
	}
	printf("%llu allocations without a failure\n%llu runs: %llu delivered everything, %llu were refused "
	       "by a call, "
	       "%llu told both ends; %llu failed\n",
	       (unsigned long long)sound.allocations, (unsigned long long)n_run,
	       (unsigned long long)n_delivered, (unsigned long long)n_refused, (unsigned long long)n_told,
	       (unsigned long long)n_failed);
	return n_failed == 0 ? 0 : 1;
}
