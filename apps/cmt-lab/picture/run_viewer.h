/* SPDX-License-Identifier: BSD-3-Clause
 *
 * run_viewer.h - the viewer's page (docs/viewer.md) with the events of one run inside. */
#ifndef LAB_RUN_VIEWER_H
#define LAB_RUN_VIEWER_H

#include <stdint.h>
#include <stdio.h>

#include "base/error.h"

/* More than that opens in no time that anybody would wait. */
#define LAB_RUN_VIEWER_MAX_BYTES (UINT64_C(256) << 20)

/* Writes the page with what `qlog` has, from where it stands to its end. 0, or -1 with the reason, also when
 * that is more than `max_bytes`. */
int lab_run_viewer_write(FILE *page, FILE *qlog, uint64_t max_bytes, struct lab_error *error);

#endif
