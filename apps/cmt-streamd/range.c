/* SPDX-License-Identifier: BSD-3-Clause */
#include "range.h"

static struct range refuse(int status)
{
	return (struct range){.status = status};
}

static struct range last_bytes(uint64_t suffix, uint64_t size)
{
	const uint64_t bytes = suffix < size ? suffix : size;

	return bytes == 0 ? refuse(416)
	                  : (struct range){.status = 206, .first = size - bytes, .bytes = bytes};
}

struct range range_resolve(const struct media_message *request, uint64_t size)
{
	const uint64_t first = (uint64_t)request->first; /* 0 when missing */
	uint64_t last = UINT64_MAX;

	if ((request->has & MEDIA_M_SUFFIX) != 0) {
		return last_bytes((uint64_t)request->suffix, size);
	}
	if ((request->has & (MEDIA_M_FIRST | MEDIA_M_LAST)) == 0) {
		return (struct range){.status = 200, .bytes = size};
	}
	if ((request->has & MEDIA_M_LAST) != 0) {
		last = (uint64_t)request->last;
	}
	if (last < first) {
		return refuse(400);
	}
	if (first >= size) {
		return refuse(416);
	}
	last = last < size ? last : size - 1;
	return (struct range){.status = 206, .first = first, .bytes = last - first + 1};
}
