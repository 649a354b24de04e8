/* SPDX-License-Identifier: BSD-3-Clause
 *
 * transfer_seeds.c - scripts from real transfers, for make-seeds: transfer_seeds SETTINGS PORT HOSTS
 *
 * Writes on stdout the script of what the hosts (bit 0, bit 1) sent in the association of the client with
 * that port, with these settings. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/fuzz.h"
#include "support/network.h"

static uint8_t script[100000];
static size_t size;
static uint16_t wanted_port;
static unsigned packets, hosts;

static void note(uint16_t port, const struct script_packet *packet)
{
	struct script_packet p = *packet;

	if (port != wanted_port || (hosts >> packet->who & 1) == 0 || packets == SCRIPT_PACKETS_MAX)
		return;
	packets++;
	p.wait_us = 2000;
	size = script_add(script, size, sizeof(script), &p);
}

int main(int argc, char **argv)
{
	if (argc != 4) {
		fprintf(stderr, "usage: transfer_seeds SETTINGS PORT HOSTS\n");
		return 2;
	}
	script[0] = (uint8_t)atoi(argv[1]);
	size = SCRIPT_SETTINGS_BYTES;
	wanted_port = (uint16_t)atoi(argv[2]);
	hosts = (unsigned)atoi(argv[3]); /* bit per host */
	network_plain = true;
	network_watch = note;
	network_seed = 2;
	network_run(NETWORK_INSIDE, script, 1);
	return fwrite(script, 1, size, stdout) == size ? 0 : 1;
}
