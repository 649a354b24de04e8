/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/socket_options.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <usrsctp_cmt_dtls.h>

#include "base/scheduler_names.h"
#include "scenario/ceiling.h"

static int set(struct socket *so, int level, int option, const void *value, size_t len, const char *name,
               struct lab_error *error)
{
	if (usrsctp_setsockopt(so, level, option, value, (socklen_t)len) == 0) {
		return 0;
	}
	snprintf(error->text, sizeof(error->text), "setsockopt %s: %s", name, strerror(errno));
	return -1;
}

static int set_int(struct socket *so, int level, int option, uint64_t value, const char *name,
                   struct lab_error *error)
{
	int v = value > INT32_MAX ? INT32_MAX : (int)value;

	return set(so, level, option, &v, sizeof(v), name, error);
}

/* `option`: of the command line. The library's errno is only told where what it tells of the options is no
 * help. */
static int refused(const struct app_policy_kind *kind, const char *option, const char *name,
                   const char *options, struct lab_error *error)
{
	const char *why = strerror(errno);
	struct app_error fault;

	if (app_policy_fault(kind, option, name, options, &fault)) {
		snprintf(error->text, sizeof(error->text), "%s", fault.text);
	} else {
		snprintf(error->text, sizeof(error->text),
		         "%s \"%s\": %s is refused: %s (`cmt-lab list` has names and options)", option,
		         options, name, why);
	}
	return -1;
}

static int set_scheduler(struct socket *so, const struct lab_run *run, struct lab_error *error)
{
	struct sctp_cmt_policy policy = {.size = sizeof(policy), .assoc_id = SCTP_FUTURE_ASSOC};
	struct sctp_assoc_value on = {.assoc_id = SCTP_FUTURE_ASSOC, .assoc_value = SCTP_CMT_BASE};

	if (strcmp(run->scheduler, LAB_STOCK) == 0) {
		if (run->only_path >= 0) {
			return 0;
		}
		return set(so, IPPROTO_SCTP, SCTP_CMT_ON_OFF, &on, sizeof(on), "SCTP_CMT_ON_OFF", error);
	}
	snprintf(policy.name, sizeof(policy.name), "%s", run->scheduler);
	snprintf(policy.options, sizeof(policy.options), "%s", run->options);
	if (usrsctp_setsockopt(so, IPPROTO_SCTP, SCTP_CMT_SCHEDULER, &policy, sizeof(policy)) == 0) {
		return 0;
	}
	return refused(&app_scheduler_kind, "-o", run->scheduler, run->options, error);
}

static int set_policy(struct socket *so, int option, const struct app_policy *policy,
                      const struct app_policy_kind *kind, const char *name, struct lab_error *error)
{
	struct sctp_cmt_policy value = {.size = sizeof(value), .assoc_id = SCTP_FUTURE_ASSOC};

	if (policy->name[0] == '\0') {
		return 0;
	}
	memcpy(value.name, policy->name, sizeof(value.name));
	memcpy(value.options, policy->options, sizeof(value.options));
	if (usrsctp_setsockopt(so, IPPROTO_SCTP, option, &value, sizeof(value)) == 0) {
		return 0;
	}
	return refused(kind, name, policy->name, policy->options, error);
}

static int subscribe(struct socket *so, struct lab_error *error)
{
	struct sctp_event event = {
	    .se_assoc_id = SCTP_FUTURE_ASSOC, .se_type = SCTP_ASSOC_CHANGE, .se_on = 1};

	return set(so, IPPROTO_SCTP, SCTP_EVENT, &event, sizeof(event), "SCTP_EVENT", error);
}

int lab_set_socket_options(struct socket *so, const struct lab_run *run, bool sender, struct lab_error *error)
{
	const struct lab_scenario *s = &run->scenario;

	if (set_scheduler(so, run, error) != 0 ||
	    set_policy(so, SCTP_CMT_CC, &run->cc, &app_cc_kind, "--cc", error) != 0 ||
	    set_policy(so, SCTP_CMT_RECOVERY, &run->recovery, &app_recovery_kind, "--recovery", error) != 0) {
		return -1;
	}
	if (!sender) {
		return set_int(so, SOL_SOCKET, SO_RCVBUF, s->rcvbuf_bytes, "SO_RCVBUF", error);
	}
	if (set_int(so, SOL_SOCKET, SO_SNDBUF, lab_sndbuf_bytes(s, run->only_path), "SO_SNDBUF", error) !=
	        0 ||
	    set_int(so, IPPROTO_SCTP, SCTP_NODELAY, 1, "SCTP_NODELAY", error) != 0 ||
	    subscribe(so, error) != 0) {
		return -1;
	}
	return 0;
}

int lab_set_encryption(struct socket *so, struct usrsctp_cmt_sim *sim, const struct lab_run *run, int host,
                       struct lab_error *error)
{
	if (!run->scenario.encrypted) {
		return 0;
	}
	if (sctp_dtls_nr_cipher_suites() == 0) {
		snprintf(error->text, sizeof(error->text),
		         "encrypt: \"yes\" is not possible with a library that was built without OpenSSL; "
		         "write no");
		return -1;
	}
	if (usrsctp_cmt_sim_protect(sim, so, host) != 0) {
		snprintf(error->text, sizeof(error->text), "encrypt: %s", strerror(errno));
		return -1;
	}
	return 0;
}

int lab_set_delay_error(struct socket *so, const struct lab_run *run, struct lab_error *error)
{
	struct sctp_assoc_value wrong = {.assoc_id = SCTP_CURRENT_ASSOC,
	                                 .assoc_value = (uint32_t)run->delay_error_pct};

	if (run->delay_error_pct == 0) {
		return 0;
	}
	return set(so, IPPROTO_SCTP, SCTP_CMT_DELAY_ERROR, &wrong, sizeof(wrong), "SCTP_CMT_DELAY_ERROR",
	           error);
}

int lab_set_path_uses(struct socket *so, const struct usrsctp_cmt_sim *sim, const struct lab_run *run,
                      struct lab_error *error)
{
	for (int p = 0; p < run->scenario.n_paths; p++) {
		const struct lab_path_use *use = &run->scenario.use[p];
		struct sctp_cmt_path path = {.size = sizeof(path),
		                             .assoc_id = SCTP_CURRENT_ASSOC,
		                             .backup = use->backup,
		                             .weight = (uint32_t)use->weight,
		                             .cost = (uint32_t)use->cost,
		                             .cap_bps = use->cap_bps};

		if ((run->only_path >= 0 && run->only_path != p) || strcmp(run->scheduler, LAB_STOCK) == 0 ||
		    (!use->backup && use->weight == 0 && use->cost == 0 && use->cap_bps == 0)) {
			continue;
		}
		if (usrsctp_cmt_sim_address(sim, 1, p, 0, &path.address) != 0 ||
		    set(so, IPPROTO_SCTP, SCTP_CMT_PATH, &path, sizeof(path), "SCTP_CMT_PATH", error) != 0) {
			return -1;
		}
	}
	return 0;
}
