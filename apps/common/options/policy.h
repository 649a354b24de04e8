/* SPDX-License-Identifier: BSD-3-Clause
 *
 * policy.h - a congestion control or a recovery by name, as written on a command line: NAME[:KEY=VALUE,..].
 *
 * Pure. The word `default` leaves the choice to the library. */
#ifndef APP_POLICY_H
#define APP_POLICY_H

#include <stdbool.h>
#include <stddef.h>

#include <usrsctp_cmt.h>

#include "text/message.h"

struct app_policy {
	char name[SCTP_CMT_POLICY_NAME_MAX]; /* "" = the library's default */
	char options[SCTP_CMT_POLICY_OPTIONS_MAX];
};

/* What can be named: usrsctp_cmt_cc_name(), and how one is called in a message. */
struct app_policy_kind {
	const char *what; /* "a congestion control" */
	const char *(*name)(unsigned i);
	const char *(*options)(unsigned i); /* of the `i`-th, as usrsctp_cmt_cc_options(); NULL = has none */
	const char *upstream; /* the word for upstream's own, which is not among the names; NULL = none */
};
extern const struct app_policy_kind app_scheduler_kind, app_cc_kind, app_recovery_kind;

/* 0, or -1 with `OPTION: "cubic" is not a congestion control; write one of ...` or what
 * app_policy_fault() says, `out` untouched. */
int app_policy_parse(struct app_policy *out, const struct app_policy_kind *kind, const char *option,
                     const char *value, struct app_error *error);

/* Whether `options` cannot be those of `name`, by what the library tells of them; then why, as `OPTION:
 * linked has no option "speed"; it has hystart, pacing` or `OPTION: pacing of linked is a whole number from 0
 * to 1, not "2"`. */
bool app_policy_fault(const struct app_policy_kind *kind, const char *option, const char *name,
                      const char *options, struct app_error *error);

/* As it was written. Returns `out`. */
#define APP_POLICY_TEXT_BYTES (SCTP_CMT_POLICY_NAME_MAX + SCTP_CMT_POLICY_OPTIONS_MAX)
const char *app_policy_text(const struct app_policy *policy, char out[APP_POLICY_TEXT_BYTES]);

/* All names, `default` first, separated by ", ". Returns `out`. */
const char *app_policy_list(const struct app_policy_kind *kind, char *out, size_t out_bytes);

#endif
