/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/page.h"

uint64_t lab_page_asked_bytes(uint64_t total_bytes, unsigned waves, uint64_t msg_bytes, unsigned wave)
{
	double part;
	uint64_t messages;

	if (wave + 1 >= waves) {
		return total_bytes;
	}
	part = (double)((UINT64_C(2) << wave) - 1) / (double)((UINT64_C(1) << waves) - 1);
	messages = (uint64_t)(part * (double)total_bytes / (double)msg_bytes) + 1;
	return messages * msg_bytes < total_bytes ? messages * msg_bytes : total_bytes;
}
