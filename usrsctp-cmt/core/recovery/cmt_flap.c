/* SPDX-License-Identifier: BSD-3-Clause */
#include "cmt_flap.h"

#include "../util/cmt_penalty.h"
#include "../util/cmt_tuned.h"

void cmt_flap_on_failed(struct cmt_flap *f, uint64_t now_us)
{
	uint64_t well_since_us = f->hold_until_us > f->since_us ? f->hold_until_us : f->since_us;
	bool again = f->since_us != 0 && now_us < well_since_us + CMT_LONG_US;

	if (f->failed)
		return;
	f->failed = true;
	f->since_us = now_us;
	f->hold_us = again ? cmt_penalty_next_us(f->hold_us) : 0;
}

void cmt_flap_on_back(struct cmt_flap *f, uint64_t now_us)
{
	if (!f->failed)
		return;
	f->failed = false;
	f->since_us = now_us;
	f->hold_until_us = now_us + f->hold_us;
}

void cmt_flap_on_spurious(struct cmt_flap *f)
{
	*f = (struct cmt_flap){.failed = f->failed, .since_us = f->failed ? f->since_us : 0};
}

uint64_t cmt_flap_ask_again_us(const struct cmt_flap *f, uint64_t rto_us, uint64_t now_us)
{
	uint64_t us = (now_us - f->since_us) / CMT_ASK_SHARE;

	if (us < rto_us)
		us = rto_us;
	return now_us + (us < CMT_SELDOM_US ? us : CMT_SELDOM_US);
}
