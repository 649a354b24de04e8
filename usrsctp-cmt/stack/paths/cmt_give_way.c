/* SPDX-License-Identifier: BSD-3-Clause */
#include "paths/cmt_give_way.h"
#include "cmt_hooks.h"
#include "paths/cmt_failover.h"
#include "paths/cmt_tuple.h"
#include "util/cmt_serial.h"

enum { SILENT_MS = 2000 };

/* When it was opened or heard last; 0: long ago. */
static uint32_t newest_ms(const struct sctp_nets *net)
{
	const uint32_t heard_ms = net->cmt_tuple.heard_ms, opened_ms = net->cmt_tuple.opened_ms;

	return opened_ms == 0 || (heard_ms != 0 && cmt_serial_gt(heard_ms, opened_ms)) ? heard_ms : opened_ms;
}

static uint32_t silence_ms(const struct sctp_nets *net)
{
	return newest_ms(net) == 0 ? UINT32_MAX : cmt_tuple_now_ms() - newest_ms(net);
}

static bool has_failed(const struct sctp_nets *net)
{
	return cmt_tuple_is_confirmed(net) && !cmt_path_is_active(net);
}

static bool is_more_dead(const struct sctp_nets *a, const struct sctp_nets *b)
{
	return has_failed(a) != has_failed(b) ? has_failed(a) : silence_ms(a) > silence_ms(b);
}

void cmt_give_way(struct cmt_asoc *ca, const struct sctp_nets *begun)
{
	struct sctp_nets *dead = NULL, *net;
	unsigned n = begun == NULL ? 1 : 0;

	TAILQ_FOREACH(net, &ca->stcb->asoc.nets, sctp_next)
	{
		if (cmt_tuple_is_candidate(net))
			continue;
		n++;
		if (net != begun && (has_failed(net) || silence_ms(net) > SILENT_MS) &&
		    (dead == NULL || is_more_dead(net, dead)))
			dead = net;
	}
	if (n > CMT_SCHED_MAX_PATHS && dead != NULL)
		sctp_remove_net(ca->stcb, dead);
}
