/* SPDX-License-Identifier: BSD-3-Clause
 *
 * reason.h - what cmt_reason() says. Each thread has its own. */
#ifndef CMT_BLOCKING_REASON_H
#define CMT_BLOCKING_REASON_H

/* Notes a sentence for this thread. Returns -error, or -EIO where `error` is 0. */
int blk_fail(int error, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
