/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sched_pair.h - a scheduler, packets of 1000 bytes that charge as much against the window, and a view of two
 * paths: the state of the one test that includes this. */
#ifndef SCHED_PAIR_H
#define SCHED_PAIR_H

#include <string.h>

#include "cmt_sched.h"

enum { FAST, SLOW, PKT = 1000, CAPACITY = 1024, NOW_US = 1000000 };

static struct cmt_path_view paths[2];
static struct cmt_view view;
static struct cmt_units units;
static uint32_t memory[CAPACITY * 2];
static uint64_t state_bytes[CMT_SCHED_STATE_MAX / 8];
static const struct cmt_sched_ops *ops;

/* The scheduler anew, with `waiting` packets from TSN 1. The paths are the caller's. */
static void begin_pair(const char *name, const char *options, unsigned waiting)
{
	for (size_t i = 0; (ops = cmt_sched_builtin(i)) != NULL && strcmp(ops->name, name) != 0; i++)
		;
	assert_non_null(ops);
	memset(state_bytes, 0, sizeof(state_bytes));
	if (ops->init != NULL)
		assert_int_equal(ops->init(state_bytes, options), 0);
	cmt_units_init(&units, CAPACITY, 1, memory);
	for (uint32_t tsn = 1; tsn <= waiting; tsn++)
		assert_int_equal(cmt_units_add(&units, tsn, PKT), 0);
	view = (struct cmt_view){.now_us = NOW_US,
	                         .units = &units,
	                         .n_paths = 2,
	                         .paths = paths,
	                         .packet_bytes = PKT,
	                         .wire_bytes = PKT,
	                         .limit_tsn = 4000,
	                         .peer_rwnd_bytes = 1000 * PKT,
	                         .total_flight_bytes = 13 * PKT,
	                         .window_packet_bytes = PKT,
	                         .window_unit_bytes = PKT,
	                         .window_reserve_bytes = PKT};
}

#endif
