/* SPDX-License-Identifier: BSD-3-Clause */
#include "protection/cmt_last_word.h"

#include <string.h>

#include <netinet/sctp_os.h>
#include <netinet/sctp.h>

enum { KEPT_MAX = 256 };

static struct last_word {
	uint32_t own_tag; /* 0 = free */
	uint32_t bytes;
	uint8_t packet[CMT_LAST_WORD_BYTES];
} kept[KEPT_MAX];
static unsigned next;
static bool any;

bool cmt_last_word_any(void)
{
	return any;
}

void cmt_last_word_keep(uint32_t own_tag, const void *packet, size_t bytes)
{
	struct last_word *w = &kept[next];

	if (bytes > sizeof(w->packet))
		return;
	next = (next + 1) % KEPT_MAX;
	any = true;
	w->own_tag = own_tag;
	w->bytes = (uint32_t)bytes;
	memcpy(w->packet, packet, bytes);
}

const void *cmt_last_word_find(const void *packet, size_t *bytes)
{
	struct sctphdr asks, said;

	memcpy(&asks, packet, sizeof(asks));
	for (unsigned i = 0; i < KEPT_MAX; i++) {
		if (kept[i].own_tag != ntohl(asks.v_tag) || kept[i].own_tag == 0)
			continue;
		memcpy(&said, kept[i].packet, sizeof(said));
		if (said.src_port == asks.dest_port && said.dest_port == asks.src_port) {
			*bytes = kept[i].bytes;
			return kept[i].packet;
		}
	}
	return NULL;
}

void cmt_last_word_forget(void)
{
	memset(kept, 0, sizeof(kept));
	next = 0;
	any = false;
}
