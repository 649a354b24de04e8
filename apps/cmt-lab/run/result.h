/* SPDX-License-Identifier: BSD-3-Clause
 *
 * result.h - a finished run as one JSON object with the keys of docs/lab.md. */
#ifndef LAB_RESULT_H
#define LAB_RESULT_H

#include <jansson.h>

#include "measure/measure.h"
#include "run/competitors.h"
#include "run/endpoints.h"

/* Reads the sockets' statistics: call it before they are closed. The caller owns the result. A quantity that
 * was not measured is null. */
json_t *lab_result(const struct lab_endpoints *e, struct lab_measure *m, const struct lab_competitors *c);

/* What went over paths that cost something, beside how little would have done. */
void lab_result_put_metered(json_t *o, const struct lab_scenario *s, const struct lab_measure *m);

/* The list `paths` of it, and the lists `shared_links` and `competitors`. */
json_t *lab_result_paths(const struct lab_endpoints *e, struct lab_measure *m);
json_t *lab_result_shared_links(const struct lab_endpoints *e);
json_t *lab_result_competitors(const struct lab_competitors *c);

#endif
