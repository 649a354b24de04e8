/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/cmt_policy.h"
#include "api/cmt_assocs.h"
#include "api/cmt_registry.h"
#include "association/cmt_asoc.h"
#include "association/cmt_life.h"
#include "cc/cmt_cc.h"
#include "cmt_sched.h"
#include "paths/cmt_control.h"
#include "recovery/cmt_detect.h"

struct policy {
	const char *name, *options;
	const struct policy_kind *kind;
};

struct policy_kind {
	/* 0 or EINVAL; changes nothing. */
	int (*check)(const struct policy *p);
	/* After check(). 0 or an errno. */
	int (*apply)(struct cmt_asoc *ca, const struct policy *p);
	void (*set_default)(struct sctp_inpcb *inp, const struct policy *p);
	/* Of an association, or of those to come. */
	void (*get)(const struct cmt_asoc *ca, struct cmt_sockopt_policy *out);
	void (*get_default)(const struct sctp_inpcb *inp, struct cmt_sockopt_policy *out);
};

static void describe(struct cmt_sockopt_policy *out, const char *name, const char *options)
{
	snprintf(out->name, sizeof(out->name), "%s", name);
	snprintf(out->options, sizeof(out->options), "%s", options);
}

/* --- schedulers --- */

/* NULL: "stock", upstream's own path rotation. */
static const struct cmt_sched_ops *sched_of(const struct policy *p)
{
	return cmt_registry_find(p->name);
}

/* Tries the options on memory of their own, so that nothing changes when they are bad. */
static int check_sched(const struct policy *p)
{
	const struct cmt_sched_ops *sched = sched_of(p);
	uint64_t state[CMT_SCHED_STATE_MAX / sizeof(uint64_t)];

	if (sched == NULL && strcmp(p->name, "stock") != 0)
		return EINVAL;
	if (sched == NULL || sched->init == NULL)
		return p->options[0] == '\0' ? 0 : EINVAL;
	memset(state, 0, sizeof(state));
	return sched->init(state, p->options) == 0 ? 0 : EINVAL;
}

static int apply_sched(struct cmt_asoc *ca, const struct policy *p)
{
	const struct cmt_sched_ops *sched = sched_of(p);
	int error = cmt_asoc_set_sched(ca, sched, p->options);

	if (error == 0 && sched != NULL && ca->stcb->asoc.sctp_cmt_on_off == SCTP_CMT_OFF)
		ca->stcb->asoc.sctp_cmt_on_off = SCTP_CMT_BASE;
	return error;
}

static void set_default_sched(struct sctp_inpcb *inp, const struct policy *p)
{
	inp->cmt.sched = sched_of(p);
	snprintf(inp->cmt.options, sizeof(inp->cmt.options), "%s", p->options);
	if (inp->cmt.sched != NULL && inp->sctp_cmt_on_off == SCTP_CMT_OFF)
		inp->sctp_cmt_on_off = SCTP_CMT_BASE;
}

static void get_sched(const struct cmt_asoc *ca, struct cmt_sockopt_policy *out)
{
	describe(out, ca->config.sched != NULL ? ca->config.sched->name : "stock", ca->config.sched_options);
}

static void get_default_sched(const struct sctp_inpcb *inp, struct cmt_sockopt_policy *out)
{
	describe(out, inp->cmt.sched != NULL ? inp->cmt.sched->name : "stock", inp->cmt.options);
}

/* --- congestion control --- */

static int check_cc(const struct policy *p)
{
	struct cmt_cc cc = {.ops = NULL};

	if (strcmp(p->name, "stock") == 0)
		return p->options[0] == '\0' ? 0 : EINVAL;
	return cmt_cc_set(&cc, cmt_cc_find(p->name), p->options) == 0 ? 0 : EINVAL;
}

static int apply_cc(struct cmt_asoc *ca, const struct policy *p)
{
	return cmt_asoc_set_cc(ca, p->name, p->options);
}

static void set_default_cc(struct sctp_inpcb *inp, const struct policy *p)
{
	snprintf(inp->cmt.cc, sizeof(inp->cmt.cc), "%s", p->name);
	snprintf(inp->cmt.cc_options, sizeof(inp->cmt.cc_options), "%s", p->options);
}

static void get_cc(const struct cmt_asoc *ca, struct cmt_sockopt_policy *out)
{
	describe(out, ca->config.cc != NULL ? ca->config.cc->name : "stock", ca->config.cc_options);
}

static void get_default_cc(const struct sctp_inpcb *inp, struct cmt_sockopt_policy *out)
{
	describe(out, inp->cmt.cc[0] != '\0' ? inp->cmt.cc : cmt_cc_builtin(0)->name, inp->cmt.cc_options);
}

/* --- detectors of spurious losses --- */

static int check_recovery(const struct policy *p)
{
	return cmt_recovery_policy_find(p->name) != NULL && p->options[0] == '\0' ? 0 : EINVAL;
}

static int apply_recovery(struct cmt_asoc *ca, const struct policy *p)
{
	ca->config.recovery = cmt_recovery_policy_find(p->name);
	return 0;
}

static void set_default_recovery(struct sctp_inpcb *inp, const struct policy *p)
{
	inp->cmt.recovery = cmt_recovery_policy_find(p->name);
}

static void get_recovery(const struct cmt_asoc *ca, struct cmt_sockopt_policy *out)
{
	describe(out, ca->config.recovery->name, "");
}

static void get_default_recovery(const struct sctp_inpcb *inp, struct cmt_sockopt_policy *out)
{
	describe(out, (inp->cmt.recovery != NULL ? inp->cmt.recovery : cmt_recovery_policy(0))->name, "");
}

static const struct policy_kind *kind_of(enum cmt_sockopt_policy_kind kind)
{
	static const struct policy_kind kinds[] = {
	    [CMT_POLICY_SCHEDULER] = {check_sched, apply_sched, set_default_sched, get_sched,
	                              get_default_sched},
	    [CMT_POLICY_CC] = {check_cc, apply_cc, set_default_cc, get_cc, get_default_cc},
	    [CMT_POLICY_RECOVERY] = {check_recovery, apply_recovery, set_default_recovery, get_recovery,
	                             get_default_recovery},
	};

	return &kinds[kind];
}

static int apply(struct cmt_asoc *ca, void *arg)
{
	const struct policy *p = arg;

	return p->kind->apply(ca, p);
}

static void set_default(struct sctp_inpcb *inp, const struct policy *p)
{
	SCTP_INP_WLOCK(inp);
	p->kind->set_default(inp, p);
	SCTP_INP_WUNLOCK(inp);
}

int cmt_sockopt_set_policy(struct socket *so, enum cmt_sockopt_policy_kind kind, uint32_t assoc_id,
                           const char *name, const char *options)
{
	struct sctp_inpcb *inp = (struct sctp_inpcb *)so->so_pcb;
	struct policy p = {.name = name, .options = options, .kind = kind_of(kind)};
	int error = inp == NULL ? EINVAL : p.kind->check(&p);

	if (error != 0)
		return error;
	if (cmt_is_one_to_one(inp)) {
		error = cmt_with_assoc(inp, assoc_id, apply, &p);
		if (error == 0 || error == ENOENT)
			set_default(inp, &p);
		return error == ENOENT ? 0 : error;
	}
	if (assoc_id > SCTP_ALL_ASSOC)
		return cmt_with_assoc(inp, assoc_id, apply, &p);
	if (assoc_id == SCTP_CURRENT_ASSOC || assoc_id == SCTP_ALL_ASSOC)
		error = cmt_with_all_assocs(inp, apply, &p);
	if (error == 0 && (assoc_id == SCTP_FUTURE_ASSOC || assoc_id == SCTP_ALL_ASSOC))
		set_default(inp, &p);
	return error;
}

struct copy {
	const struct policy_kind *kind;
	struct cmt_sockopt_policy *out;
};

static int copy(struct cmt_asoc *ca, void *arg)
{
	const struct copy *c = arg;

	c->kind->get(ca, c->out);
	return 0;
}

int cmt_sockopt_get_policy(struct socket *so, enum cmt_sockopt_policy_kind kind, uint32_t assoc_id,
                           struct cmt_sockopt_policy *out)
{
	struct sctp_inpcb *inp = (struct sctp_inpcb *)so->so_pcb;
	struct copy c = {.kind = kind_of(kind), .out = out};
	int error;

	if (inp == NULL)
		return EINVAL;
	error = cmt_with_assoc(inp, assoc_id, copy, &c);
	if (error != ENOENT)
		return error;
	SCTP_INP_RLOCK(inp);
	c.kind->get_default(inp, out);
	SCTP_INP_RUNLOCK(inp);
	return 0;
}
