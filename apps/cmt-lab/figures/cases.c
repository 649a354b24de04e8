/* SPDX-License-Identifier: BSD-3-Clause */
#include "figures/cases.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/samples.h"
#include "setup/run_settings.h"

static bool same(const struct lab_case *a, const struct lab_case *b)
{
	return a->set == b->set && strcmp(a->scenario, b->scenario) == 0 &&
	       strcmp(a->scheduler, b->scheduler) == 0 && strcmp(a->cc, b->cc) == 0 &&
	       strcmp(a->recovery, b->recovery) == 0;
}

static size_t find(const struct lab_cases *c, const struct lab_case *one)
{
	size_t i = 0;

	while (i < c->n && !same(&c->cases[i], one)) {
		i++;
	}
	return i;
}

void lab_cases_add(struct lab_cases *c, const struct lab_case *one)
{
	if (find(c, one) == c->n) {
		c->cases = lab_grow(c->cases, c->n + 1, sizeof(*c->cases));
		c->cases[c->n++] = *one;
	}
}

static int prepare(struct lab_run *run, const struct lab_case *one, const struct lab_options *o,
                   struct lab_error *error)
{
	struct app_error why = {.text = ""};

	*run = o->run;
	snprintf(run->scheduler, sizeof(run->scheduler), "%s", one->scheduler);
	if (app_policy_parse(&run->cc, &app_cc_kind, "congestion control", one->cc, &why) != 0 ||
	    app_policy_parse(&run->recovery, &app_recovery_kind, "recovery", one->recovery, &why) != 0) {
		snprintf(error->text, sizeof(error->text), "%s", why.text);
		return -1;
	}
	return lab_scenario_load(&run->scenario, one->scenario, error) != 0 ||
	               lab_run_settings(run, one->set, error) != 0 ||
	               lab_options_apply(o, &run->scenario, error) != 0
	           ? -1
	           : 0;
}

static int check(const struct lab_cases *c, struct lab_error *error)
{
	for (size_t i = 0; i < c->n * c->n_seeds; i++) {
		const struct lab_case *one = &c->cases[i / c->n_seeds];
		const char *why = json_string_value(json_object_get(c->jobs[i].result, "error"));

		if (why == NULL && !lab_result_intact(c->jobs[i].result)) {
			why = "the transfer failed or its data were damaged";
		}
		if (why != NULL) {
			snprintf(error->text, sizeof(error->text), "%s, %s, %s, %s, seed %llu: %.400s",
			         one->scenario, one->scheduler, one->cc, one->recovery,
			         (unsigned long long)c->jobs[i].run.seed, why);
			return -1;
		}
	}
	return 0;
}

int lab_cases_run(struct lab_cases *c, const struct lab_options *o, unsigned n_seeds, const char *title,
                  struct lab_error *error)
{
	c->n_seeds = n_seeds;
	c->jobs = lab_grow(NULL, c->n * n_seeds, sizeof(*c->jobs));
	memset(c->jobs, 0, c->n * n_seeds * sizeof(*c->jobs));
	for (size_t i = 0; i < c->n * n_seeds; i++) {
		if (prepare(&c->jobs[i].run, &c->cases[i / n_seeds], o, error) != 0) {
			return -1;
		}
		c->jobs[i].run.seed += i % n_seeds;
	}
	lab_jobs_run(c->jobs, c->n * n_seeds, title);
	return check(c, error);
}

const struct lab_job *lab_cases_jobs(const struct lab_cases *c, const struct lab_case *one)
{
	size_t i = find(c, one);

	return i == c->n ? NULL : &c->jobs[i * c->n_seeds];
}

struct lab_summary lab_cases_summary(const struct lab_cases *c, const struct lab_case *one, const char *key)
{
	const struct lab_job *jobs = lab_cases_jobs(c, one);

	return jobs == NULL ? (struct lab_summary){.known = false} : lab_summarise(jobs, c->n_seeds, key);
}

int lab_cases_write_csv(const struct lab_cases *c, const char *path, struct lab_error *error)
{
	static const char *const keys[] = {"goodput_ratio", "retransmits", "spurious_retransmits",
	                                   "timeouts",      "drops",       "rcvbuf_mean_bytes"};
	FILE *out = fopen(path, "w");

	if (out == NULL) {
		snprintf(error->text, sizeof(error->text), "%s: %s", path, strerror(errno));
		return -1;
	}
	fprintf(out, "scenario,set,scheduler,cc,recovery,seeds,goodput_bps,goodput_min_bps,goodput_max_bps");
	for (size_t k = 0; k < sizeof(keys) / sizeof(keys[0]); k++) {
		fprintf(out, ",%s", keys[k]);
	}
	for (size_t i = 0; i < c->n; i++) {
		const struct lab_case *one = &c->cases[i];
		struct lab_summary goodput = lab_cases_summary(c, one, "goodput_bps");

		fprintf(out, "\n%s,%s,%s,%s,%s,%u,%.0f,%.0f,%.0f", one->scenario,
		        one->set == NULL ? "" : one->set, one->scheduler, one->cc, one->recovery,
		        c->n_seeds, goodput.median, goodput.min, goodput.max);
		for (size_t k = 0; k < sizeof(keys) / sizeof(keys[0]); k++) {
			fprintf(out, ",%.6g", lab_cases_summary(c, one, keys[k]).median);
		}
	}
	fprintf(out, "\n");
	if (fclose(out) != 0) {
		snprintf(error->text, sizeof(error->text), "%s: %s", path, strerror(errno));
		return -1;
	}
	return 0;
}

void lab_cases_free(struct lab_cases *c)
{
	if (c->jobs != NULL) {
		lab_jobs_free(c->jobs, c->n * c->n_seeds);
	}
	free(c->cases);
	*c = (struct lab_cases){.n = 0};
}
