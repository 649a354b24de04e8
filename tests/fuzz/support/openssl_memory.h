/* SPDX-License-Identifier: BSD-3-Clause
 *
 * openssl_memory.h - OpenSSL's memory from blocks of powers of two that are used again, where AddressSanitizer does not look:
 * its thousands of small allocations are half of a handshake's time. For long runs alone. */
#ifndef FUZZ_OPENSSL_MEMORY_H
#define FUZZ_OPENSSL_MEMORY_H

/* Does so if the environment has FUZZ_OPENSSL_PLAIN. Before anything of OpenSSL is called. */
void fuzz_openssl_memory(void);

#endif
