/* SPDX-License-Identifier: BSD-3-Clause */
#include "policy_shim.h"

#ifdef POLICY_SHIM
#include <errno.h>
#include <netinet/in.h>
#include <string.h>

#undef usrsctp_setsockopt

static const char *const controls[] = {"uncoupled", "coupled", "linked", "rttcomp",
                                       "olia",      "balia",   "rate",   "stock"};
static const char *const recoveries[] = {"none", "dsack", "eifel", "frto", "all"};

const char *usrsctp_cmt_cc_name(unsigned i)
{
	return i < sizeof(controls) / sizeof(controls[0]) ? controls[i] : NULL;
}

const char *usrsctp_cmt_cc_summary(unsigned i)
{
	(void)i;
	return NULL;
}

const char *usrsctp_cmt_cc_options(unsigned i)
{
	(void)i;
	return NULL;
}

const char *usrsctp_cmt_recovery_name(unsigned i)
{
	return i < sizeof(recoveries) / sizeof(recoveries[0]) ? recoveries[i] : NULL;
}

const char *usrsctp_cmt_recovery_summary(unsigned i)
{
	(void)i;
	return NULL;
}

int policy_shim_setsockopt(struct socket *so, int level, int option, const void *value, socklen_t len)
{
	const struct sctp_cmt_policy *policy = value;
	const char *(*names)(unsigned i) =
	    option == SCTP_CMT_CC ? usrsctp_cmt_cc_name : usrsctp_cmt_recovery_name;
	const char *name;

	if (level != IPPROTO_SCTP || (option != SCTP_CMT_CC && option != SCTP_CMT_RECOVERY)) {
		return usrsctp_setsockopt(so, level, option, value, len);
	}
	for (unsigned i = 0; (name = names(i)) != NULL; i++) {
		if (strcmp(name, policy->name) == 0) {
			return 0;
		}
	}
	errno = EINVAL;
	return -1;
}
#endif
