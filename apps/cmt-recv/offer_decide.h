/* SPDX-License-Identifier: BSD-3-Clause
 *
 * offer_decide.h - what to do about an offered file, given what is here of it. Pure. */
#ifndef RECV_OFFER_DECIDE_H
#define RECV_OFFER_DECIDE_H

#include <stdbool.h>
#include <stdint.h>

#include "store.h"

enum offer_decision {
	OFFER_TAKE,         /* from its beginning */
	OFFER_COMPARE_FILE, /* a file of that name and length is here: perhaps it is the same */
	OFFER_COMPARE_PART, /* an unfinished file is here that could be its beginning */
	OFFER_REFUSE_FILE,  /* another file of that name is here and stays */
	OFFER_REFUSE_OTHER  /* something else of that name is here */
};

/* `bytes`: of the offered file, -1 = not known. `resume`: the sender wants to continue. */
enum offer_decision offer_decide(const struct store_found *found, int64_t bytes, bool resume, bool overwrite);

#endif
