/* SPDX-License-Identifier: BSD-3-Clause */
#include "carry/warm_up.h"

#include <stdio.h>
#include <string.h>

#include "loop/loop_events.h"
#include "tun_message.h"

#define MESSAGE_BYTES 1200u
#define MESSAGES      80u
#define LIFETIME_MS   300u
#define LASTS_US      300000u

static int set_scheduler(const struct tun_warm_up *w, const struct sctp_cmt_policy *policy)
{
	return usrsctp_setsockopt(usrsctp_cmt_conn_socket(w->conn), IPPROTO_SCTP, SCTP_CMT_SCHEDULER, policy,
	                          (socklen_t)policy->size);
}

static void on_timer(evutil_socket_t fd, short what, void *arg)
{
	const struct tun_warm_up *const w = arg;

	(void)fd;
	(void)what;
	(void)set_scheduler(w, &w->scheduler);
}

void tun_warm_up_init(struct tun_warm_up *w, struct event_base *base, struct usrsctp_cmt_conn *conn)
{
	*w = (struct tun_warm_up){.conn = conn, .timer = evtimer_new(base, on_timer, w)};
}

void tun_warm_up_end(struct tun_warm_up *w)
{
	app_event_free(w->timer);
	w->timer = NULL;
}

/* A rotation of the paths that goes by no rate. */
static void begin(struct tun_warm_up *w)
{
	struct sctp_cmt_policy rotation = {.size = sizeof(rotation), .name = "rr"};
	socklen_t len = sizeof(w->scheduler);

	if (event_pending(w->timer, EV_TIMEOUT, NULL)) {
		return;
	}
	w->scheduler = (struct sctp_cmt_policy){.size = sizeof(w->scheduler)};
	if (usrsctp_getsockopt(usrsctp_cmt_conn_socket(w->conn), IPPROTO_SCTP, SCTP_CMT_SCHEDULER,
	                       &w->scheduler, &len) == 0 &&
	    strcmp(w->scheduler.name, "stock") != 0 && app_timer_start(w->timer, LASTS_US) == 0) {
		(void)set_scheduler(w, &rotation);
	}
}

void tun_warm_up(struct tun_warm_up *w)
{
	static const uint8_t nothing[MESSAGE_BYTES];
	const struct usrsctp_cmt_message header = {
	    .flags = USRSCTP_CMT_MESSAGE_UNORDERED, .ppid = TUN_PPID_PADDING, .lifetime_ms = LIFETIME_MS};

	if (w->timer == NULL) {
		return;
	}
	begin(w);
	for (unsigned i = 0; i < MESSAGES; i++) {
		if (usrsctp_cmt_conn_write(w->conn, nothing, sizeof(nothing), &header) != 0) {
			return;
		}
	}
}
