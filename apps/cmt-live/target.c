/* SPDX-License-Identifier: BSD-3-Clause */
#include "target.h"

static uint64_t of_datagrams(uint64_t bps, const struct target_share *share)
{
	const double part =
	    share->message_bytes > 0 ? (double)share->datagram_bytes / (double)share->message_bytes : 1;

	return (uint64_t)((double)bps * part);
}

struct live_target live_target_of(const struct usrsctp_cmt_capacity_change *change,
                                  const struct target_share *share)
{
	const struct sctp_cmt_capacity *const c = &change->capacity;
	const enum sctp_cmt_certainty certainty = (enum sctp_cmt_certainty)c->certainty;

	return (struct live_target){
	    .target_bps = of_datagrams(c->target_bps, share),
	    .carried_bps = of_datagrams(c->carried_bps, share),
	    .limit_bps = certainty == SCTP_CMT_CAPACITY_MEASURED ? of_datagrams(c->limit_bps, share) : 0,
	    .direction = change->direction,
	    .certainty = certainty,
	    .latency_ms = c->latency_us / 1000};
}

static const char *certainty_name(enum sctp_cmt_certainty certainty)
{
	switch (certainty) {
	case SCTP_CMT_CAPACITY_UNKNOWN: break;
	case SCTP_CMT_CAPACITY_PROBING: return "probing";
	case SCTP_CMT_CAPACITY_MEASURED: return "measured";
	}
	return "unknown";
}

static const char *direction_name(int direction)
{
	return direction > 0 ? "up" : direction < 0 ? "down" : "same";
}

json_t *live_target_json(const struct live_target *t)
{
	return json_pack("{s:I, s:s, s:s, s:I, s:o, s:I}", "target_bps", (json_int_t)t->target_bps,
	                 "direction", direction_name(t->direction), "certainty", certainty_name(t->certainty),
	                 "carried_bps", (json_int_t)t->carried_bps, "limit_bps",
	                 t->limit_bps > 0 ? json_integer((json_int_t)t->limit_bps) : json_null(),
	                 "latency_ms", (json_int_t)t->latency_ms);
}
