/* SPDX-License-Identifier: BSD-3-Clause
 *
 * key_log.h - --keylog: the keys of all connections in a file, for Wireshark (docs/wireshark.md). One per
 * process. */
#ifndef APP_KEY_LOG_H
#define APP_KEY_LOG_H

#include "text/message.h"

/* Opens `file`, mode 0600 where it is new, appends to what is there, and says on standard error that traffic
 * can be read with it. 0, or -1 with the reason. */
int app_key_log_open(const char *program, const char *file, struct app_error *error);

/* Where none is open nothing happens. */
void app_key_log_close(void);

#endif
