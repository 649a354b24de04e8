/* SPDX-License-Identifier: BSD-3-Clause
 *
 * room.h - how much SCTP is given at once. What waits there cannot be reordered or dropped any more, so
 * packets wait in the fair queue instead. But the scheduler sends ahead on the slower paths, and can do so
 * only with what is there: as much as the paths carry in the time by which their delays differ. A path that
 * looks slow, for it has carried little, gets its chance so. Pure. */
#ifndef TUN_ROOM_H
#define TUN_ROOM_H

#include "net/path_stats.h"

/* Bytes that may be written now. */
size_t tun_room(const struct app_assoc_stats *stats);

#endif
