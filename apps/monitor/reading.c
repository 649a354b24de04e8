/* SPDX-License-Identifier: BSD-3-Clause */
#include "reading.h"

#include <string.h>

static uint32_t option_bytes(struct socket *so, int option)
{
	int value = 0;
	socklen_t len = sizeof(value);

	return usrsctp_getsockopt(so, SOL_SOCKET, option, &value, &len) == 0 && value > 0 ? (uint32_t)value
	                                                                                  : 0;
}

bool monitor_read(struct socket *so, uint64_t now_us, struct monitor_reading *out)
{
	struct monitor_reading r = {.at_us = now_us};
	struct sctp_status status;
	socklen_t len = sizeof(status);

	app_assoc_stats_read(so, &r.stats);
	if (r.stats.n_paths == 0) {
		return false;
	}
	memset(&status, 0, sizeof(status));
	if (usrsctp_getsockopt(so, IPPROTO_SCTP, SCTP_STATUS, &status, &len) == 0) {
		r.peer_window_bytes = status.sstat_rwnd;
	}
	r.send_buffer_bytes = option_bytes(so, SO_SNDBUF);
	r.receive_buffer_bytes = option_bytes(so, SO_RCVBUF);
	*out = r;
	return true;
}

const struct sctp_cmt_path_stats *monitor_path(const struct monitor_reading *r, uint16_t path_id)
{
	for (size_t i = 0; i < r->stats.n_paths; i++) {
		if (r->stats.paths[i].path_id == path_id) {
			return &r->stats.paths[i];
		}
	}
	return NULL;
}

static bool has_moved(const struct monitor_reading *before, const struct monitor_reading *now)
{
	for (size_t i = 0; i < now->stats.n_paths; i++) {
		const struct sctp_cmt_path_stats *const path = &now->stats.paths[i];
		const struct sctp_cmt_path_stats *const then = monitor_path(before, path->path_id);

		if (then != NULL && (path->acked_bytes != then->acked_bytes ||
		                     path->received_bytes != then->received_bytes)) {
			return true;
		}
	}
	/* Acknowledgements are not counted by path where upstream itself rotates. */
	return strcmp(now->stats.all.scheduler, "stock") == 0 &&
	       now->stats.all.send_queue_bytes != before->stats.all.send_queue_bytes;
}

void monitor_carry_since(const struct monitor_reading *before, struct monitor_reading *now)
{
	for (size_t i = 0; i < now->stats.n_paths; i++) {
		const struct sctp_cmt_path_stats *const path = &now->stats.paths[i];
		const struct sctp_cmt_path_stats *const then = monitor_path(before, path->path_id);

		now->since_us[i] =
		    then != NULL && then->state == path->state && then->failures == path->failures
		        ? before->since_us[then - before->stats.paths]
		        : now->at_us;
	}
	now->moved_us = before->at_us == 0 || has_moved(before, now) ||
	                        !(now->waits || now->stats.all.send_queue_bytes > 0)
	                    ? now->at_us
	                    : before->moved_us;
}

static bool carries_data(const struct monitor_reading *r)
{
	bool any = false;

	for (size_t i = 0; i < r->stats.n_paths; i++) {
		any = any || r->stats.paths[i].state == SCTP_CMT_PATH_ACTIVE;
	}
	return any;
}

uint64_t monitor_stalled_us(const struct monitor_reading *r, uint64_t now_us)
{
	const uint64_t us = r->at_us != 0 ? now_us - r->moved_us : 0;

	return us >= MONITOR_STALLED_US || !carries_data(r) ? us : 0;
}

static uint64_t more(uint64_t now, uint64_t then)
{
	return now > then ? now - then : 0;
}

static double bps(uint64_t bytes, const struct monitor_reading *before, const struct monitor_reading *now)
{
	return (double)bytes * 8e6 / (double)(now->at_us - before->at_us);
}

/* Of a path that was not there before, everything is new. */
struct path_bytes {
	uint64_t acked, received, sent, lost;
};

static struct path_bytes path_bytes(const struct monitor_reading *before,
                                    const struct sctp_cmt_path_stats *now)
{
	static const struct sctp_cmt_path_stats none;
	const struct sctp_cmt_path_stats *const found = monitor_path(before, now->path_id);
	const struct sctp_cmt_path_stats *const then = found != NULL ? found : &none;

	return (struct path_bytes){.acked = more(now->acked_bytes, then->acked_bytes),
	                           .received = more(now->received_bytes, then->received_bytes),
	                           .sent = more(now->sent_bytes, then->sent_bytes),
	                           .lost = more(now->lost_bytes, then->lost_bytes)};
}

static double loss_of(const struct path_bytes *b)
{
	/* Losses are found later than they happen. */
	return b->lost >= b->sent ? b->lost > 0 : (double)b->lost / (double)b->sent;
}

static struct path_bytes all_bytes(const struct monitor_reading *before, const struct monitor_reading *now)
{
	struct path_bytes sum = {.acked = 0};

	for (size_t i = 0; i < now->stats.n_paths; i++) {
		const struct path_bytes b = path_bytes(before, &now->stats.paths[i]);

		sum.acked += b.acked;
		sum.received += b.received;
		sum.sent += b.sent;
		sum.lost += b.lost;
	}
	return sum;
}

static uint64_t moved(const struct path_bytes *b)
{
	return b->sent + b->received;
}

static struct monitor_change change_of(const struct path_bytes *b, const struct path_bytes *all,
                                       const struct monitor_reading *before,
                                       const struct monitor_reading *now)
{
	return (struct monitor_change){.send_bps = bps(b->acked, before, now),
	                               .receive_bps = bps(b->received, before, now),
	                               .share = moved(all) > 0 ? (double)moved(b) / (double)moved(all) : 0,
	                               .loss = loss_of(b)};
}

static bool are_two(const struct monitor_reading *before, const struct monitor_reading *now)
{
	return before->at_us != 0 && now->at_us > before->at_us;
}

struct monitor_change monitor_path_change(const struct monitor_reading *before,
                                          const struct monitor_reading *now, size_t path)
{
	struct path_bytes all, b;

	if (!are_two(before, now)) {
		return (struct monitor_change){.loss = 0};
	}
	all = all_bytes(before, now);
	b = path_bytes(before, &now->stats.paths[path]);
	return change_of(&b, &all, before, now);
}

struct monitor_change monitor_assoc_change(const struct monitor_reading *before,
                                           const struct monitor_reading *now)
{
	struct path_bytes all;

	if (!are_two(before, now)) {
		return (struct monitor_change){.loss = 0};
	}
	all = all_bytes(before, now);
	return change_of(&all, &all, before, now);
}

static void events_of_path(const struct sctp_cmt_path_stats *then, const struct sctp_cmt_path_stats *now,
                           monitor_event_fn *fn, void *arg)
{
	/* It may have failed and come back since. */
	const bool failed = now->failures > then->failures ||
	                    (now->state == SCTP_CMT_PATH_FAILED && then->state != SCTP_CMT_PATH_FAILED);
	const bool changed = failed || now->state != then->state;

	if (failed) {
		fn(MONITOR_PATH_FAILED, now, arg);
	}
	if (!changed) {
		return;
	}
	switch ((enum sctp_cmt_path_state)now->state) {
	case SCTP_CMT_PATH_UNCONFIRMED:
	case SCTP_CMT_PATH_FAILED: break;
	case SCTP_CMT_PATH_ACTIVE:
		/* That a new address answers is nothing to tell of. */
		if (failed || then->state != SCTP_CMT_PATH_UNCONFIRMED) {
			fn(MONITOR_PATH_BACK, now, arg);
		}
		break;
	case SCTP_CMT_PATH_STANDBY:
		if (failed || then->state != SCTP_CMT_PATH_UNCONFIRMED) {
			fn(MONITOR_PATH_STANDBY, now, arg);
		}
		break;
	}
}

void monitor_events_between(const struct monitor_reading *before, const struct monitor_reading *now,
                            monitor_event_fn *fn, void *arg)
{
	for (size_t i = 0; i < before->stats.n_paths; i++) {
		if (monitor_path(now, before->stats.paths[i].path_id) == NULL) {
			fn(MONITOR_PATH_REMOVED, &before->stats.paths[i], arg);
		}
	}
	for (size_t i = 0; i < now->stats.n_paths; i++) {
		const struct sctp_cmt_path_stats *const path = &now->stats.paths[i];
		const struct sctp_cmt_path_stats *const then = monitor_path(before, path->path_id);

		if (then != NULL) {
			events_of_path(then, path, fn, arg);
		} else if (before->at_us != 0) {
			fn(MONITOR_PATH_ADDED, path, arg);
		} else if (path->state == SCTP_CMT_PATH_FAILED) {
			fn(MONITOR_PATH_FAILED, path, arg);
		}
	}
}
