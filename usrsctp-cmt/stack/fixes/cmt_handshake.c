/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which handshakes measure a round-trip time (upstream/fixes/handshake-rtt.manifest). */
#include <netinet/sctp_os.h>
#include <netinet/sctp_var.h>

#include "cmt_hooks.h"

int cmt_may_be_first_echo(const struct timeval *sent, uint32_t rto_ms)
{
	struct timeval now, age;

	(void)SCTP_GETTIME_TIMEVAL(&now);
	timersub(&now, sent, &age);
	return age.tv_sec * 1000 + age.tv_usec / 1000 < (time_t)rto_ms;
}
