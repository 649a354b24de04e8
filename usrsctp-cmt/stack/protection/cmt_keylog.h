/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_keylog.h - keys told to who wants to read captures (usrsctp_cmt_dtls_keylog()). */
#ifndef CMT_KEYLOG_H
#define CMT_KEYLOG_H

#include <stdint.h>

struct cmt_key_material;

/* Keys of packets with this verification tag. */
void cmt_keylog_write(uint32_t verification_tag, const struct cmt_key_material *keys);

#endif
