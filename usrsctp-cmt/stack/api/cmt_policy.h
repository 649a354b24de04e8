/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_policy.h - what an application chooses by name: scheduler, congestion control, detectors of spurious losses; for
 * one association, all of a socket, or those to come.
 *
 * As in cmt_sockopt.h: 0 or a positive errno, ENOENT = no such association; both take the locks they need. */
#ifndef CMT_POLICY_H
#define CMT_POLICY_H

#include <stdint.h>

struct socket;

enum cmt_sockopt_policy_kind { CMT_POLICY_SCHEDULER, CMT_POLICY_CC, CMT_POLICY_RECOVERY };

struct cmt_sockopt_policy {
	char name[32];
	char options[224];
};

int cmt_sockopt_set_policy(struct socket *so, enum cmt_sockopt_policy_kind kind, uint32_t assoc_id,
                           const char *name, const char *options);
int cmt_sockopt_get_policy(struct socket *so, enum cmt_sockopt_policy_kind kind, uint32_t assoc_id,
                           struct cmt_sockopt_policy *out);

#endif
