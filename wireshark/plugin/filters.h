/* SPDX-License-Identifier: BSD-3-Clause
 *
 * filters.h - conversation filters: the association of a packet, and its path. */
#ifndef CMT_WS_FILTERS_H
#define CMT_WS_FILTERS_H

void cmt_filters_register(void);

#endif
