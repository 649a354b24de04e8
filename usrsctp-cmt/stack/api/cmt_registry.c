/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/cmt_registry.h"

#include <errno.h>
#include <string.h>

#include <usrsctp_cmt.h>

#include "cc/cmt_cc.h"
#include "recovery/cmt_detect.h"

enum { REGISTERED_MAX = 16 };

static const struct cmt_sched_ops *registered[REGISTERED_MAX];
static unsigned n_registered;

static unsigned n_builtin(void)
{
	unsigned n = 0;

	while (cmt_sched_builtin(n) != NULL)
		n++;
	return n;
}

static const struct cmt_sched_ops *at(unsigned i)
{
	unsigned builtins = n_builtin();

	if (i < builtins)
		return cmt_sched_builtin(i);
	return i - builtins < n_registered ? registered[i - builtins] : NULL;
}

const struct cmt_sched_ops *cmt_registry_find(const char *name)
{
	const struct cmt_sched_ops *ops;

	for (unsigned i = 0; (ops = at(i)) != NULL; i++) {
		if (strcmp(ops->name, name) == 0)
			return ops;
	}
	return NULL;
}

int usrsctp_cmt_register_scheduler(const struct cmt_sched_ops *ops)
{
	if (cmt_sched_check_ops(ops) != 0)
		return EINVAL;
	if (strcmp(ops->name, "stock") == 0 || cmt_registry_find(ops->name) != NULL)
		return EEXIST;
	if (n_registered == REGISTERED_MAX)
		return ENOSPC;
	registered[n_registered++] = ops;
	return 0;
}

const char *usrsctp_cmt_scheduler_name(unsigned i)
{
	const struct cmt_sched_ops *ops = at(i);

	return ops != NULL ? ops->name : NULL;
}

const char *usrsctp_cmt_scheduler_summary(unsigned i)
{
	const struct cmt_sched_ops *ops = at(i);

	return ops != NULL ? ops->summary : NULL;
}

const char *usrsctp_cmt_scheduler_options(unsigned i)
{
	const struct cmt_sched_ops *ops = at(i);

	return ops != NULL ? ops->option_help : NULL;
}

const char *usrsctp_cmt_cc_name(unsigned i)
{
	return cmt_cc_builtin(i) != NULL ? cmt_cc_builtin(i)->name : NULL;
}

const char *usrsctp_cmt_cc_summary(unsigned i)
{
	return cmt_cc_builtin(i) != NULL ? cmt_cc_builtin(i)->summary : NULL;
}

const char *usrsctp_cmt_cc_options(unsigned i)
{
	return cmt_cc_builtin(i) != NULL ? cmt_cc_option_help : NULL;
}

const char *usrsctp_cmt_recovery_name(unsigned i)
{
	return cmt_recovery_policy(i) != NULL ? cmt_recovery_policy(i)->name : NULL;
}

const char *usrsctp_cmt_recovery_summary(unsigned i)
{
	return cmt_recovery_policy(i) != NULL ? cmt_recovery_policy(i)->summary : NULL;
}
