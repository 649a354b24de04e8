/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/competitors.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/samples.h"

#define PORTS_APART 10

static void prepare(struct lab_run *out, const struct lab_run *run, const struct lab_competitor *what)
{
	*out = *run;
	snprintf(out->scheduler, sizeof(out->scheduler), "%s", what->scheduler);
	out->options[0] = '\0';
	out->cc = what->cc;
	out->recovery = what->recovery;
	out->delay_error_pct = 0;
	out->only_path = what->path;
	/* Neither bytes nor a duration: it never ends by itself. */
	out->scenario.bytes = 0;
	out->scenario.duration_us = 0;
	out->scenario.source = (struct lab_source){.kind = LAB_SOURCE_BULK};
}

static void begin(struct usrsctp_cmt_sim *sim, void *arg)
{
	struct lab_endpoints *e = arg;

	(void)sim;
	/* A reason not to is in its `failure`. */
	if (!e->aborted) {
		(void)lab_endpoints_open(e);
	}
}

int lab_competitors_open(struct lab_competitors *c, struct usrsctp_cmt_sim *sim, const struct lab_run *run,
                         const struct lab_measure *measure, struct lab_error *error)
{
	c->n = run->scenario.n_competitors;
	c->runs = lab_grow(NULL, LAB_MAX_COMPETITORS, sizeof(*c->runs));
	c->endpoints = lab_grow(NULL, LAB_MAX_COMPETITORS, sizeof(*c->endpoints));
	for (unsigned i = 0; i < c->n; i++) {
		const struct lab_competitor *what = &run->scenario.competitors[i];
		struct lab_endpoints *e = &c->endpoints[i];

		prepare(&c->runs[i], run, what);
		*e = (struct lab_endpoints){.sim = sim,
		                            .run = &c->runs[i],
		                            .beside = measure,
		                            .port_shift = (uint16_t)((i + 1) * PORTS_APART)};
		if (what->start_us > 0) {
			usrsctp_cmt_sim_at(sim, what->start_us, begin, e);
		} else if (lab_endpoints_open(e) != 0) {
			snprintf(error->text, sizeof(error->text), "competitor %u: %.500s", i + 1,
			         e->failure.text);
			return -1;
		}
	}
	return 0;
}

double lab_competitor_goodput_bps(const struct lab_competitors *c, unsigned i)
{
	const struct lab_endpoints *e = &c->endpoints[i];
	struct lab_span span = lab_measure_span(e->beside);

	if (!e->connected || e->beside->first_send_us == 0) {
		return 0;
	}
	span.from_us = e->start_us > span.from_us ? e->start_us : span.from_us;
	return span.until_us <= span.from_us
	           ? 0
	           : (double)e->beside_bytes * 8e6 / (double)(span.until_us - span.from_us);
}

const char *lab_competitor_failure(const struct lab_competitors *c, unsigned i)
{
	if (c->endpoints[i].corrupt) {
		return "a byte that was not sent was delivered";
	}
	return c->endpoints[i].failure.text[0] != '\0' ? c->endpoints[i].failure.text : NULL;
}

void lab_competitors_abort(struct lab_competitors *c)
{
	for (unsigned i = 0; i < c->n; i++) {
		lab_endpoints_abort(&c->endpoints[i]);
	}
}

void lab_competitors_free(struct lab_competitors *c)
{
	for (unsigned i = 0; i < c->n; i++) {
		lab_endpoints_free(&c->endpoints[i]);
	}
	free(c->runs);
	free(c->endpoints);
	*c = (struct lab_competitors){.n = 0};
}
