/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/timed_level.h"

void lab_timed_level_start(struct lab_timed_level *t, uint64_t now_us)
{
	*t = (struct lab_timed_level){.from_us = now_us, .at_us = now_us};
}

void lab_timed_level_settle(struct lab_timed_level *t, uint64_t now_us)
{
	if (now_us <= t->at_us) {
		return;
	}
	t->area += (double)t->level * (double)(now_us - t->at_us);
	t->at_us = now_us;
	if (t->level > t->max) {
		t->max = t->level;
	}
}

void lab_timed_level_add(struct lab_timed_level *t, uint64_t now_us, int64_t change)
{
	lab_timed_level_settle(t, now_us);
	t->level += change;
}

double lab_timed_level_mean(const struct lab_timed_level *t)
{
	return t->at_us == t->from_us ? 0 : t->area / (double)(t->at_us - t->from_us);
}
