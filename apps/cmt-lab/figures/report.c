/* SPDX-License-Identifier: BSD-3-Clause */
#include "figures/report.h"

#include <string.h>

#include "base/interval.h"
#include "figures/figures.h"
#include "figures/papers.h"
#include "figures/plan_page.h"

#define LINE 2000

/* --- the verdicts that figures left --- */

static FILE *open_of(const struct lab_figure_order *order, const char *name, const char *suffix)
{
	char path[400];

	snprintf(path, sizeof(path), "%s/%s%s", order->directory, name, suffix);
	return fopen(path, "r");
}

static bool is_of(const char *figure, const char *prefix)
{
	return strncmp(figure, prefix, strlen(prefix)) == 0;
}

/* The next claim; text and reason are within `line`. */
static bool next(FILE *list, char *line, enum lab_verdict *verdict, char **text, char **reason)
{
	if (list == NULL || fgets(line, LINE, list) == NULL) {
		return false;
	}
	line[strcspn(line, "\n")] = '\0';
	*text = strchr(line, '\t');
	*reason = *text == NULL ? NULL : strchr(*text + 1, '\t');
	if (*reason == NULL) {
		return false;
	}
	*(*text)++ = '\0';
	*(*reason)++ = '\0';
	for (unsigned v = 0; v < 3; v++) {
		if (strcmp(line, lab_verdict_words[v]) == 0) {
			*verdict = (enum lab_verdict)v;
			return true;
		}
	}
	return false;
}

/* Verdicts of a figure, or of all whose name begins so. */
static void count(const struct lab_figure_order *order, const char *prefix, unsigned n[3])
{
	const struct lab_plan *f;

	for (unsigned i = 0; (f = lab_figure(i)) != NULL; i++) {
		FILE *list = is_of(f->name, prefix) ? open_of(order, f->name, LAB_PLAN_VERDICTS) : NULL;
		char line[LINE], *text, *reason;
		enum lab_verdict v;

		while (next(list, line, &v, &text, &reason)) {
			n[v]++;
		}
		if (list != NULL) {
			fclose(list);
		}
	}
}

/* "3 yes, 1 no"; a figure's name may be the beginning of no other's. */
static const char *tally(const struct lab_figure_order *order, const char *figure, char *out,
                         size_t out_bytes)
{
	static const enum lab_verdict order_of[3] = {LAB_YES, LAB_NO, LAB_NOT_DECIDED};
	unsigned n[3] = {0};
	size_t at = 0;

	count(order, figure, n);
	snprintf(out, out_bytes, "not made");
	for (unsigned i = 0; i < 3; i++) {
		if (n[order_of[i]] > 0) {
			at += (size_t)snprintf(out + at, out_bytes - at, "%s%u %s", at == 0 ? "" : ", ",
			                       n[order_of[i]], lab_verdict_words[order_of[i]]);
		}
	}
	return out;
}

/* --- parts of the report --- */

static void put_method(const struct lab_figure_order *order, FILE *out)
{
	fprintf(out,
	        "# Five papers, measured again\n"
	        "`cmt-lab figures` writes this page, with every number and verdict on it.\n\n"
	        "* [Method](#method)\n* [What held, and what did not](#what-held-and-what-did-not)\n"
	        "* [Figures](#figures)\n"
	        "* [Where everything is](#where-everything-is)\n\n"
	        "## Method\n"
	        "**Runs.** The real stack, sender and receiver, on simulated links in virtual time: a run is "
	        "the same "
	        "packet by packet whenever it is repeated. A figure runs %u seeds a point, those that "
	        "scatter much a "
	        "multiple of that, which their pages name; a seed sets losses, variations of delays and "
	        "cross traffic, "
	        "the same for every scheduler. Pictures and tables show medians and, as bars, areas or in "
	        "brackets, "
	        "least and most.\n\n"
	        "**Verdicts.** A sentence of a paper becomes comparisons of exactly the series and points "
	        "that it speaks "
	        "of, in the column \"holds when\". For each comparison the difference is taken seed by seed, "
	        "and its "
	        "mean is known to within ±, the half of Student's confidence interval, so wide that all "
	        "comparisons of "
	        "a sentence together err with at most %g %% (Bonferroni). A comparison is decided when the "
	        "interval lies on "
	        "one side. A sentence holds (**yes**) when all of its comparisons do, does not hold (**no**) "
	        "when one "
	        "does not, and is else **not decided**: the seeds scatter more than the series differ, or "
	        "the runs do not "
	        "test the sentence, and it says which. Where values are the same for every seed the interval "
	        "is empty. "
	        "The thresholds that words such as \"much\" need are ours; they stand in the column. "
	        "Intervals speak "
	        "of these networks and seeds, not of networks in general.\n\n"
	        "**What is compared.** `rr`, `cwnd`, `flow`, `lcm`, `osia`, `fps`, `f2p`, `+ocps` and `bulk` "
	        "are the "
	        "papers' schedulers in this stack ([schedulers.md](../schedulers.md)); `arrival` and `auto` "
	        "are ours, "
	        "and their rows begin with \"ours\". All of them run over SCTP's concurrent multipath "
	        "transfer with this "
	        "library's loss recovery, measured delays and rates, and the same congestion control unless "
	        "a figure "
	        "names one. The papers ran other stacks in other simulators: a verdict says whether the "
	        "sentence is true "
	        "of this stack, not that the paper measured wrongly. Most of the papers' figures print no "
	        "numbers; "
	        "where a paper prints one, it stands beside ours.\n\n",
	        order->n_seeds, 100 * LAB_INTERVAL_CHANCE);
}

static void put_list(const struct lab_figure_order *order, const char *prefix, enum lab_verdict wanted,
                     FILE *out)
{
	const struct lab_plan *f;
	bool any = false;

	for (unsigned i = 0; (f = lab_figure(i)) != NULL; i++) {
		FILE *list = is_of(f->name, prefix) ? open_of(order, f->name, LAB_PLAN_VERDICTS) : NULL;
		char line[LINE], *text, *reason;
		enum lab_verdict v;

		while (next(list, line, &v, &text, &reason)) {
			if (v != wanted) {
				continue;
			}
			if (!any) {
				fprintf(out, "\n%s:\n\n",
				        wanted == LAB_YES  ? "What held"
				        : wanted == LAB_NO ? "What did not, and why"
				                           : "What is not decided");
			}
			any = true;
			fprintf(out, "* [%s](#%s): %s%s%s\n", f->name, f->name, text,
			        reason[0] == '\0' ? "" : ": because ", reason);
		}
		if (list != NULL) {
			fclose(list);
		}
	}
}

static void put_summaries(const struct lab_figure_order *order, FILE *out)
{
	char words[80];

	fprintf(out, "## What held, and what did not\n");
	for (const struct lab_paper *p = lab_papers; p->prefix != NULL; p++) {
		fprintf(out, "\n### %s\n%s\n\n%s\n\nVerdicts: %s.\n", p->heading, p->citation, p->setting,
		        tally(order, p->prefix, words, sizeof(words)));
		put_list(order, p->prefix, LAB_YES, out);
		put_list(order, p->prefix, LAB_NO, out);
		put_list(order, p->prefix, LAB_NOT_DECIDED, out);
	}
}

static void put_page(const struct lab_figure_order *order, const char *name, FILE *out)
{
	FILE *in = open_of(order, name, ".md");
	char piece[4096];
	size_t n;

	fputc('\n', out);
	if (in == NULL) {
		fprintf(out, "### %s\nNot made.\n", name);
		return;
	}
	while ((n = fread(piece, 1, sizeof(piece), in)) > 0) {
		fwrite(piece, 1, n, out);
	}
	fclose(in);
}

static const char *heading_of(const char *prefix)
{
	const struct lab_paper *p = lab_papers;

	while (p->prefix != NULL && strcmp(p->prefix, prefix) != 0) {
		p++;
	}
	return p->heading;
}

/* A file's path as a link to it. */
static void put_link(const char *path, FILE *out)
{
	const char *name = strrchr(path, '/');

	fprintf(out, "[%s](../../%s)", name == NULL ? path : name + 1, path);
}

static void put_coverage(const struct lab_figure_order *order, FILE *out)
{
	const char *paper = "";
	char words[80];

	fprintf(
	    out,
	    "\n## Where everything is\n"
	    "Every algorithm, equation, table and figure of the papers: the file that has it, the test with "
	    "its "
	    "literal number, the figure that runs it, and the verdicts there. Errata are ours: where a print "
	    "contradicts itself, what is implemented is named.\n");
	for (const struct lab_coverage *c = lab_coverage; c->paper != NULL; c++) {
		if (strcmp(paper, c->paper) != 0) {
			paper = c->paper;
			fprintf(out,
			        "\n**%s**\n\n| item | what | file | test | number | figure | verdict |\n"
			        "|---|---|---|---|---|---|---|\n",
			        heading_of(paper));
		}
		fprintf(out, "| %s | %s | ", c->item, c->what);
		put_link(c->file, out);
		fprintf(out, " | ");
		put_link(c->test, out);
		fprintf(out, ": `%s` | %s | [%s](#%s) | %s; %s |\n", c->check, c->literal, c->figure,
		        c->figure, c->stands, tally(order, c->figure, words, sizeof(words)));
	}
}

int lab_report_write(const struct lab_figure_order *order, struct lab_error *error)
{
	FILE *out = lab_figure_file(order, "figures", ".md", error);
	const struct lab_plan *f;

	if (out == NULL) {
		return -1;
	}
	put_method(order, out);
	put_summaries(order, out);
	fprintf(out, "\n## Figures\n");
	for (unsigned i = 0; (f = lab_figure(i)) != NULL; i++) {
		put_page(order, f->name, out);
	}
	put_coverage(order, out);
	return lab_figure_close(out, "figures", error);
}
