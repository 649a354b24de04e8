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
enum { ASCONF_ALLOCATIONS = 20 }; /* at most, from its arrival to its answer */

static const char usage_text[] =
    "usage: faults_memory [OPTION...]\n"
    "  --first K, --last K  allocations that fail, from 1 (default all that there are)\n"
    "  --step N             every N-th of them (default 1)\n"
    "  --mode MODE          once: the k-th fails; again: so does every further k-th; both (default)\n"
    "  --transfer WHICH     plain: IPv4, scheduler arrival; rich: IPv6, I-DATA, authenticated, without the "
    "extension,\n"
    "                       addresses and streams come and go; both (default)\n"
    "  --asconf             only those while an ASCONF is answered; the rich transfer has them\n"
    "  --protected          the DTLS chunk protects them\n"
    "  --expect-failures    exit status 0 when runs failed, 1 when none did\n"
    "  --tell               the place of each failure on stderr\n"
    "A run that fails is named on stderr, with the command that runs it alone.\n";

static uint64_t n_run, n_failed, n_delivered, n_told, n_refused;

static const char *verdict_of(const struct memory_job *job, const struct memory_outcome *o)
{
	if (o->wrong > 0)
		return "a message was altered, lost before another, came twice, or was seen";
	if (o->leaked_blocks > 0)
		return "leaked";
	if (o->refused)
		return NULL;
	/* It comes again, and there is memory then. (Who had none for keys at the handshake answers none.) */
	if (!job->again && o->asconf_at[0] > 0 && job->fail_at > o->asconf_at[0] && o->unanswered > 1)
		return "an ASCONF came more than once and was never answered";
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
		why = verdict_of(job, &o);
	n_run++;
	n_delivered += o.delivered;
	n_refused += o.refused;
	n_told += !o.refused && !o.delivered;
	if (why == NULL)
		return;
	n_failed++;
	fprintf(stderr,
	        "allocation %llu %s FAILED: %s\n"
	        "    %s --transfer %s --first %llu --last %llu --mode %s%s --tell\n",
	        (unsigned long long)job->fail_at, job->again ? "and its multiples" : "alone", why, program,
	        job->rich ? "rich" : "plain", (unsigned long long)job->fail_at,
	        (unsigned long long)job->fail_at, job->again ? "again" : "once", job->protect ? " --protected" : "");
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

/* What the transfer does when no allocation fails; false with a message when it fails all the same. */
static bool run_sound(bool rich, bool protect, struct memory_outcome *sound)
{
	const struct memory_job job = {.rich = rich, .protect = protect};
	const char *why = "crashed, leaked, hung, or said above what does not hold";

	if (isolate_ends_well(memory_transfer, &job, sound, sizeof(*sound), HANGS_SECONDS))
		why = verdict_of(&job, sound);
	if (why == NULL && sound->delivered)
		return true;
	fprintf(stderr, "faults_memory: with all memory it wants the %s transfer fails: %s\n",
	        rich ? "rich" : "plain", why != NULL ? why : "not everything arrived");
	return false;
}

struct plan {
	uint64_t first, last, step;
	bool once, again, plain, rich, asconf, protect, tell, expect_failures;
};

static void run_from_to(const struct plan *plan, bool rich, uint64_t first, uint64_t last,
                        const char *program)
{
	for (uint64_t k = first; k <= last; k += plan->step) {
		struct memory_job job = {.fail_at = k, .rich = rich, .protect = plan->protect, .tell = plan->tell};

		if (plan->once)
			run(&job, program);
		job.again = true;
		if (plan->again)
			run(&job, program);
	}
}

static bool run_all(const struct plan *plan, bool rich, const char *program)
{
	struct memory_outcome sound;

	if (!run_sound(rich, plan->protect, &sound))
		return false;
	if (!plan->asconf)
		run_from_to(plan, rich, plan->first,
		            sound.allocations < plan->last ? sound.allocations : plan->last, program);
	for (int i = 0; plan->asconf && i < MEMORY_ASCONFS && sound.asconf_at[i] > 0; i++)
		run_from_to(plan, rich, sound.asconf_at[i] + 1, sound.asconf_at[i] + ASCONF_ALLOCATIONS,
		            program);
	printf("%s: %llu allocations\n", rich ? "rich" : "plain", (unsigned long long)sound.allocations);
	return true;
}

static void choose(bool *first, bool *second, const char *option, const char *value,
                   const char *const names[2])
{
	*first = strcmp(value, names[1]) != 0;
	*second = strcmp(value, names[0]) != 0;
	if (*first && *second && strcmp(value, "both") != 0) {
		fprintf(stderr, "faults_memory: --%s: \"%s\" is not accepted; write %s, %s or both\n", option,
		        value, names[0], names[1]);
		exit(2);
	}
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
	    {"first", required_argument, NULL, 'f'},    {"last", required_argument, NULL, 'l'},
	    {"step", required_argument, NULL, 's'},     {"mode", required_argument, NULL, 'm'},
	    {"transfer", required_argument, NULL, 'x'}, {"asconf", no_argument, NULL, 'a'},
	    {"tell", no_argument, NULL, 't'},           {"expect-failures", no_argument, NULL, 'e'},
	    {"help", no_argument, NULL, 'h'},           {"protected", no_argument, NULL, 'p'},
	    {NULL, 0, NULL, 0}};
	static const char *const modes[2] = {"once", "again"}, *const transfers[2] = {"plain", "rich"};
	struct plan plan = {.first = 1,
	                    .last = LAST_MAX,
	                    .step = 1,
	                    .once = true,
	                    .again = true,
	                    .plain = true,
	                    .rich = true};
	bool sound = true;

	for (int option; (option = getopt_long(argc, argv, "", options, NULL)) != -1;) {
		switch (option) {
		case 'f': plan.first = number_of("first", optarg); break;
		case 'l': plan.last = number_of("last", optarg); break;
		case 's': plan.step = number_of("step", optarg); break;
		case 'm': choose(&plan.once, &plan.again, "mode", optarg, modes); break;
		case 'x': choose(&plan.plain, &plan.rich, "transfer", optarg, transfers); break;
		case 'a': plan.asconf = true; break;
		case 'p': plan.protect = true; break;
		case 't': plan.tell = true; break;
		case 'e': plan.expect_failures = true; break;
		case 'h': fputs(usage_text, stdout); return 0;
		default: fputs(usage_text, stderr); return 2;
		}
	}
	if (plan.plain)
		sound = run_all(&plan, false, argv[0]);
	if (plan.rich)
		sound = run_all(&plan, true, argv[0]) && sound;
	printf("%llu runs: %llu delivered everything, %llu were refused by a call, %llu told both ends; %llu "
	       "failed\n",
	       (unsigned long long)n_run, (unsigned long long)n_delivered, (unsigned long long)n_refused,
	       (unsigned long long)n_told, (unsigned long long)n_failed);
	return sound && (n_failed > 0) == plan.expect_failures ? 0 : 1;
}
