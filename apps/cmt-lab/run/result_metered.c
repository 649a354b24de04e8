/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "measure/metered.h"
#include "run/result.h"

/* Where no more of the stream goes over these paths or has to, it says nothing what part of it had to. */
#define LEAST_PART 0.01

static json_t *metered_bytes(const struct lab_scenario *s, const struct lab_measure *m, double *bytes)
{
	bool metered = false;

	*bytes = 0;
	for (int p = 0; p < s->n_paths; p++) {
		metered = metered || s->use[p].cost > 0;
		*bytes += s->use[p].cost > 0 ? (double)m->paths[p].sent_bytes : 0;
	}
	return metered ? json_integer((json_int_t)*bytes) : json_null();
}

static json_t *real_if(bool known, double value)
{
	return known ? json_real(value) : json_null();
}

void lab_result_put_metered(json_t *o, const struct lab_scenario *s, const struct lab_measure *m)
{
	const bool played = lab_is_metered(s) && m->player.started && m->read_bytes > 0;
	double metered, whole = 0, least = 0;
	bool known = false;

	json_object_set_new(o, "metered_bytes", metered_bytes(s, m, &metered));
	if (played) {
		const struct lab_stream stream =
		    lab_stream_of(s, m->first_send_us, m->player.startup_us, (double)m->read_bytes);

		known = lab_stream_late_bytes(s, m->timestamps, &stream, true) == 0;
		least = lab_metered_wire_bytes(s, m->timestamps,
		                               lab_stream_late_bytes(s, m->timestamps, &stream, false));
		whole = lab_metered_wire_bytes(s, m->timestamps, stream.bytes);
	}
	json_object_set_new(o, "metered_least_bytes", known ? json_integer((json_int_t)least) : json_null());
	json_object_set_new(o, "metered_part", real_if(played, metered / whole));
	json_object_set_new(o, "metered_least_part", real_if(known, least / whole));
	json_object_set_new(
	    o, "metered_needed",
	    real_if(known && fmax(least, metered) >= LEAST_PART * whole, fmin(1, least / metered)));
}
