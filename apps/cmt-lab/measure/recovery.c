/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/recovery.h"

#include <stdlib.h>

#include "scenario/changes.h"

uint64_t lab_recovery_us(const struct lab_windows *slices, uint64_t from_us, uint64_t until_us,
                         double rate_bps)
{
	const size_t hold = LAB_RECOVERY_HOLD_US / slices->width_us;
	const double enough_bytes = LAB_RECOVERED * rate_bps * LAB_RECOVERY_HOLD_US / 8e6;
	size_t first = (size_t)((from_us + slices->width_us - 1) / slices->width_us);
	double bytes = 0;

	for (size_t i = first; i < first + hold; i++) {
		bytes += (double)lab_windows_bytes(slices, i);
	}
	for (; (first + hold) * slices->width_us <= until_us; first++) {
		if (bytes >= enough_bytes) {
			return first * slices->width_us - from_us;
		}
		bytes += (double)lab_windows_bytes(slices, first + hold) -
		         (double)lab_windows_bytes(slices, first);
	}
	return LAB_NOT_RECOVERED_US;
}

static void add_within(struct lab_samples *out, uint64_t at_us, struct lab_span span)
{
	if (at_us > span.from_us && at_us < span.until_us) {
		lab_samples_add(out, at_us);
	}
}

struct lab_samples lab_recovery_changes(const struct lab_scenario *s, struct lab_span span)
{
	struct lab_samples all = {.n = 0};
	size_t kept = 0;

	for (unsigned i = 0; i < s->n_changes; i++) {
		add_within(&all, s->changes[i].at_us, span);
	}
	for (int p = 0; p < s->n_paths; p++) {
		for (int host = 0; host < 2; host++) {
			add_within(&all, s->ends[p][host].absent_from_us, span);
			add_within(&all, s->ends[p][host].absent_until_us, span);
		}
	}
	(void)lab_samples_percentile(&all, 0); /* sorts */
	for (size_t i = 0; i < all.n; i++) {
		const uint64_t next_us = i + 1 < all.n ? all.values[i + 1] : span.until_us;

		if (next_us - all.values[i] >= LAB_RECOVERY_HOLD_US) {
			all.values[kept++] = all.values[i];
		}
	}
	all.n = kept;
	return all;
}

struct lab_recoveries lab_recoveries(const struct lab_scenario *s, int only_path, bool extension,
                                     const struct lab_windows *slices, struct lab_span span)
{
	struct lab_samples changes = lab_recovery_changes(s, span);
	struct lab_recoveries r = {.changes = (unsigned)changes.n};

	for (size_t i = 0; i < changes.n; i++) {
		const uint64_t from_us = changes.values[i];
		const uint64_t until_us = i + 1 < changes.n ? changes.values[i + 1] : span.until_us;
		const double bps =
		    lab_ceiling_over_bps(s, only_path, extension, (struct lab_span){from_us, until_us});
		uint64_t us = lab_recovery_us(slices, from_us - span.from_us, until_us - span.from_us, bps);

		r.missed += us == LAB_NOT_RECOVERED_US;
		us = us == LAB_NOT_RECOVERED_US ? until_us - from_us : us;
		r.longest_us = us > r.longest_us ? us : r.longest_us;
	}
	lab_samples_free(&changes);
	return r;
}
