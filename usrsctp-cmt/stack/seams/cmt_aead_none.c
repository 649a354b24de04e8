/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_aead_none.c - built without OpenSSL (-DCMT_OPENSSL=OFF): no AEAD, so nobody agrees on the DTLS chunk.
 */
#include "crypto/cmt_aead.h"

const struct cmt_aead *cmt_aead_at(unsigned i)
{
	(void)i;
	return NULL;
}

const struct cmt_aead *cmt_aead_find(uint16_t suite)
{
	(void)suite;
	return NULL;
}
