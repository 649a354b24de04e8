/* SPDX-License-Identifier: BSD-3-Clause */
#include "side.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

static uint64_t us_of(const struct timeval *t)
{
	return (uint64_t)t->tv_sec * 1000000u + (uint64_t)t->tv_usec;
}

static uint64_t cpu_us(void)
{
	struct rusage usage;

	side_require(getrusage(RUSAGE_SELF, &usage) == 0, "getrusage");
	return us_of(&usage.ru_utime) + us_of(&usage.ru_stime);
}

static uint64_t wall_us(void)
{
	struct timespec t;

	side_require(clock_gettime(CLOCK_MONOTONIC, &t) == 0, "clock_gettime");
	return (uint64_t)t.tv_sec * 1000000u + (uint64_t)t.tv_nsec / 1000u;
}

void side_require(bool ok, const char *what)
{
	if (ok)
		return;
	perror(what);
	exit(2);
}

struct side side_arguments(int argc, char **argv)
{
	struct side side;

	side_require(argc == 8 && (strcmp(argv[1], "send") == 0 || strcmp(argv[1], "receive") == 0),
	             "send|receive UDP_PORT PEER_UDP_PORT MTU_BYTES BYTES PATHS clear|keys");
	side = (struct side){.sends = strcmp(argv[1], "send") == 0,
	                     .udp_port = (uint16_t)strtoul(argv[2], NULL, 10),
	                     .peer_udp_port = (uint16_t)strtoul(argv[3], NULL, 10),
	                     .mtu_bytes = (uint32_t)strtoul(argv[4], NULL, 10),
	                     .bytes = strtoull(argv[5], NULL, 10),
	                     .n_paths = (uint32_t)strtoul(argv[6], NULL, 10),
	                     .has_keys = strcmp(argv[7], "keys") == 0};
	side_require(side.n_paths >= 1 && side.n_paths <= SIDE_MAX_PATHS, "PATHS");
	return side;
}

void side_start(struct side *side)
{
	side->cpu_us = cpu_us();
	side->wall_us = wall_us();
}

void side_report(const struct side *side)
{
	printf("%llu %llu\n", (unsigned long long)(cpu_us() - side->cpu_us),
	       (unsigned long long)(wall_us() - side->wall_us));
	(void)fflush(stdout);
}
