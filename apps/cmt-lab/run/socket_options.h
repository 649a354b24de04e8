/* SPDX-License-Identifier: BSD-3-Clause
 *
 * socket_options.h - what a run asks of its sockets. */
#ifndef LAB_SOCKET_OPTIONS_H
#define LAB_SOCKET_OPTIONS_H

#include <stdbool.h>

#include "setup/lab_run.h"

struct socket;

/* Before bind, connect and listen: buffers, no Nagle delay, notifications, scheduler. 0, or -1 with the
 * reason. */
int lab_set_socket_options(struct socket *so, const struct lab_run *run, bool sender,
                           struct lab_error *error);

/* Before bind: of `host`, insists on encryption where the run is encrypted. 0, or -1 with the reason. */
int lab_set_encryption(struct socket *so, struct usrsctp_cmt_sim *sim, const struct lab_run *run, int host,
                       struct lab_error *error);

/* Falsifies the delay estimates as the run asks; the association must be up. 0, or -1 with the reason. */
int lab_set_delay_error(struct socket *so, const struct lab_run *run, struct lab_error *error);

/* Tells the stack how the paths to host 1 are to be used; the association must be up and have all its paths.
 * 0, or -1 with the reason. */
int lab_set_path_uses(struct socket *so, const struct usrsctp_cmt_sim *sim, const struct lab_run *run,
                      struct lab_error *error);

#endif
