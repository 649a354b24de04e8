/* SPDX-License-Identifier: BSD-3-Clause
 *
 * content.h - what transfers are made of: bytes that tell their place. Pointers into one table, since to make
 * and compare them one by one takes a test longer than the stack takes to carry them. */
#ifndef SIM_CONTENT_H
#define SIM_CONTENT_H

#include <stddef.h>
#include <stdint.h>

enum { CONTENT_BYTES_MAX = 1 << 20 };

/* The `n` (CONTENT_BYTES_MAX) bytes of a stream from its byte `at` on; they stay. */
const uint8_t *content_of_stream(uint64_t at, size_t n);

/* The `n` bytes of a host's message from its byte `at` on, both together at most CONTENT_BYTES_MAX. */
const uint8_t *content_of_message(int host, uint32_t index, uint32_t at, size_t n);

#endif
