/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sealed.h - the victim's association under the DTLS chunk (NETWORK_PROTECTED): attackers with its keys, who
 * put what they send into records, and listen to what is in those of others. The cipher is toy_aead.h's: no
 * library's memory outlasts an input. */
#ifndef FUZZ_SEALED_H
#define FUZZ_SEALED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The stack's keys, of which there are none yet, are told to attackers from now on. */
void sealed_begin(void);

/* In place, by the keys of `from_host`, without checksum: the packet's bytes, `len` when there is no room or
 * no key. */
size_t sealed_close(int from_host, uint8_t *packet, size_t len, size_t room);

/* What is in a packet's DTLS chunk, behind its common header; 0: it is none, or cannot be opened. */
size_t sealed_open(int from_host, const uint8_t *packet, size_t len, uint8_t *out, size_t room);

#endif
