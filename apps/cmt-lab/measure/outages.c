/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/outages.h"

#include "scenario/link_keys.h"
#include "text/units.h"

static void add_end(struct lab_outages *o, uint64_t at_us)
{
	unsigned i = o->n++;

	for (; i > 0 && o->ends_us[i - 1] > at_us; i--) {
		o->ends_us[i] = o->ends_us[i - 1];
	}
	o->ends_us[i] = at_us;
}

void lab_outages_start(struct lab_outages *o, const struct lab_scenario *s, int path)
{
	int down_key = lab_link_key("down");

	*o = (struct lab_outages){.n = 0};
	for (unsigned i = 0; i < s->n_changes; i++) {
		const struct lab_change *c = &s->changes[i];
		bool concerns = c->link == path || (s->via[path] != 0 && c->link == s->via[path]), down;

		if (concerns && c->key == down_key && app_parse_bool(c->value, &down) && !down) {
			add_end(o, c->at_us);
		}
	}
}

void lab_outages_used(struct lab_outages *o, uint64_t now_us)
{
	while (o->n_answered < o->n && o->ends_us[o->n_answered] <= now_us) {
		uint64_t after_us = now_us - o->ends_us[o->n_answered++];

		o->longest_us = after_us > o->longest_us ? after_us : o->longest_us;
	}
}

bool lab_outages_reuse_us(const struct lab_outages *o, uint64_t *out_us)
{
	*out_us = o->longest_us;
	return o->n > 0 && o->n_answered == o->n;
}
