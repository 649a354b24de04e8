/* SPDX-License-Identifier: BSD-3-Clause */
#include "ts_cut.h"

#define SYNC 0x47

/* Whether each packet that begins within `len` has its sync byte. */
static bool is_ts(const uint8_t *bytes, size_t len)
{
	for (size_t at = 0; at < len; at += TS_PACKET_BYTES) {
		if (bytes[at] != SYNC) {
			return false;
		}
	}
	return true;
}

size_t ts_cut(const uint8_t *bytes, size_t len, bool all)
{
	const size_t most = len < TS_CUT_BYTES ? len : TS_CUT_BYTES;

	if (len == 0 || !is_ts(bytes, most)) {
		return most;
	}
	if (most == TS_CUT_BYTES) {
		return most;
	}
	if (!all) {
		return 0;
	}
	return most - most % TS_PACKET_BYTES;
}
