/* SPDX-License-Identifier: BSD-3-Clause */
#include "net/port_holder.h"

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_INODES   16
#define TARGET_BYTES 64

struct sockets {
	unsigned long inodes[MAX_INODES];
	size_t n;
};

/* A socket's own address in /proc/net/udp or udp6: words of 8 digits, as they are in memory. */
struct address {
	uint32_t words[4];
	size_t n;
};

static struct address read_address(const char *hex)
{
	struct address a = {.n = 0};

	while (a.n < 4 && sscanf(hex, "%8" SCNx32, &a.words[a.n]) == 1) {
		a.n++;
		hex += strnlen(hex, 8);
	}
	return a;
}

static bool is_any(const struct address *a)
{
	return (a->words[0] | a->words[1] | a->words[2] | a->words[3]) == 0;
}

static bool is_same(const struct address *a, const struct sockaddr_storage *bound)
{
	const void *const bytes = bound->ss_family == AF_INET6
	                              ? (const void *)&((const struct sockaddr_in6 *)bound)->sin6_addr
	                              : (const void *)&((const struct sockaddr_in *)bound)->sin_addr;

	return a->n == (bound->ss_family == AF_INET6 ? 4 : 1) && memcmp(a->words, bytes, 4 * a->n) == 0;
}

/* Whether a socket with this address leaves no room for one of `bound`, none of which means all. */
static bool is_in_the_way(const struct address *a, const struct app_addresses *bound)
{
	bool found = bound->n == 0 || is_any(a);

	for (size_t i = 0; i < bound->n; i++) {
		found = found || is_same(a, &bound->list[i]);
	}
	return found;
}

/* Of `table` (/proc/net/udp, udp6): sl local:PORT remote:PORT st tx:rx tr:when retrnsmt uid timeout inode. */
static void find_sockets(const char *table, const struct app_addresses *bound, uint16_t udp_port,
                         struct sockets *found)
{
	FILE *const file = fopen(table, "re");
	char line[400];

	while (file != NULL && found->n < MAX_INODES && fgets(line, sizeof(line), file) != NULL) {
		struct address own;
		unsigned long inode;
		char hex[33];
		unsigned port;

		if (sscanf(line, " %*s %32[0-9A-F]:%x %*s %*s %*s %*s %*s %*s %*s %lu", hex, &port, &inode) !=
		        3 ||
		    port != udp_port) {
			continue;
		}
		own = read_address(hex);
		if (is_in_the_way(&own, bound)) {
			found->inodes[found->n++] = inode;
		}
	}
	if (file != NULL) {
		fclose(file);
	}
}

static bool is_one_of(const char *target, const struct sockets *sockets)
{
	unsigned long inode;

	if (sscanf(target, "socket:[%lu]", &inode) != 1) {
		return false;
	}
	for (size_t i = 0; i < sockets->n; i++) {
		if (sockets->inodes[i] == inode) {
			return true;
		}
	}
	return false;
}

static bool holds(const char *process, const struct sockets *sockets)
{
	char path[300];
	const struct dirent *entry;
	bool found = false;
	DIR *descriptors;

	(void)snprintf(path, sizeof(path), "/proc/%s/fd", process);
	descriptors = opendir(path);
	while (!found && descriptors != NULL && (entry = readdir(descriptors)) != NULL) {
		char target[TARGET_BYTES];
		const ssize_t len = readlinkat(dirfd(descriptors), entry->d_name, target, sizeof(target) - 1);

		target[len > 0 ? len : 0] = '\0';
		found = is_one_of(target, sockets);
	}
	if (descriptors != NULL) {
		closedir(descriptors);
	}
	return found;
}

static void name_process(const char *process, char *out, size_t out_bytes)
{
	char path[300], name[64] = "a program";
	FILE *file;

	(void)snprintf(path, sizeof(path), "/proc/%s/comm", process);
	file = fopen(path, "re");
	if (file != NULL) {
		if (fgets(name, sizeof(name), file) != NULL) {
			name[strcspn(name, "\n")] = '\0';
		}
		fclose(file);
	}
	(void)snprintf(out, out_bytes, "%s (process %s)", name, process);
}

char *app_port_holder(const struct app_addresses *bound, uint16_t udp_port, char *out, size_t out_bytes)
{
	struct sockets sockets = {.n = 0};
	const struct dirent *entry;
	DIR *processes;
	bool found = false;

	find_sockets("/proc/net/udp", bound, udp_port, &sockets);
	find_sockets("/proc/net/udp6", bound, udp_port, &sockets);
	processes = sockets.n > 0 ? opendir("/proc") : NULL;
	while (!found && processes != NULL && (entry = readdir(processes)) != NULL) {
		found = entry->d_name[0] >= '1' && entry->d_name[0] <= '9' && holds(entry->d_name, &sockets);
		if (found) {
			name_process(entry->d_name, out, out_bytes);
		}
	}
	if (processes != NULL) {
		closedir(processes);
	}
	return found ? out : NULL;
}
