/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The sweeps that are published. */
#include <string.h>

#include "sweeps/sweep.h"

#define GOODPUT                                                                                              \
	{                                                                                                    \
		.key = "goodput_bps", .axis = "goodput / ceiling"                                            \
	}
#define BUFFER                                                                                               \
	{                                                                                                    \
		.key = "rcvbuf_mean_bytes", .axis = "mean receive-buffer occupancy (kB)", .unit = 1e3,       \
		.less = true, .aside = true                                                                  \
	}

#define TWO_PATHS "10Mbit/20ms,5Mbit/60ms,q=100p,msg=1400"
#define EIGHT_PATHS                                                                                          \
	"4Mbit/20ms,2Mbit/60ms,1Mbit/100ms,3Mbit/40ms,2Mbit/80ms,1Mbit/150ms,4Mbit/30ms,2Mbit/120ms,q=100p"

static const struct lab_sweep sweeps[] = {
    {.name = "rcvbuf",
     .title = "Sweep: receive buffer",
     .what = "sarwar1 (1.6 Mbit/s 10 ms + 0.4 Mbit/s 100 ms), no loss; W_min = sum of rate x round-trip time",
     .scenario = "sarwar1",
     .x = "0.5 0.75 1 1.5 2 3 4",
     .x_axis = "receive buffer / W_min",
     .set = "rcvbuf=@W",
     .metrics = {GOODPUT, BUFFER},
     .n_metrics = 2,
     .n_seeds = 10,
     .transfer_s = 20},
    {.name = "jitter",
     .title = "Sweep: jitter",
     .what = "sarwar1, receive buffer 50 kB; exponential jitter, mean in per cent of each path's delay, "
             "order kept",
     .scenario = "sarwar1",
     .x = "0 5 10 20 30 50",
     .x_axis = "mean jitter / delay (%)",
     .set = "path.1.jitter=exp:@00us path.2.jitter=exp:@ms",
     .metrics = {GOODPUT, BUFFER},
     .n_metrics = 2,
     .n_seeds = 10,
     .transfer_s = 20},
    {.name = "delay-error",
     .title = "Sweep: error of the delay estimates",
     .what = "sarwar1, receive buffer 2 x W_min; every estimate of the forward delay falsified",
     .scenario = "sarwar1",
     .x = "-50 -25 0 25 50 75 100",
     .x_axis = "error of the delay estimates (%)",
     .set = "delay_error=@ rcvbuf=2W",
     .metrics = {GOODPUT, BUFFER},
     .n_metrics = 2,
     .n_seeds = 5,
     .transfer_s = 20},
    {.name = "loss",
     .title = "Sweep: random loss",
     .what = "10 Mbit/s 20 ms + 5 Mbit/s 60 ms, receive buffer 2 x W_min, the same loss on both paths and "
             "directions",
     .scenario = TWO_PATHS,
     .x = "0 0.5 1 2 3 4 5",
     .x_axis = "loss (%)",
     .set = "path.1.loss=@% path.2.loss=@% rcvbuf=2W",
     .metrics = {GOODPUT, BUFFER},
     .n_metrics = 2,
     .n_seeds = 7,
     .transfer_s = 12},
    {.name = "latency",
     .title = "Sweep: latency of a constant-rate source",
     .what = "sarwar1, receive buffer 50 kB; from due time to delivery in order. A single path cannot carry "
             "more than 80 %",
     .scenario = "sarwar1",
     .x = "25 50 75 90",
     .x_axis = "rate of the source / ceiling (%)",
     .set = "load=@%",
     .metrics =
         {{.key = "latency_p50_us", .axis = "latency, median (ms)", .unit = 1e3, .less = true, .log = true},
          {.key = "latency_p99_us",
           .axis = "latency, 99th percentile (ms)",
           .unit = 1e3,
           .less = true,
           .log = true}},
     .n_metrics = 2,
     .n_seeds = 10,
     .transfer_s = 30},
    {.name = "paths",
     .title = "Sweep: number of paths",
     .what =
         "the first of 4 Mbit/s 20 ms, 2/60, 1/100, 3/40, 2/80, 1/150, 4/30, 2/120; receive buffer 2 x W_min",
     .scenario = EIGHT_PATHS,
     .x = "2..8",
     .x_axis = "paths",
     .set = "paths=@ rcvbuf=2W",
     .metrics = {GOODPUT, BUFFER},
     .n_metrics = 2,
     .n_seeds = 3,
     .transfer_s = 12},
    {.name = "random",
     .title = "Sweep: random networks without loss",
     .what = "random:1 to random:100: 2 to 5 paths, 0.5 to 50 Mbit/s, 5 to 300 ms, jitter to 20 % "
             "(docs/lab.md); transfers of 8 s at the ceiling, with their start",
     .scenario = "random:@",
     .x = "1..100",
     .x_axis = "network",
     .metrics = {GOODPUT},
     .n_metrics = 1,
     .n_seeds = 1,
     .transfer_s = 8,
     .ranked = true},
    {.name = "random-lossy",
     .title = "Sweep: random networks with loss",
     .what = "random-lossy:1 to random-lossy:50: the same with 0 to 1 % loss on each path; transfers of 8 s "
             "at the ceiling, with their start",
     .scenario = "random-lossy:@",
     .x = "1..50",
     .x_axis = "network",
     .metrics = {GOODPUT},
     .n_metrics = 1,
     .n_seeds = 1,
     .transfer_s = 8,
     .ranked = true},
};

const struct lab_sweep *lab_sweep(size_t i)
{
	return i < sizeof(sweeps) / sizeof(sweeps[0]) ? &sweeps[i] : NULL;
}

const struct lab_sweep *lab_sweep_by_name(const char *name)
{
	const struct lab_sweep *s = NULL;

	for (size_t i = 0; (s = lab_sweep(i)) != NULL && strcmp(s->name, name) != 0; i++) {
	}
	return s;
}
