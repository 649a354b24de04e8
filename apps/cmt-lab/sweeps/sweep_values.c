/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/samples.h"
#include "sweeps/sweep.h"

struct lab_summary *lab_sweep_value(const struct lab_sweep_values *v, unsigned metric, unsigned scheduler,
                                    unsigned x)
{
	return &v->values[(metric * v->schedulers.n + scheduler) * v->x.n + x];
}

int lab_sweep_find(const struct lab_words *words, const char *word)
{
	for (unsigned i = 0; i < words->n; i++) {
		if (strcmp(words->word[i], word) == 0) {
			return (int)i;
		}
	}
	return -1;
}

double lab_sweep_against(const struct lab_sweep_values *v, unsigned metric, unsigned a, unsigned b,
                         unsigned x)
{
	const struct lab_summary *of_a = lab_sweep_value(v, metric, a, x);
	const struct lab_summary *of_b = lab_sweep_value(v, metric, b, x);
	bool less = v->sweep->metrics[metric].less;
	double better = less ? of_b->median : of_a->median, worse = less ? of_a->median : of_b->median;

	return !of_a->known || !of_b->known ? 0
	       : worse == better            ? 1
	       : worse <= 0                 ? INFINITY
	                                    : better / worse;
}

int lab_sweep_best(const struct lab_sweep_values *v, unsigned metric, unsigned x, int but)
{
	int best = -1;

	for (unsigned s = 0; s < v->schedulers.n; s++) {
		if ((int)s != but && lab_sweep_value(v, metric, s, x)->known &&
		    (best < 0 || lab_sweep_against(v, metric, s, (unsigned)best, x) > 1)) {
			best = (int)s;
		}
	}
	return best;
}

static void path_of(const struct lab_sweep *s, const char *directory, char *out, size_t out_bytes)
{
	snprintf(out, out_bytes, "%s/sweeps/%s.csv", directory, s->name);
}

static int cannot(const char *path, struct lab_error *error)
{
	snprintf(error->text, sizeof(error->text), "%s: %s", path, strerror(errno));
	return -1;
}

int lab_sweep_write(const struct lab_sweep_values *v, const char *directory, struct lab_error *error)
{
	char path[400];
	FILE *out;

	path_of(v->sweep, directory, path, sizeof(path));
	out = fopen(path, "w");
	if (out == NULL) {
		return cannot(path, error);
	}
	fprintf(out, "metric,scheduler,x,median,min,max,seeds,quick\n");
	for (unsigned m = 0; m < v->sweep->n_metrics; m++) {
		for (unsigned s = 0; s < v->schedulers.n; s++) {
			for (unsigned x = 0; x < v->x.n; x++) {
				const struct lab_summary *one = lab_sweep_value(v, m, s, x);

				fprintf(out, "%s,%s,%s,", v->sweep->metrics[m].key, v->schedulers.word[s],
				        v->x.word[x]);
				if (one->known) {
					fprintf(out, "%.6g,%.6g,%.6g", one->median, one->min, one->max);
				} else {
					fprintf(out, "nan,nan,nan");
				}
				fprintf(out, ",%u,%d\n", v->n_seeds, v->quick);
			}
		}
	}
	return fclose(out) == 0 ? 0 : cannot(path, error);
}

struct line {
	char metric[64], scheduler[64], x[64];
	struct lab_summary value;
	unsigned seeds, quick;
};

static bool read_line(FILE *in, struct line *l)
{
	if (fscanf(in, " %63[^,],%63[^,],%63[^,],%lf,%lf,%lf,%u,%u", l->metric, l->scheduler, l->x,
	           &l->value.median, &l->value.min, &l->value.max, &l->seeds, &l->quick) != 8) {
		return false;
	}
	l->value.known = !isnan(l->value.median);
	return true;
}

static void add_new(struct lab_words *words, const char *word)
{
	if (lab_sweep_find(words, word) < 0) {
		lab_words_add(words, word);
	}
}

static int metric_of(const struct lab_sweep *s, const char *key)
{
	for (unsigned m = 0; m < s->n_metrics; m++) {
		if (strcmp(s->metrics[m].key, key) == 0) {
			return (int)m;
		}
	}
	return -1;
}

int lab_sweep_read(const struct lab_sweep *s, const char *directory, struct lab_sweep_values *out,
                   struct lab_error *error)
{
	char path[400];
	struct line line;
	FILE *in;

	*out = (struct lab_sweep_values){.sweep = s};
	path_of(s, directory, path, sizeof(path));
	in = fopen(path, "r");
	if (in == NULL) {
		return errno == ENOENT ? 1 : cannot(path, error);
	}
	for (int pass = 0; pass < 2; pass++) {
		rewind(in);
		if (fscanf(in, "%*[^\n]") != 0) {
			break;
		}
		while (read_line(in, &line)) {
			int m = metric_of(s, line.metric);

			if (pass == 0) {
				add_new(&out->schedulers, line.scheduler);
				add_new(&out->x, line.x);
				out->n_seeds = line.seeds;
				out->quick = line.quick != 0;
			} else if (m >= 0) {
				*lab_sweep_value(out, (unsigned)m,
				                 (unsigned)lab_sweep_find(&out->schedulers, line.scheduler),
				                 (unsigned)lab_sweep_find(&out->x, line.x)) = line.value;
			}
		}
		if (pass == 0) {
			size_t n = (size_t)s->n_metrics * out->schedulers.n * out->x.n;

			out->values = lab_grow(NULL, n == 0 ? 1 : n, sizeof(*out->values));
			memset(out->values, 0, n * sizeof(*out->values));
		}
	}
	fclose(in);
	if (out->x.n == 0) {
		snprintf(error->text, sizeof(error->text), "%s: not a sweep's file", path);
		return -1;
	}
	return 0;
}

void lab_sweep_free(struct lab_sweep_values *v)
{
	lab_words_free(&v->x);
	lab_words_free(&v->schedulers);
	free(v->values);
	*v = (struct lab_sweep_values){.sweep = NULL};
}
