/* SPDX-License-Identifier: BSD-3-Clause */
#include "commands/commands.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "results/results_page.h"
#include "setup/options.h"

#define DEFAULT_DIRECTORY "cmt-lab-results"

static int parse(struct lab_options *o, int argc, char **argv, unsigned groups, const char *help)
{
	if (lab_options_parse(o, argc, argv, LAB_OPT_DIRECTORY | groups, help) != 0) {
		return LAB_EXIT_USAGE;
	}
	if (o->directory[0] == '\0') {
		strcpy(o->directory, DEFAULT_DIRECTORY);
	}
	return 0;
}

static int make_folder(const char *path)
{
	if (mkdir(path, 0777) != 0 && errno != EEXIST) {
		fprintf(stderr, "cmt-lab: -d %s: %s\n", path, strerror(errno));
		return LAB_EXIT_USAGE;
	}
	return 0;
}

static int prepare_directory(const char *directory)
{
	char sweeps[300];

	snprintf(sweeps, sizeof(sweeps), "%s/sweeps", directory);
	return make_folder(directory) != 0 || make_folder(sweeps) != 0 ? LAB_EXIT_USAGE : 0;
}

/* The picture and the section of the page, from the sweep's data alone. 0; 1 after a message; -1 when there
 * are no data. */
static int publish(const struct lab_sweep *s, const char *directory)
{
	struct lab_sweep_values v;
	struct lab_error error;
	int rc = lab_sweep_read(s, directory, &v, &error);

	if (rc == 0) {
		rc = lab_results_page_sweep(directory, &v, &error);
	}
	lab_sweep_free(&v);
	if (rc > 0) {
		return -1;
	}
	if (rc < 0) {
		fprintf(stderr, "cmt-lab: %s: %s\n", s->name, error.text);
		return 1;
	}
	printf("%-14s %s/sweeps/%s.csv, .png\n", s->name, directory, s->name);
	fflush(stdout);
	return 0;
}

static int advise(const char *directory)
{
	struct lab_error error;

	if (lab_results_page_advice(directory, &error) != 0) {
		fprintf(stderr, "cmt-lab: %s\n", error.text);
		return 1;
	}
	printf("page           %s/results.md\n", directory);
	return 0;
}

static int make(const struct lab_sweep *s, const struct lab_options *o)
{
	struct lab_sweep_values v;
	struct lab_error error = {.text = ""};
	int rc = lab_sweep_run(s, o->n_seeds, o->quick, &v, &error);

	if (rc < 0 || lab_sweep_write(&v, o->directory, &error) != 0) {
		fprintf(stderr, "cmt-lab: %s: %s\n", s->name, error.text);
		rc = 1;
	} else {
		rc |= publish(s, o->directory);
	}
	lab_sweep_free(&v);
	return rc;
}

static void refuse(const char *name)
{
	const struct lab_sweep *s;

	fprintf(stderr, "cmt-lab: \"%s\" is not a sweep; write one of", name);
	for (size_t i = 0; (s = lab_sweep(i)) != NULL; i++) {
		fprintf(stderr, "%s %s", i == 0 ? "" : ",", s->name);
	}
	fprintf(stderr, "\n");
}

int lab_cmd_sweep(int argc, char **argv)
{
	static struct lab_options o;
	const struct lab_sweep *s;
	int status;

	if (parse(&o, argc, argv, LAB_OPT_SEEDS | LAB_OPT_QUICK, lab_help_sweep) != 0) {
		return LAB_EXIT_USAGE;
	}
	s = lab_sweep_by_name(o.operand == NULL ? "" : o.operand);
	if (s == NULL) {
		refuse(o.operand == NULL ? "" : o.operand);
		return LAB_EXIT_USAGE;
	}
	if (prepare_directory(o.directory) != 0) {
		return LAB_EXIT_USAGE;
	}
	status = make(s, &o);
	return status | advise(o.directory);
}

int lab_cmd_sweeps(int argc, char **argv)
{
	static struct lab_options o;
	const struct lab_sweep *s;
	int status = 0;

	if (parse(&o, argc, argv, LAB_OPT_SEEDS | LAB_OPT_QUICK, lab_help_sweeps) != 0) {
		return LAB_EXIT_USAGE;
	}
	if (o.operand != NULL) {
		fprintf(stderr, "cmt-lab sweeps: takes no name; write `cmt-lab sweep %s`\n", o.operand);
		return LAB_EXIT_USAGE;
	}
	if (prepare_directory(o.directory) != 0) {
		return LAB_EXIT_USAGE;
	}
	for (size_t i = 0; (s = lab_sweep(i)) != NULL; i++) {
		status |= make(s, &o);
	}
	return status | advise(o.directory);
}

int lab_cmd_results(int argc, char **argv)
{
	static struct lab_options o;
	const struct lab_sweep *s;
	int status = 0, n_sweeps = 0;

	if (parse(&o, argc, argv, 0, lab_help_results) != 0) {
		return LAB_EXIT_USAGE;
	}
	if (o.operand != NULL) {
		fprintf(stderr, "cmt-lab results: takes no name, but -d DIR; \"%s\"?\n", o.operand);
		return LAB_EXIT_USAGE;
	}
	for (size_t i = 0; (s = lab_sweep(i)) != NULL; i++) {
		int rc = publish(s, o.directory);

		status |= rc > 0;
		n_sweeps += rc >= 0;
	}
	if (n_sweeps == 0) {
		fprintf(
		    stderr,
		    "cmt-lab results: there is no sweep in %s/sweeps; `cmt-lab sweeps -d %s` makes them\n",
		    o.directory, o.directory);
		return LAB_EXIT_USAGE;
	}
	return status | advise(o.directory);
}
