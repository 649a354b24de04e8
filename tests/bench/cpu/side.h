/* SPDX-License-Identifier: BSD-3-Clause
 *
 * side.h - one side of bench_cpu's transfer: a program that sends or receives over loopback, in UDP.
 *
 *     SIDE send|receive UDP_PORT PEER_UDP_PORT MTU_BYTES BYTES PATHS clear|keys
 *
 * Both ends are at 127.0.0.1 and the addresses behind it, one for each path; with threads there is one. With
 * keys the connection is encrypted, which threads cannot do. Messages have SIDE_MESSAGE_BYTES, the socket
 * buffers SIDE_BUFFER_BYTES. The receiver prints "ready" when it can be connected to. At the end both print a
 * line with the processor time in us (user and system, all threads) and the wall time in us, from the
 * established association until everything is acknowledged, or received. */
#ifndef BENCH_SIDE_H
#define BENCH_SIDE_H

#include <stdbool.h>
#include <stdint.h>

enum { SIDE_MESSAGE_BYTES = 1400, SIDE_BUFFER_BYTES = 1 << 20, SIDE_PORT = 5001, SIDE_MAX_PATHS = 8 };

struct side {
	bool sends;
	uint16_t udp_port, peer_udp_port;
	uint32_t mtu_bytes; /* 0 = the interface's */
	uint64_t bytes;
	uint32_t n_paths;
	bool has_keys;
	uint64_t cpu_us, wall_us; /* at the start */
};

/* Reads the arguments; ends the program when they are wrong. */
struct side side_arguments(int argc, char **argv);

/* Around what is measured. */
void side_start(struct side *side);
void side_report(const struct side *side);

/* Says it on stderr and ends the program when `ok` is false. */
void side_require(bool ok, const char *what);

#endif
