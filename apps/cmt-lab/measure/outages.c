/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/outages.h"

#include <stdlib.h>

#include "scenario/changes.h"
#include "scenario/link_keys.h"
#include "text/units.h"

void lab_outages_start(struct lab_outages *o, const struct lab_scenario *s, int path)
{
	const struct lab_change **by_time = lab_changes_by_time(s);
	int down_key = lab_link_key("down");

	*o = (struct lab_outages){.n_answered = 0};
	for (unsigned i = 0; i < s->n_changes; i++) {
		const struct lab_change *c = by_time[i];
		bool concerns = c->link == path || (s->via[path] != 0 && c->link == s->via[path]), down;

		if (concerns && c->key == down_key && app_parse_bool(c->value, &down) && !down) {
			lab_samples_add(&o->ends_us, c->at_us);
		}
	}
	free(by_time);
	for (int host = 0; host < 2; host++) {
		const struct lab_end *end = &s->ends[lab_end_path(s, path, host)][host];

		if (end->absent_until_us != 0) {
			lab_samples_add(&o->ends_us, end->absent_until_us);
		}
	}
	(void)lab_samples_percentile(&o->ends_us, 0); /* sorts */
}

void lab_outages_used(struct lab_outages *o, uint64_t now_us)
{
	while (o->n_answered < o->ends_us.n && o->ends_us.values[o->n_answered] <= now_us) {
		uint64_t after_us = now_us - o->ends_us.values[o->n_answered++];

		o->longest_us = after_us > o->longest_us ? after_us : o->longest_us;
	}
}

bool lab_outages_reuse_us(const struct lab_outages *o, uint64_t *out_us)
{
	*out_us = o->longest_us;
	return o->ends_us.n > 0 && o->n_answered == o->ends_us.n;
}

void lab_outages_free(struct lab_outages *o)
{
	lab_samples_free(&o->ends_us);
}
