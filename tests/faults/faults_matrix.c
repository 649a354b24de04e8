/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Every fault on 1, 2 and 4 paths, with and without the extension, over IPv4 and IPv6. Prints a table
 * (Markdown): a row for each fault, a column for each number of paths with and without the extension. Exit
 * status 0 when every cell passed, 1 when not, 2 for a wrong command line or a file that cannot be written.
 */
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "cell.h"

enum { LISTED_MAX = 8, NAME_MAX_BYTES = 120, SEEDS_MAX = 100000 };

static const char usage_text[] =
    "usage: faults_matrix [OPTION...]\n"
    "  --seeds N          runs of each cell (default 1)\n"
    "  --seed S           the first one's seed (default 1); the others count up from it\n"
    "  --only TEXT        only cells whose name FAULT/PATHS/on|off/4|6/SCHEDULER/SEED contains TEXT\n"
    "  --every N          only one cell in N, spread over all of them\n"
    "  --schedulers A,B   default arrival\n"
    "  --paths N,M        default 1,2,4\n"
    "  --extension WHICH  on, off or both (default both)\n"
    "  --json FILE        every cell's result, worst over its seeds; - is stdout, in place of the table\n"
    "  --list             the faults, and what each means\n"
    "A cell that fails is named on stderr, with the command that runs it alone.\n";

struct plan {
	uint64_t n_seeds, first_seed, every;
	const char *only;
	char *schedulers[LISTED_MAX];
	unsigned n_schedulers;
	int paths[LISTED_MAX];
	unsigned n_paths;
	bool with, without;
	const char *json_file;
};

/* All runs of one cell, or of one field of the table. */
struct tally {
	unsigned runs, failed;
	uint64_t gap_us, finish_us; /* worst */
};

static const char *program;
static uint64_t n_considered, n_failed, n_run;

static void add_run(struct tally *t, const struct cell_verdict *v)
{
	t->runs++;
	t->failed += !v->passed;
	t->gap_us = v->gap_us > t->gap_us ? v->gap_us : t->gap_us;
	t->finish_us = v->finish_us > t->finish_us ? v->finish_us : t->finish_us;
}

static void add_tally(struct tally *t, const struct tally *more)
{
	t->runs += more->runs;
	t->failed += more->failed;
	t->gap_us = more->gap_us > t->gap_us ? more->gap_us : t->gap_us;
	t->finish_us = more->finish_us > t->finish_us ? more->finish_us : t->finish_us;
}

static void run_seeds(const struct plan *plan, struct cell *c, struct tally *t)
{
	for (uint64_t i = 0; i < plan->n_seeds; i++) {
		char name[NAME_MAX_BYTES];
		struct cell_verdict v;

		c->seed = plan->first_seed + i;
		cell_name(c, name, sizeof(name));
		if ((plan->only != NULL && strstr(name, plan->only) == NULL) ||
		    n_considered++ % plan->every != 0)
			continue;
		v = cell_run(c);
		add_run(t, &v);
		n_run++;
		n_failed += !v.passed;
		if (!v.passed)
			fprintf(stderr,
			        "%s FAILED: %s\n    %s --only %s --seed %llu --paths %d --schedulers %s\n",
			        name, v.why, program, name, (unsigned long long)c->seed, c->n_paths,
			        c->scheduler);
	}
}

static void describe(json_t *cells, const struct cell *c, const struct tally *t)
{
	json_t *o =
	    json_pack("{s:s, s:i, s:b, s:i, s:s, s:i, s:i, s:f, s:f}", "fault", c->fault->name, "paths",
	              c->n_paths, "extension", c->extension, "ip", c->family == AF_INET6 ? 6 : 4, "scheduler",
	              c->scheduler, "runs", (int)t->runs, "failed", (int)t->failed, "worst_gap_s",
	              (double)t->gap_us / 1e6, "worst_finish_s", (double)t->finish_us / 1e6);

	if (o == NULL || json_array_append_new(cells, o) != 0)
		abort();
}

/* Both IP versions and all schedulers. */
static void run_field(const struct plan *plan, struct cell c, json_t *cells, struct tally *field)
{
	const int families[2] = {AF_INET, AF_INET6};

	if (c.n_paths < c.fault->min_paths)
		return;
	for (unsigned family = 0; family < 2; family++) {
		for (unsigned s = 0; s < plan->n_schedulers; s++) {
			struct tally tally = {0};

			c.family = families[family];
			c.scheduler = plan->schedulers[s];
			run_seeds(plan, &c, &tally);
			if (tally.runs > 0)
				describe(cells, &c, &tally);
			add_tally(field, &tally);
		}
	}
}

static void print_field(const struct tally *t)
{
	if (t->runs == 0)
		printf(" - |");
	else if (t->failed > 0)
		printf(" **%u of %u failed** %.2f / %.1f |", t->failed, t->runs, (double)t->gap_us / 1e6,
		       (double)t->finish_us / 1e6);
	else
		printf(" %.2f / %.1f |", (double)t->gap_us / 1e6, (double)t->finish_us / 1e6);
}

static void print_head(const struct plan *plan)
{
	printf("| fault |");
	for (unsigned p = 0; p < plan->n_paths; p++) {
		if (plan->with)
			printf(" %d, ext |", plan->paths[p]);
		if (plan->without)
			printf(" %d |", plan->paths[p]);
	}
	printf("\n|---|");
	for (unsigned column = 0; column < plan->n_paths * (plan->with + plan->without); column++)
		printf("---|");
	printf("\n");
}

/* The row of a fault, left out where nothing ran. */
static void run_fault(const struct plan *plan, const struct fault *fault, json_t *cells, bool table)
{
	struct tally fields[2 * LISTED_MAX] = {{0}};
	const uint64_t before = n_run;
	unsigned n = 0;

	for (unsigned p = 0; p < plan->n_paths; p++) {
		for (unsigned extension = plan->with ? 0 : 1; extension < 1u + plan->without; extension++)
			run_field(plan,
			          (struct cell){
			              .fault = fault, .n_paths = plan->paths[p], .extension = extension == 0},
			          cells, &fields[n++]);
	}
	if (!table || n_run == before)
		return;
	printf("| `%s` |", fault->name);
	for (unsigned i = 0; i < n; i++)
		print_field(&fields[i]);
	printf("\n");
	(void)fflush(stdout);
}

static void run_matrix(const struct plan *plan, json_t *cells, bool table)
{
	const struct fault *fault;

	if (table)
		print_head(plan);
	for (unsigned f = 0; (fault = fault_number(f)) != NULL; f++)
		run_fault(plan, fault, cells, table);
	if (table)
		printf("\n%llu runs from seed %llu, %llu failed\n", (unsigned long long)n_run,
		       (unsigned long long)plan->first_seed, (unsigned long long)n_failed);
}

/* --- command line -----------------------------------------------------------------------------------------
 */

__attribute__((noreturn)) static void refuse(const char *option, const char *value, const char *accepted)
{
	fprintf(stderr, "faults_matrix: --%s: \"%s\" is not accepted; write %s\n", option, value, accepted);
	exit(2);
}

static uint64_t number_of(const char *option, const char *value, uint64_t max)
{
	char *end;
	unsigned long long n = strtoull(value, &end, 10);

	if (*value < '0' || *value > '9' || *end != '\0' || n < 1 || n > max)
		refuse(option, value, "a whole number from 1");
	return n;
}

static bool is_scheduler(const char *name)
{
	for (unsigned i = 0; usrsctp_cmt_scheduler_name(i) != NULL; i++) {
		if (strcmp(usrsctp_cmt_scheduler_name(i), name) == 0)
			return true;
	}
	return false;
}

static void take_schedulers(struct plan *plan, char *list)
{
	plan->n_schedulers = 0;
	for (char *word = strtok(list, ","); word != NULL; word = strtok(NULL, ",")) {
		if (plan->n_schedulers == LISTED_MAX || !is_scheduler(word))
			refuse("schedulers", word, "up to 8 names, cmt-lab list prints them");
		plan->schedulers[plan->n_schedulers++] = word;
	}
}

static void take_paths(struct plan *plan, char *list)
{
	plan->n_paths = 0;
	for (char *word = strtok(list, ","); word != NULL; word = strtok(NULL, ",")) {
		if (plan->n_paths == LISTED_MAX)
			refuse("paths", word, "up to 8 numbers");
		plan->paths[plan->n_paths++] = (int)number_of("paths", word, USRSCTP_CMT_SIM_MAX_PATHS);
	}
}

static void take_extension(struct plan *plan, const char *which)
{
	plan->with = strcmp(which, "off") != 0;
	plan->without = strcmp(which, "on") != 0;
	if (plan->with && plan->without && strcmp(which, "both") != 0)
		refuse("extension", which, "on, off or both");
}

static void list_faults(void)
{
	const struct fault *fault;

	for (unsigned f = 0; (fault = fault_number(f)) != NULL; f++)
		printf("%-14s %s\n", fault->name, fault->what);
}

static void take_arguments(struct plan *plan, int argc, char **argv)
{
	enum { SEEDS, SEED, ONLY, EVERY, SCHEDULERS, PATHS, EXTENSION, JSON, LIST, HELP };
	static const struct option options[] = {{"seeds", required_argument, NULL, SEEDS},
	                                        {"seed", required_argument, NULL, SEED},
	                                        {"only", required_argument, NULL, ONLY},
	                                        {"every", required_argument, NULL, EVERY},
	                                        {"schedulers", required_argument, NULL, SCHEDULERS},
	                                        {"paths", required_argument, NULL, PATHS},
	                                        {"extension", required_argument, NULL, EXTENSION},
	                                        {"json", required_argument, NULL, JSON},
	                                        {"list", no_argument, NULL, LIST},
	                                        {"help", no_argument, NULL, HELP},
	                                        {NULL, 0, NULL, 0}};

	for (int option; (option = getopt_long(argc, argv, "", options, NULL)) != -1;) {
		switch (option) {
		case SEEDS: plan->n_seeds = number_of("seeds", optarg, SEEDS_MAX); break;
		case SEED: plan->first_seed = number_of("seed", optarg, UINT64_MAX); break;
		case ONLY: plan->only = optarg; break;
		case EVERY: plan->every = number_of("every", optarg, UINT64_MAX); break;
		case SCHEDULERS: take_schedulers(plan, optarg); break;
		case PATHS: take_paths(plan, optarg); break;
		case EXTENSION: take_extension(plan, optarg); break;
		case JSON: plan->json_file = optarg; break;
		case LIST: list_faults(); exit(0);
		case HELP: fputs(usage_text, stdout); exit(0);
		default: fputs(usage_text, stderr); exit(2);
		}
	}
	if (optind < argc) {
		fprintf(stderr, "faults_matrix: \"%s\" is not an option\n%s", argv[optind], usage_text);
		exit(2);
	}
}

static bool write_json(const json_t *cells, const char *file)
{
	const size_t flags = JSON_INDENT(1) | JSON_REAL_PRECISION(6);

	return strcmp(file, "-") == 0 ? json_dumpf(cells, stdout, flags) == 0
	                              : json_dump_file(cells, file, flags) == 0;
}

int main(int argc, char **argv)
{
	char arrival[] = "arrival";
	struct plan plan = {.n_seeds = 1,
	                    .first_seed = 1,
	                    .every = 1,
	                    .schedulers = {arrival},
	                    .n_schedulers = 1,
	                    .paths = {1, 2, 4},
	                    .n_paths = 3,
	                    .with = true,
	                    .without = true};
	json_t *cells = json_array();

	program = argv[0];
	take_arguments(&plan, argc, argv);
	run_matrix(&plan, cells, plan.json_file == NULL || strcmp(plan.json_file, "-") != 0);
	if (plan.json_file != NULL && !write_json(cells, plan.json_file)) {
		fprintf(stderr, "faults_matrix: cannot write %s: %s\n", plan.json_file, strerror(errno));
		return 2;
	}
	json_decref(cells);
	if (n_run == 0) {
		fprintf(stderr, "faults_matrix: no cell has a name that contains \"%s\"\n",
		        plan.only != NULL ? plan.only : "");
		return 2;
	}
	return n_failed == 0 ? 0 : 1;
}
