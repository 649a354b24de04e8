/* SPDX-License-Identifier: BSD-3-Clause */
#include "batch/summary.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/samples.h"

/* "KEY[FIRST..LAST]": the mean of these items of a list. */
static bool read_mean(const json_t *result, const char *key, double *out)
{
	char name[64];
	unsigned first, last;
	const json_t *list;

	if (sscanf(key, "%63[^[][%u..%u]", name, &first, &last) != 3 || last < first) {
		return false;
	}
	list = json_object_get(result, name);
	*out = 0;
	for (unsigned i = first; i <= last; i++) {
		if (!json_is_number(json_array_get(list, i))) {
			return false;
		}
		*out += json_number_value(json_array_get(list, i)) / (last - first + 1);
	}
	return true;
}

static bool read_number(const json_t *result, const char *key, double *out)
{
	const json_t *value;

	if (strcmp(key, "intact") == 0) {
		*out = lab_result_intact(result);
		return true;
	}
	if (strncmp(key, "path.", 5) == 0 && key[5] >= '1' && key[5] <= '8' && key[6] == '.') {
		result = json_array_get(json_object_get(result, "paths"), (size_t)(key[5] - '1'));
		key += 7;
	}
	if (strchr(key, '[') != NULL) {
		return read_mean(result, key, out);
	}
	value = json_object_get(result, key);
	*out = json_number_value(value);
	return json_is_number(value);
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Student's t for 95 %, by Cornish and Fisher's expansion: to 0.01 from 7 degrees of freedom on. */
static double student_t(size_t freedom)
{
	double f = (double)freedom;

	return 1.96 + 2.37 / f + 2.8 / (f * f);
}

/* Half of the confidence interval of the mean. */
static double error_of_mean(const double *values, size_t n, double mean)
{
	double squares = 0;

	for (size_t i = 0; i < n; i++) {
		squares += (values[i] - mean) * (values[i] - mean);
	}
	return n < 2 ? 0 : student_t(n - 1) * sqrt(squares / (double)(n - 1) / (double)n);
}

struct lab_summary lab_summarise_values(double *values, size_t n)
{
	double mean = 0;

	qsort(values, n, sizeof(*values), compare);
	for (size_t i = 0; i < n; i++) {
		mean += values[i] / (double)n;
	}
	return (struct lab_summary){.known = true,
	                            .mean = mean,
	                            .error = error_of_mean(values, n, mean),
	                            .min = values[0],
	                            .median =
	                                n % 2 == 1 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2,
	                            .max = values[n - 1]};
}

/* `of`: NULL = the values themselves. */
static struct lab_summary summarise(const struct lab_job *jobs, const struct lab_job *of, size_t n,
                                    const char *key)
{
	struct lab_summary s = {.known = n > 0};
	double *values = lab_grow(NULL, n == 0 ? 1 : n, sizeof(*values)), by = 1;

	for (size_t i = 0; i < n && s.known; i++) {
		s.known = read_number(jobs[i].result, key, &values[i]) &&
		          (of == NULL || (read_number(of[i].result, key, &by) && by > 0));
		values[i] /= by;
	}
	if (s.known) {
		s = lab_summarise_values(values, n);
	}
	free(values);
	return s;
}

struct lab_summary lab_summarise(const struct lab_job *jobs, size_t n, const char *key)
{
	return summarise(jobs, NULL, n, key);
}

struct lab_summary lab_summarise_ratios(const struct lab_job *jobs, const struct lab_job *of, size_t n,
                                        const char *key)
{
	return summarise(jobs, of, n, key);
}

const char *lab_summary_range(const struct lab_summary *s, unsigned digits, char *out, size_t out_bytes)
{
	char least[32], most[32];

	snprintf(least, sizeof(least), "%.*f", (int)digits, s->min);
	snprintf(most, sizeof(most), "%.*f", (int)digits, s->max);
	out[0] = '\0';
	if (strcmp(least, most) != 0) {
		snprintf(out, out_bytes, "%s..%s", least, most);
	}
	return out;
}

json_t *lab_summary_json(const struct lab_summary *s)
{
	return s->known ? json_pack("{s:f, s:f, s:f}", "min", s->min, "median", s->median, "max", s->max)
	                : json_null();
}

json_t *lab_summary_write(const struct lab_summary *s)
{
	return s->known ? json_pack("[f, f, f, f, f]", s->min, s->median, s->max, s->mean, s->error)
	                : json_null();
}

void lab_summary_read(const json_t *list, struct lab_summary *out)
{
	/* The list is only read. */
	json_t *values = (json_t *)(uintptr_t)list;

	*out = (struct lab_summary){.known = false};
	out->known = json_unpack(values, "[F, F, F, F, F]", &out->min, &out->median, &out->max, &out->mean,
	                         &out->error) == 0;
}
