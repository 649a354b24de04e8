/* SPDX-License-Identifier: BSD-3-Clause */
#include "commands/commands.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/samples.h"
#include "batch/journal.h"
#include "bench/bench_report.h"
#include "bench/bench_summary.h"
#include "setup/options.h"
#include "setup/run_settings.h"

#define DEFAULT_DIRECTORY "cmt-lab-results"
#define DEFAULT_SCHEDULER "auto"

/* The build names the folder beside the source tree. */
#ifndef LAB_NETWORKS_DIR
#define LAB_NETWORKS_DIR "../shared/networks"
#endif

/* What the whole command measures with. */
struct job {
	const struct lab_options *o;
	enum lab_bench_sample sample;
	const char *networks, *directory;
	char options[600]; /* for commands that run a network again */
	struct lab_journal journal;
	json_t *all;
	unsigned n_done, n_failed;
};

static const char *sample_name(enum lab_bench_sample sample)
{
	switch (sample) {
	case LAB_BENCH_QUICK: return "quick";
	case LAB_BENCH_GUARD: return "guard";
	case LAB_BENCH_ALL:
	case LAB_BENCH_SAMPLES: break;
	}
	return "";
}

static void write_options(const struct lab_options *o, char *out, size_t out_bytes)
{
	char text[APP_POLICY_TEXT_BYTES];
	size_t len = 0;

	out[0] = '\0';
	for (unsigned i = 0; i < o->n_sets && len < out_bytes; i++) {
		len += (size_t)snprintf(out + len, out_bytes - len, " --set %s=%s", o->sets[i].key,
		                        o->sets[i].value);
	}
	if (o->run.cc.name[0] != '\0' && len < out_bytes) {
		len += (size_t)snprintf(out + len, out_bytes - len, " --cc %s",
		                        app_policy_text(&o->run.cc, text));
	}
	if (o->run.recovery.name[0] != '\0' && len < out_bytes) {
		len += (size_t)snprintf(out + len, out_bytes - len, " --recovery %s",
		                        app_policy_text(&o->run.recovery, text));
	}
	if (o->run.options[0] != '\0' && len < out_bytes) {
		len += (size_t)snprintf(out + len, out_bytes - len, " -o %s", o->run.options);
	}
	if (o->run.seed != 1 && len < out_bytes) {
		len += (size_t)snprintf(out + len, out_bytes - len, " --seed %llu",
		                        (unsigned long long)o->run.seed);
	}
	if (o->n_seeds > 1 && len < out_bytes) {
		snprintf(out + len, out_bytes - len, " --seeds %u", o->n_seeds);
	}
}

static int make_run(const struct lab_options *o, const struct lab_bench_point *p, struct lab_run *run,
                    struct lab_error *error)
{
	*run = o->run;
	snprintf(run->scheduler, sizeof(run->scheduler), "%s",
	         o->n_schedulers == 0 ? DEFAULT_SCHEDULER : o->schedulers[0]);
	return lab_scenario_load(&run->scenario, p->scenario, error) != 0 ||
	               lab_run_settings(run, p->settings, error) != 0 ||
	               lab_options_apply(o, &run->scenario, error) != 0
	           ? -1
	           : 0;
}

static bool find(const struct lab_journal *journal, json_t *point, struct lab_bench_values *out)
{
	const json_t *values = lab_journal_find(journal, point), *list = json_object_get(values, "values");

	out->failed = json_is_true(json_object_get(values, "failed"));
	for (size_t m = 0; m < LAB_BENCH_MEASURES; m++) {
		const json_t *value = json_array_get(list, m);

		out->of[m] = json_is_number(value) ? json_number_value(value) : NAN;
	}
	return values != NULL;
}

static void keep(struct lab_journal *journal, json_t *point, const struct lab_bench_values *values)
{
	json_t *list = json_array();

	for (size_t m = 0; m < LAB_BENCH_MEASURES; m++) {
		json_array_append_new(list, isnan(values->of[m]) ? json_null() : json_real(values->of[m]));
	}
	lab_journal_add(journal, point,
	                json_pack("{s:b, s:o}", "failed", (int)values->failed, "values", list));
}

static int measure_point(struct job *job, struct lab_bench_results *r, size_t i, struct lab_error *error)
{
	const unsigned n_seeds = r->n_seeds;
	struct lab_bench_values *values = &r->values[i];
	char command[1600], title[120], what[1620];
	struct lab_run run;

	if (make_run(job->o, &r->points.points[i], &run, error) != 0) {
		return -1;
	}
	lab_bench_command(r, i, command, sizeof(command));
	snprintf(what, sizeof(what), "%s%s", command, job->o->score ? " (score)" : "");
	if (find(&job->journal, lab_journal_point(what, &run, n_seeds), values)) {
		return 0;
	}
	snprintf(title, sizeof(title), "%zu/%zu %s %.60s", i + 1, r->points.n, r->bench->name,
	         r->points.points[i].name);
	lab_bench_run(r->bench, &run, n_seeds, title, values);
	keep(&job->journal, lab_journal_point(what, &run, n_seeds), values);
	return 0;
}

static void leave_out_others(struct lab_bench_points *points, const char *only)
{
	size_t kept = 0;

	for (size_t i = 0; i < points->n; i++) {
		if (strstr(points->points[i].name, only) != NULL) {
			points->points[kept++] = points->points[i];
		}
	}
	points->n = kept;
}

/* 0; 1 when a run failed; LAB_EXIT_USAGE after a message. */
static int measure(struct job *job, const struct lab_bench *b)
{
	struct lab_bench measured = *b;
	struct lab_bench_results r = {.bench = &measured,
	                              .sample = sample_name(job->sample),
	                              .scheduler = job->o->n_schedulers == 0 ? DEFAULT_SCHEDULER
	                                                                     : job->o->schedulers[0],
	                              .options = job->options,
	                              .n_seeds = job->o->n_seeds == 0 ? 1 : job->o->n_seeds};
	struct lab_error error;
	int rc = lab_bench_points(b, job->sample, job->networks, &r.points, &error);

	measured.n_measures = job->o->score ? 1 : b->n_measures;
	if (rc == 0) {
		leave_out_others(&r.points, job->o->only);
		r.values = lab_grow(NULL, r.points.n + 1, sizeof(*r.values));
	}
	for (size_t i = 0; i < r.points.n && rc == 0; i++) {
		rc = measure_point(job, &r, i, &error);
		job->n_failed += rc == 0 && r.values[i].failed;
	}
	if (rc == 0 && r.points.n > 0) {
		job->n_done++;
		if (!job->o->json) {
			lab_bench_print(&r, stdout);
			fflush(stdout);
		}
		json_array_append_new(job->all, lab_bench_json(&r));
		rc = lab_bench_write(&r, job->directory, &error);
	}
	if (rc != 0) {
		fprintf(stderr, "cmt-lab bench %s: %s%s\n", b->name, error.text,
		        b->recorded ? " (--networks DIR, or CMT_NETWORKS_DIR, names the folder of recorded "
		                      "networks)"
		                    : "");
	}
	free(r.points.points);
	free(r.values);
	return rc == 0 ? 0 : LAB_EXIT_USAGE;
}

static void refuse(const char *name)
{
	const struct lab_bench *b;

	fprintf(stderr, "cmt-lab: \"%s\" is not a benchmark; write one of", name);
	for (size_t i = 0; (b = lab_bench(i)) != NULL; i++) {
		fprintf(stderr, "%s %s", i == 0 ? "" : ",", b->name);
	}
	fprintf(stderr, "\n");
}

static int make_folders(const char *directory)
{
	char folder[300];

	snprintf(folder, sizeof(folder), "%s/bench", directory);
	if ((mkdir(directory, 0777) != 0 && errno != EEXIST) ||
	    (mkdir(folder, 0777) != 0 && errno != EEXIST)) {
		fprintf(stderr, "cmt-lab: -d %s: %s\n", directory, strerror(errno));
		return LAB_EXIT_USAGE;
	}
	return 0;
}

static int parse(struct lab_options *o, int argc, char **argv, struct job *job)
{
	const char *chosen = getenv("CMT_NETWORKS_DIR");

	if (lab_options_parse(o, argc, argv,
	                      LAB_OPT_BENCH | LAB_OPT_LOAD | LAB_OPT_SEED | LAB_OPT_SEEDS |
	                          LAB_OPT_DIRECTORY | LAB_OPT_JSON | LAB_OPT_QUICK,
	                      lab_help_bench) != 0) {
		return LAB_EXIT_USAGE;
	}
	if (o->operand != NULL && lab_bench_by_name(o->operand) == NULL) {
		refuse(o->operand);
		return LAB_EXIT_USAGE;
	}
	job->sample = o->guard ? LAB_BENCH_GUARD : o->quick ? LAB_BENCH_QUICK : LAB_BENCH_ALL;
	job->networks = o->networks[0] != '\0'                ? o->networks
	                : chosen != NULL && chosen[0] != '\0' ? chosen
	                                                      : LAB_NETWORKS_DIR;
	job->directory = o->directory[0] == '\0' ? DEFAULT_DIRECTORY : o->directory;
	if (strpbrk(job->networks, " \t") != NULL) {
		fprintf(stderr, "cmt-lab: --networks: \"%s\" has a blank in its name\n", job->networks);
		return LAB_EXIT_USAGE;
	}
	write_options(o, job->options, sizeof(job->options));
	return make_folders(job->directory);
}

int lab_cmd_bench(int argc, char **argv)
{
	static struct lab_options o;
	struct job job = {.o = &o};
	const struct lab_bench *b;
	struct lab_error error;
	int status = parse(&o, argc, argv, &job);

	if (status != 0) {
		return status;
	}
	if (lab_journal_open(&job.journal, o.journal, &error) != 0) {
		fprintf(stderr, "cmt-lab: --journal: %s\n", error.text);
		return LAB_EXIT_USAGE;
	}
	job.all = json_array();
	/* One that cannot be measured does not keep the others from it, but the whole fails. */
	for (size_t i = 0; (b = lab_bench(i)) != NULL; i++) {
		if (o.operand == NULL || strcmp(o.operand, b->name) == 0) {
			int one = measure(&job, b);

			status = one > status ? one : status;
		}
	}
	if (status == 0 && job.n_done == 0) {
		fprintf(stderr, "cmt-lab bench: no network%s%s in this sample\n",
		        o.only[0] != '\0' ? " has in its name: " : "", o.only);
		status = LAB_EXIT_USAGE;
	}
	if (job.n_done > 1 && lab_bench_write_summary(job.all, job.directory, &error) != 0) {
		fprintf(stderr, "cmt-lab bench: %s\n", error.text);
		status = LAB_EXIT_USAGE;
	}
	if (o.json) {
		json_dumpf(job.all, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(8));
		putchar('\n');
	}
	lab_journal_close(&job.journal);
	json_decref(job.all);
	return status != 0 ? status : job.n_failed > 0;
}
