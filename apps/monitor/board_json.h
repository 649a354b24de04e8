/* SPDX-License-Identifier: BSD-3-Clause
 *
 * board_json.h - the board as JSON: /stats.json, and every message of /events (docs/monitoring.md#json). */
#ifndef MONITOR_BOARD_JSON_H
#define MONITOR_BOARD_JSON_H

#include <jansson.h>

#include "board.h"

struct monitor_json_request {
	uint64_t now_us;
	double calendar_s; /* since 1970 */
	double period_s;   /* between readings */
	size_t max_assocs; /* those with failed paths first, then the busiest; 0 = all */
};

/* NULL without memory. */
json_t *monitor_board_json(const struct monitor_board *b, const struct monitor_json_request *request);

#endif
