/* SPDX-License-Identifier: BSD-3-Clause
 *
 * zone.h - behind upstream's zones: see zone.c. Every block of `bytes` bytes that one returns, the other
 * takes. */
#ifndef CMT_ZONE_H
#define CMT_ZONE_H

#include <stddef.h>

/* NULL when there is no memory. */
void *cmt_zone_get(size_t bytes);
void cmt_zone_free(size_t bytes, void *memory);

/* Gives everything that is kept back to the system. */
void cmt_zone_drain(void);

#endif
