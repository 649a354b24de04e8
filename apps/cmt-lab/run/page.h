/* SPDX-License-Identifier: BSD-3-Clause
 *
 * page.h - a load like that of a web page: what was read names what is asked for next.
 *
 * Pure. A page of `total_bytes` comes in waves, each twice as large as the one before it, whole messages but for
 * the last: a document, what it names, what that names. */
#ifndef LAB_PAGE_H
#define LAB_PAGE_H

#include <stdint.h>

/* Bytes that waves 0 to `wave` have together; total_bytes from the last wave on. */
uint64_t lab_page_asked_bytes(uint64_t total_bytes, unsigned waves, uint64_t msg_bytes, unsigned wave);

#endif
