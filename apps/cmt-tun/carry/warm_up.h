/* SPDX-License-Identifier: BSD-3-Clause
 *
 * warm_up.h - what a path carries is measured before it is needed: of the first two packets that a busy host
 * sends there one may be late, which makes the path look thin, and then nothing is sent there.
 *
 * When a path begins, about 100 kB that mean nothing go round robin over all paths, whatever the scheduler
 * thinks of them. It also lets packet sizes be found. */
#ifndef TUN_WARM_UP_H
#define TUN_WARM_UP_H

#include <event2/event.h>
#include <usrsctp_cmt_event.h>

struct tun_warm_up {
	struct usrsctp_cmt_conn *conn;
	struct event *timer;              /* NULL: nothing is sent */
	struct sctp_cmt_policy scheduler; /* that the association has otherwise */
};

/* Without memory nothing is warmed up. tun_warm_up_end() comes before the connection is freed. */
void tun_warm_up_init(struct tun_warm_up *w, struct event_base *base, struct usrsctp_cmt_conn *conn);
void tun_warm_up_end(struct tun_warm_up *w);

/* A path has begun; the connection is up. */
void tun_warm_up(struct tun_warm_up *w);

#endif
