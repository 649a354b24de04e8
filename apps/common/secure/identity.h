/* SPDX-License-Identifier: BSD-3-Clause
 *
 * identity.h - who a program is when nobody has given it a certificate: a key that it makes once and keeps in
 * $XDG_CONFIG_HOME/usrsctp-cmt/identity.pem, private key and certificate, for all programs of the same user.
 */
#ifndef APP_IDENTITY_H
#define APP_IDENTITY_H

#include <limits.h>

#include "text/message.h"

struct app_identity {
	char file[PATH_MAX];        /* "" = none is kept: one has to be made for this run */
	struct app_error forgotten; /* why none is kept */
};

/* Finds it, or makes it. 0; or -1 with the reason: it is there and cannot be used, or others can read it. */
int app_identity_open(struct app_identity *out, struct app_error *error);

#endif
