/* SPDX-License-Identifier: BSD-3-Clause */
#include "commands/commands.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "figures/figure_plan.h"
#include "figures/figures.h"
#include "figures/report.h"

#define DEFAULT_DIRECTORY "cmt-lab-figures"
#define DEFAULT_SEEDS     5

static const char *list_figures(char *out, size_t out_bytes)
{
	size_t at = 0;
	const struct lab_plan *f;

	out[0] = '\0';
	for (unsigned i = 0; (f = lab_figure(i)) != NULL && at < out_bytes; i++) {
		at += (size_t)snprintf(out + at, out_bytes - at, "%s%s", i == 0 ? "" : ", ", f->name);
	}
	return out;
}

/* `help` and the names of all figures. */
static const char *with_figures(const char *help, char *out, size_t out_bytes)
{
	size_t at = (size_t)snprintf(out, out_bytes, "%s\nFIGURES\n", help);
	const struct lab_plan *f;

	for (unsigned i = 0; (f = lab_figure(i)) != NULL && at < out_bytes; i++) {
		at += (size_t)snprintf(out + at, out_bytes - at, "  %-15s %s\n", f->name, f->what);
	}
	return out;
}

static int parse(struct lab_options *o, int argc, char **argv, const char *help,
                 struct lab_figure_order *order)
{
	char text[8000];

	if (lab_options_parse(o, argc, argv,
	                      LAB_OPT_DIRECTORY | LAB_OPT_SEED | LAB_OPT_SEEDS | LAB_OPT_DURATION,
	                      with_figures(help, text, sizeof(text))) != 0) {
		return LAB_EXIT_USAGE;
	}
	*order =
	    (struct lab_figure_order){.options = o,
	                              .directory = o->directory[0] == '\0' ? DEFAULT_DIRECTORY : o->directory,
	                              .n_seeds = o->n_seeds == 0 ? DEFAULT_SEEDS : o->n_seeds};
	return 0;
}

static int prepare_directory(const struct lab_figure_order *order)
{
	if (mkdir(order->directory, 0777) != 0 && errno != EEXIST) {
		fprintf(stderr, "cmt-lab: -d %s: %s\n", order->directory, strerror(errno));
		return LAB_EXIT_USAGE;
	}
	return 0;
}

static int make(const struct lab_plan *f, const struct lab_figure_order *order)
{
	struct lab_error error;

	if (lab_figure_plan(f, order, &error) != 0) {
		fprintf(stderr, "cmt-lab: %s: %s\n", f->name, error.text);
		return 1;
	}
	printf("\npicture  %s/%s.png\ndata     %s/%s.csv\n", order->directory, f->name, order->directory,
	       f->name);
	return 0;
}

int lab_cmd_figure(int argc, char **argv)
{
	static struct lab_options options;
	struct lab_figure_order order;
	const struct lab_plan *f;
	char known[600];

	if (parse(&options, argc, argv, lab_help_figure, &order) != 0) {
		return LAB_EXIT_USAGE;
	}
	f = options.operand == NULL ? NULL : lab_figure_named(options.operand);
	if (f == NULL) {
		fprintf(stderr, "cmt-lab: \"%s\" is not a figure; write one of %s\n",
		        options.operand == NULL ? "" : options.operand, list_figures(known, sizeof(known)));
		return LAB_EXIT_USAGE;
	}
	return prepare_directory(&order) != 0 ? LAB_EXIT_USAGE : make(f, &order);
}

int lab_cmd_figures(int argc, char **argv)
{
	static struct lab_options options;
	struct lab_figure_order order;
	struct lab_error error;
	const struct lab_plan *f;
	unsigned n = 0;
	int status = 0;

	if (parse(&options, argc, argv, lab_help_figures, &order) != 0) {
		return LAB_EXIT_USAGE;
	}
	if (options.operand != NULL) {
		fprintf(stderr, "cmt-lab figures: takes no name; write `cmt-lab figure %s`\n",
		        options.operand);
		return LAB_EXIT_USAGE;
	}
	if (prepare_directory(&order) != 0) {
		return LAB_EXIT_USAGE;
	}
	while (lab_figure(n) != NULL) {
		n++;
	}
	for (unsigned i = 0; (f = lab_figure(i)) != NULL; i++) {
		printf("%s[%u/%u] %s\n", i == 0 ? "" : "\n", i + 1, n, f->name);
		status |= make(f, &order);
	}
	if (lab_report_write(&order, &error) != 0) {
		fprintf(stderr, "cmt-lab: %s\n", error.text);
		return 1;
	}
	printf("\nall of them  %s/figures.md\n", order.directory);
	return status;
}
