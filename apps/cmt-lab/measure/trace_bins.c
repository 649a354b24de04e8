/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/trace_bins.h"

#include <string.h>

#define LINE_BYTES 512

/* Number of the column, from 0; -1 = there is none. The file stands behind the heading. */
static int find_column(FILE *in, const char *name)
{
	char line[LINE_BYTES], *save = NULL;
	int number = 0;

	rewind(in);
	if (fgets(line, sizeof(line), in) == NULL) {
		return -1;
	}
	for (char *word = strtok_r(line, ",\n", &save); word != NULL; word = strtok_r(NULL, ",\n", &save)) {
		if (strcmp(word, name) == 0) {
			return number;
		}
		number++;
	}
	return -1;
}

static int read_row(FILE *in, int column, double *at_us, double *value)
{
	char line[LINE_BYTES], *at = line;

	if (fgets(line, sizeof(line), in) == NULL || sscanf(line, "%lf", at_us) != 1) {
		return 0;
	}
	for (int i = 0; i < column && at != NULL; i++) {
		at = strchr(at, ',');
		at = at == NULL ? NULL : at + 1;
	}
	return at != NULL && sscanf(at, "%lf", value) == 1;
}

struct reader {
	const struct lab_trace_bins *bins;
	double *out;
	double start;        /* the value at the first interval's start */
	double previous_end; /* at the end of the interval before `next` */
	size_t next;         /* the first interval that does not lie in the past */
};

static void finish_bin(struct reader *r, double value)
{
	const struct lab_trace_bins *bins = r->bins;

	switch (bins->value) {
	case LAB_TRACE_MEAN: r->out[r->next] /= bins->bin_us; break;
	case LAB_TRACE_SINCE: r->out[r->next] = value - r->start; break;
	case LAB_TRACE_RATE: r->out[r->next] = (value - r->previous_end) * 1e6 / bins->bin_us; break;
	}
	r->previous_end = value;
	r->next++;
}

/* `value` held from `from_us` until `until_us`. */
static void account(struct reader *r, double value, double from_us, double until_us)
{
	const struct lab_trace_bins *bins = r->bins;

	if (from_us <= bins->from_us) {
		r->start = r->previous_end = value;
	}
	while (r->next < bins->n && until_us > bins->from_us) {
		double begin = bins->from_us + (double)r->next * bins->bin_us, end = begin + bins->bin_us;
		double from = from_us > begin ? from_us : begin, until = until_us < end ? until_us : end;

		if (bins->value == LAB_TRACE_MEAN && until > from) {
			r->out[r->next] += value * (until - from);
		}
		if (until_us < end) {
			return;
		}
		finish_bin(r, value);
	}
}

int lab_trace_bins_read(FILE *in, const struct lab_trace_bins *bins, double *out)
{
	struct reader r = {.bins = bins, .out = out};
	int column = find_column(in, bins->column);
	double at_us, value, last_us = 0, last = 0;

	if (column < 0) {
		return -1;
	}
	memset(out, 0, bins->n * sizeof(*out));
	while (read_row(in, column, &at_us, &value)) {
		account(&r, last, last_us, at_us);
		last_us = at_us;
		last = value;
	}
	account(&r, last, last_us, bins->from_us + (double)(bins->n + 1) * bins->bin_us);
	return 0;
}

double lab_trace_end_us(FILE *in)
{
	double at_us, end_us = 0, ignored;

	if (find_column(in, "time_us") == 0) {
		while (read_row(in, 0, &at_us, &ignored)) {
			end_us = at_us;
		}
	}
	return end_us;
}
