/* SPDX-License-Identifier: BSD-3-Clause */
#include "offer_decide.h"

enum offer_decision offer_decide(const struct store_found *found, int64_t bytes, bool resume, bool overwrite)
{
	if (found->kind == STORE_OTHER) {
		return OFFER_REFUSE_OTHER;
	}
	if (found->kind == STORE_FILE && bytes >= 0 && found->bytes == (uint64_t)bytes) {
		return OFFER_COMPARE_FILE;
	}
	if (found->kind == STORE_FILE && !overwrite) {
		return OFFER_REFUSE_FILE;
	}
	return resume && bytes >= 0 && found->part_bytes > 0 ? OFFER_COMPARE_PART : OFFER_TAKE;
}
