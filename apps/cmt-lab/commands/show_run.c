/* SPDX-License-Identifier: BSD-3-Clause */
#include "commands/commands.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/samples.h"
#include "batch/jobs.h"
#include "picture/run_picture.h"
#include "setup/options.h"
#include "text/units.h"

#define DEFAULT_DIRECTORY "cmt-lab-run"
#define NAME              "run"
#define INTERVALS         400u

static double number(const json_t *result, const char *key)
{
	return json_number_value(json_object_get(result, key));
}

static void say(const json_t *r, const struct lab_run *run, const struct lab_run_bins *bins, char *out,
                size_t out_bytes)
{
	char goodput[32], ceiling[32], silence[32], interval[32];

	snprintf(out, out_bytes,
	         "%s, seed %llu: %s, %.1f %% of the ceiling of %s; longest silence %s. Each point is the mean of "
	         "%s.",
	         run->scheduler, (unsigned long long)run->seed,
	         app_format_rate(number(r, "goodput_bps"), goodput, sizeof(goodput)),
	         100 * number(r, "goodput_ratio"),
	         app_format_rate(number(r, "ceiling_bps"), ceiling, sizeof(ceiling)),
	         app_format_time(number(r, "max_delivery_gap_us"), silence, sizeof(silence)),
	         app_format_time(bins->bin_us, interval, sizeof(interval)));
}

static int draw(const struct lab_job *job, const char *directory, struct lab_error *error)
{
	FILE *packets = fopen(job->run.packets, "r");
	struct lab_run_bins bins;
	struct lab_run_picture picture = {.bins = &bins,
	                                  .title = job->run.scenario.name,
	                                  .directory = directory,
	                                  .name = NAME};
	char claim[500];
	int rc;

	if (packets == NULL || lab_run_bins_read(packets, &job->run.scenario, INTERVALS, &bins) != 0) {
		snprintf(error->text, sizeof(error->text), "%s: %s", job->run.packets,
		         packets == NULL ? strerror(errno) : "no packet of ours arrived");
		rc = -1;
	} else {
		say(job->result, &job->run, &bins, claim, sizeof(claim));
		picture.claim = claim;
		rc = lab_run_picture_write(&picture, error);
		lab_run_bins_free(&bins);
		printf("%s\n%s\n\npicture  %s/%s.png\ndata     %s/%s.csv\npackets  %s\nqlog     %s\n",
		       picture.title, claim, directory, NAME, directory, NAME, job->run.packets,
		       job->run.qlog);
	}
	if (packets != NULL) {
		fclose(packets);
	}
	return rc;
}

int lab_cmd_show_run(int argc, char **argv)
{
	static struct lab_options options;
	struct lab_run *run = &options.run;
	const char *directory;
	struct lab_job *job;
	struct lab_error error;
	int status;

	if (lab_options_parse(&options, argc, argv,
	                      LAB_OPT_LOAD | LAB_OPT_SEED | LAB_OPT_ONE | LAB_OPT_DIRECTORY,
	                      lab_help_show_run) != 0 ||
	    lab_options_load(&options) != 0) {
		return LAB_EXIT_USAGE;
	}
	directory = options.directory[0] == '\0' ? DEFAULT_DIRECTORY : options.directory;
	if (mkdir(directory, 0777) != 0 && errno != EEXIST) {
		fprintf(stderr, "cmt-lab: -d %s: %s\n", directory, strerror(errno));
		return LAB_EXIT_USAGE;
	}
	strcpy(run->scheduler,
	       options.n_schedulers == 0 ? USRSCTP_CMT_DEFAULT_SCHEDULER : options.schedulers[0]);
	snprintf(run->packets, sizeof(run->packets), "%s/" NAME "-packets.csv", directory);
	if (run->qlog[0] == '\0') {
		snprintf(run->qlog, sizeof(run->qlog), "%.200s/" NAME ".qlog", directory);
	}
	run->scenario.warm_up_us = 0; /* predictions count from the start */
	job = lab_grow(NULL, 1, sizeof(*job));
	*job = (struct lab_job){.run = *run};
	lab_jobs_run(job, 1, run->scenario.name);
	status = lab_jobs_error(job, 1, &error);
	if (status == 0) {
		status = draw(job, directory, &error) != 0 ? LAB_EXIT_USAGE : !lab_result_intact(job->result);
	}
	if (status == LAB_EXIT_USAGE) {
		fprintf(stderr, "cmt-lab: %s\n", error.text);
	}
	lab_jobs_free(job, 1);
	return status;
}
