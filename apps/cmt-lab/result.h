/* SPDX-License-Identifier: BSD-3-Clause
 *
 * result.h - a finished run as one JSON object with the keys of docs/lab.md. */
#ifndef LAB_RESULT_H
#define LAB_RESULT_H

#include <jansson.h>

#include "endpoints.h"
#include "measure.h"

/* Reads the sockets' statistics: call it before they are closed. The caller owns the result. A quantity that
 * was not measured is null. */
json_t *lab_result(const struct lab_endpoints *e, struct lab_measure *m);

#endif
