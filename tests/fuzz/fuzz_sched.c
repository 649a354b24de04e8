/* SPDX-License-Identifier: BSD-3-Clause
 *
 * fuzz_sched.c - libFuzzer target: snapshots and events of any kind into built-in schedulers: the one that
 * the first byte names, or, where it is 0xf0 or more, each of them. Oracles: support/sched_rounds.h; bounded
 * time is libFuzzer's -timeout. runs: 40000, edges: 700 */
#include "support/sched_rounds.h"

enum { ALL = 0xf0 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_bytes in = {data, size};
	unsigned which = (unsigned)fuzz_take(&in, 1);
	size_t n = 0;

	while (cmt_sched_builtin(n) != NULL)
		n++;
	for (size_t i = 0; i < n; i++) {
		const char *broken =
		    which >= ALL || which % n == i ? sched_rounds(cmt_sched_builtin(i), in) : NULL;

		if (broken != NULL)
			fuzz_fail(cmt_sched_builtin(i)->name, (int)i, broken);
	}
	return 0;
}
