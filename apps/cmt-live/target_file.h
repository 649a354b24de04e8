/* SPDX-License-Identifier: BSD-3-Clause
 *
 * target_file.h - what an encoder in front of the sender is told (target.h), for --target-bitrate-file: one
 * line of JSON.
 *
 * A file is replaced as a whole: who reads it gets the old line or the new one. "-" is standard output, a
 * line for each change. Not thread safe. */
#ifndef LIVE_TARGET_FILE_H
#define LIVE_TARGET_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include "target.h"
#include "text/message.h"

struct target_file {
	const char *name; /* NULL: nobody wants it */
	bool failed;      /* said once */
};

/* Writes that nothing is known, so that a file is there and can be written. 0, or -1 with the reason. */
int target_file_open(struct target_file *f, const char *name, uint32_t latency_ms, struct app_error *error);

/* What can be sent now is another rate. A file that cannot be written any more is told once, and tried again
 * with the next change. */
void target_file_write(struct target_file *f, const struct live_target *target);

#endif
