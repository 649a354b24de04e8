/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rates.h - how fast a link is, and when what is handed to it has left.
 *
 * Pure. A constant rate, rates that change over time and opportunities to send (Mahimahi's packet-delivery
 * traces) answer the same questions. Times are whole microseconds; what is left of one is kept as work, in
 * bits times 10^6, so that rounding never adds up. */
#ifndef SIMNET_RATES_H
#define SIMNET_RATES_H

#include <stdbool.h>
#include <stdint.h>

#include "usrsctp_cmt_sim.h"

#define SIMNET_NEVER_US      UINT64_MAX
#define SIMNET_WORK_PER_BYTE UINT64_C(8000000)

/* The transmitter has done everything by at_us, and `work` of what it can do from then on. */
struct simnet_position {
	uint64_t at_us;
	uint64_t work;
};

/* 0, or -EINVAL: no points, a time that does not ascend or is outside of the period, or nothing to carry
 * anything with. */
int simnet_rates_check(const struct usrsctp_cmt_sim_rates *rates);
int simnet_delays_check(const struct usrsctp_cmt_sim_delays *delays);

/* Where the transmitter is after `bytes` more. It begins at `from`, not in the past. `rates` NULL: always
 * `rate_bps`, 0 = as fast as one likes. */
struct simnet_position simnet_rates_after(const struct usrsctp_cmt_sim_rates *rates, uint64_t rate_bps,
                                          struct simnet_position from, uint32_t bytes);

/* The first whole microsecond at which it is past that position. */
uint64_t simnet_rates_until_us(const struct usrsctp_cmt_sim_rates *rates, struct simnet_position position);

/* Bits that can leave in [from_us, until_us). */
double simnet_rates_bits(const struct usrsctp_cmt_sim_rates *rates, uint64_t from_us, uint64_t until_us);

/* Added to the delay of what leaves at now_us; 0 without `delays`. */
uint64_t simnet_delays_at_us(const struct usrsctp_cmt_sim_delays *delays, uint64_t now_us);

#endif
