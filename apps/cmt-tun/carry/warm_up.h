/* SPDX-License-Identifier: BSD-3-Clause
 *
 * warm_up.h - what a path carries is measured before it is needed: little packets, as those of handshakes and
 * signs of life, make it look slow, and then nothing is sent there. */
#ifndef TUN_WARM_UP_H
#define TUN_WARM_UP_H

#include <usrsctp_cmt_event.h>

/* A path has begun: sends what means nothing, about 100 kB, as far as there is room. It also lets packet
 * sizes be found. */
void tun_warm_up(struct usrsctp_cmt_conn *conn);

#endif
