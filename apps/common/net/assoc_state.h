/* SPDX-License-Identifier: BSD-3-Clause
 *
 * assoc_state.h - what an association waits for, for whoever meets one that stands still. */
#ifndef APP_ASSOC_STATE_H
#define APP_ASSOC_STATE_H

#include <usrsctp_cmt.h>

/* Says a sentence about queues and windows, and one about each path: state, what is under way, losses. */
void app_assoc_state_say(struct socket *so, void (*say)(const char *text, void *arg), void *arg);

#endif
