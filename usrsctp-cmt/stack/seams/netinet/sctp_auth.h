/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Shadows upstream's header of the same name. Our chunks travel with DATA and SACK, so the file that sends
 * those (built with CMT_SENDS_CHUNKS) asks for both whether AUTH has to stand in front. Upstream's question
 * is a macro: only a later definition takes its place. No include guard: upstream's own serves, and the
 * redefinition may be repeated. */
#include_next <netinet/sctp_auth.h>

#ifdef SCTP_CMT
int cmt_auth_is_required_chunk(uint8_t chunk, sctp_auth_chklist_t *list);
#ifdef CMT_SENDS_CHUNKS
#undef sctp_auth_is_required_chunk
#define sctp_auth_is_required_chunk(chunk, list) cmt_auth_is_required_chunk(chunk, list)
#endif
#endif
