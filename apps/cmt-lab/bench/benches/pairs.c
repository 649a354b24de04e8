/* SPDX-License-Identifier: BSD-3-Clause */
#include "bench/benches/pairs.h"

const struct lab_bench_pair lab_bench_pairs[LAB_BENCH_PAIRS] = {
    {"wifi lte", {"30Mbit/8ms/q=100p", "12Mbit/35ms/q=200p"}},
    {"dsl lte", {"16Mbit/12ms/q=100p", "20Mbit/30ms/q=200p"}},
    {"fibre lte", {"100Mbit/5ms/q=200p", "20Mbit/30ms/q=200p"}},
    {"lte satellite", {"12Mbit/35ms/q=200p", "20Mbit/300ms/q=800p"}},
    {"equal", {"10Mbit/20ms/q=60p", "10Mbit/20ms/q=60p"}},
    {"fast slow", {"20Mbit/10ms/q=60p", "500kbit/100ms/q=20p"}},
    {"lossy wifi lte", {"30Mbit/8ms/q=100p/loss=1%", "12Mbit/35ms/q=200p/loss=0.1%"}},
};
