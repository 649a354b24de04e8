/* SPDX-License-Identifier: BSD-3-Clause
 *
 * When the next HEARTBEAT is due (RFC 9260, section 8.3: RTO with a jitter of +-50 %, plus HB.interval),
 * without overflow (upstream/fixes/timer-overflow.manifest). An RTO of 0 is not measured. Pure. */
#include <stdint.h>

#include <netinet/sctp_os.h>
#include <netinet/sctp_constants.h>

#include "cmt_hooks.h"

uint32_t cmt_heartbeat_ms(uint32_t rto_ms, uint32_t random, uint32_t interval_ms)
{
	uint64_t rto = rto_ms == 0 ? SCTP_RTO_INITIAL : rto_ms;
	uint64_t due = rto - rto / 2 + random % rto + interval_ms;

	return due > UINT32_MAX ? UINT32_MAX : (uint32_t)due;
}
