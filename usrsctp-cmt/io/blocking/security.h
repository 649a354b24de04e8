/* SPDX-License-Identifier: BSD-3-Clause
 *
 * security.h - the keys of a connection, or of a listener and all that it has accepted. */
#ifndef CMT_BLOCKING_SECURITY_H
#define CMT_BLOCKING_SECURITY_H

#include <stdbool.h>

#include <usrsctp_cmt_blocking.h>

struct blk_security; /* counted; the count is the loop's thread's, once it is in use */

/* *out is NULL with `insecure`. 0, or -errno with the reason. By any thread. */
int blk_security_new(struct blk_security **out, const struct cmt_config *config, bool listens);

/* NULL: nothing happens, NULL. */
struct blk_security *blk_security_retain(struct blk_security *s);
void blk_security_release(struct blk_security *s);
struct usrsctp_cmt_keys *blk_security_keys(const struct blk_security *s);

#endif
