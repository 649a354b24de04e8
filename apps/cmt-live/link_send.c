/* SPDX-License-Identifier: BSD-3-Clause */
#include "link_parts.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "loop/wall_clock.h"
#include "repair_code.h"
#include "text/units.h"

#define RECOVERY_ROUNDS 3u
#define RECOVERY_MAX_US 1500000u

static uint32_t larger(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

void link_say(struct link *l, const char *text)
{
	if ((!l->options->quiet || l->options->host != NULL) && strcmp(l->said, text) != 0) {
		live_say(l->options, "%s", text);
	}
	(void)snprintf(l->said, sizeof(l->said), "%s", text);
}

void link_tell_host(const struct link *l, bool up)
{
	if (l->options->host != NULL) {
		l->options->host->on_connection(up, l->options->host->arg);
	}
}

static uint64_t abandoned_now(struct link *l)
{
	struct sctp_prstatus status = {.sprstat_policy = SCTP_PR_SCTP_TTL};
	socklen_t len = sizeof(status);

	if (l->conn == NULL || usrsctp_getsockopt(usrsctp_cmt_conn_socket(l->conn), IPPROTO_SCTP,
	                                          SCTP_PR_ASSOC_STATUS, &status, &len) != 0) {
		return 0;
	}
	l->stats.abandoned_unsent = status.sprstat_abandoned_unsent;
	return status.sprstat_abandoned_unsent + status.sprstat_abandoned_sent;
}

const struct link_stats *link_stats(struct link *l)
{
	if (l->conn != NULL && l->up) {
		const uint64_t abandoned = l->abandoned_before + abandoned_now(l);

		/* Each side tells the other twice a second that it is alive. */
		monitor_watch_look(&l->stats.watch, usrsctp_cmt_conn_socket(l->conn), l->ready,
		                   app_wall_clock_us());
		l->stats.abandoned = abandoned > l->stats.abandoned ? abandoned : l->stats.abandoned;
	}
	return &l->stats;
}

char *link_state(const struct link *l, char out[LINK_STATE_BYTES])
{
	const uint64_t stalled_us = monitor_watch_stalled_us(&l->stats.watch);
	char time[40];

	if (!link_is_ready(l)) {
		snprintf(out, LINK_STATE_BYTES, "no connection");
	} else if (stalled_us > 0) {
		snprintf(out, LINK_STATE_BYTES, "stalled for %s",
		         app_format_duration(stalled_us, time, sizeof(time)));
	} else {
		snprintf(out, LINK_STATE_BYTES, "up");
	}
	return out;
}

char *link_paths(const struct link *l, char out[MONITOR_WATCH_TEXT_BYTES])
{
	out[0] = '\0';
	return link_is_ready(l) ? monitor_watch_text(&l->stats.watch, out) : out;
}

bool link_is_ready(const struct link *l)
{
	return l->ready && !l->finishing;
}

bool link_is_connected(const struct link *l)
{
	return l->conn != NULL;
}

uint32_t link_latency_ms(const struct link *l)
{
	return l->latency_ms;
}

bool link_repairs(const struct link *l)
{
	return l->ready && l->repairs;
}

bool link_wants_repair(const struct link *l)
{
	return l->options->repair && repair_code_available();
}

static int write_message(struct link *l, const void *bytes, size_t len,
                         const struct usrsctp_cmt_message *message)
{
	if (l->conn == NULL) {
		return -1;
	}
	if (usrsctp_cmt_conn_write(l->conn, bytes, len, message) == 0) {
		return 1;
	}
	return errno == EAGAIN ? 0 : -1;
}

/* SCTP must live to see that a chunk is lost, send it again and hear of that: what is given up before, it can
 * only pass by FORWARD-TSN, one gap for each round trip, and then stands still at some percents of loss. */
static uint32_t recovery_ms(const struct link *l)
{
	const struct app_assoc_stats *const stats = &l->stats.watch.now.stats;
	uint32_t srtt_us = 0;

	for (size_t i = 0; i < stats->n_paths; i++) {
		if (stats->paths[i].state == SCTP_CMT_PATH_ACTIVE) {
			srtt_us = larger(srtt_us, stats->paths[i].srtt_us);
		}
	}
	srtt_us = srtt_us < RECOVERY_MAX_US / RECOVERY_ROUNDS ? srtt_us : RECOVERY_MAX_US / RECOVERY_ROUNDS;
	return RECOVERY_ROUNDS * srtt_us / 1000;
}

int link_send(struct link *l, const void *bytes, size_t len, uint32_t lifetime_ms)
{
	const struct usrsctp_cmt_message message = {.flags = USRSCTP_CMT_MESSAGE_UNORDERED,
	                                            .ppid = LIVE_PPID,
	                                            .lifetime_ms =
	                                                larger(larger(lifetime_ms, recovery_ms(l)), 1)};

	return write_message(l, bytes, len, &message);
}

int link_send_control(struct link *l, const struct live_message *control)
{
	const struct usrsctp_cmt_message message = {.ppid = LIVE_PPID};
	uint8_t bytes[LIVE_MAX_CONTROL_BYTES];

	return write_message(l, bytes, live_message_encode(control, bytes), &message);
}

int link_finish(struct link *l, uint32_t seq)
{
	const int sent = link_send_control(l, &(struct live_message){.type = LIVE_END, .seq = seq});

	if (sent == 1) {
		(void)link_stats(l);
		l->finishing = true;
		l->since_us = app_wall_clock_us();
		(void)usrsctp_cmt_conn_shutdown(l->conn);
	}
	return sent;
}

void link_drop(struct link *l, bool at_once)
{
	(void)link_stats(l);
	l->abandoned_before = l->stats.abandoned;
	monitor_remove(l->monitor, l->conn);
	if (at_once) {
		usrsctp_cmt_conn_abort(l->conn);
	} else {
		usrsctp_cmt_conn_free(l->conn);
	}
	l->conn = NULL;
	l->up = l->ready = l->finishing = l->ended = l->stats.told = false;
	l->filled = 0;
	l->since_us = app_wall_clock_us();
	l->call_us = l->since_us + LINK_RETRY_US;
}

void link_go_down(struct link *l, bool at_once, bool finished)
{
	const bool was_ready = l->ready;

	if (l->conn == NULL) {
		return;
	}
	link_drop(l, at_once);
	if (was_ready) {
		link_tell_host(l, false);
		l->events.on_down(finished, l->events.arg);
	}
}

void link_close(struct link *l)
{
	link_go_down(l, false, false);
}

void link_refuse(struct link *l, const char *why)
{
	struct live_message message = {.type = LIVE_REFUSE};

	(void)snprintf(message.text, sizeof(message.text), "%s", why);
	(void)link_send_control(l, &message);
	link_say(l, why);
	link_go_down(l, false, false);
}

void link_load(const struct link *l, size_t *unsent_bytes, uint64_t *rate_bps)
{
	struct app_assoc_stats stats = {.n_paths = 0};

	*rate_bps = 0;
	*unsent_bytes = 0;
	if (l->conn == NULL) {
		return;
	}
	app_assoc_stats_read(usrsctp_cmt_conn_socket(l->conn), &stats);
	for (size_t i = 0; i < stats.n_paths; i++) {
		*rate_bps += stats.paths[i].state == SCTP_CMT_PATH_ACTIVE ? stats.paths[i].rate_bps : 0;
	}
	*unsent_bytes = (size_t)stats.all.unsent_bytes;
}

void link_tell_needed(struct link *l, uint64_t rate_bps, uint64_t in_us, uint64_t now_us)
{
	if (l->conn != NULL) {
		app_path_needs_tell(&l->needs, &l->options->transport.metered,
		                    usrsctp_cmt_conn_socket(l->conn), rate_bps, in_us, now_us);
	}
}
