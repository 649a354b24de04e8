/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/lag.h"

#include <stdlib.h>

#include "base/samples.h"

void lab_lag_sent(struct lab_lag *l, uint64_t bytes, uint64_t now_us)
{
	if (l->n == l->room) {
		l->room = l->room == 0 ? 1024 : 2 * l->room;
		l->steps = lab_grow(l->steps, l->room, sizeof(*l->steps));
	}
	l->steps[l->n++] = (struct lab_lag_step){bytes, now_us};
}

void lab_lag_delivered(struct lab_lag *l, uint64_t bytes, uint64_t now_us, uint64_t from_us)
{
	while (l->next < l->n && l->steps[l->next].bytes <= bytes) {
		uint64_t sent_us = l->steps[l->next++].at_us;

		if (sent_us >= from_us && now_us - sent_us > l->most_us) {
			l->most_us = now_us - sent_us;
		}
	}
}

void lab_lag_free(struct lab_lag *l)
{
	free(l->steps);
	*l = (struct lab_lag){.n = 0};
}
