/* SPDX-License-Identifier: BSD-3-Clause
 *
 * papers.h - the papers that are measured again: what they are, what of them is tested where, and how their
 * setting differs from ours. */
#ifndef LAB_PAPERS_H
#define LAB_PAPERS_H

struct lab_paper {
	const char *prefix; /* of the names of its figures, with the hyphen */
	const char *heading, *citation;
	const char *setting; /* of the paper, and what is different here */
};

extern const struct lab_paper lab_papers[]; /* prefix NULL past the last */

/* Everything that a paper prints with a name or a number, and where it is in the tree. */
struct lab_coverage {
	const char *paper; /* its prefix */
	const char *item, *what;
	const char *file;         /* from the root of the tree */
	const char *test, *check; /* the test's file, and what it is called there */
	const char *literal;      /* the number in the test */
	const char *figure;       /* that runs it */
	const char *stands;       /* as printed, or which erratum; beside the figure's verdicts */
};

extern const struct lab_coverage lab_coverage[]; /* paper NULL past the last */

#endif
