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

static bool has_law(const struct lab_competitors *c, unsigned i)
{
	return c->runs[i].scenario.competitors[i].law != LAB_LAW_NONE;
}

static void on_payload(void *arg, uint64_t bytes)
{
	struct lab_law_competitor *l = arg;

	if (l->beside->first_send_us != 0 &&
	    lab_measure_is_in_time(l->beside, usrsctp_cmt_sim_now_us(l->rival.sim))) {
		l->beside_bytes += bytes;
	}
}

static void begin_law(struct usrsctp_cmt_sim *sim, void *arg)
{
	struct lab_law_competitor *l = arg;

	l->start_us = usrsctp_cmt_sim_now_us(sim);
	l->begun = true;
	lab_rival_start(&l->rival);
}

static void on_packet(const struct usrsctp_cmt_sim_packet *p, void *arg)
{
	struct lab_competitors *c = arg;

	for (unsigned i = 0; i < c->n && !(has_law(c, i) && lab_rival_packet(&c->with_law[i].rival, p));
	     i++) {
	}
}

static void plan_law(struct lab_competitors *c, unsigned i, struct usrsctp_cmt_sim *sim,
                     struct lab_measure *measure)
{
	const struct lab_competitor *what = &c->runs[i].scenario.competitors[i];
	struct lab_law_competitor *l;

	if (c->with_law == NULL) {
		c->with_law = lab_grow(NULL, LAB_MAX_COMPETITORS, sizeof(*c->with_law));
		measure->others = on_packet;
		measure->others_arg = c;
	}
	l = &c->with_law[i];
	memset(l, 0, sizeof(*l));
	l->beside = measure;
	l->rival = (struct lab_rival){.sim = sim,
	                              .path = what->path,
	                              .from_host = what->back,
	                              .number = (uint16_t)i,
	                              .law = lab_law(what->law),
	                              .flows_bps = what->flows_bps,
	                              .arrived = on_payload,
	                              .arg = l};
	usrsctp_cmt_sim_at(sim, what->start_us, begin_law, l);
}

int lab_competitors_open(struct lab_competitors *c, struct usrsctp_cmt_sim *sim, const struct lab_run *run,
                         struct lab_measure *measure, struct lab_error *error)
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
		if (what->law != LAB_LAW_NONE) {
			plan_law(c, i, sim, measure);
		} else if (what->start_us > 0) {
			usrsctp_cmt_sim_at(sim, what->start_us, begin, e);
		} else if (lab_endpoints_open(e) != 0) {
			snprintf(error->text, sizeof(error->text), "competitor %u: %.500s", i + 1,
			         e->failure.text);
			return -1;
		}
	}
	return 0;
}

/* In the time that counts, from its own start on. */
static double goodput_bps(const struct lab_measure *beside, uint64_t start_us, uint64_t bytes)
{
	struct lab_span span = lab_measure_span(beside);

	if (beside->first_send_us == 0) {
		return 0;
	}
	span.from_us = start_us > span.from_us ? start_us : span.from_us;
	return span.until_us <= span.from_us ? 0
	                                     : (double)bytes * 8e6 / (double)(span.until_us - span.from_us);
}

double lab_competitor_goodput_bps(const struct lab_competitors *c, unsigned i)
{
	const struct lab_endpoints *e = &c->endpoints[i];

	if (has_law(c, i)) {
		const struct lab_law_competitor *l = &c->with_law[i];

		return l->begun ? goodput_bps(l->beside, l->start_us, l->beside_bytes) : 0;
	}
	return e->connected ? goodput_bps(e->beside, e->start_us, e->beside_bytes) : 0;
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
		if (has_law(c, i)) {
			lab_rival_stop(&c->with_law[i].rival);
		}
		lab_endpoints_abort(&c->endpoints[i]);
	}
}

void lab_competitors_free(struct lab_competitors *c)
{
	for (unsigned i = 0; i < c->n; i++) {
		lab_endpoints_free(&c->endpoints[i]);
		if (has_law(c, i)) {
			lab_rival_free(&c->with_law[i].rival);
		}
	}
	free(c->with_law);
	free(c->runs);
	free(c->endpoints);
	*c = (struct lab_competitors){.n = 0};
}
