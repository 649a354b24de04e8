/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A car with a Starlink dish and a cellular modem (Hu et al., "LEO Satellite vs. Cellular Networks", CoNEXT
 * 2023): what single-path TCP got, a lower bound of what there was. */
#include "bench/benches/recorded.h"

#define FOLDER   "starlink-cellular/"
#define STARLINK 25, 100
#define CELLULAR 30, 200
#define MPTCP    " Kernel MPTCP there: 0.84 and 0.81 of the sum with tuned buffers, 0.57 and 0.63 without"

static int list(const char *networks, struct lab_bench_points *out, struct lab_error *error)
{
	static const struct lab_recorded_link links[][2] = {
	    {{"starlink", FOLDER "mob-vz-mob.csv", NULL, STARLINK},
	     {"verizon", FOLDER "mob-vz-vz.csv", NULL, CELLULAR}},
	    {{"starlink", FOLDER "mob-att-mob.csv", NULL, STARLINK},
	     {"att", FOLDER "mob-att-att.csv", NULL, CELLULAR}},
	};

	for (size_t i = 0; i < sizeof(links) / sizeof(links[0]); i++) {
		const struct lab_recorded_link *const pair[] = {&links[i][0], &links[i][1]};

		if (lab_bench_add_recorded(out, networks, "starlink-cellular", pair, "rcvbuf=24MB", error) !=
		    0) {
			return -1;
		}
	}
	return 0;
}

const struct lab_bench lab_bench_starlink_cellular = {
    .name = "starlink-cellular",
    .title = "Benchmark: Starlink and cellular",
    .what = "rates in a moving car by the second (CoNEXT 2023); chosen: 25 ms and 30 ms one way, queues of "
            "100 ms and 200 ms, receive buffer 24 MB." MPTCP,
    .recorded = true,
    .list = list,
    .measures = {{.name = "of the ceiling", .key = "goodput_bps", .of = LAB_BENCH_OF_CEILING},
                 {.name = "benefit (EBen)", .key = "goodput_bps", .of = LAB_BENCH_BENEFIT},
                 {.name = "of the best plain path", .key = "goodput_bps", .of = LAB_BENCH_OF_PLAIN},
                 {.name = "of our best path", .key = "goodput_bps", .of = LAB_BENCH_OF_SAME},
                 {.name = "silence (ms)", .key = "max_delivery_gap_us", .unit = 1e3, .less = true}},
    .n_measures = 5,
};
