/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sched_rounds.h - what every scheduler has to keep, on snapshots and events of any kind: every decision is
 * legal, in the future, and the same when asked again; asking changes nothing; with a path free and nothing
 * in flight nobody waits for ever. Networks of extreme delays and rates come out of the same bytes. */
#ifndef FUZZ_SCHED_ROUNDS_H
#define FUZZ_SCHED_ROUNDS_H

#include "cmt_sched.h"
#include "fuzz.h"

/* Lets the scheduler decide, up to 24 times. NULL, or the rule that was broken. */
const char *sched_rounds(const struct cmt_sched_ops *ops, struct fuzz_bytes in);

#endif
