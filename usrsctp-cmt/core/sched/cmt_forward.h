/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_forward.h - forward prediction: how many packets a path delivers in a given time, its window growing
 * round by round. Pure.
 *
 * FPS (Mirani et al. 2010) and F2P-DPS (Ni et al. 2014) are described in section II of the OCPS paper: the
 * first lets the window grow, the second expects losses as well, in the manner of TCP models. A round is an
 * RTT of the path; w packets leave in it, evenly spaced, but not faster than the link takes them.
 *
 * How much time other paths have follows from predicted arrivals, in rounds of min RTTs. With `rtt` it is the
 * paper's: a transmission lasts half of the smoothed RTT, of which a round lasts the whole. */
#ifndef CMT_FORWARD_H
#define CMT_FORWARD_H

#include "cmt_ahead.h"

struct cmt_forward_path {
	int64_t round_us;   /* 0 = not measured: then the link alone counts */
	int64_t tx_time_us; /* that a packet takes on the link; > 0 */
	uint64_t cwnd_pkts; /* > 0 */
	uint64_t ssthresh_pkts;
	uint64_t window_pkts; /* no more per round, whatever cwnd says; > 0 */
	uint32_t loss_ppm;    /* of packets; 0 .. 1000000; cmt_forward_fps() takes no notice */
};

/* States of fps and f2p begin with it. */
struct cmt_forward_options {
	struct cmt_ahead_options ahead;
	uint64_t rtt; /* 0 or 1 */
};

#define CMT_FORWARD_OPTIONS_DEFAULT ((struct cmt_forward_options){.ahead = CMT_AHEAD_OPTIONS_DEFAULT})
/* Their entries in a table of struct cmt_option. */
/* clang-format off */
#define CMT_FORWARD_OPTIONS(o) CMT_AHEAD_OPTIONS((o).ahead), {"rtt", &(o).rtt, 0, 1}
/* clang-format on */
#define CMT_FORWARD_OPTION_HELP                                                                              \
	"rtt=0 [0..1]: 1 takes durations from RTTs, as in the paper, 0 from predicted arrivals; "            \
	CMT_AHEAD_OPTION_HELP

/* Their init slot. */
int cmt_forward_init(void *st, const char *text);

/* Bytes of what the other paths deliver, counted by `count`, before the next packet of the path at `index`.
 */
uint64_t cmt_forward_ahead(const void *st, const struct cmt_view *v, const struct cmt_ahead_path *paths,
                           unsigned index, cmt_ahead_count_fn *count);

/* The path as a scheduler sees it, without loss. `p` has a share. */
struct cmt_forward_path cmt_forward_of(const struct cmt_forward_options *o, const struct cmt_view *v,
                                       const struct cmt_ahead_path *p);

/* Packets delivered from one arrival until `lead_us` >= 0 after it, both included:
 *
 *     sum over whole rounds of w_r  +  floor( rest / interval ) + 1,   interval = max( packet , round / w )
 *     w_r+1 = min( 2 w_r , ssthresh ) below ssthresh, else w_r + 1
 *
 * Constant time. */
uint64_t cmt_forward_fps(const struct cmt_forward_path *p, int64_t lead_us);

/* The expected number, to the nearest packet. With loss rate p all w packets of a round come through with
 * probability s = (1 - p)^w; else the window is halved:
 *
 *     delivered in a round:  w_r (1 - p)
 *     E[w_r+1] = s grow( w_r ) + (1 - s) w_r / 2
 *
 * The recursion is over the expected window, not over all courses that it may take, and ends after 64 rounds,
 * behind which the window counts as settled. Without loss equal to cmt_forward_fps(), but for that. */
uint64_t cmt_forward_f2p(const struct cmt_forward_path *p, int64_t lead_us);

#endif
