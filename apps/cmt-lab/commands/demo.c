/* SPDX-License-Identifier: BSD-3-Clause */
#include "commands/commands.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/scheduler_names.h"
#include "batch/study.h"
#include "commands/demo_figure.h"
#include "render/table.h"
#include "run/pattern.h"
#include "setup/options.h"
#include "text/units.h"

#define DEFAULT_DIRECTORY "cmt-lab-demo"
#define FILE_BYTES        20000000u
#define N_NETWORKS        2

static const struct {
	const char *scenario, *rcvbuf; /* rcvbuf NULL: the scenario's own */
} networks[N_NETWORKS] = {{"sarwar1", "50kB"}, {"wifi-lte", NULL}};

/* The order of the table and of the curves; NULL stands for the best single path. */
static const char *const order[] = {LAB_STOCK, NULL, "lcm", "arrival"};
#define N_ORDER (sizeof(order) / sizeof(order[0]))

struct demo {
	const char *directory;
	char file[256];
	struct lab_run base[N_NETWORKS];
	struct lab_study studies[N_NETWORKS];
};

static int make_file(const char *path)
{
	static uint8_t piece[50000];
	FILE *out = fopen(path, "wb");
	int rc = out == NULL ? -1 : 0;

	for (uint64_t at = 0; rc == 0 && at < FILE_BYTES; at += sizeof(piece)) {
		lab_pattern_fill(piece, at, sizeof(piece));
		rc = fwrite(piece, sizeof(piece), 1, out) == 1 ? 0 : -1;
	}
	if (out != NULL && fclose(out) != 0) {
		rc = -1;
	}
	if (rc != 0) {
		fprintf(stderr, "cmt-lab: %s: %s\n", path, strerror(errno));
	}
	return rc;
}

static int prepare_file(struct demo *d, const char *operand)
{
	if (operand != NULL) {
		if (strlen(operand) >= sizeof(d->file) || access(operand, R_OK) != 0) {
			fprintf(stderr, "cmt-lab: \"%s\" is not a readable file\n", operand);
			return -1;
		}
		strcpy(d->file, operand);
		return 0;
	}
	if (snprintf(d->file, sizeof(d->file), "%s/demo-20MB.bin", d->directory) >= (int)sizeof(d->file)) {
		fprintf(stderr, "cmt-lab: -d: the name is too long\n");
		return -1;
	}
	return make_file(d->file);
}

static int prepare_network(struct demo *d, int n, const struct lab_run *base)
{
	struct lab_scenario *s = &d->base[n].scenario;
	struct lab_error error;
	char source[300];

	d->base[n] = *base;
	snprintf(source, sizeof(source), "file:%s", d->file);
	if (lab_scenario_load(s, networks[n].scenario, &error) != 0 ||
	    (networks[n].rcvbuf != NULL && lab_scenario_set(s, "rcvbuf", networks[n].rcvbuf, &error) != 0) ||
	    lab_scenario_set(s, "bytes", "1", &error) != 0 ||
	    lab_scenario_set(s, "source", source, &error) != 0 || lab_scenario_check(s, &error) != 0) {
		fprintf(stderr, "cmt-lab: %s\n", error.text);
		return -1;
	}
	return 0;
}

static int run_network(struct demo *d, int n)
{
	struct lab_study *study = &d->studies[n];
	struct lab_error error;
	char title[32];

	for (size_t i = 0; i < N_ORDER; i++) {
		if (order[i] != NULL) {
			lab_study_add(study, order[i], -1);
		}
	}
	lab_study_add_single_paths(study, LAB_STOCK, &d->base[n].scenario);
	lab_study_prepare(study, &d->base[n], 1);
	for (unsigned row = 0; row < study->n_rows; row++) {
		struct lab_run *run = &study->jobs[row].run;

		snprintf(run->trace, sizeof(run->trace), "%.200s/%s-%s-%d.csv", d->directory,
		         networks[n].scenario, run->scheduler, run->only_path + 1);
		if (n == 0 && strcmp(run->scheduler, "arrival") == 0) {
			snprintf(run->pcap, sizeof(run->pcap), "%.200s/arrival.pcap", d->directory);
		}
	}
	snprintf(title, sizeof(title), "%s", networks[n].scenario);
	lab_jobs_run(study->jobs, study->n_rows, title);
	if (lab_jobs_error(study->jobs, study->n_rows, &error) != 0) {
		fprintf(stderr, "cmt-lab: %s: %s\n", networks[n].scenario, error.text);
		return -1;
	}
	return 0;
}

static int row_of(const struct lab_study *s, size_t i)
{
	return order[i] == NULL ? lab_study_best_single(s, LAB_STOCK) : lab_study_row(s, order[i]);
}

static void label_of(const struct lab_study *s, size_t i, char *out, size_t out_bytes)
{
	if (order[i] == NULL) {
		snprintf(out, out_bytes, "best single path (%d)",
		         s->rows[lab_study_best_single(s, LAB_STOCK)].only_path + 1);
	} else {
		snprintf(out, out_bytes, "%s", strcmp(order[i], LAB_STOCK) == 0 ? "stock CMT" : order[i]);
	}
}

static int print_table(const struct demo *d)
{
	static const char *const heads[] = {"network, scheduler", "time",        "goodput Mbit/s",
	                                    "of ceiling",         "buffer mean", "buffer max",
	                                    "retrans.",           "3 dupacks",   "bytes"};
	struct lab_table t = {.rows = 0};
	char label[64], text[32];
	int status = 0;

	lab_table_row(&t);
	for (size_t i = 0; i < sizeof(heads) / sizeof(heads[0]); i++) {
		lab_table_cell(&t, "%s", heads[i]);
	}
	for (int n = 0; n < N_NETWORKS; n++) {
		const struct lab_study *s = &d->studies[n];

		for (size_t i = 0; i < N_ORDER; i++) {
			int row = row_of(s, i);
			bool intact = lab_study_summary(s, row, "intact").min == 1;

			label_of(s, i, label, sizeof(label));
			lab_table_row(&t);
			lab_table_cell(&t, "%s, %s", networks[n].scenario, label);
			lab_table_cell(&t, "%s",
			               app_format_time(lab_study_summary(s, row, "duration_us").median, text,
			                               sizeof(text)));
			lab_table_cell(&t, "%.3f", lab_study_summary(s, row, "goodput_bps").median / 1e6);
			lab_table_cell(&t, "%.3f", lab_study_of_ceiling(s, row));
			lab_table_cell(&t, "%s",
			               app_format_size(lab_study_summary(s, row, "rcvbuf_mean_bytes").median,
			                               text, sizeof(text)));
			lab_table_cell(&t, "%s",
			               app_format_size(lab_study_summary(s, row, "rcvbuf_max_bytes").median,
			                               text, sizeof(text)));
			lab_table_cell(&t, "%.0f", lab_study_summary(s, row, "retransmits").median);
			lab_table_cell(&t, "%.0f", lab_study_summary(s, row, "three_dupack_events").median);
			lab_table_cell(&t, "%s", intact ? "identical" : "DAMAGED");
			status = intact ? status : 1;
		}
	}
	lab_table_print(&t, stdout);
	lab_table_free(&t);
	return status;
}

static int draw(const struct demo *d)
{
	static struct lab_figure_column columns[N_NETWORKS];
	struct lab_error error;

	for (int n = 0; n < N_NETWORKS; n++) {
		const struct lab_study *s = &d->studies[n];

		snprintf(columns[n].title, sizeof(columns[n].title), "%s: %.100s", networks[n].scenario,
		         d->base[n].scenario.description);
		columns[n].n_curves = N_ORDER;
		for (size_t i = 0; i < N_ORDER; i++) {
			label_of(s, i, columns[n].curves[i].label, sizeof(columns[n].curves[i].label));
			snprintf(columns[n].curves[i].trace, sizeof(columns[n].curves[i].trace), "%s",
			         s->jobs[row_of(s, i)].run.trace);
		}
	}
	if (lab_figure_draw(d->directory, columns, N_NETWORKS, &error) != 0) {
		fprintf(stderr, "cmt-lab: %s\n", error.text);
		return -1;
	}
	return 0;
}

int lab_cmd_demo(int argc, char **argv)
{
	static struct lab_options options;
	static struct demo d;
	char size[32];
	int status = 0;

	if (lab_options_parse(&options, argc, argv, LAB_OPT_DIRECTORY | LAB_OPT_SEED, lab_help_demo) != 0) {
		return LAB_EXIT_USAGE;
	}
	d.directory = options.directory[0] == '\0' ? DEFAULT_DIRECTORY : options.directory;
	if (mkdir(d.directory, 0777) != 0 && errno != EEXIST) {
		fprintf(stderr, "cmt-lab: -d %s: %s\n", d.directory, strerror(errno));
		return LAB_EXIT_USAGE;
	}
	if (prepare_file(&d, options.operand) != 0) {
		return LAB_EXIT_USAGE;
	}
	for (int n = 0; n < N_NETWORKS; n++) {
		if (prepare_network(&d, n, &options.run) != 0) {
			return LAB_EXIT_USAGE;
		}
		if (run_network(&d, n) != 0) {
			return 1;
		}
	}
	printf("%s (%s) across two simulated networks\n\n", d.file,
	       app_format_size((double)lab_run_bytes(&d.base[0].scenario), size, sizeof(size)));
	status = print_table(&d);
	if (draw(&d) == 0) {
		printf("\npicture  %s/demo.png\n", d.directory);
	} else {
		status = 1;
	}
	printf("capture  %s/arrival.pcap (arrival on sarwar1)\n", d.directory);
	for (int n = 0; n < N_NETWORKS; n++) {
		lab_study_free(&d.studies[n]);
	}
	return status;
}
