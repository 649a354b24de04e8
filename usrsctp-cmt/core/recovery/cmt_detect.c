/* SPDX-License-Identifier: BSD-3-Clause */
#include "cmt_detect.h"

#include <string.h>

enum { DSACK = 1 << CMT_DETECT_DSACK, EIFEL = 1 << CMT_DETECT_EIFEL, FRTO = 1 << CMT_DETECT_FRTO };

static const struct cmt_recovery_policy policies[] = {
    {"all", "every detector (default)", DSACK | EIFEL | FRTO},
    {"none", "no loss is ever found to have been spurious", 0},
    {"dsack", "duplicate TSNs that the peer reports", DSACK},
    {"eifel", "time stamps: which transmission was acknowledged", EIFEL},
    {"frto", "after a timeout: whether what was not sent again is acknowledged", FRTO},
};

const struct cmt_recovery_policy *cmt_recovery_policy(size_t i)
{
	return i < sizeof(policies) / sizeof(policies[0]) ? &policies[i] : NULL;
}

const struct cmt_recovery_policy *cmt_recovery_policy_find(const char *name)
{
	for (size_t i = 0; i < sizeof(policies) / sizeof(policies[0]); i++) {
		if (strcmp(policies[i].name, name) == 0)
			return &policies[i];
	}
	return NULL;
}
