/* SPDX-License-Identifier: BSD-3-Clause
 *
 * policy.h - what a socket's associations go by: SCTP_CMT_SCHEDULER, SCTP_CMT_CC, SCTP_CMT_RECOVERY; and a
 * socket and network to try that on. */
#ifndef SIM_POLICY_H
#define SIM_POLICY_H

#include <errno.h>
#include <stdio.h>

#include <usrsctp_cmt_sim.h>

#include "isolate.h"

/* As usrsctp_setsockopt(). */
static inline int policy_set(struct socket *so, int option, sctp_assoc_t id, const char *name,
                             const char *keys)
{
	struct sctp_cmt_policy policy = {.size = sizeof(policy), .assoc_id = id};

	snprintf(policy.name, sizeof(policy.name), "%s", name);
	snprintf(policy.options, sizeof(policy.options), "%s", keys);
	errno = 0;
	return usrsctp_setsockopt(so, IPPROTO_SCTP, option, &policy, sizeof(policy));
}

/* Of the associations to come; NULL = as they are. */
static inline void policy_choose(struct socket *so, int option, const char *name)
{
	REQUIRE(name == NULL || policy_set(so, option, SCTP_FUTURE_ASSOC, name, "") == 0);
}

/* What hand-made peers count on: an initial window of four packets. */
static inline void policy_begin_with_four(struct socket *so)
{
	REQUIRE(policy_set(so, SCTP_CMT_CC, SCTP_FUTURE_ASSOC, "veno", "initial_pkts=4") == 0);
}

static inline struct sctp_cmt_policy policy_get(struct socket *so, int option, sctp_assoc_t id)
{
	struct sctp_cmt_policy policy = {.size = sizeof(policy), .assoc_id = id};
	socklen_t len = sizeof(policy);

	REQUIRE(usrsctp_getsockopt(so, IPPROTO_SCTP, option, &policy, &len) == 0 && len == sizeof(policy));
	return policy;
}

static inline struct socket *policy_socket(int type)
{
	struct socket *so = usrsctp_socket(AF_INET, type, IPPROTO_SCTP, NULL, NULL, 0, NULL);

	REQUIRE(so != NULL && usrsctp_set_non_blocking(so, 1) == 0);
	return so;
}

/* Set-up and teardown of a test: two paths of 8 Mbit/s and 10 ms. */
static inline int policy_new_sim(void **state)
{
	const struct usrsctp_cmt_sim_link link = {.rate_bps = 8000000, .delay_us = 10000};
	struct usrsctp_cmt_sim_config config = {.size = sizeof(config), .seed = 1};
	struct usrsctp_cmt_sim *sim = usrsctp_cmt_sim_new(&config);

	if (sim == NULL || usrsctp_cmt_sim_add_path(sim, &link, &link) != 0 ||
	    usrsctp_cmt_sim_add_path(sim, &link, &link) != 1)
		return -1;
	*state = sim;
	return 0;
}

static inline int policy_free_sim(void **state)
{
	return usrsctp_cmt_sim_free(*state);
}

#endif
