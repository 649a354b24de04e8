/* SPDX-License-Identifier: BSD-3-Clause */
#include "results/results_page.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "render/sections.h"
#include "results/advice.h"
#include "targets/targets.h"

#define MAX_SECTIONS 32
#define ADVICE       "Which scheduler to use"

static const struct {
	const char *file, *head;
} pages[LAB_PAGES] = {
    [LAB_PAGE_RESULTS] =
        {"results.md",
         "# Results\n\n"
         "Made by `cmt-lab targets --seeds N` and `cmt-lab sweeps`, or the command of a section: virtual "
         "time,\n"
         "measured time stamps, no oracle. Medians over the seeds; a row of targets with several points "
         "shows\n"
         "the worst, of the best control the best. `stock` is upstream's own CMT with upstream's defects\n"
         "cured. `best single path` is plain SCTP on the best path with the same buffers; `same stack` is "
         "the\n"
         "same scheduler and control there. W_min is the sum of rate times round-trip time (lab.md).\n"},
    [LAB_PAGE_POINTS] = {"points.md",
                         "# Every point of the targets\n\n"
                         "Median (smallest..largest) over the seeds; results.md has what came of them.\n"},
    [LAB_PAGE_SWEEPS] = {"sweeps.md",
                         "# Sweeps\n\n"
                         "One thing varies, every scheduler runs; results.md has what to learn from them.\n"},
};

static void path_of(const char *directory, enum lab_results_page page, char *out, size_t out_bytes)
{
	snprintf(out, out_bytes, "%s/%s", directory, pages[page].file);
}

/* Ended by NULL. */
static void list_titles(const char *titles[MAX_SECTIONS])
{
	const struct lab_target_group *group;
	const struct lab_sweep *sweep;
	size_t n = 0;

	titles[n++] = ADVICE;
	for (size_t i = 0; (group = lab_target_group(i)) != NULL; i++) {
		titles[n++] = group->title;
	}
	for (size_t i = 0; (sweep = lab_sweep(i)) != NULL && n + 1 < MAX_SECTIONS; i++) {
		titles[n++] = sweep->title;
	}
	titles[n] = NULL;
}

int lab_results_page_put(const char *directory, const struct lab_results_section *section,
                         struct lab_error *error)
{
	const char *titles[MAX_SECTIONS];
	char path[400], *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);
	int rc;

	if (out == NULL) {
		snprintf(error->text, sizeof(error->text), "%s", strerror(errno));
		return -1;
	}
	rc = section->write(out, section->from, error);
	fclose(out);
	if (rc == 0 && len > 0) {
		list_titles(titles);
		path_of(directory, section->page, path, sizeof(path));
		rc = lab_sections_write(
		    path, &(struct lab_section){pages[section->page].head, titles, section->title, text},
		    error);
	}
	free(text);
	return rc;
}

char *lab_results_page_get(const char *directory, enum lab_results_page page, const char *title)
{
	char path[400];

	path_of(directory, page, path, sizeof(path));
	return lab_sections_read(path, title);
}

static int write_sweep(FILE *out, const void *values, struct lab_error *error)
{
	(void)error;
	lab_sweep_markdown(values, out);
	return 0;
}

int lab_results_page_sweep(const char *directory, const struct lab_sweep_values *v, struct lab_error *error)
{
	const struct lab_results_section section = {LAB_PAGE_SWEEPS, v->sweep->title, write_sweep, v};

	return lab_results_page_put(directory, &section, error) != 0 ||
	               lab_sweep_draw(v, directory, error) != 0
	           ? -1
	           : 0;
}

static int write_advice(FILE *out, const void *directory, struct lab_error *error)
{
	return lab_advice(directory, out, error);
}

int lab_results_page_advice(const char *directory, struct lab_error *error)
{
	const struct lab_results_section section = {LAB_PAGE_RESULTS, ADVICE, write_advice, directory};

	return lab_results_page_put(directory, &section, error);
}
