/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_last_word.h - SHUTDOWN-COMPLETEs of protected associations, as they left.
 *
 * Who has sent one forgets the association. When it is lost, the peer repeats its SHUTDOWN-ACK, and RFC 9260,
 * section 8.4, has a host that knows nothing of it answer anew; but there are no keys any more, and nothing
 * in the clear is believed. So the packet is kept, and sent again as it is: the peer, which still waits for
 * it, has not seen its number. Memory is bounded; the oldest is forgotten first. Back ends have one thread.
 */
#ifndef CMT_LAST_WORD_H
#define CMT_LAST_WORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A packet of at most CMT_LAST_WORD_BYTES, and the tag that the peer's packets have; longer ones are not
 * kept. */
#define CMT_LAST_WORD_BYTES 64
void cmt_last_word_keep(uint32_t own_tag, const void *packet, size_t bytes);

/* That to a packet of the peer's, which has our tag and ports; NULL. */
const void *cmt_last_word_find(const void *packet, size_t *bytes);

bool cmt_last_word_any(void);

/* The stack ends. */
void cmt_last_word_forget(void);

#endif
