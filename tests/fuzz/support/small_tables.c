/* SPDX-License-Identifier: BSD-3-Clause
 *
 * small_tables.c - hash tables for a few associations instead of thousands: the stack is taken down after
 * every input, bucket by bucket. Between upstream's defaults and what is allocated by them (--wrap of the
 * linker). */
#include <netinet/sctp_os.h>
#include <netinet/sctp_pcb.h>
#include <netinet/sctp_sysctl.h>

enum { BUCKETS = 16 };

void __real_sctp_init_sysctls(void);
void __wrap_sctp_init_sysctls(void);

void __wrap_sctp_init_sysctls(void)
{
	__real_sctp_init_sysctls();
	SCTP_BASE_SYSCTL(sctp_hashtblsize) = BUCKETS;
	SCTP_BASE_SYSCTL(sctp_pcbtblsize) = BUCKETS;
}
