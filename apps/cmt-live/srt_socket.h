/* SPDX-License-Identifier: BSD-3-Clause
 *
 * srt_socket.h - sockets of libsrt, non-blocking, with what an endpoint says of them. For srt_pipe.c, in a
 * build with libsrt. Any thread. */
#ifndef LIVE_SRT_SOCKET_H
#define LIVE_SRT_SOCKET_H

#include <srt/srt.h>

#include "srt_url.h"

#define SRT_SOCKET_MAX_BYTES 1456 /* of a datagram, in SRT's live mode */

/* 0, or -1 with the reason; srt_socket_end() after the last socket. */
int srt_socket_begin(struct app_error *error);
void srt_socket_end(void);

/* Listening, or calling, at `address`. The one that calls is connected when it becomes writable.
 * SRT_INVALID_SOCK with the reason. */
SRTSOCKET srt_socket_listen(const struct srt_url *url, const struct sockaddr_storage *address,
                            srt_listen_callback_fn *admit, void *arg, struct app_error *error);
SRTSOCKET srt_socket_call(const struct srt_url *url, const struct sockaddr_storage *address,
                          struct app_error *error);

#endif
