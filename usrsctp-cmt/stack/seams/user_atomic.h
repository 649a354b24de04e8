/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Shadows upstream's header of the same name. Its operations are builtins that clang refuses for the fields
 * which the fork makes _Atomic (fixes/fields-of-several-threads.manifest). All operands have 32 bits. */
#include_next <user_atomic.h>

#if defined(SCTP_CMT_FIXES) && !defined(CMT_USER_ATOMIC_H)
#define CMT_USER_ATOMIC_H

#include <stdint.h>

#undef atomic_add_int
#undef atomic_subtract_int
#undef atomic_fetchadd_int
#undef atomic_cmpset_int
#define atomic_add_int(p, v)      (void)__sync_fetch_and_add((volatile int32_t *)(p), (int32_t)(v))
#define atomic_subtract_int(p, v) (void)__sync_fetch_and_sub((volatile int32_t *)(p), (int32_t)(v))
#define atomic_fetchadd_int(p, v) __sync_fetch_and_add((volatile int32_t *)(p), (int32_t)(v))
#define atomic_cmpset_int(p, expected, v)                                                                    \
	__sync_bool_compare_and_swap((volatile int32_t *)(p), (int32_t)(expected), (int32_t)(v))
#endif
