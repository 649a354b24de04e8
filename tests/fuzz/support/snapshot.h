/* SPDX-License-Identifier: BSD-3-Clause
 *
 * snapshot.h - the memory of what is linked into this shared object, put back as it was.
 *
 * The stack, its simulated network and the attackers take their memory from an arena (--wrap of the linker),
 * and have their variables in the object's data segment. Both together can be kept and restored, which costs
 * a copy of some 100 KB instead of handshakes, and leaves nothing of one input for the next.
 *
 * AddressSanitizer sees the arena's blocks as it sees malloc's: each stands between poisoned bytes, and one
 * that is freed after a restore stays poisoned until the next. It cannot tell where they were allocated.
 * Counters of coverage are not put back. Single threaded; one for a process. */
#ifndef FUZZ_SNAPSHOT_H
#define FUZZ_SNAPSHOT_H

#include <stdbool.h>
#include <stddef.h>

enum { SNAPSHOTS_MAX = 1536 };

/* From here to snapshot_leave() memory comes from the arena. `id`: below SNAPSHOTS_MAX. True: everything is
 * as when `id` was saved; false, when it was not: as when this was called first, with an empty arena, whose
 * blocks are used again until snapshot_save(). */
bool snapshot_enter(unsigned id);
void snapshot_save(unsigned id);
void snapshot_leave(void);

/* Blocks of the arena that were not freed. */
size_t snapshot_blocks(void);

#endif
