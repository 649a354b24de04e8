/* SPDX-License-Identifier: BSD-3-Clause
 *
 * network_alone.c - what a script does, it does alone and after any other: network_alone CORPUS
 *
 * Runs the seeds of the packet targets in order, backwards, and each with an empty stack (network.h): the
 * same packets at the same times, or exit status 1 with the seed's name. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/fuzz.h"
#include "support/network.h"

enum { SEEDS_MAX = 1000, PATH_BYTES = 1000, SCRIPT_BYTES_MAX = 100000 };

struct seed {
	enum network_attack attack;
	char path[PATH_BYTES];
	uint64_t packets; /* a hash */
};

static struct seed seeds[SEEDS_MAX];
static size_t n_seeds;

static void list(const char *corpus, const char *target, enum network_attack attack)
{
	char folder[PATH_BYTES / 2];
	struct dirent *entry;
	DIR *dir;

	REQUIRE(snprintf(folder, sizeof(folder), "%s/%s", corpus, target) < (int)sizeof(folder));
	dir = opendir(folder);
	REQUIRE(dir != NULL);
	while ((entry = readdir(dir)) != NULL) {
		if (entry->d_name[0] == '.')
			continue;
		REQUIRE(n_seeds < SEEDS_MAX);
		REQUIRE(snprintf(seeds[n_seeds].path, PATH_BYTES, "%s/%s", folder, entry->d_name) <
		        PATH_BYTES);
		seeds[n_seeds++].attack = attack;
	}
	closedir(dir);
}

static uint64_t play(const struct seed *seed)
{
	static uint8_t script[SCRIPT_BYTES_MAX];
	FILE *file = fopen(seed->path, "rb");
	size_t size;

	REQUIRE(file != NULL);
	size = fread(script, 1, sizeof(script), file);
	fclose(file);
	return network_run(seed->attack, script, size);
}

static size_t compare(const struct seed *seed, const char *how)
{
	if (play(seed) == seed->packets)
		return 0;
	printf("%s: not the same packets %s\n", seed->path, how);
	return 1;
}

int main(int argc, char **argv)
{
	size_t differ = 0;

	if (argc != 2) {
		fprintf(stderr, "usage: network_alone CORPUS\n");
		return 2;
	}
	list(argv[1], "listener", NETWORK_LISTENER);
	list(argv[1], "connected", NETWORK_INSIDE);
	list(argv[1], "blind", NETWORK_BLIND);
	list(argv[1], "chunks", NETWORK_CHUNKS);
	list(argv[1], "protected", NETWORK_PROTECTED);
	list(argv[1], "paths", NETWORK_PATHS);
	for (size_t i = 0; i < n_seeds; i++)
		seeds[i].packets = play(&seeds[i]);
	for (size_t i = n_seeds; i-- > 0;)
		differ += compare(&seeds[i], "after others");
	network_plain = true;
	for (size_t i = 0; i < n_seeds; i++)
		differ += compare(&seeds[i], "with an empty stack");
	printf("%zu scripts, %zu differences\n", n_seeds, differ);
	return differ > 0 ? 1 : 0;
}
